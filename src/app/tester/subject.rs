//! The tested subject: entry point and symbolic input of a run.
//!
//! Invariant: options that the user gave stay; this module only fills in the others.

use super::symbolic::{HarnessCalls, harness_calls};
use anyhow::Context;
use homi_build::harness;
use homi_build::harness::Source;
use homi_config::{CampaignConfig, InputLayouts, Property, RunConfig, usual_inputs};
use homi_ir::program::FUZZED;
use std::path::PathBuf;

/// A program that is about to be tested.
pub struct Subject {
    /// Calls of functions that make inputs symbolic.
    pub calls: HarnessCalls,
    /// Source that calls the tested function; `None` for `main`.
    pub harness: Option<Source>,
}

impl Subject {
    /// Looks at a program's bitcode. A program without `main` that is made for fuzzers is begun as
    /// those call it. `text` gives LLVM's text of the program with an entry, if it can be read.
    ///
    /// # Errors
    /// Fails if the bitcode cannot be read, or if the function cannot be called.
    pub fn of(
        run: &mut RunConfig,
        bitcode: &[PathBuf],
        text: &dyn Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Self> {
        let mut calls = harness_calls(bitcode).context("cannot read the bitcode")?;
        if calls.is_fuzzed && run.program.entry == "main" {
            begin_as_fuzzers_do(run, text);
        }
        let harness = function_harness(run, text)?;
        calls.makes_symbolic |= harness.as_ref().is_some_and(|harness| harness.is_symbolic);
        let property = run.property.as_ref();
        calls.is_about_error = property.is_some_and(Property::is_about_error);
        Ok(Self { calls, harness })
    }

    /// Returns the first line of output, which names the subject and its inputs.
    pub fn first_line(&self, run: &RunConfig) -> String {
        let files = run.program.inputs.iter();
        let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
        let files = files.join(" ");
        let finds = |campaign: &CampaignConfig| campaign.input_layouts != InputLayouts::Off;
        let wants_inputs = wants_usual_inputs(run, self.calls.makes_symbolic);
        if wants_inputs && run.campaign.as_ref().is_some_and(finds) {
            return format!(
                "testing {files} with several input layouts (give your own arguments \
                 after --)"
            );
        }
        if wants_inputs {
            return format!(
                "testing {files} -- {} (sizes of arguments, file A and standard input; give others \
                 after --)",
                usual_inputs(run.campaign.is_some())
            );
        }
        match run.program.arguments.as_slice() {
            [] if run.program.entry != "main" => {
                format!(
                    "testing {} of {files} with any parameters",
                    run.program.entry
                )
            }
            [] => format!("testing {files}, which makes its inputs symbolic"),
            arguments => format!("testing {files} -- {}", arguments.join(" ")),
        }
    }

    /// Gives a program the usual inputs if nothing of its input is symbolic. A campaign finds its
    /// inputs itself, unless that was refused.
    pub fn give_inputs(&self, run: &mut RunConfig) {
        if !wants_usual_inputs(run, self.calls.makes_symbolic) {
            return;
        }
        if let Some(campaign) = &mut run.campaign
            && matches!(
                campaign.input_layouts,
                InputLayouts::Unsaid | InputLayouts::Found
            )
        {
            campaign.input_layouts = InputLayouts::Found;
            return;
        }
        give_usual_arguments(run);
    }
}

/// True if nothing of a program's input is symbolic.
pub(super) fn wants_usual_inputs(run: &RunConfig, makes_symbolic: bool) -> bool {
    run.program.arguments.is_empty() && !makes_symbolic
}

/// Makes the program's arguments the usual symbolic ones.
pub(super) fn give_usual_arguments(run: &mut RunConfig) {
    let arguments = usual_inputs(run.campaign.is_some()).split(' ');
    run.program.arguments = arguments.map(str::to_string).collect();
}

fn begin_as_fuzzers_do(run: &mut RunConfig, text: &dyn Fn(&str) -> Option<String>) {
    if text(FUZZED).is_some_and(|text| harness::is_fuzz_driver(&text)) {
        run.program.entry = FUZZED.to_string();
        run.function.entry = FUZZED.to_string();
    }
}

/// Returns the source that calls the tested function; `None` for `main`.
fn function_harness(
    run: &RunConfig,
    text: &dyn Fn(&str) -> Option<String>,
) -> anyhow::Result<Option<Source>> {
    let entry = &run.program.entry;
    if entry == "main" {
        return Ok(None);
    }
    let Some(text) = text(entry) else {
        return Ok(None);
    };
    let has_arguments = !run.program.arguments.is_empty();
    Ok(harness::source(&text, &run.function, has_arguments)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    fn subject(makes_symbolic: bool) -> Subject {
        Subject {
            calls: HarnessCalls {
                makes_symbolic,
                ..HarnessCalls::default()
            },
            harness: None,
        }
    }

    fn run(arguments: &[&str]) -> RunConfig {
        options::parse([&["a.c"], arguments].concat()).expect("options")
    }

    #[test]
    fn a_program_without_symbolic_input_gets_the_usual_one() {
        let mut run = run(&[]);
        assert!(subject(false).first_line(&run).contains("--sym-args 0 2 8"));
        subject(false).give_inputs(&mut run);
        assert_eq!(run.program.arguments.join(" "), usual_inputs(false));
    }

    #[test]
    fn a_campaign_finds_its_inputs_unless_that_is_refused() {
        let mut finds = run(&["--max-time", "60s"]);
        assert!(
            subject(false)
                .first_line(&finds)
                .contains("several input layouts")
        );
        subject(false).give_inputs(&mut finds);
        let input_layouts = finds.campaign.map(|campaign| campaign.input_layouts);
        assert_eq!(input_layouts, Some(InputLayouts::Found));
        assert!(finds.program.arguments.is_empty());
        let mut refuses = run(&["--max-time", "60s", "--input-layouts", "off"]);
        subject(false).give_inputs(&mut refuses);
        assert_eq!(refuses.program.arguments.join(" "), usual_inputs(true));
    }

    #[test]
    fn given_arguments_and_harnesses_stay() {
        let mut run_config = run(&["--", "-n"]);
        subject(false).give_inputs(&mut run_config);
        assert_eq!(run_config.program.arguments, ["-n"]);
        assert_eq!(subject(false).first_line(&run_config), "testing a.c -- -n");
        let mut harness = run(&[]);
        subject(true).give_inputs(&mut harness);
        assert!(harness.program.arguments.is_empty());
        assert!(
            subject(true)
                .first_line(&harness)
                .contains("makes its inputs symbolic")
        );
    }
}
