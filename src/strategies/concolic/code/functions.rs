//! The functions of the user's own code as sets of branch sides.
//!
//! Invariant: only functions with a branch in the bitcode as it was compiled are in the table, by
//! the names that they had there; a side belongs to one of them or is not of the user's own code.

use crate::ir::program::{BranchId, Origin, Program};
use crate::machine::exec::Segments;
use rustc_hash::FxHashMap;

/// No function.
const NONE: u32 = u32::MAX;

/// Which side belongs to which function.
#[derive(Debug, Default)]
pub struct FunctionTable {
    of_side: Vec<u32>,
    sizes: Vec<u32>,
}

impl FunctionTable {
    pub(super) fn of(program: &Program, segments: &Segments) -> Self {
        let mut table = Self {
            of_side: vec![NONE; segments.side_count()],
            sizes: Vec::new(),
        };
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        for (index, site) in program.branches.iter().enumerate() {
            if site.origin != Origin::Program {
                continue;
            }
            let next = table.sizes.len() as u32;
            let number = *numbers.entry(&site.function).or_insert(next);
            if number == next {
                table.sizes.push(0);
            }
            table.sizes[number as usize] += site.sides;
            for side in 0..site.sides {
                let side = segments.side(BranchId::new(index), side);
                table.of_side[side as usize] = number;
            }
        }
        table
    }

    /// The function that a side belongs to; none if it is not of the user's own code.
    pub fn of_side(&self, side: u32) -> Option<u32> {
        let function = self.of_side.get(side as usize).copied();
        function.filter(|function| *function != NONE)
    }

    /// How many sides each function has, by its number.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}
