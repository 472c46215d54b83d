//! One execution state: a value that forks by `clone` in time proportional to what changed.
//!
//! Owns: the call stack with its registers, the path as a list of decisions, the symbolic objects
//! in creation order, what this path covered, and the metrics that searchers read. Never: the
//! meaning of an instruction (`exec`), solver back ends, output. Data come from `exec` and go to
//! `engine`.

mod awaited;
mod covered_first;
mod decision;
mod fork_rule;
#[cfg(test)]
mod fork_traces;
mod frame;
mod frames;
mod given;
mod heap_record;
mod merges;
mod metrics;
mod races;
mod sides;
mod taken_sides;
mod threads;

pub use awaited::{Awaited, Continuation};
pub use covered_first::CoveredFirst;
pub use decision::{ConcretiseReason, Decision, DecisionList, ListedDecision};
pub use fork_rule::ForkRule;
pub use frame::{CallPathId, Frame, FrameSerial, VariadicArguments};
pub use frames::Frames;
pub use given::{GivenObject, GivenObjects, Matching, WantedObject};
pub use heap_record::{BlockOrigin, HeapRecord};
pub use merges::{Merges, Opening};
pub use metrics::Metrics;
pub use races::{Races, WatchedAccess};
pub use sides::SideSet;
pub use taken_sides::TakenSides;
pub use threads::Threads;

use crate::ir::ops::float::Rounding;
use crate::ir::program::{BlockId, FuncId};
use crate::machine::memory::Memory;
use crate::machine::outcome::{Narrowed, Termination};
use crate::solver::PathCondition;
use crate::solver::term::{ArrayId, Byte, Model, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A symbolic object of the path, in the order of creation; becomes one object of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolicObject {
    pub array: ArrayId,
    /// The name given by the program, without the version suffix.
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u32,
}

impl SymbolicObject {
    /// The bytes that a model gives to the object.
    pub fn bytes(&self, model: &Model) -> Vec<u8> {
        let array = self.array;
        (0..self.size)
            .map(|index| model.get(Byte { array, index }))
            .collect()
    }
}

/// Where a state stands: function, block within it, instruction within the function's code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProgramPoint {
    pub function: FuncId,
    pub block: BlockId,
    /// Index into `Function::code` of the next instruction to execute.
    pub pc: u32,
}

/// A place `longjmp` can return to: the frame that called `setjmp` and the instruction after the
/// call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JumpTarget {
    pub frame: FrameSerial,
    /// Index into `Function::code` of the `setjmp` call itself.
    pub pc: u32,
}

/// A moment at which the modelled kernel interrupts the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The number of instructions that the path has executed then.
    pub at: u64,
    /// The kernel's function that runs.
    pub entry: FuncId,
}

/// Where the modelled kernel may let another thread run although the current one could go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preemption {
    /// The kernel's function that runs.
    pub entry: FuncId,
    /// How often each place was met since the current thread has its turn.
    pub met: Arc<BTreeMap<(FuncId, u32), u32>>,
}

