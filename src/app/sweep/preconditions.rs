//! Preconditions of a function: what its exploration takes for granted, and why.
//!
//! Invariant: a contract of the user replaces what callers show of a parameter; an assertion of the
//! function is no option, because its failures are left out of the bugs.

use homi_build::harness::{DefinedFunction, Origin, Precondition, Requirement};
use std::collections::{BTreeMap, BTreeSet};

/// Preconditions of the contracts file, by function.
pub type Contracts = BTreeMap<String, Vec<Precondition>>;

/// Returns the preconditions that hold in the exploration of a function, the assertions last.
pub fn assumed(function: &DefinedFunction, contracts: &Contracts) -> Vec<Precondition> {
    let given = contracts.get(&function.name).cloned().unwrap_or_default();
    let decided: BTreeSet<&str> = given.iter().filter_map(Precondition::pointer).collect();
    let known = function.preconditions.iter().filter(|one| {
        let is_decided = one.pointer().is_some_and(|name| decided.contains(name));
        one.origin != Origin::SomeCallers && !is_decided
    });
    let known: Vec<Precondition> = known.cloned().collect();
    let asserted = function.asserts.iter().map(|assertion| Precondition {
        what: Requirement::Holds(assertion.expression.clone()),
        origin: Origin::Asserted,
    });
    [given, known, asserted.collect()].concat()
}

/// Returns the options of `homi test` for preconditions.
pub(super) fn options(preconditions: &[Precondition]) -> Vec<String> {
    let of_harness = preconditions
        .iter()
        .filter(|one| one.origin != Origin::Asserted);
    of_harness
        .map(|one| match &one.what {
            Requirement::Points(name, pointee) => format!("--parameter-shape={name}={pointee}"),
            Requirement::Holds(expression) => format!("--requires={expression}"),
        })
        .collect()
}

/// Returns the preconditions with no null pointer among the parameters; `None` if there was none.
pub(super) fn without_null(preconditions: &[Precondition]) -> Option<Vec<Precondition>> {
    let mut stricter = preconditions.to_vec();
    for one in &mut stricter {
        if let Requirement::Points(_, pointee) = &mut one.what
            && pointee.target.is_some()
        {
            pointee.may_be_null = false;
        }
    }
    (stricter != preconditions).then_some(stricter)
}

/// Returns the reason for a precondition in words.
pub(super) fn origin(of: Origin) -> &'static str {
    match of {
        Origin::Declared => "declaration",
        Origin::Asserted => "assertion",
        Origin::Callers => "callers",
        Origin::SomeCallers => "callers in these files",
        Origin::Contract => "contract",
    }
}

/// Returns a contracts file with all that is known of the functions. What it has of callers that
/// are not all of them, the user decides.
pub fn suggestion(functions: &[DefinedFunction], contracts: &Contracts) -> String {
    let mut text = String::from(
        "# Preconditions of functions. Check and edit them, then: homi sweep --contracts FILE\n",
    );
    for function in functions {
        let mut known = assumed(function, contracts);
        let decided: BTreeSet<String> = known
            .iter()
            .filter_map(|one| one.pointer().map(str::to_string))
            .collect();
        let others = function.preconditions.iter().filter(|one| {
            let is_decided = one.pointer().is_some_and(|name| decided.contains(name));
            one.origin == Origin::SomeCallers && !is_decided
        });
        known.extend(others.cloned());
        if !known.is_empty() {
            text += &section(function, &known);
        }
    }
    text
}

fn section(function: &DefinedFunction, known: &[Precondition]) -> String {
    let mut text = format!(
        "\n[function.{}] # {}:{}\n",
        function.name, function.file, function.line
    );
    let (mut required, mut notes) = (Vec::new(), String::new());
    for one in known {
        match &one.what {
            Requirement::Points(name, pointee) => {
                text += &format!("{name} = \"{pointee}\" # {}\n", origin(one.origin));
            }
            // homi heeds the assertion anyway, and its macros are not known in a harness.
            Requirement::Holds(expression) if one.origin == Origin::Asserted => {
                notes += &format!("# {expression} # assertion\n");
            }
            Requirement::Holds(expression) => {
                let literal = serde_json::Value::from(expression.as_str());
                required.push(format!("  {literal}, # {}\n", origin(one.origin)));
            }
        }
    }
    text += &notes;
    if !required.is_empty() {
        text += &format!("requires = [\n{}]\n", required.concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_build::harness::Assertion;
    use homi_config::Pointee;

    fn points(name: &str, shape: &str, origin: Origin) -> Precondition {
        Precondition {
            what: Requirement::Points(name.to_string(), Pointee::read(shape).expect("a shape")),
            origin,
        }
    }

    #[test]
    fn contracts_replace_what_callers_show() {
        let function = DefinedFunction {
            name: "f".to_string(),
            asserts: vec![Assertion {
                line: 3,
                expression: "n > 0".to_string(),
            }],
            preconditions: vec![
                points("a", "many(4)", Origin::Callers),
                points("b", "one", Origin::Callers),
                points("c", "one", Origin::SomeCallers),
            ],
            ..DefinedFunction::default()
        };
        let given = vec![points("a", "null|one", Origin::Contract)];
        let contracts = Contracts::from([("f".to_string(), given)]);
        let options = options(&assumed(&function, &contracts));
        let expected = ["--parameter-shape=a=null|one", "--parameter-shape=b=one"];
        assert_eq!(options, expected);
        let text = suggestion(&[function], &contracts);
        for line in [
            "a = \"null|one\" # contract\n",
            "c = \"one\" # callers in these files\n",
            "# n > 0 # assertion\n",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }
}
