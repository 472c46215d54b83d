//! State of the earlier sessions for `--resume DIR`, if DIR has a checkpoint of a single run.
//!
//! Invariant: a checkpoint is used only by a run that would reach the same states: of the same
//! program, with the same arguments and the same meaning of its options. Output of an earlier
//! session after its last checkpoint is neither lost nor written twice.

use super::SessionError;
use super::given::files_directory;
use super::provisional_tests;
use homi_config::{CommandLine, RunConfig};
use homi_explore::engine::{CheckpointTotals, Checkpoints, EarlierTests};
use homi_explore::sources::checkpoint;
use homi_explore::sources::checkpoint::Frontier;
use homi_ir::program::Program;
use homi_report::{OutputDirectory, Summary};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Identity of the run that a checkpoint belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct RunHead {
    program: String,
    /// Hash of the lowered program with its libc and kernel.
    program_hash: String,
    arguments: Vec<String>,
    /// The options that decide what a program's paths are.
    meaning: Vec<(String, String)>,
    /// Command line of the first session.
    session: Option<CommandLine>,
}

impl RunHead {
    pub(super) fn of(config: &RunConfig, program: &Program) -> Result<Self, SessionError> {
        let files = files_directory(config)?;
        let environment = config.program.env_file.as_ref();
        let environment = environment.map(|path| path.canonicalize().unwrap_or(path.clone()));
        let text = |value: &dyn std::fmt::Debug| format!("{value:?}");
        let concolic = config.concolic.as_ref();
        let (symbolic, budget) = (&config.symbolic, &config.budget);
        let options = [
            ("--max-symbolic-size", text(&symbolic.size)),
            ("--tuning max-exit-statuses", text(&symbolic.exit_statuses)),
            ("--fork", text(&symbolic.forks)),
            ("--concrete-floats", text(&!symbolic.floats)),
            ("--undef-any", text(&symbolic.unset_is_any)),
            ("--max-preemptions", text(&symbolic.preemptions)),
            ("--checks", config.checks.on.names()),
            ("--max-malloc-fail", text(&config.checks.malloc_failures)),
            ("--silent-assume", text(&config.checks.silent_assume)),
            ("--stub and --stub-missing", text(&config.stubs)),
            ("--run-in-dir", text(&files)),
            ("--env-file", text(&environment)),
            ("--uid", text(&config.program.user)),
            ("--concolic", text(&concolic.is_some())),
            (
                "--initial-input and --input",
                text(&concolic.map(|concolic| (concolic.initial_input, &concolic.given))),
            ),
            ("--max-depth", text(&budget.depth)),
            ("--max-stack-size", text(&budget.stack_size)),
            ("--max-stack-frames", text(&budget.stack_frames)),
            ("--subsume", text(&config.subsume.is_some())),
        ];
        let options = options.map(|(name, value)| (name.to_string(), value));
        Ok(Self {
            program: program.name.clone(),
            program_hash: program.hash()?,
            arguments: config.program.arguments.clone(),
            meaning: options.into(),
            session: config.command.clone(),
        })
    }

    /// Checks that a run can resume the checkpoint of another session.
    pub(super) fn check(&self, theirs: &RunHead, directory: &Path) -> Result<(), SessionError> {
        let shown = directory.display();
        let refused = |why: String| {
            Err(SessionError::Request(format!(
                "cannot resume {shown}: {why}; repeat the command of the first session, or start a \
                 new run in another directory"
            )))
        };
        let different = |what: &str, there: &str, here: &str| {
            refused(format!(
                "different {what}: `{there}` in the first session, `{here}` now"
            ))
        };
        if self.program_hash != theirs.program_hash {
            let text = |head: &RunHead| {
                let hash = head.program_hash.get(..12).unwrap_or_default();
                format!("{} ({hash})", head.program)
            };
            return different("program or runtime", &text(theirs), &text(self));
        }
        if self.arguments != theirs.arguments {
            let (there, here) = (theirs.arguments.join(" "), self.arguments.join(" "));
            return different("program arguments", &there, &here);
        }
        match self.differing(theirs).as_slice() {
            [] => Ok(()),
            names => refused(format!("different values of {}", names.join(", "))),
        }
    }

    /// Returns the options that decide on paths and that have another value in `theirs`.
    fn differing(&self, theirs: &RunHead) -> Vec<&str> {
        let ours = self
            .meaning
            .iter()
            .filter(|ours| !theirs.meaning.contains(ours));
        ours.map(|(name, _)| name.as_str()).collect()
    }
}

