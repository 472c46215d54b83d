//! The events of a run.
//!
//! Invariant: an event is complete: its reader needs none of the run's files.

use crate::described;
use crate::statistics::statistics;
use crate::{ErrorSummary, HomiRow, HotLine, KleeRow, Summary, UnderapproximationSummary};
use serde::{Deserialize, Serialize};

described! {
    /// A run or campaign begins.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct Started {
        /// Name of the program's file.
        pub program: String,
        /// The files that the program was read from, as typed.
        pub inputs: Vec<String>,
        /// The program's arguments as typed.
        pub arguments: Vec<String>,
        /// The `homi` command, where it is known.
        pub homi: Option<String>,
        /// The command line of the run.
        pub command: String,
        /// The output directory, absolute.
        pub directory: String,
        /// The directory that homi runs in, absolute.
        pub working_directory: String,
        /// When, in seconds since 1970.
        #[serde(default)]
        pub started_unix_s: u64,
        /// The C files that the program was compiled from, where homi compiled it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub sources: Vec<String>,
        /// The property that is asked for, as its file has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub property: Option<String>,
        /// The program is one that `-m32` makes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub is_of_32_bits: bool,
    }
}

described! {
    /// A place in the program's source.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
    pub struct SourceLocation {
        /// The file as the compiler was given it.
        pub file: String,
        /// From 1.
        pub line: u32,
        /// From 1; 0 where it is not known.
        pub column: u32,
    }
}

/// Ending of the path of a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TestEnding {
    /// The program exited.
    Exit { status: i32 },
    /// The program asked to end without more.
    Silent,
    /// A bug of the program: its kind, as `bug-found` has it, and where.
    Bug {
        bug: String,
        message: String,
        location: String,
    },
    /// An unsupported feature.
    Unsupported { what: String, location: String },
    /// A limit or the end of the run stopped it.
    Early { reason: String },
}

described! {
    /// A test that was written.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct TestWritten {
        /// Its name, such as `test000001`; `NAME.ktest` is its file in the output directory.
        pub test: String,
        /// Ending of its path.
        pub ending: TestEnding,
        /// True if its path, run on if need be, was followed to the program's end.
        pub ended: bool,
        /// Branch sides covered as `[branch, side]`, ascending; `branches.json` tells where they
        /// are.
        pub sides: Vec<(u32, u32)>,
        /// Branch sides that no earlier test covers.
        pub new: Vec<(u32, u32)>,
        /// The part of homi that chose its input, as in `coverage.jsonl`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub found_by: String,
        /// Keys of the boundaries of comparisons that the test is at; absent if the run did not
        /// look for them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub boundaries: Vec<u32>,
        /// Units of work that its thread's run had taken by then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub work: Option<u64>,
        /// Locations where its path was concretized or dropped.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub underapproximations: Vec<UnderapproximationSummary>,
    }
}

described! {
    /// One frame of a bug's stack.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct StackFrame {
        /// Name of the function.
        pub function: String,
        /// Arguments as `NAME=VALUE`, or the value alone where no name is known.
        pub arguments: Vec<String>,
        /// The call; of the innermost frame the failing instruction.
        pub place: Option<SourceLocation>,
    }
}

described! {
    /// A bug that was not known before.
    #[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
    pub struct BugFound {
        /// Name of the kind, as in `summary.json`.
        pub kind: String,
        /// Short description of the kind of bug.
        pub about: String,
        /// Message of the bug.
        pub message: String,
        /// Innermost frame outside homi's runtime; `None` without debug information.
        pub place: Option<SourceLocation>,
        /// Innermost first.
        pub stack: Vec<StackFrame>,
        /// Operands of a check with the values of the test, in words; empty if there are none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub values: String,
        /// Further lines: address, example, nearest objects.
        pub details: Vec<String>,
        /// Name of the test that shows it; empty if none does.
        pub test: String,
        /// The weakness: more exact than the kind, such as `out-of-bounds-write`.
        #[serde(default)]
        pub weakness: String,
        /// Number of its entry in the Common Weakness Enumeration; 0 if it has none.
        #[serde(default)]
        pub cwe: u64,
        /// `error`, `warning` or `note`.
        #[serde(default)]
        pub severity: String,
        /// Rank of the weakness, 1 to 10; higher is worse.
        #[serde(default)]
        pub rank: u64,
        /// Equal for the bug in other versions of the program.
        #[serde(default)]
        pub fingerprint: String,
        /// True if every input of the path fails, false if the path goes on for others.
        #[serde(default)]
        pub every_input: bool,
        /// True if the path goes on for values of one input below and above the failing one, so
        /// that no range of that input excludes the bug.
        #[serde(default)]
        pub isolated: bool,
        /// Names of the inputs whose values decide whether the path fails here; empty if every
        /// input does.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub inputs: Vec<String>,
        /// Mark of a decision on the path that native programs need not share; empty if there is
        /// none.
        #[serde(default)]
        pub decided: String,
    }
}

