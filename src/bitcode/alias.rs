//! `--function-alias`: calls of one function become calls of another.
//!
//! Invariant: all uses of a function change, also where its address is taken; the function that
//! stands for it is one of the program's.

use super::error::LoadError;
use super::llvm::{ModuleRef, Value};
use std::ffi::CString;

/// The functions that others stand for, as `NAME:OTHER`; `NAME` may be a regular expression
/// (POSIX's extended ones) that has to match the whole name.
pub(super) fn apply(module: ModuleRef, aliases: &[String]) -> Result<(), LoadError> {
    for alias in aliases {
        let refused = |reason: &str| LoadError::Alias {
            alias: alias.clone(),
            reason: reason.to_string(),
        };
        let (name, other) = alias
            .rsplit_once(':')
            .filter(|(name, other)| !name.is_empty() && !other.is_empty())
            .ok_or_else(|| refused("expected NAME:OTHER"))?;
        let pattern =
            Pattern::compile(name).ok_or_else(|| refused("it is no regular expression"))?;
        let other = module
            .function(other)
            .filter(|function| !function.is_declaration())
            .ok_or_else(|| refused("the program defines no function of the second name"))?;
        let matching = module.functions().into_iter();
        let matching: Vec<Value> = matching
            .filter(|function| function.name() != other.name() && pattern.matches(&function.name()))
            .collect();
        for function in matching {
            function.replace_all_uses_with(other);
        }
    }
    Ok(())
}

/// A compiled regular expression.
struct Pattern(Box<libc::regex_t>);

impl Pattern {
    /// `None` if the text is none.
    fn compile(text: &str) -> Option<Self> {
        let whole = CString::new(format!("^({text})$")).ok()?;
        // SAFETY: all bytes zero are a value of this plain C struct, which `regcomp` fills.
        let mut compiled: Box<libc::regex_t> = Box::new(unsafe { std::mem::zeroed() });
        // SAFETY: the struct is writable, and the text ends in a zero byte.
        let status = unsafe {
            libc::regcomp(
                &mut *compiled,
                whole.as_ptr(),
                libc::REG_EXTENDED | libc::REG_NOSUB,
            )
        };
        // After a failure there is nothing to free.
        (status == 0).then(|| Self(compiled))
    }

    fn matches(&self, name: &str) -> bool {
        let Ok(name) = CString::new(name) else {
            return false;
        };
        // SAFETY: the expression was compiled, the name ends in a zero byte, and no matches are
        // asked for.
        let status = unsafe { libc::regexec(&*self.0, name.as_ptr(), 0, std::ptr::null_mut(), 0) };
        status == 0
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        // SAFETY: it was compiled once and is not used again.
        unsafe { libc::regfree(&mut *self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whole_names() {
        let matches = |pattern: &str, name: &str| Pattern::compile(pattern).unwrap().matches(name);
        assert!(matches("foo", "foo") && !matches("foo", "foo2"));
        assert!(matches("^foo.*$", "foo2") && matches("foo[0-9]+", "foo12"));
        assert!(Pattern::compile("(").is_none());
    }
}
