//! Objects that homi loads into native programs.
//!
//! Invariant: the build script compiled them (build/native.rs), so a replay runs no compiler. An
//! object that it could not compile is empty.

use super::sandbox::Sandbox;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// An object, as a shared library for the machine of homi itself.
pub struct Preloaded {
    name: &'static str,
    bytes: &'static [u8],
}

/// Writes gcov's counts when a program does not end by `exit`.
pub const GCOV_FLUSH: Preloaded = Preloaded {
    name: "gcov_flush.so",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/gcov_flush.so")),
};

/// Sets the clock of a program ahead.
pub const CLOCK: Preloaded = Preloaded {
    name: "clock.so",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/clock.so")),
};

/// Records calls into libraries.
pub(super) const CALLS: Preloaded = Preloaded {
    name: "calls.so",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/calls.so")),
};

/// The modelled kernel.
pub(super) const MODEL: Preloaded = Preloaded {
    name: "model.so",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/model.so")),
};

impl Preloaded {
    /// Name of the file in a sandbox's shared directory.
    pub fn name(&self) -> &str {
        self.name
    }

    /// Returns true if the build script could not compile the object.
    pub fn is_absent(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Puts the object where programs of the sandbox can load it.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub fn install(&self, sandbox: &Sandbox) -> Result<PathBuf, String> {
        if self.is_absent() {
            return Err(format!("homi was built without {}", self.name));
        }
        let target = sandbox.shared().join(self.name);
        fs::write(&target, self.bytes)
            .and_then(|()| fs::set_permissions(&target, fs::Permissions::from_mode(0o755)))
            .map_err(|error| format!("cannot write {}: {error}", target.display()))?;
        Ok(target)
    }
}
