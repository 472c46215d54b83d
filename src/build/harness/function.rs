//! A function of a program, and its calls with concrete parameters as people write them in C.

use super::call::call;
use super::call_text::{Call, Objects};
use super::metadata::Metadata;
use super::signature::{Signature, signature};
use super::types::Types;

/// A function of a program with the types of its parameters.
pub struct Function {
    name: String,
    signature: Signature,
    types: Types,
}

impl Function {
    /// Reads a function of a program, which is given as LLVM's text; `None` if the program does not
    /// define it.
    ///
    /// # Errors
    /// Returns which parameter has no type in C that homi knows.
    pub fn read(text: &str, name: &str) -> Option<Result<Self, String>> {
        let all = Metadata::read(text);
        let mut types = Types::default();
        let signature = signature(text, &all, &mut types, name)?;
        Some(signature.map(|signature| Self {
            name: name.to_string(),
            signature,
            types,
        }))
    }

    /// Returns the file that defines the function.
    pub fn file(&self) -> Option<&str> {
        let place = self.signature.place.as_deref()?;
        place.rsplit_once(':').map(|(file, _)| file)
    }

    /// Returns the call of the function with the objects of a test.
    ///
    /// # Errors
    /// Returns what of the test has no plain form in C.
    pub fn call(&self, objects: &Objects<'_>, has_strings: bool) -> Result<Call, String> {
        call(
            &self.name,
            &self.signature,
            &self.types,
            objects,
            has_strings,
        )
    }
}
