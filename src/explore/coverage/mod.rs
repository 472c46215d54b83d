//! Coverage of user code: totals, new coverage, and the meaning of an observer's counters.
//!
//! Owns: the segments and branch sides that count (in functions with origin `Program`), covered and
//! total numbers. Never: counting (`exec::Observer` does that in the interpreter's loop), or the
//! coverage of native runs (`gcov`). Data come from `exec` and go to `search`, `testcase` and
//! `report`.
//!
//! Invariant: `covered_*` counts exactly the user sides and instructions that the observer has
//! seen.

mod fresh;
mod shared;
mod targets;

pub use fresh::{BatchNews, Fresh};
pub use shared::SharedCoverage;
pub use targets::Targets;

use homi_config::SearchScope;
use homi_ir::program::{FuncId, Inst, Origin, Program};
use homi_machine::exec::{Observer, Segments, SideAnswer, SideAnswers};
use homi_machine::state::SideSet;

/// Countable code of one program, and its covered part.
#[derive(Clone, Debug)]
pub struct Coverage {
    user_segment: Vec<bool>,
    user_side: Vec<bool>,
    /// Coverable instructions of each segment.
    weight: Vec<u32>,
    totals: Totals,
    scope: SearchScope,
    /// Segments of any code entered so far.
    entered: u64,
    /// Coverage of earlier runs, which is not new to searchers.
    known: Known,
    /// Lines that the run is to reach.
    targets: Option<Targets>,
    /// Log of the sides that were taken.
    answers: SideAnswers,
}

/// Segments and sides that searches take for covered.
#[derive(Clone, Debug, Default)]
struct Known {
    segments: SideSet,
    sides: SideSet,
}

/// Covered and total numbers of the user's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    pub branches: u64,
    pub branches_total: u64,
    pub instructions: u64,
    pub instructions_total: u64,
}

impl Coverage {
    pub fn new(program: &Program, segments: &Segments, scope: SearchScope) -> Self {
        let mut user_segment = Vec::with_capacity(segments.segment_count());
        let mut weight = Vec::with_capacity(segments.segment_count());
        let mut totals = Totals::default();
        for segment in 0..segments.segment_count() {
            let (function, start, end) = segments.range(segment as u32);
            let function = program.function(function);
            let own = function.origin == Origin::Program;
            // A promise that control never comes here is nothing to cover.
            let coverable = function.code[start as usize..end as usize]
                .iter()
                .filter(|inst| !matches!(inst, Inst::Unreachable))
                .count() as u32;
            user_segment.push(own);
            weight.push(coverable);
            if own {
                totals.instructions_total += u64::from(coverable);
            }
        }
        let mut user_side = Vec::with_capacity(segments.side_count());
        for branch in &program.branches {
            let sides = user_side.len() + branch.sides as usize;
            user_side.resize(sides, branch.origin == Origin::Program);
        }
        totals.branches_total = user_side.iter().filter(|own| **own).count() as u64;
        Self {
            user_segment,
            user_side,
            weight,
            totals,
            scope,
            entered: 0,
            known: Known::default(),
            targets: None,
            answers: SideAnswers::default(),
        }
    }

    /// Starts to record the sides that are taken.
    pub fn record_answers(&mut self, answers: &SideAnswers) {
        self.answers = answers.clone();
    }

    /// Makes these target lines the only code that searchers try to cover. Other code counts as
    /// before.
    pub fn set_targets(&mut self, targets: Targets) {
        self.targets = Some(targets);
    }

    /// Aims on segments that earlier runs of the session entered are reached.
    pub fn reach_targets(&mut self, entered: &SideSet) {
        if let Some(targets) = &mut self.targets {
            targets.reach(|segment| entered.contains(segment));
        }
    }

    /// True if there are aims, and all of them are reached.
    pub fn has_reached_targets(&self) -> bool {
        self.targets.as_ref().is_some_and(Targets::are_reached)
    }

    /// Searches take these for covered from now on. They count in nothing else.
    pub fn set_known(&mut self, segments: SideSet, sides: SideSet) {
        self.known = Known { segments, sides };
    }

    /// Takes the observer's new coverage since the last call, and counts the part in user code. If
    /// `others` is given, only code that no other thread covered before is new. `None` if the
    /// observer saw nothing new, as in most batches.
    #[inline]
    pub fn absorb(
        &mut self,
        observer: &mut Observer,
        others: Option<&SharedCoverage>,
    ) -> Option<BatchNews> {
        let is_quiet = observer.new_segments.is_empty()
            && observer.new_sides.is_empty()
            && observer.new_of_siblings.is_empty();
        (!is_quiet).then(|| self.absorb_some(observer, others))
    }

