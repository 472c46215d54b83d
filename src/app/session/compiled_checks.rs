//! Checks of `--checks` that only a compiler can make and that the bitcode was compiled without.

use homi_config::{CheckConfig, CheckRow};
use homi_ir::program::Program;
use homi_machine::outcome::CHECK_HANDLERS;

/// Returns the warning about named checks that find nothing in this bitcode; `None` if it has all.
pub(super) fn warning(checks: &CheckConfig, program: &Program) -> Option<String> {
    let absent = checks
        .named
        .rows()
        .filter(|row| !row.engine && !is_compiled(row, program));
    let absent: Vec<&CheckRow> = absent.collect();
    let names: Vec<&str> = absent.iter().map(|row| row.name).collect();
    let words: Vec<&str> = absent.iter().map(|row| row.clang).collect();
    (!absent.is_empty()).then(|| {
        format!(
            "--checks {}: the bitcode has no such checks, so the run reports none; compile with \
             `homi cc -fsanitize={}` (or clang), or give the sources to `homi test --checks`",
            names.join(","),
            words.join(",")
        )
    })
}

/// True if the bitcode calls a handler of the check, or if a recorded command line asks for it.
fn is_compiled(row: &CheckRow, program: &Program) -> bool {
    let is_handler = |name: &str| {
        let handler = name.strip_prefix(CHECK_HANDLERS);
        handler.is_some_and(|name| row.handlers.iter().any(|one| name.starts_with(one)))
    };
    let words = row.clang.split(',');
    let groups = row.groups.iter().map(|group| group.name());
    let mut asked = words.chain(groups);
    asked.any(|word| program.sanitizers.iter().any(|one| one == word))
        || program
            .functions
            .iter()
            .any(|function| is_handler(&function.name))
}
