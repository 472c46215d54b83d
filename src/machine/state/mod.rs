//! One execution state: a value that forks by `clone` in time proportional to what changed.
//!
//! Owns: the call stack with its registers, the path as a list of decisions, the symbolic objects
//! in creation order, what this path covered, and the metrics that searchers read. Never: the
//! meaning of an instruction (`exec`), solver back ends, output. Data come from `exec` and go to
//! `engine`.

mod covered_first;
mod decision;
mod floats;
mod fork_rule;
#[cfg(test)]
mod fork_traces;
mod frame;
mod frames;
mod given;
mod heap_record;
mod input_rule;
mod jumps;
mod loop_visits;
mod merges;
mod metrics;
mod path_record;
mod pending_check;
mod races;
mod sides;
mod standing;
mod symbolics;
mod tags;
mod taken_sides;
mod thread_state;
mod threads;

pub use covered_first::CoveredFirst;
pub use decision::{ConcretiseReason, Decision, DecisionList, ListedDecision};
pub use floats::FloatEnvironment;
pub use fork_rule::ForkRule;
pub use frame::{CallPathId, Frame, FrameSerial, VariadicArguments};
pub use frames::Frames;
pub use given::{GivenObject, GivenObjects, Matching, WantedObject};
pub use heap_record::{BlockOrigin, HeapRecord};
pub use input_rule::{InputChooser, InputRule};
pub use jumps::{JumpTarget, JumpTargets};
pub use loop_visits::{LoopHead, LoopVisit, LoopVisits, ProofLoop};
pub use merges::{Merges, Opening};
pub use metrics::Metrics;
pub use path_record::PathRecord;
pub use pending_check::{Continuation, PendingCheck};
pub use races::{Races, WatchedAccess};
pub use sides::SideSet;
pub use standing::Standing;
pub use symbolics::{SymbolicObject, Symbolics};
pub use tags::Tags;
pub use taken_sides::TakenSides;
pub use thread_state::{Preemption, RACE, ThreadState, Tick};
pub use threads::Threads;

use crate::memory::Memory;
use crate::outcome::{Termination, Underapproximations};
use homi_ir::program::{BlockId, FuncId};
use homi_solver::PathCondition;
use homi_solver::term::{Model, Term, Terms};
use std::sync::Arc;

/// Code location of a state: function, block within it, instruction within the function's code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProgramPoint {
    pub function: FuncId,
    pub block: BlockId,
    /// Index into `Function::code` of the next instruction to execute.
    pub pc: u32,
}

/// An execution state. `fork` returns an independent copy.
#[derive(Clone)]
pub struct State {
    pub tags: Tags,
    /// The call stack of the thread that runs.
    pub frames: Frames,
    pub threads: ThreadState,
    pub memory: Memory,
    /// Conditions on symbolic bytes that hold on this path.
    pub path: PathCondition,
    /// Satisfies `path`, always.
    pub model: Model,
    pub symbolics: Symbolics,
    pub decisions: DecisionList,
    pub metrics: Metrics,
    /// Under-approximations of this path.
    pub underapproximations: Underapproximations,
    /// Branch sides taken on this path.
    pub sides: Arc<SideSet>,
    /// User code that this path covered as the first of its run; the engine adds to it.
    pub covered_first: CoveredFirst,
    pub record: PathRecord,
    /// Visits of loop heads, where loops that never end are looked for.
    pub loops: LoopVisits,
    pub floats: FloatEnvironment,
    pub jumps: JumpTargets,
    /// Rule for the sides that the path does not take.
    pub forks: ForkRule,
    pub input: InputRule,
    pub standing: Standing,
    /// The merges that the path is in the midst of, or has been; none before the first.
    pub merges: Option<Box<Merges>>,
    /// Set for a pending state: it runs only if this side turns out to be possible.
    pub pending_check: Option<Box<PendingCheck>>,
    /// Set for a state that was forked only to end (a bug on one side of a check): its next step
    /// ends it.
    pub ending: Option<Box<Termination>>,
}

/// States on their way from a fork to the engine: boxed, because one is half a KiB and moves
/// several times.
#[allow(clippy::vec_box)]
pub type Siblings = Vec<Box<State>>;

