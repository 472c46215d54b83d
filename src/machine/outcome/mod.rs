//! Endings of paths, and their under-approximations.
//!
//! Owns: the reasons, with all data that a report on them needs. Never: states, or the cause. Made
//! by `exec` and `engine`, kept by `state` for a path that only has to be ended, read by
//! `testcase`.
//!
//! Invariant: three outcomes, three types. A bug is the program's fault, an unsupported feature is
//! ours and named, an early end is a limit; our own bugs are panics and never appear here.

mod explanation;
mod klee;
mod underapproximation;

pub use explanation::{Checked, Explanation, Form, Operand, Target};
pub use homi_config::BugKind;
pub use underapproximation::{
    Complete, Dropped, Example, Underapproximation, UnderapproximationAt, UnderapproximationSite,
    Underapproximations,
};

use crate::memory::AccessError;
use homi_config::Weakness;
use homi_ir::program::{FuncId, LocId, Program};

/// Reason why a path ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Termination {
    /// The program ended with this exit status (the low 8 bits that the parent would see).
    Exit(i32),
    /// The program asked to end without a test (`klee_silent_exit`, a failed `klee_assume`).
    Silent,
    /// A bug of the program.
    Bug(Box<Bug>),
    /// Something homi cannot do yet, named, and where.
    Unsupported(Unsupported),
    /// A limit ended it.
    Early(EarlyReason),
}

/// Our unsupported feature: what the path needed and where it needed it.
#[derive(Clone, PartialEq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub location: LocId,
}

/// Limits that end a path before the program does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EarlyReason {
    /// The solver gave up on the only side that was left.
    SolverTimeout,
    /// More frames than `BudgetConfig::stack_frames`.
    RecursionLimit,
    /// Deeper than `BudgetConfig::depth`.
    DepthLimit,
    /// An object larger than `ExecConfig::max_object_size` was asked for where that cannot fail.
    OutOfMemory,
    /// The engine stopped it (end of the run, memory pressure).
    Interrupted,
    /// Pruned by a strategy.
    Pruned,
    /// Its paths can only do what followed paths did.
    Subsumed,
    /// The path was merged into another path.
    Merged,
}

impl EarlyReason {
    /// The message of the `.early` file.
    pub fn message(self) -> &'static str {
        match self {
            EarlyReason::SolverTimeout => "the solver ran out of time",
            EarlyReason::RecursionLimit => "more nested calls than --max-stack-frames allows",
            EarlyReason::DepthLimit => "maximum number of forks on a path reached",
            EarlyReason::OutOfMemory => "out of memory",
            EarlyReason::Interrupted => "interrupted before the path ended",
            EarlyReason::Pruned => "pruned",
            EarlyReason::Subsumed => "it can only do what other paths have done",
            EarlyReason::Merged => "it goes on as one with another path",
        }
    }

    /// Returns the under-approximation that it causes; `None` at the end of the run, which has a
    /// stop reason.
    fn underapproximation(self) -> Option<Underapproximation> {
        match self {
            EarlyReason::SolverTimeout => Some(Underapproximation::SolverLimit),
            EarlyReason::RecursionLimit => Some(Underapproximation::Frames),
            EarlyReason::DepthLimit => Some(Underapproximation::Depth),
            EarlyReason::OutOfMemory => Some(Underapproximation::Memory),
            EarlyReason::Pruned => Some(Underapproximation::Pruned),
            EarlyReason::Interrupted | EarlyReason::Subsumed | EarlyReason::Merged => None,
        }
    }
}

impl Termination {
    /// Returns the under-approximation that this end of a path causes, with an example.
    #[inline]
    pub fn underapproximation(&self) -> Option<(Underapproximation, Example)> {
        match self {
            Termination::Exit(_) | Termination::Silent | Termination::Bug(_) => None,
            Termination::Unsupported(unsupported) => Some((
                Underapproximation::Unsupported,
                Example::note(&unsupported.what),
            )),
            Termination::Early(reason) => Some((
                reason.underapproximation()?,
                Example::note(reason.message()),
            )),
        }
    }
}

/// One line of a bug's stack, innermost first.
#[derive(Clone, PartialEq, Debug)]
pub struct StackEntry {
    pub function: FuncId,
    pub function_name: String,
    /// Arguments as `NAME=VALUE`, or the value alone where no name is known: a number in decimal or
    /// hexadecimal, or `symbolic`.
    pub arguments: Vec<String>,
    /// The call, or for the innermost frame the failing instruction.
    pub location: LocId,
}

