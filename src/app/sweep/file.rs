//! The records of `sweep.json`.

use homi_report::{ErrorSummary, described};
use serde::{Deserialize, Serialize};

/// Version of the layout.
pub(super) const SCHEMA: u32 = 1;

described! {
    /// The whole of `sweep.json`.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct SweepFile {
        /// Version of the schema: 1.
        pub schema: u32,
        /// Explored functions, by file and line.
        pub functions: Vec<FunctionResult>,
        /// Functions that could not be explored.
        pub not_explored: Vec<NotExploredFunction>,
        /// Bugs of all functions, each once, the most trusted first.
        pub bugs: Vec<SweepBug>,
    }
}

described! {
    /// An explored function.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct FunctionResult {
        /// Name of the function.
        pub function: String,
        /// File of its definition.
        pub file: String,
        /// Line of its definition.
        pub line: u32,
        /// True if all paths were followed.
        pub complete: bool,
        /// Preconditions that the exploration took for granted.
        pub preconditions: Vec<AssumedCondition>,
    }
}

described! {
    /// A precondition with its source.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct AssumedCondition {
        /// Shape of a parameter as in a contracts file, or an expression of C.
        pub condition: String,
        /// `declaration`, `assertion`, `callers` or `contract`.
        pub source: String,
    }
}

described! {
    /// A function that could not be explored.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct NotExploredFunction {
        /// Name of the function.
        pub function: String,
        /// File of its definition.
        pub file: String,
        /// Reason.
        pub why: String,
    }
}

described! {
    /// A bug with its class.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct SweepBug {
        /// `certain`, `from-callers`, `needs` or `ruled-out`.
        pub class: String,
        /// Function whose exploration found it; its directory has the test.
        pub found_from: String,
        /// The bug as `summary.json` of that exploration has it.
        pub bug: ErrorSummary,
    }
}
