//! The contracts file: preconditions of functions that the user gives.
//!
//! Invariant: a section names a function of the files, a key one of its parameters, which the
//! harness checks; a mistake is an error with its line.

use crate::bench::StudyError;
use crate::bench::source::{Section, Source, suggestion};
use homi_app::sweep::Contracts;
use homi_build::harness::{DefinedFunction, Origin, Precondition, Requirement};
use homi_config::Pointee;
use std::path::Path;

/// Key of the expressions.
const REQUIRES: &str = "requires";

/// Reads a file of contracts for these functions.
///
/// # Errors
/// Returns where the file is wrong.
pub(super) fn read(file: &Path, functions: &[DefinedFunction]) -> Result<Contracts, StudyError> {
    let failed = |error| StudyError::Request(format!("cannot read {}: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(failed)?;
    let source = Source { file, text: &text };
    let table = source.parse()?;
    let whole = source.whole(&table);
    whole.only(&["function"])?;
    let Some(sections) = whole.section("function")? else {
        return Ok(Contracts::new());
    };
    let mut contracts = Contracts::new();
    for (name, section) in sections.sections()? {
        let mut names = functions.iter().map(|one| one.name.as_str());
        if names.all(|one| one != name) {
            let names = functions.iter().map(|one| one.name.as_str());
            let text = format!(
                "the files define no function `{name}`{}",
                suggestion(name, names)
            );
            return Err(sections.wrong(name, &text));
        }
        contracts.insert(name.to_string(), contract(&section)?);
    }
    Ok(contracts)
}

fn contract(section: &Section<'_, '_>) -> Result<Vec<Precondition>, StudyError> {
    let mut found = Vec::new();
    for key in section.table.keys() {
        let name: &str = key.get_ref().as_ref();
        if name == REQUIRES {
            continue;
        }
        let shape = section.text(name)?.unwrap_or_default();
        let shape = Pointee::read(shape).map_err(|why| section.wrong(name, &why))?;
        found.push(Requirement::Points(name.to_string(), shape));
    }
    let expressions = section.list(REQUIRES)?.unwrap_or_default();
    found.extend(expressions.into_iter().map(Requirement::Holds));
    let given = |what| Precondition {
        what,
        origin: Origin::Contract,
    };
    Ok(found.into_iter().map(given).collect())
}
