//! The directories on the host that a sandbox needs: where the private directory is mounted (or
//! is), what becomes /dev, and a place for homi's own files. All below one temporary directory that
//! goes when the sandbox does.

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
        let root = tempfile::Builder::new()
            .prefix("homi-replay-")
            .tempdir()
            .map_err(failed("a temporary directory"))?;
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
                let place = devices.join(name);
                fs::write(&place, "").map_err(failed("the private /dev"))?;
                let device = Path::new("/dev").join(name);
                if device.exists() {
                    scratch.device_nodes.push((device, place));
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
