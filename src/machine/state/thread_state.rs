//! The threads of a path, and what the modeled kernel wants to happen between them.
//!
//! Invariant: all of it belongs to the path: a fork has its own, and where a thread may be
//! interrupted depends on what the path has executed alone.

use super::frame::Frame;
use super::frames::Frames;
use super::races::Races;
use super::threads::Threads;
use crate::outcome::{BugKind, Termination};
use homi_ir::program::FuncId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Instructions after which a tick that found the path in other code than the program's tries
/// again.
const AGAIN: u64 = 32;

/// Number of preemptions of the current thread at one code location; a thread that polls for
/// another would be preempted each time.
const MOST_AT_A_PLACE: u32 = 4;

/// The kind of a race, as the suffix of its error file.
pub const RACE: &str = "race.err";

/// The address that represents all atomic sections in the check for races: no object has it.
const SECTIONS: u64 = 1;

/// A moment at which the modeled kernel interrupts the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The number of instructions that the path has executed then.
    pub at: u64,
    /// The kernel's function that runs.
    pub entry: FuncId,
}

/// Point where the modeled kernel may schedule another thread although the current one could
/// continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preemption {
    /// The kernel's function that runs.
    pub entry: FuncId,
    /// Number of times that each code location was met since the current thread was switched to.
    pub met: Arc<BTreeMap<(FuncId, u32), u32>>,
}

/// Threads that do not run, and the state of preemption and ordering.
#[derive(Clone, Debug, Default)]
pub struct ThreadState {
    /// The call stacks of threads that wait.
    pub stacks: Threads,
    /// When the modeled kernel wants to run next, whatever the program does.
    pub tick: Option<Tick>,
    /// The modeled kernel's function that may give the turn to another thread, if it is wanted.
    pub preemption: Option<Preemption>,
    /// Order of the threads' accesses, if races are checked.
    pub races: Option<Box<Races>>,
    /// The threads that are in an atomic section (`__VERIFIER_atomic_begin`), and in how many.
    pub sections: BTreeMap<u32, u32>,
    /// The program has ended, and its other threads go on, so that their races are found: until the
    /// path has executed as many instructions.
    pub goes_on_until: Option<u64>,
}

impl ThreadState {
    /// Number of the thread that runs; 0 is the one in which the program started.
    pub fn running(&self) -> u32 {
        self.stacks.running()
    }

    /// The end of a path; where the program itself has ended, only races count.
    pub fn ending(&self, termination: Termination) -> Termination {
        match &termination {
            Termination::Bug(bug) if bug.kind == BugKind::Reported(RACE.to_string()) => termination,
            _ if self.goes_on_until.is_some() => Termination::Silent,
            _ => termination,
        }
    }

    /// Returns true if there are threads that wait.
    pub fn has_others(&self) -> bool {
        self.stacks.waiting().next().is_some()
    }

    /// Adds a thread, which starts when it is switched to. No live thread may have this number.
    /// Others join it by `name`.
    pub fn start(&mut self, number: u32, frames: Frames, name: u64) {
        let maker = self.running();
        self.stacks.add(number, frames);
        if let Some(races) = &mut self.races {
            races.begin(maker, number, name);
        }
    }

    /// Puts the running stack away, unless it has ended, and another in place: the next thread has
    /// its turn. False if there is none of that number; then no stack has changed.
    pub fn switch(&mut self, frames: &mut Frames, number: u32, ended: bool) -> bool {
        if let Some(preemption) = &mut self.preemption {
            preemption.met = Arc::default();
        }
        self.stacks.switch(frames, number, ended)
    }

    /// Changes every frame of the threads that wait.
    pub fn for_each_mut(&mut self, change: &mut dyn FnMut(&mut Frame)) {
        self.stacks.for_each_mut(change);
    }

    /// Instructions that a path may execute before a tick is looked after; `executed` is what it
    /// has.
    pub fn until_tick(&self, executed: u64) -> u64 {
        match self.tick {
            None => u64::MAX,
            Some(tick) => match tick.at.saturating_sub(executed) {
                0 => AGAIN,
                left => left,
            },
        }
    }

