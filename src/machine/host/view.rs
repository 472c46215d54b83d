//! A read-only view of one host directory and of the system's data.
//!
//! Invariant: nothing outside of the directories shown is ever opened. A path is resolved by the
//! host (links included) and then compared with them; their ancestors look like directories that
//! lead to them and hold nothing else, so that programs can walk down from `/`. Metadata, listings,
//! links and the contents of small files are remembered at their first use: the host is taken as
//! fixed for one run.

use super::stat::stat_bytes;
use crate::exec::{Errno, STAT_BYTES};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirEntryExt, FileExt, FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

/// The most that one read returns, in bytes.
const READ_LIMIT: u64 = 1 << 24;
/// The largest file whose contents are remembered, in bytes. Paths that copy a file read it piece
/// by piece, thousands of times in a run.
const KEPT_FILE_LIMIT: u64 = 1 << 20;
/// Limit on the cached contents of all files together, in bytes; later files are read each time.
const KEPT_LIMIT: u64 = 1 << 24;

/// Directories shown beside the root where they exist: data that libc reads on behalf of a program.
/// A program's native run reads the same files.
const SYSTEM_DATA: &[&str] = &["/usr/share/zoneinfo"];

/// Returns the directories of system data that this machine has, without links in their paths.
pub fn system_data() -> Vec<PathBuf> {
    let is_plain = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real == *path);
    let present = SYSTEM_DATA.iter().map(PathBuf::from);
    present.filter(is_plain).collect()
}

const ENOENT: Errno = Errno(nix::libc::ENOENT);
const ENOTDIR: Errno = Errno(nix::libc::ENOTDIR);
const EISDIR: Errno = Errno(nix::libc::EISDIR);
const EINVAL: Errno = Errno(nix::libc::EINVAL);
const EIO: Errno = Errno(nix::libc::EIO);
const EACCES: Errno = Errno(nix::libc::EACCES);
/// The host has such a file, but it is not shown.
const NOT_SHOWN: Errno = Errno(nix::libc::EREMOTE);

/// A host file that some state read, as it was at the first read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostFile {
    pub path: PathBuf,
    /// The file's size in bytes.
    pub size: u64,
    /// Last change: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
}

/// A read-only view of one directory of the host and of the system's data.
#[derive(Debug)]
pub struct HostView {
    /// The directory shown, as a canonical path.
    root: PathBuf,
    /// Further directories shown, as canonical paths.
    data: Vec<PathBuf>,
    /// A directory in the root that is not shown, nor any link to it.
    hidden: Option<PathBuf>,
    stats: BTreeMap<(Vec<u8>, bool), Result<[u8; STAT_BYTES], Errno>>,
    listings: BTreeMap<Vec<u8>, Result<Vec<Vec<u8>>, Errno>>,
    links: BTreeMap<Vec<u8>, Result<Vec<u8>, Errno>>,
    /// Files kept as a whole, by path.
    contents: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The sum of the lengths in `contents`, in bytes.
    kept: u64,
    /// The file read last, kept open.
    open: Option<(Vec<u8>, File)>,
    files: BTreeMap<PathBuf, HostFile>,
}

/// Target of a path.
enum Target {
    /// A host path inside a directory shown.
    Inside(PathBuf),
    /// A proper ancestor of directories shown; its entries are the next components.
    Ancestor(PathBuf, BTreeSet<Vec<u8>>),
}

fn errno(error: &io::Error) -> Errno {
    Errno(error.raw_os_error().unwrap_or(nix::libc::EIO))
}

/// Up to `length` bytes from `offset`, fewer only at the end of the file or at the limit.
pub(super) fn read_file_at(file: &File, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
    let size = file.metadata().map_or(0, |found| found.len());
    let room = length
        .min(READ_LIMIT)
        .min(size.saturating_sub(offset).max(1));
    let mut bytes = vec![0; room as usize];
    let mut done = 0;
    // Beyond the largest file offset there is nothing.
    while done < bytes.len() && offset <= i64::MAX as u64 - READ_LIMIT {
        match file.read_at(&mut bytes[done..], offset + done as u64) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(errno(&error)),
        }
    }
    bytes.truncate(done);
    Ok(bytes)
}

/// The path without `.`, `..` and doubled slashes, by text alone.
fn normalise(path: &Path) -> PathBuf {
    let mut result = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => {
                result.pop();
            }
            Component::Normal(name) => result.push(name),
            _ => {}
        }
    }
    result
}

