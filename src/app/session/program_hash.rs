//! The hash of a program as lowered, by which sessions know that they run the same one.

use super::SessionError;
use crate::ir::program::Program;
use sha2::{Digest, Sha256};

/// A hash of the lowered program: branch and segment numbers mean the same where it is equal.
pub(super) fn program_hash(program: &Program) -> Result<String, SessionError> {
    let bytes = postcard::to_stdvec(program).map_err(SessionError::Encode)?;
    // The last fields are for messages.
    let for_messages = (
        &program.directories,
        &program.wanted_by,
        &program.alias_notes,
        &program.link_warnings,
        &program.sanitizers,
    );
    let for_messages = postcard::to_stdvec(&for_messages).map_err(SessionError::Encode)?;
    let digest = Sha256::digest(&bytes[..bytes.len() - for_messages.len()]);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
