//! Sides that dominate a branch: every path from the program's entry to the branch takes them.
//!
//! Invariant: computed once, over the graph of sides. An unreachable node has no dominators.

use super::graph::SideGraph;
use homi_ir::program::flow::Dominance;

/// Dominator tree of the graph of sides.
#[derive(Debug, Default)]
pub struct Dominators(Dominance);

impl Dominators {
    pub fn new(graph: &SideGraph) -> Self {
        Self(match graph.entry() {
            Some(entry) => Dominance::new(graph, entry),
            None => Dominance::default(),
        })
    }

    /// True if control reaches the branch of side `later` only via side `earlier`.
    pub fn dominates(&self, earlier: u32, later: u32) -> bool {
        earlier != later && self.0.dominates(earlier, later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{branch, call, function, jump, program, ret, step};

    #[test]
    fn sides_dominate_what_is_reached_over_them_only() {
        // 0: branch 0 -> 1 / 2; 1: branch 1 -> 3 / 3; 2: branch 2 -> 3 / 4; 3: branch 3 -> 4 / 1.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 2)],
                vec![branch(1, 3, 3)],
                vec![branch(2, 3, 4)],
                vec![branch(3, 4, 1)],
                vec![ret()],
            ],
        )]);
        let dominators = Dominators::new(&SideGraph::new(&program));
        let of = |later: u32| -> Vec<u32> {
            let earlier = (0..20).filter(|side| dominators.dominates(*side, later));
            earlier.collect()
        };
        // Side 1 dominates branch 2; branches 1 and 3 are reached via either side of 0, branch 1
        // also via side 7. A side does not dominate itself.
        assert_eq!((of(4), of(5)), (vec![1], vec![1]));
        assert_eq!(
            (of(0), of(2), of(6), of(7)),
            (vec![], vec![], vec![], vec![])
        );
        // Branch 9 is unreachable.
        assert_eq!(of(18), [0_u32; 0]);
        assert!(!dominators.dominates(18, 0));
    }

    #[test]
    fn what_leads_to_all_calls_dominates_the_callee() {
        // main: branch 0 -> 1 / 2; 1: call inner, jump 2; 2: return. inner: branch 1.
        let program = program(vec![
            function(
                "main",
                vec![
                    vec![branch(0, 1, 2)],
                    vec![step(), call(1), jump(2)],
                    vec![ret()],
                ],
            ),
            function("inner", vec![vec![branch(1, 1, 1)], vec![ret()]]),
        ]);
        let dominators = Dominators::new(&SideGraph::new(&program));
        assert!(dominators.dominates(0, 2) && dominators.dominates(0, 3));
        assert!(!dominators.dominates(1, 2));
    }

    #[test]
    fn loops_have_dominators() {
        // 0: branch 0 -> 1 / 3; 1: branch 1 -> 2 / 0; 2: branch 2 -> 0 / 0; 3: return.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 3)],
                vec![branch(1, 2, 0)],
                vec![branch(2, 0, 0)],
                vec![ret()],
            ],
        )]);
        let dominators = Dominators::new(&SideGraph::new(&program));
        assert!(
            dominators.dominates(0, 2) && dominators.dominates(2, 4) && dominators.dominates(0, 4)
        );
        assert!(!dominators.dominates(4, 0) && !dominators.dominates(3, 0));
    }
}
