//! The Landlock ruleset: read and execute everywhere, everything else below the given directories
//! only.

use std::os::fd::OwnedFd;
use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, path_beneath_rules,
};

use super::SandboxError;

/// Devices that may be written to, as in the private /dev of the namespaces.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The newest rights that we ask for; older kernels enforce those they know, and `filter` covers
/// what older ones miss.
const NEWEST: ABI = ABI::V5;

pub(super) fn ruleset(writable: &[PathBuf]) -> Result<OwnedFd, SandboxError> {
    let failed = |text: String| SandboxError::Io {
        what: "Landlock".into(),
        source: std::io::Error::other(text),
    };
    let make = || -> Result<Option<OwnedFd>, landlock::RulesetError> {
        let ruleset = Ruleset::default()
            // Without at least the first version there is no fence.
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::from_read(NEWEST)))?
            .add_rules(path_beneath_rules(writable, AccessFs::from_all(NEWEST)))?
            .add_rules(path_beneath_rules(DEVICES, AccessFs::from_file(NEWEST)))?;
        Ok(ruleset.into())
    };
    make()
        .map_err(|error| failed(error.to_string()))?
        .ok_or_else(|| failed("not supported by this kernel".into()))
}
