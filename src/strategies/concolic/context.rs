//! Context of a branch on a path, by which context-guided search distinguishes branches.
//!
//! Invariant: a context of length k is the side that the branch leads to and the last k - 1 sides
//! that the path took before it. Sides that dominate the branch carry no information and are
//! omitted. A context is shorter near the start of the path. Seo and Kim, *How We Get There: A
//! Context-Guided Search Strategy in Concolic Testing* (FSE 2014).

use super::dominators::Dominators;
use super::path::{BranchRef, Paths};

/// Marks a choice of a value, which leads to no side.
const NO_SIDE: u32 = u32::MAX;

/// Returns the context of a branch, nearest side first.
pub fn context_of(
    paths: &Paths,
    dominators: &Dominators,
    at: BranchRef,
    length: usize,
) -> Box<[u32]> {
    let side = paths.other_side(at).unwrap_or(NO_SIDE);
    let before = paths.taken_before(at).flatten();
    let telling = before.filter(|earlier| !dominators.dominates(*earlier, side));
    let context = std::iter::once(side).chain(telling);
    context.take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::super::graph::SideGraph;
    use super::*;
    use homi_explore::search::{Fork, StateId};
    use homi_ir::program::testing::{branch, function, program, ret};
    use homi_ir::program::{FuncId, Program};

    /// Adds a path over branches 0 and 1 that left the other sides of both open, and then the one
    /// of branch 2.
    fn path(paths: &mut Paths) -> BranchRef {
        let path = paths.begin(None);
        for (branch, state) in [(0, 1), (1, 2), (2, 3)] {
            let fork = Fork {
                kept: 2 * branch,
                taken: 2 * branch + 1,
            };
            paths.meet(path, Some(fork), StateId(state), false);
        }
        paths.branch_of(StateId(3)).unwrap()
    }

    #[test]
    fn a_context_is_the_side_and_those_taken_last() {
        let mut paths = Paths::default();
        let at = path(&mut paths);
        let dominators = Dominators::new(&SideGraph::new(&Program::empty("none.bc")));
        let context = |length| context_of(&paths, &dominators, at, length).to_vec();
        assert_eq!(context(1), [5]);
        assert_eq!(context(2), [5, 2]);
        assert_eq!(context(3), [5, 2, 0]);
        assert_eq!(context(9), [5, 2, 0]);
    }

    #[test]
    fn sides_on_every_way_are_left_out() {
        // Branch 2 is reached only via side 0, and via both sides of branch 1.
        let mut program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 3)],
                vec![branch(1, 2, 2)],
                vec![branch(2, 3, 3)],
                vec![ret()],
            ],
        )]);
        program.entry = FuncId(0);
        let mut paths = Paths::default();
        let at = path(&mut paths);
        let dominators = Dominators::new(&SideGraph::new(&program));
        assert_eq!(context_of(&paths, &dominators, at, 9).to_vec(), [5, 2]);
    }

    #[test]
    fn the_way_of_a_later_path_is_that_of_the_one_it_left() {
        let mut paths = Paths::default();
        path(&mut paths);
        // A path leaves at branch 1 and meets branch 4.
        let left = paths.branch_of(StateId(2));
        let later = paths.begin(left);
        let fork = Fork { kept: 8, taken: 9 };
        paths.meet(later, Some(fork), StateId(4), false);
        let at = paths.branch_of(StateId(4)).unwrap();
        let dominators = Dominators::default();
        assert_eq!(context_of(&paths, &dominators, at, 9).to_vec(), [9, 3, 0]);
    }
}
