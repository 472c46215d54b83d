//! The directories on the host that a sandbox needs: where the private directory is mounted (or
//! is), what becomes /dev, and a directory for homi's own files. All are below one temporary
//! directory that goes when the sandbox does.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use super::SandboxError;
use super::kind::SandboxKind;
use super::plan::program_user;

/// Devices that do no harm.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

pub(super) struct Scratch {
    kind: SandboxKind,
    root: tempfile::TempDir,
    pub device_nodes: Vec<(PathBuf, PathBuf)>,
}

impl Scratch {
    pub fn new(kind: SandboxKind) -> Result<Scratch, SandboxError> {
        let failed = |what: &str| SandboxError::io(format!("cannot create {what}"));
        let (_, _, was_root) = program_user();
        let root = temporary(was_root && kind.changes_user())?;
        // The program's user must be able to get to what is below, not to list it.
        set_mode(root.path(), 0o711)?;
        let mut scratch = Scratch {
            kind,
            root,
            device_nodes: Vec::new(),
        };
        scratch.new_work()?;
        let devices = scratch.devices();
        fs::create_dir(&devices).map_err(failed("the private /dev"))?;
        set_mode(&devices, 0o755)?; // whatever the umask
        if kind.has_namespaces() {
            for name in DEVICES {
                let file = devices.join(name);
                fs::write(&file, "").map_err(failed("the private /dev"))?;
                let device = Path::new("/dev").join(name);
                if device.exists() {
                    scratch.device_nodes.push((device, file));
                }
            }
            let links = [
                ("fd", ""),
                ("stdin", "/0"),
                ("stdout", "/1"),
                ("stderr", "/2"),
            ];
            for (name, end) in links {
                let target = format!("/proc/self/fd{end}");
                symlink(target, devices.join(name)).map_err(failed("the private /dev"))?;
            }
            for name in ["shm", "pts"] {
                let directory = devices.join(name);
                fs::create_dir(&directory).map_err(failed("the private /dev"))?;
                set_mode(&directory, 0o755)?;
            }
        }
        Ok(scratch)
    }

    /// The program's private directory.
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    pub fn devices(&self) -> PathBuf {
        self.root.path().join("dev")
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Makes the private directory empty. With namespaces it is, what was in it went with them.
    pub fn new_work(&self) -> Result<(), SandboxError> {
        let work = self.work();
        if !self.kind.has_namespaces() && work.exists() {
            open_up(&work);
            fs::remove_dir_all(&work)
                .map_err(SandboxError::io("cannot empty the private directory"))?;
        }
        if !work.exists() {
            self.new_directory("work")?;
        }
        Ok(())
    }

    /// A directory below the scratch directory that the program can write to.
    pub fn new_directory(&self, name: &str) -> Result<PathBuf, SandboxError> {
        let path = self.root.path().join(name);
        let failed = || SandboxError::io(format!("cannot create {}", path.display()));
        fs::create_dir(&path).map_err(failed())?;
        let (user, group, was_root) = program_user();
        if was_root && self.kind.changes_user() {
            chown(&path, Some(user), Some(group)).map_err(failed())?;
        }
        Ok(path)
    }
}

/// Fallbacks for the temporary directory.
const OTHER_DIRECTORIES: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// A temporary directory: the usual one if programs can use it, else another. `outsider`: programs
/// run as a user who may not be able to enter directories that homi can.
fn temporary(outsider: bool) -> Result<tempfile::TempDir, SandboxError> {
    let usual = std::env::temp_dir();
    let others = OTHER_DIRECTORIES.iter().map(PathBuf::from);
    let directories: Vec<PathBuf> = std::iter::once(usual.clone()).chain(others).collect();
    let made = |directory: &Path| {
        let directory = directory
            .canonicalize()
            .unwrap_or_else(|_| directory.to_path_buf());
        tempfile::Builder::new()
            .prefix("homi-replay-")
            .tempdir_in(directory)
    };
    let open = |directory: &PathBuf| !outsider || anyone_can_enter(directory);
    let mut usable = directories
        .iter()
        .filter(|directory| open(directory) && loads_objects(directory));
    if let Some(root) = usable.find_map(|directory| made(directory).ok()) {
        return Ok(root);
    }
    if !open(&usual) {
        let source = std::io::Error::from_raw_os_error(libc::EACCES);
        let directory = usual;
        return Err(SandboxError::Closed { directory, source });
    }
    made(&usual).map_err(SandboxError::io("cannot create a temporary directory"))
}

/// True if a user without rights can get to what is in a directory.
fn anyone_can_enter(directory: &Path) -> bool {
    let enters = |path: &Path| fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 1 != 0);
    let whole = directory.canonicalize();
    whole.is_ok_and(|whole| whole.ancestors().all(enters))
}

/// True if the dynamic loader can preload objects from there: it takes spaces and colons for the
/// end of a name, and a file system may forbid code.
fn loads_objects(directory: &Path) -> bool {
    let whole = directory.canonicalize().unwrap_or_default();
    let separates = |byte: &u8| matches!(byte, b' ' | b'\t' | b':');
    let named = !whole.as_os_str().as_encoded_bytes().iter().any(separates);
    let forbids = nix::sys::statvfs::FsFlags::ST_NOEXEC;
    let status = nix::sys::statvfs::statvfs(&whole);
    named && !status.is_ok_and(|status| status.flags().contains(forbids))
}

fn set_mode(path: &Path, mode: u32) -> Result<(), SandboxError> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(SandboxError::io(format!(
        "cannot set the mode of {}",
        path.display()
    )))
}

/// Gives back the permissions that a program took from its own directories, so that they can be
/// removed; never follows links. Failures show when removing.
fn open_up(directory: &Path) {
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