impl HostView {
    /// A view of `root`, which must be a directory.
    pub fn new(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self {
            root,
            data: Vec::new(),
            hidden: None,
            stats: BTreeMap::new(),
            listings: BTreeMap::new(),
            links: BTreeMap::new(),
            contents: BTreeMap::new(),
            kept: 0,
            open: None,
            files: BTreeMap::new(),
        })
    }

    /// Shows the system's data as well, which programs find by absolute paths.
    pub fn with_system_data(mut self) -> Self {
        self.data.extend(system_data());
        self
    }

    /// Hides a directory, such as homi's output, which the program would not find if it ran alone.
    /// A directory outside the view changes nothing.
    pub fn without(mut self, hidden: &Path) -> Self {
        let hidden = hidden.canonicalize().ok();
        self.hidden =
            hidden.filter(|hidden| *hidden != self.root && hidden.starts_with(&self.root));
        self
    }

    fn is_hidden(&self, path: &Path) -> bool {
        let is_in = |hidden: &PathBuf| {
            let real = || {
                path.canonicalize()
                    .is_ok_and(|real| real.starts_with(hidden))
            };
            path.starts_with(hidden) || real()
        };
        self.hidden.as_ref().is_some_and(is_in)
    }

    /// The directory shown.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The files read so far, by path.
    pub fn files_read(&self) -> impl Iterator<Item = &HostFile> {
        self.files.values()
    }

    /// Resolves a path; a final link is followed or not.
    fn resolve(&self, path: &[u8], follow: bool) -> Result<Target, Errno> {
        if path.is_empty() || path.contains(&0) {
            return Err(ENOENT);
        }
        let asked = self.root.join(OsStr::from_bytes(path));
        let plain = normalise(&asked);
        // Only paths in the directories shown are opened.
        if !self.is_shown(&plain) {
            let next = self.ways_down(&plain);
            return if next.is_empty() {
                Err(ENOENT)
            } else {
                Ok(Target::Ancestor(plain, next))
            };
        }
        let resolved = match (follow, plain.parent(), plain.file_name()) {
            (false, Some(parent), Some(name)) if !self.shown().any(|top| *top == plain) => {
                self.confine(parent)?.join(name)
            }
            _ => self.confine(&plain)?,
        };
        if self.is_hidden(&resolved) {
            Err(ENOENT)
        } else {
            Ok(Target::Inside(resolved))
        }
    }

    /// The directories shown: the root and the system's data.
    fn shown(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.root).chain(&self.data)
    }

    fn is_shown(&self, path: &Path) -> bool {
        self.shown().any(|top| path.starts_with(top))
    }

    /// The names in a directory that lead down to the directories shown.
    fn ways_down(&self, directory: &Path) -> BTreeSet<Vec<u8>> {
        let next = |top: &PathBuf| {
            let rest = top.strip_prefix(directory).ok()?.components().next()?;
            Some(rest.as_os_str().as_bytes().to_vec())
        };
        self.shown().filter_map(next).collect()
    }

    /// The canonical form of a path if it lies inside a directory shown; otherwise it does not
    /// exist.
    fn confine(&self, path: &Path) -> Result<PathBuf, Errno> {
        let resolved = path.canonicalize().map_err(|error| errno(&error))?;
        if self.is_shown(&resolved) {
            Ok(resolved)
        } else {
            Err(ENOENT)
        }
    }

    /// True if the host has a file of this path outside of the directories shown.
    fn has_outside(&self, path: &[u8]) -> bool {
        let plain = normalise(&self.root.join(OsStr::from_bytes(path)));
        !self.is_shown(&plain) && fs::symlink_metadata(plain).is_ok()
    }

    /// `struct stat` of a path; of a file that is not shown `NOT_SHOWN`.
    pub fn stat(&mut self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        let key = (path.to_vec(), follow);
        if let Some(known) = self.stats.get(&key) {
            return *known;
        }
        let result = self.resolve(path, follow).and_then(|target| {
            let metadata = match target {
                Target::Inside(path) | Target::Ancestor(path, _) => fs::symlink_metadata(path),
            };
            metadata
                .map(|found| stat_bytes(&found))
                .map_err(|error| errno(&error))
        });
        let result = match result {
            Err(ENOENT) if self.has_outside(path) => Err(NOT_SHOWN),
            other => other,
        };
        self.stats.insert(key, result);
        result
    }

    /// Reads at most `length` bytes of a regular file from `offset` on.
    pub fn read(&mut self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        if !self.contents.contains_key(path) {
            let room = KEPT_FILE_LIMIT.min(KEPT_LIMIT - self.kept);
            let file = self.file(path)?;
            let size = file.metadata().map_or(0, |found| found.len());
            // A file of size 0 may be the kernel's (/proc), which has contents nevertheless.
            if size == 0 || size > room {
                return read_file_at(file, length, offset);
            }
            let whole = read_file_at(file, size, 0)?;
            self.kept += whole.len() as u64;
            self.contents.insert(path.to_vec(), whole);
        }
        let whole = self.contents.get(path).map_or(&[][..], Vec::as_slice);
        let start = whole
            .len()
            .min(usize::try_from(offset).unwrap_or(usize::MAX));
        let rest = &whole[start..];
        let end = rest
            .len()
            .min(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(rest[..end].to_vec())
    }

    fn file(&mut self, path: &[u8]) -> Result<&File, Errno> {
        if self.open.as_ref().is_none_or(|open| open.0 != path) {
            let Target::Inside(resolved) = self.resolve(path, true)? else {
                return Err(EISDIR);
            };
            let metadata = fs::metadata(&resolved).map_err(|error| errno(&error))?;
            if metadata.is_dir() {
                return Err(EISDIR);
            }
            // Opening a FIFO or a device could block or act.
            if !metadata.is_file() {
                return Err(EACCES);
            }
            let file = File::open(&resolved).map_err(|error| errno(&error))?;
            self.files.entry(resolved.clone()).or_insert(HostFile {
                path: resolved,
                size: metadata.len(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
            });
            self.open = Some((path.to_vec(), file));
        }
        self.open.as_ref().map(|open| &open.1).ok_or(EIO)
    }

    /// The target of a symbolic link.
    pub fn readlink(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        if let Some(known) = self.links.get(path) {
            return known.clone();
        }
        let result = self.link(path);
        self.links.insert(path.to_vec(), result.clone());
        result
    }

    fn link(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        match self.resolve(path, false)? {
            Target::Inside(path) => {
                let target = fs::read_link(path).map_err(|error| errno(&error))?;
                Ok(target.as_os_str().as_bytes().to_vec())
            }
            Target::Ancestor(..) => Err(EINVAL),
        }
    }

    /// Entry `index` of a directory as a `struct linux_dirent64`.
    pub fn readdir(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        if !self.listings.contains_key(path) {
            let listing = self.list(path);
            self.listings.insert(path.to_vec(), listing);
        }
        match self.listings.get(path) {
            Some(Ok(entries)) => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                Ok(entries.get(index).cloned())
            }
            Some(Err(error)) => Err(*error),
            None => Err(EIO),
        }
    }

    fn list(&self, path: &[u8]) -> Result<Vec<Vec<u8>>, Errno> {
        // Name, inode number, type.
        let mut entries: Vec<(Vec<u8>, u64, u8)> = Vec::new();
        let directory = match self.resolve(path, true)? {
            Target::Inside(directory) => {
                let metadata = fs::metadata(&directory).map_err(|error| errno(&error))?;
                if !metadata.is_dir() {
                    return Err(ENOTDIR);
                }
                for entry in fs::read_dir(&directory).map_err(|error| errno(&error))? {
                    let entry = entry.map_err(|error| errno(&error))?;
                    if self.is_hidden(&entry.path()) {
                        continue;
                    }
                    let kind = entry
                        .file_type()
                        .map_or(nix::libc::DT_UNKNOWN, directory_type);
                    entries.push((entry.file_name().as_bytes().to_vec(), entry.ino(), kind));
                }
                directory
            }
            Target::Ancestor(directory, names) => {
                for name in names {
                    let below = directory.join(OsStr::from_bytes(&name));
                    let inode = fs::symlink_metadata(below).map_or(0, |found| found.ino());
                    entries.push((name, inode, nix::libc::DT_DIR));
                }
                directory
            }
        };
        let inode = |path: &Path| fs::metadata(path).map_or(0, |found| found.ino());
        let parent = directory.parent().unwrap_or(&directory);
        entries.push((b".".to_vec(), inode(&directory), nix::libc::DT_DIR));
        entries.push((b"..".to_vec(), inode(parent), nix::libc::DT_DIR));
        entries.sort();
        let numbered = entries.iter().enumerate();
        Ok(numbered
            .map(|(index, (name, inode, kind))| directory_record(name, *inode, *kind, index))
            .collect())
    }
}