impl State {
    /// A state about to execute the first instruction of its first frame, without a condition on
    /// the input. `sides` must have room for all branch sides of the program.
    pub fn new(frame: Frame, memory: Memory, sides: SideSet) -> Self {
        Self {
            tags: Tags::default(),
            frames: Frames::new(frame),
            threads: ThreadState::default(),
            memory,
            path: PathCondition::new(),
            model: Model::new(),
            symbolics: Symbolics::default(),
            decisions: DecisionList::default(),
            metrics: Metrics::default(),
            underapproximations: Underapproximations::default(),
            sides: Arc::new(sides),
            covered_first: CoveredFirst::default(),
            record: PathRecord::default(),
            loops: LoopVisits::default(),
            floats: FloatEnvironment::default(),
            jumps: JumpTargets::default(),
            forks: ForkRule::default(),
            input: InputRule::default(),
            standing: Standing::default(),
            merges: None,
            pending_check: None,
            ending: None,
        }
    }

    /// The instruction to execute next.
    pub fn point(&self, program: &homi_ir::program::Program) -> ProgramPoint {
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
        self.jumps.number_of(target).unwrap_or_else(|| {
            let live: Vec<FrameSerial> = self.all_frames().map(|frame| frame.serial).collect();
            self.jumps.add(target, &live)
        })
    }

    /// Calls `visit` for every term the state holds outside memory and the path condition:
    /// registers, preferences, the side it awaits, merges and kept visits of loop
    /// heads. The engine marks those, then `memory`
    /// and `path`, before a sweep.
    pub fn visit_register_terms(&self, mut visit: impl FnMut(Term)) {
        for frame in self.all_frames() {
            frame.terms.iter().flatten().for_each(|term| visit(*term));
        }
        self.symbolics
            .preferences
            .iter()
            .for_each(|term| visit(*term));
        self.pending_check
            .iter()
            .for_each(|pending_check| visit(pending_check.condition));
        if let Some(merges) = &self.merges {
            merges.visit_terms(&mut visit);
        }
        self.loops.visit_terms(&mut visit);
    }

    /// Returns true if an input takes this path: it satisfies the path condition and the pending
    /// side.
    pub fn admits(&self, terms: &Terms, model: &Model) -> bool {
        let pending_check = self.pending_check.as_ref();
        self.path.holds(terms, model)
            && pending_check
                .is_none_or(|pending_check| terms.eval(pending_check.condition, model) == 1)
    }

    /// Returns true if the modes of floats, jump targets, and atomic sections are equal: all that
    /// an execution depends on apart from memory, registers, and the path's conditions.
    pub fn is_alike(&self, other: &State) -> bool {
        self.floats == other.floats
            && self.jumps.is_empty() == other.jumps.is_empty()
            && self.threads.sections == other.threads.sections
    }

    /// Returns true if the state represents several merged paths, or waits for a merge.
    pub fn is_merged(&self) -> bool {
        let merges = self.merges.as_ref();
        merges.is_some_and(|merges| merges.joined() > 0 || !merges.openings().is_empty())
    }

    /// Returns true if the state's feasibility is unknown: its side is unchecked.
    pub fn is_unchecked(&self) -> bool {
        let pending_check = self.pending_check.as_ref();
        pending_check.is_some_and(|pending_check| pending_check.model.is_none())
    }

    /// The frames of all threads.
    pub fn all_frames(&self) -> impl Iterator<Item = &Frame> {
        let waiting = self.threads.stacks.waiting().flat_map(Frames::iter);
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

    /// Maps all terms of the state to another pool, in which symbolic objects have the same ids.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        // A new field does not compile until it is thought of here.
        let State {
            tags: _,
            frames,
            threads,
            memory,
            path,
            model: _,
            symbolics,
            decisions: _,
            metrics: _,
            underapproximations: _,
            sides: _,
            covered_first: _,
            record: _,
            loops,
            floats: _,
            jumps: _,
            forks: _,
            input: _,
            standing: _,
            merges,
            pending_check,
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
        if let Some(pending_check) = pending_check {
            pending_check.condition = map(pending_check.condition);
        }
        if let Some(merges) = merges {
            merges.map_terms(map);
        }
        symbolics.map_terms(map);
        loops.clear();
    }
}

/// The block of a function that holds instruction `pc`.
pub fn block_of(function: &homi_ir::program::Function, pc: u32) -> BlockId {
    let after = function.blocks.partition_point(|block| block.start <= pc);
    BlockId::new(after.saturating_sub(1))
}