/// Details that distinguish bugs at one source location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BugLocation {
    /// The source location of the bug says it all.
    Located,
    /// No debug information, but a compiler's check told its handler: all copies that the compiler
    /// made of one check are one place.
    Reported {
        file: String,
        line: u32,
        column: u32,
    },
    /// Function and code index: nothing is known of the source.
    Instruction(FuncId, u32),
    /// In the handlers of checks: all checks are one place, as they are for KLEE.
    KleesHandlers,
}

/// A program bug with the data of its report.
#[derive(Clone, PartialEq, Debug)]
pub struct Bug {
    pub kind: BugKind,
    /// More exact than the kind where more is known, such as the direction of an access.
    pub weakness: Weakness,
    /// Description in one line, with KLEE's wording if KLEE has the same error.
    pub message: String,
    /// Innermost frame outside homi's runtime and the libc.
    pub location: LocId,
    /// Details in addition to `location` that distinguish the bug.
    pub place: BugLocation,
    /// Function and code index of the reported frame's instruction, or of its call.
    pub at: (FuncId, u32),
    pub stack: Vec<StackEntry>,
    /// Further lines: address, example, nearest objects.
    pub details: Vec<String>,
    /// The access that failed, if the bug is a memory access.
    pub access: Option<AccessError>,
    /// Operation and operands, if the bug is of a check that compares values.
    pub explanation: Option<Box<Explanation>>,
    /// The explanation with the values of a test; empty before there is one.
    pub values: String,
}

/// Prefix of the functions that a compiler's checks (`-fsanitize=undefined`) call.
pub const CHECK_HANDLERS: &str = "__ubsan_handle_";

/// Location that KLEE reports for all findings of a sanitizer: in its handlers' code.
const KLEES_SANITIZER: (&str, u32) = ("runtime/Sanitizer/ubsan/ubsan_handlers.cpp", 37);

impl Bug {
    /// The bug of a check that compares values.
    #[must_use]
    pub fn explained(mut self, explanation: Explanation) -> Self {
        self.explanation = Some(Box::new(explanation));
        self
    }

    /// The message, with the values of a test if there are some.
    pub fn full_message(&self) -> String {
        match self.values.as_str() {
            "" => self.message.clone(),
            values => format!("{}: {values}", self.message),
        }
    }

    /// Makes this bug of the engine the same bug as a finding of a compiler's check at its place.
    pub fn adopt(&mut self, finding: &Bug) {
        self.kind = finding.kind.clone();
        self.weakness = finding.weakness;
        self.message.clone_from(&finding.message);
        self.location = finding.location;
        self.place = finding.place.clone();
        self.explanation.clone_from(&finding.explanation);
    }

    /// The file and line that KLEE names, if they are not the program's.
    fn klees_place(&self) -> Option<(&'static str, u32)> {
        let handlers = self.stack.iter().take(2);
        let mut names = handlers.map(|entry| entry.function_name.as_str());
        names
            .any(|name| name.starts_with(CHECK_HANDLERS))
            .then_some(KLEES_SANITIZER)
    }

    /// File and line of the bug, from debug information or as a compiler's check tells them; `None`
    /// if neither does.
    pub fn source<'a>(&'a self, program: &'a Program) -> Option<(&'a str, u32)> {
        if let BugLocation::Reported { file, line, .. } = &self.place {
            return Some((file, *line));
        }
        let location = program.location(self.location);
        let file = program.files.get(location.file as usize)?;
        (location.line != 0).then_some((file.as_str(), location.line))
    }

    /// Returns file and line that reports of the bug name: of `source`, or of KLEE's handlers if
    /// the bug is placed there.
    pub fn reported_place<'a>(&'a self, program: &'a Program) -> Option<(&'a str, u32)> {
        match self.place {
            BugLocation::KleesHandlers => Some(KLEES_SANITIZER),
            _ => self.source(program),
        }
    }

    /// Returns the column of the bug, from 1; 0 if it is not known.
    pub fn column(&self, program: &Program) -> u32 {
        match &self.place {
            BugLocation::Reported { column, .. } => *column,
            BugLocation::Located => program.location(self.location).column,
            BugLocation::Instruction(..) | BugLocation::KleesHandlers => 0,
        }
    }

    /// `file:line` of the bug, or `unknown`.
    pub fn described_place(&self, program: &Program) -> String {
        self.source(program).map_or_else(
            || "unknown".to_string(),
            |(file, line)| format!("{file}:{line}"),
        )
    }
}
