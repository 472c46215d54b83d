//! What a path remembers of the merges that it is in the midst of: each `klee_open_merge` that it
//! has passed and no `klee_close_merge` has matched; or each fork whose sides are to meet
//! (`--merge auto`).
//!
//! Invariant: the path condition at an opening is a beginning of the condition of every path that
//! has it on its list. An opening is known by its place in memory: paths that forked after it share
//! it, and no others do.

use super::FrameSerial;
use crate::expr::Term;
use crate::solver::PathCondition;
use std::sync::Arc;

/// One `klee_open_merge` on a path, or one fork.
#[derive(Debug)]
pub struct Opening {
    /// The path condition there.
    pub path: PathCondition,
    /// Instructions of the path before it.
    pub instructions: u64,
    /// Where the sides of a fork meet.
    pub meeting: Option<Meeting>,
}

/// Where the sides of a fork meet again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    pub frame: FrameSerial,
    /// Index into the code of that frame's function of the first instruction after the meeting.
    pub pc: u32,
    /// Calls that the path is in the midst of there.
    pub depth: usize,
    /// Instructions of a path after which it is not waited for any more.
    pub last: u64,
}

/// What became of the meetings of a path where it stands now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met {
    /// It is on the way.
    OnTheWay,
    /// It has come to one, which is closed.
    Arrived,
    /// It will not come to some of them.
    Missed,
}

/// The openings of a path, the innermost last, and the one that it has just closed.
#[derive(Clone, Debug, Default)]
pub struct Merges {
    open: Vec<Arc<Opening>>,
    closed: Option<Arc<Opening>>,
    /// Paths that have become this one, besides itself.
    joined: u64,
}

impl Merges {
    /// The path passes `klee_open_merge`.
    pub fn open(&mut self, path: &PathCondition, instructions: u64) {
        self.open.push(Arc::new(Opening {
            path: path.clone(),
            instructions,
            meeting: None,
        }));
    }

    /// The path forks, and its sides are to meet.
    pub fn open_until(&mut self, path: &PathCondition, instructions: u64, meeting: Meeting) {
        self.open.push(Arc::new(Opening {
            path: path.clone(),
            instructions,
            meeting: Some(meeting),
        }));
    }

    /// What becomes of the meetings now that the path stands at an instruction of a frame, which is
    /// the innermost of `depth`.
    pub fn look(&mut self, (frame, pc): (FrameSerial, u32), depth: usize, executed: u64) -> Met {
        let before = self.open.len();
        let is_due = |opening: &Arc<Opening>| {
            let meeting = opening.meeting;
            meeting.is_none_or(|meeting| executed <= meeting.last && depth >= meeting.depth)
        };
        self.open.retain(is_due);
        let is_here = |opening: &Arc<Opening>| {
            let meeting = opening.meeting;
            meeting.is_some_and(|meeting| (meeting.frame, meeting.pc) == (frame, pc))
        };
        if let Some(at) = self.open.iter().rposition(is_here) {
            // What is open within it will not be met any more.
            self.open.truncate(at + 1);
            self.closed = self.open.pop();
            return Met::Arrived;
        }
        match before == self.open.len() {
            true => Met::OnTheWay,
            false => Met::Missed,
        }
    }

    /// Whether the path is on the way to a meeting.
    #[inline]
    pub fn has_meetings(&self) -> bool {
        !self.open.is_empty()
    }

    /// The path passes `klee_close_merge`; false if nothing is open.
    pub fn close(&mut self) -> bool {
        self.closed = self.open.pop();
        self.closed.is_some()
    }

    /// Whether the path has just closed something, and whoever runs it has not been told.
    #[inline]
    pub fn has_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// What the path has just closed; told once.
    pub fn take_closed(&mut self) -> Option<Arc<Opening>> {
        self.closed.take()
    }

    /// The openings that are not closed, the innermost last.
    pub fn openings(&self) -> &[Arc<Opening>] {
        &self.open
    }

    /// Whether an opening is on the list.
    pub fn has_open(&self, opening: &Arc<Opening>) -> bool {
        self.open.iter().any(|open| Arc::ptr_eq(open, opening))
    }

    /// Whether two paths are in the midst of the same merges.
    pub fn is_in_the_same(&self, other: &Merges) -> bool {
        self.open.len() == other.open.len() && self.open.iter().all(|open| other.has_open(open))
    }

    /// Paths that have become this one, besides itself.
    pub fn joined(&self) -> u64 {
        self.joined
    }

    /// Another path has become this one.
    pub fn join(&mut self, other: &Merges) {
        self.joined += other.joined + 1;
    }

    /// Calls `visit` for every term that is kept of the openings.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        for opening in self.open.iter().chain(&self.closed) {
            opening.path.visit_terms(visit);
        }
    }

    /// Puts other terms in place of those that are kept. The openings are no longer those of other
    /// paths then.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        for opening in self.open.iter_mut().chain(&mut self.closed) {
            *opening = Arc::new(Opening {
                path: opening.path.with_terms(map),
                instructions: opening.instructions,
                meeting: opening.meeting,
            });
        }
    }
}
