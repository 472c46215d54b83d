//! The tree of paths on disk (`--write-exec-tree`): each state knows its node, and a fork gives new
//! ones to all states that come of it.
//!
//! Idea: a fork into several states is a chain of forks into two, and the state that forked comes
//! last. What is kept in memory are the places that were met and four bytes for each side that was
//! found to be impossible after its fork. Invariant: the tree never changes what the run does; a
//! file that cannot be written is told of at the end.

use super::record::SharedRecorder;
use crate::engine::run::Engine;
use crate::exec::{Absent, BugKind, EarlyReason, ForkKind, Observer, Termination};
use crate::program::{FuncId, Program};
use crate::report::{EXEC_TREE_ROOT, ExecTreeError, ExecTreeFile, TreeRow, ending_number};
use crate::state::State;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tree of a run, for all its threads.
pub struct WrittenTree(Mutex<Growing>);

struct Growing {
    /// None once it could not be written, or is finished.
    file: Option<ExecTreeFile>,
    failure: Option<ExecTreeError>,
    next: u32,
    has_root: bool,
    places: FxHashMap<(FuncId, u32), u32>,
    absent: Vec<u32>,
    /// States that came into the run otherwise than by a fork.
    apart: u64,
}

/// What became of the file.
pub struct TreeWritten {
    /// States that are not in it, as no fork made them.
    pub apart: u64,
    pub failure: Option<ExecTreeError>,
}

impl Growing {
    fn add(&mut self, row: &TreeRow) {
        self.write(|file| file.add(row));
    }

    fn write(&mut self, write: impl FnOnce(&mut ExecTreeFile) -> Result<(), ExecTreeError>) {
        let Some(file) = &mut self.file else {
            return;
        };
        if let Err(error) = write(file) {
            self.failure = Some(error);
            self.file = None;
        }
    }

    fn place(&mut self, program: &Program, at: (FuncId, u32)) -> u32 {
        if let Some(known) = self.places.get(&at) {
            return *known;
        }
        let number = self.places.len() as u32 + 1;
        self.places.insert(at, number);
        let function = program.function(at.0);
        let location = function.locations.get(at.1 as usize).copied();
        let location = location.map(|id| program.location(id));
        let file = location.and_then(|found| program.files.get(found.file as usize));
        let source = (
            file.map_or("", String::as_str),
            location.map_or(0, |found| found.line),
        );
        self.write(|file| file.add_place(number, (&function.name, at.1), source));
        number
    }

    /// Numbers of two nodes.
    fn pair(&mut self) -> u32 {
        let first = self.next;
        self.next = first.saturating_add(2);
        first
    }
}