/// An execution state. `fork` gives a second one that goes its own way.
#[derive(Clone)]
pub struct State {
    /// Number given by the engine in order of creation; 0 is the initial state.
    pub sequence: u64,
    /// The call stack of the thread that runs.
    pub frames: Frames,
    pub threads: Threads,
    /// When the modelled kernel wants to run next, whatever the program does.
    pub tick: Option<Tick>,
    /// The modelled kernel's function that may give the turn to another thread, if it is wanted.
    pub preemption: Option<Preemption>,
    /// What is known of the order of the threads' accesses, where races are looked for.
    pub races: Option<Box<Races>>,
    /// The threads that are in an atomic section (`__VERIFIER_atomic_begin`), and in how many.
    pub sections: BTreeMap<u32, u32>,
    pub memory: Memory,
    /// Conditions on symbolic bytes that hold on this path.
    pub path: PathCondition,
    /// Satisfies `path`, always.
    pub model: Model,
    pub symbolics: Arc<Vec<SymbolicObject>>,
    pub decisions: DecisionList,
    /// The sides of the program's own branches, where they are wanted in order.
    pub taken: Option<TakenSides>,
    pub metrics: Metrics,
    /// What this path no longer follows.
    pub narrowed: Narrowed,
    /// Branch sides taken on this path.
    pub sides: Arc<SideSet>,
    /// What of the program's own code this path covered as the first of its run; the engine adds to
    /// it.
    pub covered_first: CoveredFirst,
    /// Conditions the program would like tests to satisfy (`klee_prefer_cex`), in the order given.
    pub preferences: Arc<Vec<Term>>,
    /// The mode that `fesetround` has set.
    pub rounding: Rounding,
    /// Exception flags raised so far (`ops::float::exceptions`); 0 unless the program asks for
    /// them.
    pub float_exceptions: u8,
    /// `setjmp` calls of this path, by the number stored in the `jmp_buf`.
    pub jump_targets: Arc<BTreeMap<u64, JumpTarget>>,
    /// Number of objects made so far for each symbolic name; the next version of that name.
    pub name_versions: Arc<BTreeMap<Arc<str>, u32>>,
    /// Instructions that have been reported once, so that the path does not report them again:
    /// uses of undefined values, overflows.
    pub reported: Arc<BTreeSet<(FuncId, u32)>>,
    /// False after `klee_set_forking(0)`: symbolic branches follow the model.
    pub forking: bool,
    /// What becomes of the sides that it does not take.
    pub forks: ForkRule,
    /// New symbolic objects are made of the model's bytes as constants: the path is that of one
    /// input.
    pub inputs_given: bool,
    /// New symbolic objects get the bytes of the run's first input; else those that the model has.
    pub begins_objects: bool,
    /// The earlier tests whose path this is, if any: new objects have the bytes of the first.
    pub follows: Option<Arc<Vec<Arc<GivenObjects>>>>,
    /// False until the state was first run.
    pub entered: bool,
    /// The observer counts it among those that wait before the segment where it stands.
    pub waits: bool,
    /// It forked off within the instruction where it stands, and executes that instruction again.
    pub executes_again: bool,
    /// The node of the tree of paths below which it runs, where a tree is kept
    /// (`interpolation::Tree`).
    pub tree_node: Option<u32>,
    /// What is remembered of allocations, if something is.
    pub heap: Option<Arc<HeapRecord>>,
    /// The merges that the path is in the midst of, or has been; none before the first.
    pub merges: Option<Box<Merges>>,
    /// Set for a pending state: it runs only if this side turns out to be possible.
    pub awaits: Option<Box<Awaited>>,
    /// Set for a state that was forked only to end (a bug on one side of a check): its next step
    /// ends it.
    pub ending: Option<Box<Termination>>,
}

/// States on their way from a fork to the engine: boxed, because one is half a KiB and moves
/// several times.
#[allow(clippy::vec_box)]
pub type Siblings = Vec<Box<State>>;

impl State {
    /// The instruction to execute next.
    pub fn point(&self, program: &crate::ir::program::Program) -> ProgramPoint {
        let frame = self.frames.top();
        let function = program.function(frame.function);
        ProgramPoint {
            function: frame.function,
            block: block_of(function, frame.pc),
            pc: frame.pc,
        }
    }

    /// A copy that shares everything until one of the two changes it. `clone` gives an equal one,
    /// but copies the frames written since the last fork.
    pub fn fork(&mut self) -> Box<State> {
        self.frames.share_outer();
        Box::new(self.clone())
    }

    /// Drops what only makes a running state faster; for states that wait.
    pub fn trim(&mut self) {
        self.frames.trim();
        self.memory.trim();
    }

    /// The number to put into a `jmp_buf` for a target; a loop that calls `setjmp` again and again
    /// gets the same one.
    pub fn jump_number(&mut self, target: JumpTarget) -> u64 {
        let known = self.jump_targets.iter().find(|known| *known.1 == target);
        if let Some((number, _)) = known {
            return *number;
        }
        let live: Vec<FrameSerial> = self.all_frames().map(|frame| frame.serial).collect();
        let targets = Arc::make_mut(&mut self.jump_targets);
        // The last number stays, because it tells which is the next.
        let last = targets.last_key_value().map_or(0, |(number, _)| *number);
        targets.retain(|number, target| *number == last || live.contains(&target.frame));
        targets.insert(last + 1, target);
        last + 1
    }