impl BugFound {
    /// The message, with the values of the test if there are some.
    pub fn full_message(&self) -> String {
        match self.values.as_str() {
            "" => self.message.clone(),
            values => format!("{}: {values}", self.message),
        }
    }

    /// The bug as `summary.json` has it.
    pub fn summary(&self) -> ErrorSummary {
        let location = self
            .place
            .as_ref()
            .map(|place| format!("{}:{}", place.file, place.line));
        ErrorSummary {
            kind: self.kind.clone(),
            message: self.message.clone(),
            location: location.unwrap_or_else(|| "unknown".to_string()),
            column: self
                .place
                .as_ref()
                .map_or(0, |place| u64::from(place.column)),
            values: self.values.clone(),
            test: self.test.clone(),
            function: self.functions().next().unwrap_or_default().to_string(),
            weakness: self.weakness.clone(),
            cwe: self.cwe,
            severity: self.severity.clone(),
            rank: self.rank,
            fingerprint: self.fingerprint.clone(),
            every_input: self.every_input,
            decided: self.decided.clone(),
            triage: None,
            confirmation: None,
        }
    }
}

described! {
    /// Branch sides of the program's own code that are covered.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct CoverageGrew {
        /// Covered branch sides.
        pub branches: u64,
        /// Branch sides of user code.
        pub branches_total: u64,
    }
}

described! {
    /// Search heuristics of a run that is not a campaign, before it begins.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct SearchChosen {
        /// The search heuristics and what they are made of, a line each.
        pub search: String,
    }
}

statistics! {
    /// Progress of a run.
    RunStatus in "event `status`, the status line" {
        /// Time since the start, by the clock of the run.
        time_s: f64, Seconds, Last;
        /// Instructions executed.
        instructions: u64, Instructions, Sum;
        /// Ended paths.
        paths: u64, Count, Sum;
        /// Number of states.
        states: u64, Count, Last;
        /// Tests written.
        tests: u64, Count, Sum;
        /// Distinct bugs found.
        bugs: u64, Count, Sum;
        /// Branch sides covered.
        branches: u64, Count, Last;
        /// Branch sides of user code.
        branches_total: u64, Count, Last;
        /// Ratio of the time in the solver.
        solver_ratio: f64, Ratio, Last;
        /// Resident memory of all homi processes.
        memory_bytes: u64, Bytes, Last;
        /// Number of the campaign's run, from 1, and its policy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<(u64, String)>, Pair, Last;
        /// Feasible and infeasible negations of a concolic run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        negated: Option<(u64, u64)>, Pair, Last;
        /// Parameters of the campaign's run and its pruned states.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        campaign: Option<CampaignStatus>, Group, Last;
    }
}

statistics! {
    /// Progress of a run of a campaign.
    CampaignStatus in "event `status`: `campaign`" {
        /// Budget N' of the run.
        budget: f64, Count, Last;
        /// Unit of the budget: `s`, `i` or `w`.
        budget_unit: String, Text, Last;
        /// Ratio of the last prune event, and the number of states before and after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pruned: Option<(f64, u64, u64)>, Numbers, Last;
    }
}

described! {
    /// The statistics at one moment, by the names of the columns of `run.stats`. They cover this
    /// session; the file includes earlier sessions.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct Sampled {
        /// Columns of KLEE's table `stats`.
        pub stats: KleeRow,
        /// Columns of the table `homi`.
        pub homi: HomiRow,
        /// Every few seconds, and at the end: the source lines that forked or asked most so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub lines: Option<Vec<HotLine>>,
    }
}

/// Severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Note,
    Warning,
}

described! {
    /// A message that is also in `messages.txt` or `warnings.txt`.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct Message {
        /// `note` or `warning`.
        pub level: Level,
        /// The message.
        pub text: String,
    }
}

described! {
    /// A run or campaign is over.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct Finished {
        /// Stop reason as a sentence; `stop_reason` in the summary is its name.
        pub stopped: String,
        /// Content of `summary.json`.
        pub summary: Summary,
    }
}