/// State that a session resumes.
pub(super) struct Resumption {
    pub(super) checkpoint_totals: CheckpointTotals,
    pub(super) frontier: Frontier,
    pub(super) tests: EarlierTests,
    /// Warning for the user.
    pub(super) warning: Option<String>,
}

impl Resumption {
    /// Returns `None` if the session resumes no single run.
    pub(super) fn read(
        config: &RunConfig,
        program: &Program,
    ) -> Result<Option<Self>, SessionError> {
        let Some(directory) = config
            .resume
            .as_deref()
            .filter(|_| config.campaign.is_none())
        else {
            return Ok(None);
        };
        let found = checkpoint::read::<RunHead, CheckpointTotals>(directory)
            .map_err(|error| SessionError::Request(error.to_string()))?;
        RunHead::of(config, program)?.check(&found.head, directory)?;
        let tests =
            provisional_tests::sort_out(directory, found.facts.last_test, &found.facts.unmet)
                .map_err(SessionError::io(format!(
                    "cannot read the tests in {}",
                    directory.display()
                )))?;
        let warning = found.is_older.then(|| {
            format!(
                "{}/checkpoint is corrupt; homi resumes from the previous checkpoint and repeats \
                 the paths since then",
                directory.display()
            )
        });
        Ok(Some(Self {
            checkpoint_totals: found.facts,
            frontier: found.frontier,
            tests,
            warning,
        }))
    }
}

/// Returns the checkpoints of a single run; `None` if it cannot be resumed.
pub(super) fn checkpoints<'r>(
    (config, program): (&'r RunConfig, &'r Program),
    resumption: Option<&Resumption>,
    directory: &OutputDirectory,
) -> Option<Checkpoints<'r>> {
    // Decisions alone do not rebuild merged states, and a caller's run has no arguments to repeat.
    if config.campaign.is_some() || config.merge.is_some() || config.command.is_none() {
        return None;
    }
    let describe = || {
        let head = RunHead::of(config, program).ok();
        serde_json::to_value(head).unwrap_or_default()
    };
    let earlier = resumption.map(|resumption| resumption.checkpoint_totals.clone());
    let path = directory.path().to_path_buf();
    Some(Checkpoints::new(
        path,
        describe,
        earlier.unwrap_or_default(),
    ))
}

/// Content of an output directory that can be resumed.
pub enum LeftThere {
    /// A campaign.
    Campaign,
    /// A single run, with the command line of its first session.
    Run(Option<CommandLine>),
    /// No open paths; the text is the reason.
    Nothing(String),
}

/// Returns what can be resumed in an output directory.
///
/// # Errors\nReturns the fault of its checkpoint.
pub fn left_in(directory: &Path) -> Result<LeftThere, SessionError> {
    if directory.join("learning-data.jsonl").exists() {
        return Ok(LeftThere::Campaign);
    }
    if checkpoint::exists(directory) {
        let head: RunHead = checkpoint::read_head(directory)
            .map_err(|error| SessionError::Request(error.to_string()))?;
        return Ok(LeftThere::Run(head.session));
    }
    let (shown, path) = (directory.display(), directory.join("summary.json"));
    let summary = std::fs::read(&path).ok();
    let summary = summary.and_then(|bytes| serde_json::from_slice::<Summary>(&bytes).ok());
    let Some(summary) = summary else {
        return Err(SessionError::Request(format!(
            "cannot resume: {} is missing, so {shown} is not the output directory of a run",
            directory.join("checkpoint").display()
        )));
    };
    let why = match summary.stop_reason.as_str() {
        "exhausted-underapproximated" if summary.diverges() => {
            "no path is open, but the native program does something else on some tests"
        }
        "exhausted" => "all paths explored",
        "exhausted-underapproximated" => "all paths explored, but some values were concretized",
        "no-states-left" => "no states left, but some paths were dropped",
        _ => {
            return Err(SessionError::Request(format!(
                "cannot resume {shown}: it has no checkpoint (runs with --use-merge write none); \
                 start a new run in another directory with --seed-dir {shown} to follow its tests \
                 first"
            )));
        }
    };
    Ok(LeftThere::Nothing(format!(
        "the run in {shown} is complete: {why}; for a new run, repeat the command without --resume"
    )))
}