    #[inline(never)]
    fn absorb_some(
        &mut self,
        observer: &mut Observer,
        others: Option<&SharedCoverage>,
    ) -> BatchNews {
        let mut news = BatchNews::default();
        let Observer {
            new_segments,
            new_sides,
            new_before_step,
            new_of_siblings,
            ..
        } = observer;
        let segments = new_segments.split_at(new_before_step.segments.min(new_segments.len()));
        let sides = new_sides.split_at(new_before_step.sides.min(new_sides.len()));
        let mut any = false;
        let mut count = |segments: &[u32], sides: &[u32]| {
            let (fresh, first) = self.count(segments, sides, others);
            any |= first;
            fresh
        };
        news.shared = count(segments.0, sides.0);
        news.own = count(segments.1, sides.1);
        for sibling in new_of_siblings.iter() {
            let fresh = count(&sibling.segments, &sibling.sides);
            news.siblings.push((sibling.sibling, fresh));
        }
        new_segments.clear();
        new_sides.clear();
        new_of_siblings.clear();
        if let Some(others) = others
            && any
        {
            others.publish();
        }
        news
    }

    /// Counts what one path covered first in this thread; whether some of it, of any code, was
    /// covered by no other thread before.
    fn count(
        &mut self,
        segments: &[u32],
        sides: &[u32],
        others: Option<&SharedCoverage>,
    ) -> (Fresh, bool) {
        let mut fresh = Fresh::default();
        let mut any = false;
        for &segment in segments {
            let first = others.is_none_or(|others| others.claim_segment(segment));
            let own = self.count_segment(segment);
            fresh.for_search |=
                first && self.interests(own) && !self.known.segments.contains(segment);
            any |= first;
            if own && first {
                fresh.segments.push(segment);
            }
        }
        for &side in sides {
            let first = others.is_none_or(|others| others.claim_side(side));
            let own = self.count_side(side);
            self.answers.note(side, SideAnswer::Taken);
            fresh.for_search |= first && self.interests(own) && !self.known.sides.contains(side);
            any |= first;
            if own && first {
                fresh.sides.push(side);
            }
        }
        (fresh, any)
    }

    /// True if searches look at code, the user's own or not.
    fn interests(&self, own: bool) -> bool {
        own || self.scope == SearchScope::All
    }

    /// Takes the coverage of other threads: it counts, but is not new here. The observer's coverage
    /// must have been absorbed. Returns the segments that are new to this thread: they count as
    /// entered once.
    pub fn learn(&mut self, observer: &mut Observer, others: &SharedCoverage) -> Vec<u32> {
        let mut learned = Vec::new();
        others.for_each_segment(&mut |segment| {
            let entries = &mut observer.segment_entries[segment as usize];
            if *entries == 0 {
                *entries = 1;
                self.count_segment(segment);
                learned.push(segment);
            }
        });
        others.for_each_side(&mut |side| {
            if observer.sides.insert(side) {
                self.count_side(side);
            }
        });
        learned
    }

    /// Counts a segment that was entered; true if it is the user's own.
    fn count_segment(&mut self, segment: u32) -> bool {
        self.entered += 1;
        if let Some(targets) = &mut self.targets {
            targets.enter(segment);
        }
        let own = self.user_segment[segment as usize];
        if own {
            self.totals.instructions += u64::from(self.weight[segment as usize]);
        }
        own
    }

    /// Counts a side that was taken; true if it is the user's own.
    fn count_side(&mut self, side: u32) -> bool {
        let own = self.user_side[side as usize];
        self.totals.branches += u64::from(own);
        own
    }

    /// A number that grows, with the observer's `begun_late`, whenever `is_done` of some
    /// instruction changes.
    pub fn progress(&self) -> u64 {
        if let Some(targets) = &self.targets {
            return targets.count_reached() as u64;
        }
        match self.scope {
            SearchScope::All => self.entered,
            SearchScope::Program => self.totals.instructions,
        }
    }

    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Coverable instructions of a segment.
    pub fn weight(&self, segment: u32) -> u32 {
        self.weight.get(segment as usize).copied().unwrap_or(0)
    }

    /// Totals as if exactly these sides and segments were covered: for the union of several runs.
    pub fn totals_of(&self, sides: &SideSet, segments: &SideSet) -> Totals {
        let own = segments
            .iter()
            .filter(|segment| self.user_segment.get(*segment as usize) == Some(&true));
        Totals {
            branches: sides.iter().filter(|side| self.is_user_side(*side)).count() as u64,
            instructions: own
                .map(|segment| u64::from(self.weight[segment as usize]))
                .sum(),
            ..self.totals
        }
    }

    /// True if the side belongs to the user's own code.
    pub fn is_user_side(&self, side: u32) -> bool {
        self.user_side.get(side as usize).copied().unwrap_or(false)
    }