    /// Calls `visit` for every term the state holds outside memory and the path condition:
    /// registers, preferences, the side it awaits and merges. The engine marks those, then `memory`
    /// and `path`, before a sweep.
    pub fn visit_register_terms(&self, mut visit: impl FnMut(Term)) {
        for frame in self.all_frames() {
            frame.terms.iter().flatten().for_each(|term| visit(*term));
        }
        self.preferences.iter().for_each(|term| visit(*term));
        self.awaits
            .iter()
            .for_each(|awaited| visit(awaited.condition));
        if let Some(merges) = &self.merges {
            merges.visit_terms(&mut visit);
        }
    }

    /// Whether an input takes this path: it satisfies what the path has, and the side that the
    /// state awaits.
    pub fn admits(&self, terms: &Terms, model: &Model) -> bool {
        let awaits = self.awaits.as_ref();
        self.path.holds(terms, model)
            && awaits.is_none_or(|awaited| terms.eval(awaited.condition, model) == 1)
    }

    /// Whether the state stands for several paths that were merged, or waits to.
    pub fn is_merged(&self) -> bool {
        let merges = self.merges.as_ref();
        merges.is_some_and(|merges| merges.joined() > 0 || !merges.openings().is_empty())
    }

    /// Whether it is unknown if the state has a path: it awaits a side that nobody has asked for.
    pub fn is_unasked(&self) -> bool {
        let awaits = self.awaits.as_ref();
        awaits.is_some_and(|awaited| awaited.model.is_none())
    }

    /// The frames of all threads.
    pub fn all_frames(&self) -> impl Iterator<Item = &Frame> {
        let waiting = self.threads.waiting().flat_map(Frames::iter);
        self.frames.iter().chain(waiting)
    }

    /// Changes every frame of all threads.
    pub fn for_each_frame_mut(&mut self, change: &mut dyn FnMut(&mut Frame)) {
        self.frames.for_each_mut(&mut *change);
        self.threads.for_each_mut(change);
    }

    /// Calls `visit` for every term that the state holds, some more than once.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        self.visit_register_terms(&mut *visit);
        self.memory.mark_terms(&mut |_| true, visit);
        self.path.iter().for_each(&mut *visit);
        self.path.visit_proven(visit);
        for group in self.path.groups() {
            group.constraints.iter().for_each(|term| visit(*term));
        }
    }

    /// Whether the thread that runs keeps its turn.
    pub fn is_in_section(&self) -> bool {
        !self.sections.is_empty() && self.sections.contains_key(&self.threads.running())
    }

    /// Puts other terms in place of all that the state holds: those of another pool, in which
    /// symbolic objects have the same ids.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        // A new field does not compile until it is thought of here.
        let State {
            sequence: _,
            frames,
            threads,
            tick: _,
            preemption: _,
            races: _,
            sections: _,
            memory,
            path,
            model: _,
            symbolics: _,
            decisions: _,
            taken: _,
            metrics: _,
            narrowed: _,
            sides: _,
            covered_first: _,
            preferences,
            rounding: _,
            float_exceptions: _,
            jump_targets: _,
            name_versions: _,
            reported: _,
            forking: _,
            forks: _,
            inputs_given: _,
            begins_objects: _,
            follows: _,
            entered: _,
            waits: _,
            executes_again: _,
            tree_node: _,
            heap: _,
            merges,
            awaits,
            ending: _,
        } = self;
        let mut moved = |frame: &mut Frame| {
            for term in frame.terms.iter_mut().flatten() {
                *term = map(*term);
            }
        };
        frames.for_each_mut(&mut moved);
        threads.for_each_mut(&mut moved);
        memory.map_terms(map);
        *path = path.with_terms(map);
        if let Some(awaited) = awaits {
            awaited.condition = map(awaited.condition);
        }
        if let Some(merges) = merges {
            merges.map_terms(map);
        }
        if !preferences.is_empty() {
            let moved = preferences.iter().map(|term| map(*term)).collect();
            *preferences = Arc::new(moved);
        }
    }
}

/// The block of a function that holds instruction `pc`.
pub fn block_of(function: &crate::ir::program::Function, pc: u32) -> BlockId {
    let after = function.blocks.partition_point(|block| block.start <= pc);
    BlockId::new(after.saturating_sub(1))
}