impl WrittenTree {
    /// Begins the file in an output directory.
    pub fn create(directory: &Path) -> Result<Self, ExecTreeError> {
        Ok(Self(Mutex::new(Growing {
            file: Some(ExecTreeFile::create(directory)?),
            failure: None,
            // Nobody is beside the root.
            next: EXEC_TREE_ROOT + 1,
            has_root: false,
            places: FxHashMap::default(),
            absent: Vec::new(),
            apart: 0,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Growing> {
        // A thread that panicked has left a row out at most.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A state that no fork has made comes into the run; the first one is the root.
    pub(in crate::engine) fn begun(&self, state: &mut State) {
        if state.written_node != 0 {
            return;
        }
        let mut tree = self.lock();
        match tree.has_root {
            true => tree.apart += 1,
            false => state.written_node = EXEC_TREE_ROOT,
        }
        tree.has_root = true;
    }

    /// A state has forked at `at`.
    fn forked(
        &self,
        program: &Program,
        at: (FuncId, u32),
        state: &mut State,
        siblings: &mut [Box<State>],
    ) {
        if state.written_node == 0 {
            return;
        }
        let kind = ForkKind::of(program, at.0, at.1) as u8 + 1;
        let mut tree = self.lock();
        let place = tree.place(program, at);
        for sibling in siblings {
            let below = tree.pair();
            tree.add(&TreeRow {
                node: state.written_node,
                state: 0,
                below,
                place,
                kind,
            });
            (sibling.written_node, state.written_node) = (below, below + 1);
        }
    }

    /// A path is over.
    fn ended(&self, program: &Program, at: (FuncId, u32), state: &State, kind: u8) {
        if state.written_node == 0 {
            return;
        }
        let mut tree = self.lock();
        let place = tree.place(program, at);
        tree.add(&TreeRow {
            node: state.written_node,
            state: state.sequence,
            below: 0,
            place,
            kind,
        });
    }

    /// Completes the file once the run is over.
    pub fn finish(&self) -> TreeWritten {
        let mut tree = self.lock();
        let absent = std::mem::take(&mut tree.absent);
        if let Some(file) = tree.file.take() {
            let left = number_of(&Termination::Early(EarlyReason::Interrupted));
            tree.failure = file.finish(&absent, left).err();
        }
        TreeWritten {
            apart: tree.apart,
            failure: tree.failure.take(),
        }
    }
}

/// A state forked where the observer has booked the last fork.
pub(in crate::engine) fn write_fork(
    recorder: &SharedRecorder,
    observer: &Observer,
    (program, state): (&Program, &mut State),
    siblings: &mut [Box<State>],
) {
    if let Some(tree) = recorder.tree()
        && let Some((path, pc)) = observer.sites.last_fork
    {
        let at = (observer.call_paths.node(path).function, pc);
        tree.forked(program, at, state, siblings);
    }
}

impl Engine<'_, '_> {
    /// A path ended, or is not followed any more.
    pub(in crate::engine) fn write_end(&self, state: &State, termination: &Termination) {
        if let Some(tree) = self.bench.recorder.tree() {
            let executor = self.bench.executor;
            let (at, kind) = (executor.place(state), number_of(termination));
            tree.ended(executor.program(), at, state, kind);
        }
    }

    /// The side that a state awaited does not exist, or nobody knows.
    pub(in crate::engine) fn write_absent(&self, state: &State, absent: Absent) {
        let Some(tree) = self.bench.recorder.tree() else {
            return;
        };
        match absent {
            Absent::Refuted if state.written_node > EXEC_TREE_ROOT => {
                tree.lock().absent.push(state.written_node);
            }
            Absent::Refuted => {}
            Absent::Unknown => {
                self.write_end(state, &Termination::Early(EarlyReason::SolverTimeout));
            }
        }
    }
}

/// KLEE's number for an ending; one that KLEE does not have counts as what it comes closest to.
fn number_of(termination: &Termination) -> u8 {
    ending_number(match termination {
        Termination::Exit(_) => "Exit",
        Termination::Silent => "SilentExit",
        Termination::Gap(_) => "Execution",
        Termination::Bug(bug) => name_of(&bug.kind),
        Termination::Early(reason) => match reason {
            EarlyReason::SolverTimeout => "Solver",
            EarlyReason::RecursionLimit => "OutOfStackMemory",
            EarlyReason::DepthLimit => "MaxDepth",
            EarlyReason::OutOfMemory => "OutOfMemory",
            EarlyReason::Interrupted | EarlyReason::Pruned => "Interrupted",
            EarlyReason::Subsumed | EarlyReason::Merged => "Merge",
        },
    })
}

fn name_of(kind: &BugKind) -> &'static str {
    match kind {
        BugKind::Abort => "Abort",
        BugKind::Assert => "Assert",
        BugKind::Overflow => "Overflow",
        BugKind::Ptr => "Ptr",
        BugKind::Free => "Free",
        BugKind::ReadOnly => "ReadOnly",
        BugKind::User => "User",
        BugKind::Exec | BugKind::Unreachable => "Execution",
        BugKind::External => "External",
        // KLEE checks these by calls of its function for errors of the program's own.
        BugKind::Div | BugKind::Overshift | BugKind::Undefined | BugKind::Leak => "ReportError",
        BugKind::Reported(suffix) => reported(suffix),
    }
}

/// The name for the suffix of an error's file.
fn reported(suffix: &str) -> &'static str {
    match suffix {
        "abort.err" => "Abort",
        "assert.err" => "Assert",
        "bad_vector_access.err" => "BadVectorAccess",
        "free.err" => "Free",
        "model.err" => "Model",
        "overflow.err" => "Overflow",
        "ptr.err" => "Ptr",
        "read_only.err" => "ReadOnly",
        "invalid_builtin_use.err" => "InvalidBuiltin",
        "implicit_truncation.err" => "ImplicitTruncation",
        "implicit_conversion.err" => "ImplicitConversion",
        "unreachable_call.err" => "UnreachableCall",
        "missing_return.err" => "MissingReturn",
        "invalid_load.err" => "InvalidLoad",
        "nullable_attribute.err" => "NullableAttribute",
        "function_type_mismatch.err" => "FunctionTypeMismatch",
        "user.err" => "User",
        "exec.err" => "Execution",
        "external.err" => "External",
        _ => "ReportError",
    }
}