fn directory_type(kind: fs::FileType) -> u8 {
    use nix::libc;
    if kind.is_dir() {
        libc::DT_DIR
    } else if kind.is_file() {
        libc::DT_REG
    } else if kind.is_symlink() {
        libc::DT_LNK
    } else if kind.is_fifo() {
        libc::DT_FIFO
    } else if kind.is_socket() {
        libc::DT_SOCK
    } else if kind.is_char_device() {
        libc::DT_CHR
    } else if kind.is_block_device() {
        libc::DT_BLK
    } else {
        libc::DT_UNKNOWN
    }
}

/// `d_ino` (8 bytes), `d_off` (8, the next index), `d_reclen` (2), `d_type` (1), name and NUL,
/// padded to 8.
fn directory_record(name: &[u8], inode: u64, kind: u8, index: usize) -> Vec<u8> {
    let length = (19 + name.len() + 1).next_multiple_of(8);
    let mut record = Vec::with_capacity(length);
    record.extend_from_slice(&inode.to_le_bytes());
    record.extend_from_slice(&(index as u64 + 1).to_le_bytes());
    record.extend_from_slice(&(length as u16).to_le_bytes());
    record.push(kind);
    record.extend_from_slice(name);
    record.resize(length, 0);
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn view() -> (tempfile::TempDir, HostView, PathBuf) {
        let outside = tempfile::tempdir().expect("a directory");
        let root = outside.path().join("root");
        fs::create_dir_all(root.join("sub")).expect("made");
        fs::write(root.join("file"), b"hello").expect("written");
        fs::write(outside.path().join("secret"), b"secret").expect("written");
        symlink("../../secret", root.join("sub/escape")).expect("linked");
        symlink("../file", root.join("sub/link")).expect("linked");
        symlink(outside.path(), root.join("up")).expect("linked");
        let view = HostView::new(&root).expect("a view");
        let root = view.root().to_path_buf();
        (outside, view, root)
    }

    fn bytes(path: &Path) -> Vec<u8> {
        path.as_os_str().as_bytes().to_vec()
    }

    #[test]
    fn files_inside_are_readable_by_absolute_and_relative_paths() {
        let (_keep, mut view, root) = view();
        assert_eq!(
            view.read(&bytes(&root.join("file")), 100, 0),
            Ok(b"hello".to_vec())
        );
        assert_eq!(view.read(b"file", 2, 3), Ok(b"lo".to_vec()));
        assert_eq!(view.read(b"sub/link", 5, 0), Ok(b"hello".to_vec()));
        assert_eq!(view.read(b"sub/../file", 5, 5), Ok(vec![]));
        assert_eq!(view.readlink(b"sub/link"), Ok(b"../file".to_vec()));
        assert_eq!(view.files_read().count(), 1);
        assert_eq!(view.read(b"sub", 5, 0), Err(EISDIR));
    }

    #[test]
    fn a_file_keeps_its_first_contents_unless_it_is_large() {
        let (_keep, mut view, root) = view();
        let large = vec![b'a'; KEPT_FILE_LIMIT as usize + 1];
        fs::write(root.join("large"), &large).expect("written");
        assert_eq!(view.read(b"file", 2, 0), Ok(b"he".to_vec()));
        assert_eq!(view.read(b"large", 2, 0), Ok(b"aa".to_vec()));
        fs::write(root.join("file"), b"HELLO WORLD").expect("written");
        fs::write(root.join("large"), b"AA").expect("written");
        assert_eq!(view.read(b"file", 100, 3), Ok(b"lo".to_vec()));
        assert_eq!(view.read(b"file", 100, 5), Ok(vec![]));
        assert_eq!(view.read(b"file", u64::MAX, u64::MAX), Ok(vec![]));
        assert_eq!(view.read(b"large", 2, 0), Ok(b"AA".to_vec()));
        assert_eq!(view.files_read().count(), 2);
    }

    #[test]
    fn no_more_is_remembered_than_the_limit() {
        let (_keep, mut view, root) = view();
        let many = KEPT_LIMIT / KEPT_FILE_LIMIT + 1;
        for number in 0..many {
            let name = format!("file{number}");
            fs::write(root.join(&name), vec![b'a'; KEPT_FILE_LIMIT as usize]).expect("written");
            assert_eq!(view.read(name.as_bytes(), 1, 0), Ok(b"a".to_vec()));
        }
        assert_eq!(view.kept, KEPT_LIMIT);
        assert_eq!(view.contents.len() as u64, many - 1);
    }

    #[test]
    fn system_data_is_found_beside_the_root() {
        let (_keep, view, root) = view();
        let outside = root.parent().expect("a parent").to_path_buf();
        let data = outside.join("share/zones");
        fs::create_dir_all(&data).expect("made");
        fs::write(data.join("here"), b"TZif").expect("written");
        fs::write(outside.join("share/other"), b"other").expect("written");
        let mut view = HostView {
            data: vec![data.clone()],
            ..view
        };
        assert_eq!(
            view.read(&bytes(&data.join("here")), 9, 0),
            Ok(b"TZif".to_vec())
        );
        assert_eq!(view.read(b"file", 5, 0), Ok(b"hello".to_vec()));
        let absent = [outside.join("share/other"), outside.join("secret")];
        for path in absent {
            assert_eq!(view.read(&bytes(&path), 9, 0), Err(ENOENT), "{path:?}");
        }
        assert_eq!(names(&mut view, &outside), [".", "..", "root", "share"]);
        assert_eq!(
            names(&mut view, &outside.join("share")),
            [".", "..", "zones"]
        );
    }

    #[test]
    fn nothing_outside_exists() {
        let (keep, mut view, root) = view();
        let secret = bytes(&keep.path().canonicalize().expect("path").join("secret"));
        for path in [
            &secret[..],
            b"../secret",
            b"sub/../../secret",
            b"sub/escape",
            b"up/secret",
            b"/etc/passwd",
            b"",
            b"file\0x",
        ] {
            assert_eq!(view.read(path, 10, 0), Err(ENOENT), "{path:?}");
            let found = view.stat(path, true);
            assert!([Err(ENOENT), Err(NOT_SHOWN)].contains(&found), "{path:?}");
        }
        assert_eq!(view.stat(&secret, true), Err(NOT_SHOWN));
        assert_eq!(view.stat(b"/no/such/file", true), Err(ENOENT));
        // The link itself is inside, only what it leads to is not.
        assert!(view.stat(b"sub/escape", false).is_ok());
        assert_eq!(view.readdir(b"up", 0), Err(ENOENT));
        assert!(view.stat(&bytes(&root), true).is_ok());
    }

    fn names(view: &mut HostView, path: &Path) -> Vec<String> {
        let mut names = Vec::new();
        let mut index = 0;
        while let Some(record) = view.readdir(&bytes(path), index).expect("a directory") {
            let length = usize::from(u16::from_le_bytes([record[16], record[17]]));
            assert_eq!(length, record.len());
            assert_eq!(length % 8, 0);
            let name = record[19..]
                .split(|byte| *byte == 0)
                .next()
                .unwrap_or_default();
            names.push(String::from_utf8_lossy(name).into_owned());
            index += 1;
        }
        names
    }

    #[test]
    fn listings_are_sorted_and_end() {
        let (_keep, mut view, root) = view();
        assert_eq!(names(&mut view, &root), [".", "..", "file", "sub", "up"]);
    }

    #[test]
    fn what_homi_writes_and_links_to_it_are_not_there() {
        let (_keep, view, root) = view();
        fs::create_dir(root.join("homi-out-0")).expect("a directory");
        fs::write(root.join("homi-out-0/test000001.ktest"), "x").expect("written");
        symlink("homi-out-0", root.join("homi-last")).expect("a link");
        let mut view = view.without(&root.join("homi-out-0"));
        assert_eq!(names(&mut view, &root), [".", "..", "file", "sub", "up"]);
        for path in [
            &b"homi-out-0"[..],
            b"homi-last",
            b"homi-last/test000001.ktest",
        ] {
            assert_eq!(view.stat(path, true), Err(ENOENT), "{path:?}");
            assert_eq!(view.stat(path, false), Err(ENOENT), "{path:?}");
            assert_eq!(view.read(path, 1, 0), Err(ENOENT), "{path:?}");
        }
        assert!(view.stat(b"file", true).is_ok());
        // A directory that is all that is shown cannot be hidden.
        let above = root.parent().expect("a parent");
        for whole in [root.as_path(), above] {
            let mut view = HostView::new(&root).expect("a view").without(whole);
            assert!(view.stat(b"file", true).is_ok());
        }
    }

    #[test]
    fn the_way_down_from_the_root_can_be_walked() {
        let (_keep, mut view, root) = view();
        let mut at = PathBuf::from("/");
        for component in root.components().skip(1) {
            assert!(view.stat(&bytes(&at), true).is_ok());
            let third = view
                .readdir(&bytes(&at), 2)
                .expect("listed")
                .expect("an entry");
            let name = third[19..]
                .split(|byte| *byte == 0)
                .next()
                .unwrap_or_default();
            assert_eq!(name, component.as_os_str().as_bytes());
            assert_eq!(view.readdir(&bytes(&at), 3), Ok(None));
            at.push(component);
        }
        assert_eq!(at, root);
    }
}
