//! Blocking branch of an unreached target: the nearest executed branch with an untaken side that
//! leads to the target.

use super::reachable::start;
use crate::search::distance::Distances;
use homi_ir::program::{BlockId, BranchId, FuncId, Function, Inst, LocId, Program};
use homi_machine::exec::{Observer, Segments};
use std::collections::BTreeSet;

/// Branch that blocks a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockingBranch {
    /// Source location of the branch.
    pub location: LocId,
    /// Name of the function that contains the branch.
    pub function: String,
    /// Minimum number of instructions between the branch and the target.
    pub distance: u32,
}

/// Returns the nearest branch that `observer` saw executed and that has an untaken side leading to
/// one of the `targets`. `None` if every side that leads there was taken, so that no path behind
/// them continued to the target.
pub fn blocking_branch(
    program: &Program,
    segments: &Segments,
    observer: &Observer,
    targets: &BTreeSet<u32>,
) -> Option<BlockingBranch> {
    let mut distances = Distances::new(program);
    distances.update(program, |function, pc| {
        !targets.contains(&segments.segment(function, pc as u32))
    });
    let mut nearest: Option<BlockingBranch> = None;
    for (index, function) in program.functions.iter().enumerate() {
        let id = FuncId::new(index);
        for (pc, inst) in (0u32..).zip(&function.code) {
            if observer.executions(segments.segment(id, pc)) == 0 {
                continue;
            }
            for (branch, side, block) in sides(function, inst) {
                if observer.sides.contains(segments.side(branch, side)) {
                    continue;
                }
                let to = start(function, block) as u32;
                let distance = distances.of_state(std::iter::once((id, to)));
                let is_nearer = nearest
                    .as_ref()
                    .is_none_or(|known| distance < known.distance);
                if distance != 0 && is_nearer {
                    nearest = Some(BlockingBranch {
                        location: function.locations[pc as usize],
                        function: function.name.clone(),
                        distance,
                    });
                }
            }
        }
    }
    nearest
}

/// Returns the sides of a branch that counts for branch coverage.
fn sides(function: &Function, inst: &Inst) -> Vec<(BranchId, u32, BlockId)> {
    match inst {
        Inst::Branch {
            then,
            otherwise,
            branch: Some(branch),
            ..
        } => vec![(*branch, 0, *then), (*branch, 1, *otherwise)],
        Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. } => {
            let switch = &function.switches[*table as usize];
            let Some(branch) = switch.branch else {
                return Vec::new();
            };
            let cases = switch.cases.iter();
            let mut sides: Vec<_> = cases
                .map(|(_, block, side)| (branch, *side, *block))
                .collect();
            if matches!(inst, Inst::Switch { .. }) {
                sides.push((branch, switch.default_side, switch.default));
            }
            sides
        }
        _ => Vec::new(),
    }
}