    /// Returns true if the running thread keeps its turn.
    pub fn is_in_section(&self) -> bool {
        !self.sections.is_empty() && self.sections.contains_key(&self.running())
    }

    /// The thread that runs enters an atomic section.
    pub fn begin_section(&mut self) {
        *self.sections.entry(self.running()).or_default() += 1;
        self.acquire(SECTIONS);
    }

    /// The thread that runs leaves an atomic section, if it is in one.
    pub fn end_section(&mut self) {
        let thread = self.running();
        self.release(SECTIONS);
        if let Some(depth) = self.sections.get_mut(&thread) {
            *depth -= 1;
            if *depth == 0 {
                self.sections.remove(&thread);
            }
        }
    }

    /// From now on a function of the modeled kernel may give the turn away; `None` for never.
    pub fn preempt_by(&mut self, entry: Option<FuncId>) {
        let earlier = self.preemption.take();
        let met = earlier.map(|earlier| earlier.met).unwrap_or_default();
        self.preemption = entry.map(|entry| Preemption { entry, met });
    }

    /// The thread that runs meets a place where others may run: the function to call there, unless
    /// the thread keeps its turn.
    pub fn preempted_at(&mut self, place: (FuncId, u32)) -> Option<FuncId> {
        if self.is_in_section() {
            return None;
        }
        let preemption = self.preemption.as_mut()?;
        let times = Arc::make_mut(&mut preemption.met).entry(place).or_default();
        if *times == MOST_AT_A_PLACE {
            return None;
        }
        *times += 1;
        Some(preemption.entry)
    }

    /// The thread that runs takes over what an object was left with, where races are looked for.
    pub fn acquire(&mut self, object: u64) {
        let thread = self.running();
        if let Some(races) = &mut self.races {
            races.acquire(thread, object);
        }
    }

    /// The thread that runs leaves at an object what it knows, where races are looked for.
    pub fn release(&mut self, object: u64) {
        let thread = self.running();
        if let Some(races) = &mut self.races {
            races.release(thread, object);
        }
    }

    /// The thread that runs knows what another one did until it ended.
    pub fn join(&mut self, name: u64) {
        let thread = self.running();
        if let Some(races) = &mut self.races {
            races.join(thread, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_nest() {
        let mut threads = ThreadState::default();
        threads.begin_section();
        threads.begin_section();
        threads.end_section();
        assert!(threads.is_in_section());
        threads.end_section();
        assert!(!threads.is_in_section());
        threads.end_section();
        assert!(!threads.is_in_section());
    }

    #[test]
    fn a_place_interrupts_a_thread_a_few_times_and_never_in_a_section() {
        let (entry, place) = (FuncId(3), (FuncId(1), 5));
        let mut threads = ThreadState::default();
        assert_eq!(threads.preempted_at(place), None);
        threads.preempt_by(Some(entry));
        threads.begin_section();
        assert_eq!(threads.preempted_at(place), None);
        threads.end_section();
        let times = (0..10).filter_map(|_| threads.preempted_at(place));
        assert_eq!(times.count(), MOST_AT_A_PLACE as usize);
        assert_eq!(threads.preempted_at((FuncId(1), 6)), Some(entry));
        // Another function in its place does not reset the count; the next turn does.
        threads.preempt_by(Some(entry));
        assert_eq!(threads.preempted_at(place), None);
        let mut frames = Frames::new(Frame::new(FuncId(0), &[]));
        threads.start(1, Frames::new(Frame::new(FuncId(0), &[])), 0);
        assert!(threads.switch(&mut frames, 1, false));
        assert_eq!(threads.preempted_at(place), Some(entry));
    }

    #[test]
    fn a_tick_that_is_overdue_is_looked_after_again() {
        let mut threads = ThreadState::default();
        assert_eq!(threads.until_tick(9), u64::MAX);
        let entry = FuncId(0);
        threads.tick = Some(Tick { at: 10, entry });
        assert_eq!(threads.until_tick(9), 1);
        assert_eq!(threads.until_tick(10), AGAIN);
    }
}
