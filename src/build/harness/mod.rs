//! Functions without a harness: a C program that calls one function with symbolic parameters.
//!
//! Owns: what debug information says of a function's parameters and of variables, and the C source
//! that makes them symbolic: pointers get fresh objects of chosen shapes. Never: exploring, or the
//! native build. The same source is bitcode for the engine and the harness of native replays, so
//! that a test means the same to both. Data come from LLVM's text of a program and go to `session`
//! and `tester` as C and bitcode.

mod attributes;
mod beginning;
mod call;
mod call_text;
mod checks;
mod compile;
mod enumerations;
mod error;
mod function;
mod functions;
mod literal;
mod metadata;
mod objects;
mod preconditions;
mod signature;
mod sites;
mod source;
mod types;

pub use beginning::Assertion;
pub use call_text::{Call, Check, CheckKind};
pub use compile::{Harness, MAIN};
pub use error::HarnessError;
pub use function::Function;
pub use functions::{DefinedFunction, defined_functions};
pub use literal::{double, text as literal_text};
pub use preconditions::{Origin, Precondition, Requirement};

use attributes::Attributes;
use homi_config::{FunctionConfig, PointerShape};
use homi_ir::program::FUZZED;
use metadata::Metadata;
use signature::{defines, signature, variables};
use types::Types;

/// The name of the harness's source.
pub const FILE: &str = "homi-harness.c";

/// Beginning of the names of values that functions of the harness return.
pub const CALLBACK: &str = "callback";

/// The C source that calls a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub text: String,
    /// True if the harness makes parameters or variables symbolic; else it only passes on the
    /// arguments of `main`, and needs no engine.
    pub is_symbolic: bool,
    /// Names of the program that the harness refers to, which may be static there.
    pub names: Vec<String>,
}

/// True if a harness, given as its text, may give the function a null pointer.
pub fn may_give_null(text: &str) -> bool {
    text.contains(source::NULLS)
}

/// True if a harness, given as its text, has functions that stand for callbacks.
pub fn has_callbacks(text: &str) -> bool {
    text.contains(STUB)
}

/// True if a harness, given as its text, has a parameter of this name that is a number.
pub fn is_number(text: &str, name: &str) -> bool {
    text.contains(&format!("(&p_{name}, sizeof p_{name}, \"{name}\")"))
}

/// Beginning of the names of functions that stand for callbacks.
const STUB: &str = "homi_stub_";

/// True if a program, given as LLVM's text, has no `main`, but what fuzzers call in its place.
pub fn is_fuzz_driver(text: &str) -> bool {
    defines(text, FUZZED) && !defines(text, "main")
}

/// The C source that calls `config.entry` of a program, which is given as LLVM's text. With
/// `has_arguments` the user has arguments for the program, so a function with `main`'s parameters
/// gets those. `None`: the program does not define the function.
pub fn source(
    text: &str,
    config: &FunctionConfig,
    has_arguments: bool,
) -> Result<Option<Source>, HarnessError> {
    let entry = &config.entry;
    if entry == FUZZED && defines(text, entry) {
        let elements = config.elements.unwrap_or(source::FUZZED_BYTES);
        return Ok(Some(Source {
            text: source::fuzzed(elements),
            is_symbolic: true,
            names: vec![entry.clone()],
        }));
    }
    let all = Metadata::read(text);
    let mut types = Types::with_counts(Attributes::of_program(&all).counts);
    let Some(found) = signature(text, &all, &mut types, entry) else {
        return Ok(None);
    };
    let found = found.map_err(|reason| HarnessError::Signature {
        entry: entry.clone(),
        reason,
    })?;
    let is_plain = found.parameters.is_empty() || (has_arguments && found.is_like_main());
    if is_plain && config.globals.is_empty() {
        return Ok(Some(Source {
            text: source::direct(entry, &found),
            is_symbolic: false,
            names: vec![entry.clone()],
        }));
    }
    let chosen = if config.globals.is_empty() {
        Vec::new()
    } else {
        chosen(&config.globals, variables(text, &all, &mut types))?
    };
    let written = source::write(entry, &found, &chosen, &types, config);
    let variables = chosen.iter().map(|variable| variable.name.clone());
    let names = std::iter::once(entry.clone()).chain(variables).collect();
    let is_symbolic = true;
    let written = written.map(|text| {
        Some(Source {
            text,
            is_symbolic,
            names,
        })
    });
    written.map_err(|reason| HarnessError::Signature {
        entry: entry.clone(),
        reason,
    })
}

/// The variables that `names` name; `all` is all of them.
fn chosen(
    names: &[String],
    known: Vec<signature::Variable>,
) -> Result<Vec<signature::Variable>, HarnessError> {
    let is_all = names.iter().any(|name| name == "all");
    for name in names.iter().filter(|name| *name != "all") {
        if known.iter().all(|variable| variable.name != *name) {
            let list: Vec<&str> = known
                .iter()
                .map(|variable| variable.name.as_str())
                .collect();
            let list = if list.is_empty() {
                "none has debug information; compile with -g".to_string()
            } else {
                format!("there are: {}", list.join(", "))
            };
            return Err(HarnessError::Variable {
                name: name.clone(),
                reason: format!(
                    "no variable of this name that the program defines and may write; {list}"
                ),
            });
        }
    }
    let wanted = |variable: &signature::Variable| {
        (is_all && types::is_identifier(&variable.name)) || names.contains(&variable.name)
    };
    Ok(known.into_iter().filter(wanted).collect())
}

/// True if a shape is among the chosen ones.
fn has(config: &FunctionConfig, shape: PointerShape) -> bool {
    config.shapes.contains(&shape)
}

#[cfg(test)]
mod tests;
