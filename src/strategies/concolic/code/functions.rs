//! Functions of user code as sets of branch sides.
//!
//! Invariant: the table has only functions with a branch in the bitcode as compiled, under their
//! names there. A side belongs to one of them or is outside user code.

use homi_ir::program::{BranchId, Origin, Program};
use homi_machine::exec::Segments;
use rustc_hash::FxHashMap;

/// Marks a side without function.
const NONE: u32 = u32::MAX;

/// Function of each side.
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

    /// Returns the function of a side; `None` if it is outside user code.
    pub fn of_side(&self, side: u32) -> Option<u32> {
        let function = self.of_side.get(side as usize).copied();
        function.filter(|function| *function != NONE)
    }

    /// Returns the number of sides of each function, by its number.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}
