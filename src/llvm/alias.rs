//! `--function-alias`: calls of one function become calls of another.
//!
//! Invariant: all uses of a function change, also where its address is taken; the replacement is a
//! function of the program with the same parameters and result. Messages use KLEE's wording.

use super::c_api::{ModuleRef, Value};
use super::lower::resolve_function;
use super::read::error::LoadError;
use homi_ir::program::AliasNote;
use std::ffi::CString;

/// Functions for which others stand, as `NAME:OTHER`; `NAME` may be a regular expression (POSIX's
/// extended ones) that has to match the whole name. Returns what the user should know.
pub(crate) fn apply(module: ModuleRef, aliases: &[String]) -> Result<Vec<AliasNote>, LoadError> {
    let mut notes = Vec::new();
    for alias in aliases {
        if let Err(reason) = apply_one(module, alias, &mut notes) {
            return Err(LoadError::Alias {
                alias: alias.clone(),
                reason,
                notes,
            });
        }
    }
    Ok(notes)
}

/// One of them. The error says why it cannot be.
fn apply_one(module: ModuleRef, alias: &str, notes: &mut Vec<AliasNote>) -> Result<(), String> {
    let (name, other) = alias
        .rsplit_once(':')
        .ok_or_else(|| format!("no ':' between the two functions of '{alias}'"))?;
    if name.is_empty() {
        return Err("name or pattern cannot be empty".to_string());
    }
    if other.is_empty() {
        return Err("replacement cannot be empty".to_string());
    }
    if name == other {
        return Err(format!("@{name} cannot replace itself"));
    }
    let Some(replacement) = replacement(module, other) else {
        return Err(format!("replacement function @{other} could not be found"));
    };
    let pattern = Pattern::compile(name).ok_or_else(|| format!("'{name}' is not a valid regex"))?;
    let mut replaced = false;
    for function in module.functions() {
        let found = function.name();
        if !pattern.matches(&found) {
            continue;
        }
        let shown = if found == name {
            format!("@{found}")
        } else {
            format!("@{found} (matching '{name}')")
        };
        if found == other {
            let text = format!("do not replace {shown} with @{other}: cannot replace itself");
            notes.push(AliasNote::warning(text));
        } else if let Some(difference) = difference(function, replacement) {
            let text = format!("@{found} could not be replaced with @{other}: {difference}");
            notes.push(AliasNote::warning(text));
        } else {
            function.replace_all_uses_with(replacement);
            notes.push(AliasNote::done(format!("replaced {shown} with @{other}")));
            replaced = true;
        }
    }
    if replaced {
        Ok(())
    } else {
        Err(format!("no (replacable) match for '{name}' found"))
    }
}

/// The function of this name, or what another name for a function is.
fn replacement(module: ModuleRef, name: &str) -> Option<Value> {
    let function = module.function(name);
    function
        .filter(|function| !function.is_declaration())
        .or_else(|| {
            let alias = module.alias(name);
            alias.filter(|alias| resolve_function(*alias).is_some())
        })
}

/// In what two functions differ so that one cannot be called as the other.
fn difference(one: Value, other: Value) -> Option<&'static str> {
    let (one, other) = (one.global_value_type(), other.global_value_type());
    let (parameters, others) = (one.parameter_types(), other.parameter_types());
    if one.is_variadic() != other.is_variadic() {
        return Some("one has varargs while the other does not");
    }
    if one.return_type() != other.return_type() {
        return Some("return types differ");
    }
    if parameters.len() != others.len() {
        return Some("number of parameters differs");
    }
    (parameters != others).then_some("parameter types differ")
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
