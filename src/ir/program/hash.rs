//! The hash of a lowered program, by which sessions know that they run the same one.

use super::Program;
use sha2::{Digest, Sha256};

/// The program has no form as bytes.
#[derive(Debug, thiserror::Error)]
#[error("cannot encode the program")]
pub struct HashError(#[source] postcard::Error);

impl Program {
    /// A hash of the lowered program: branch and segment numbers mean the same where it is equal.
    ///
    /// # Errors
    ///
    /// If the program cannot be encoded.
    pub fn hash(&self) -> Result<String, HashError> {
        let bytes = postcard::to_stdvec(self).map_err(HashError)?;
        // The last fields are for messages.
        let for_messages = (
            &self.directories,
            &self.wanted_by,
            &self.alias_notes,
            &self.link_warnings,
            &self.sanitizers,
        );
        let for_messages = postcard::to_stdvec(&for_messages).map_err(HashError)?;
        let digest = Sha256::digest(&bytes[..bytes.len() - for_messages.len()]);
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