    /// True if there is nothing to gain at an instruction: it has been executed, or does not count.
    pub fn is_done(&self, segments: &Segments, observer: &Observer, at: (FuncId, usize)) -> bool {
        let segment = segments.segment(at.0, at.1 as u32) as usize;
        if let Some(targets) = &self.targets {
            return !targets.wants(segment as u32);
        }
        let counts = self.scope == SearchScope::All || self.user_segment[segment];
        !counts
            || self.weight[segment] == 0
            || observer.executions(segment as u32) > 0
            || self.known.segments.contains(segment as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{branch, call, function, program, ret, step};

    #[test]
    fn only_the_users_code_counts() {
        let mut libc = function("libc", vec![vec![step(), ret()]]);
        libc.origin = Origin::Libc;
        let mut program = program(vec![
            function(
                "main",
                vec![
                    vec![step(), call(1), branch(0, 1, 2)],
                    vec![ret()],
                    vec![step(), Inst::Unreachable],
                ],
            ),
            libc,
        ]);
        program.branches.truncate(2);
        program.branches[1].origin = Origin::Libc;
        let segments = Segments::new(&program);
        let mut observer = Observer::new(&segments, program.entry);
        let mut coverage = Coverage::new(&program, &segments, SearchScope::Program);
        // step, call | branch | ret | step; the unreachable does not count, nor does libc.
        assert_eq!(coverage.totals().instructions_total, 5);
        assert_eq!(coverage.totals().branches_total, 2);

        observer.enter_segment(segments.segment(FuncId(0), 0));
        observer.enter_segment(segments.segment(FuncId(1), 0));
        observer.take_side(1);
        observer.take_side(2);
        let fresh = coverage.absorb(&mut observer, None).unwrap_or_default().own;
        assert_eq!(fresh.sides, [1]);
        assert_eq!(fresh.segments, [0]);
        assert_eq!(coverage.totals().instructions, 2);
        assert_eq!(coverage.totals().branches, 1);
        assert!(coverage.absorb(&mut observer, None).is_none());
        assert!(coverage.is_done(&segments, &observer, (FuncId(0), 1)));
        assert!(!coverage.is_done(&segments, &observer, (FuncId(0), 2)));
        assert!(coverage.is_done(&segments, &observer, (FuncId(1), 0)));
        assert!(coverage.is_user_side(0) && !coverage.is_user_side(2));
    }

    #[test]
    fn what_an_earlier_run_covered_is_new_to_the_run_and_not_to_searches() {
        let main = function(
            "main",
            vec![vec![branch(0, 1, 2)], vec![ret()], vec![ret()]],
        );
        let program = program(vec![main]);
        let segments = Segments::new(&program);
        let mut observer = Observer::new(&segments, program.entry);
        let mut coverage = Coverage::new(&program, &segments, SearchScope::All);
        let at = |pc: usize| segments.segment(FuncId(0), pc as u32);
        let (mut known, mut sides) = (SideSet::default(), SideSet::default());
        known.insert(at(0));
        known.insert(at(1));
        sides.insert(0);
        coverage.set_known(known, sides);
        assert!(coverage.is_done(&segments, &observer, (FuncId(0), 1)));
        assert!(!coverage.is_done(&segments, &observer, (FuncId(0), 2)));
        assert_eq!(coverage.totals().branches, 0);
        observer.enter_segment(at(0));
        observer.take_side(0);
        let fresh = coverage.absorb(&mut observer, None).unwrap_or_default().own;
        assert_eq!(
            (fresh.sides.as_slice(), fresh.for_search),
            (&[0][..], false)
        );
        observer.take_side(1);
        assert!(
            coverage
                .absorb(&mut observer, None)
                .is_some_and(|news| news.own.for_search)
        );
        assert_eq!(coverage.totals().branches, 2);
    }

    #[test]
    fn coverage_of_other_threads_counts_and_is_not_new() {
        let main = function(
            "main",
            vec![vec![branch(0, 1, 2)], vec![ret()], vec![ret()]],
        );
        let program = program(vec![main]);
        let segments = Segments::new(&program);
        let shared = SharedCoverage::new(segments.segment_count(), segments.side_count());
        let thread = || {
            (
                Observer::new(&segments, program.entry),
                Coverage::new(&program, &segments, SearchScope::All),
            )
        };
        let ((mut a_saw, mut a), (mut b_saw, mut b)) = (thread(), thread());
        let start = segments.segment(FuncId(0), 0);
        a_saw.enter_segment(start);
        a_saw.take_side(0);
        let news = a.absorb(&mut a_saw, Some(&shared)).unwrap_or_default();
        assert_eq!(news.own.sides, [0]);
        // The same again, elsewhere: counted there, but not fresh.
        b_saw.enter_segment(start);
        let fresh = b.absorb(&mut b_saw, Some(&shared)).unwrap_or_default().own;
        assert!(fresh.is_empty() && !fresh.for_search);
        b.learn(&mut b_saw, &shared);
        assert_eq!(b.totals(), a.totals());
        assert!(!b_saw.take_side(0));
        // Learning twice changes nothing.
        b.learn(&mut b_saw, &shared);
        assert_eq!(b.totals(), a.totals());
    }
}
