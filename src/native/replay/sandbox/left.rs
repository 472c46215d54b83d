//! The files that a program leaves in its private directory.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Most files and bytes that are read.
const MOST_FILES: usize = 200;
const MOST_BYTES: u64 = 1 << 20;

/// A file that a program left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftFile {
    /// Path relative to the private directory.
    pub path: Vec<u8>,
    pub node: LeftNode,
    /// Permission bits.
    pub mode: u32,
}

/// Kind of a file, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftNode {
    File(Vec<u8>),
    Directory,
    /// A link, a pipe, or what cannot be read.
    Other,
}

/// Returns the files below a directory by name; `None` if they are too many or too large.
pub(super) fn files_below(root: &Path) -> Option<Vec<LeftFile>> {
    let mut found = Vec::new();
    let mut bytes = 0;
    collect(root, Path::new(""), &mut found, &mut bytes)?;
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Some(found)
}

fn collect(root: &Path, below: &Path, found: &mut Vec<LeftFile>, bytes: &mut u64) -> Option<()> {
    for entry in fs::read_dir(root.join(below)).ok()? {
        let entry = entry.ok()?;
        let path = below.join(entry.file_name());
        let metadata = entry.path().symlink_metadata().ok()?;
        let kind = metadata.file_type();
        let node = if kind.is_dir() {
            LeftNode::Directory
        } else if kind.is_file() {
            *bytes += metadata.len();
            if *bytes > MOST_BYTES {
                return None;
            }
            fs::read(entry.path()).map_or(LeftNode::Other, LeftNode::File)
        } else {
            LeftNode::Other
        };
        found.push(LeftFile {
            path: path.as_os_str().as_bytes().to_vec(),
            node,
            mode: metadata.permissions().mode() & 0o7777,
        });
        if found.len() > MOST_FILES {
            return None;
        }
        if kind.is_dir() {
            collect(root, &path, found, bytes)?;
        }
    }
    Some(())
}
