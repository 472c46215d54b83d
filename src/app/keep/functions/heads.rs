//! The heads of files of tests: what they include.

use super::super::relative::relative;
use super::Framework;
use crate::tester::TestedProgram;
use std::path::Path;

/// The head of the kept file: it includes the source below its own directory.
pub(super) fn head(program: &TestedProgram, into: &Path, framework: Framework) -> String {
    let source = program
        .sources
        .first()
        .map(|file| program.directory.join(file));
    let source = source.unwrap_or_default();
    let source = relative(&source, into);
    let others: Vec<String> = program
        .sources
        .iter()
        .skip(1)
        .map(|file| file.display().to_string())
        .collect();
    let linked = if others.is_empty() {
        String::new()
    } else {
        format!(" Link {} without main.", others.join(", "))
    };
    format!(
        "/* Tests of {}, kept by homi keep. Edit freely: an edited case is not written again.{linked} \
         */\n{}",
        program.entry,
        inclusion(&source, framework)
    )
}

/// The head of a file that is compiled in the directory of the run.
pub(super) fn head_of_builds(program: &TestedProgram) -> String {
    let source = program
        .sources
        .first()
        .map(|file| program.directory.join(file));
    inclusion(&source.unwrap_or_default(), Framework::None)
}

fn inclusion(source: &Path, framework: Framework) -> String {
    format!(
        "#define main homi_program_main\n#include \"{}\"\n#undef main\n#include \"{}\"\n\n",
        source.display(),
        framework.header()
    )
}
