//! Numbers for what is counted: segments of code and branch sides.
//!
//! A segment is a longest run of instructions that is always executed from its first to its last
//! unless the path ends: it starts at a block's start or after a call. So one counter per segment
//! counts every instruction exactly, calls that never return included.

use homi_ir::program::{BranchId, FuncId, Inst, Program};

/// Dense numbers of all segments and branch sides of a program.
#[derive(Clone, Debug)]
pub struct Segments {
    /// First entry of each function in `of_code`.
    code_start: Vec<u32>,
    /// Segment of each instruction, functions one after the other.
    of_code: Vec<u32>,
    /// Function, first and one-past-last instruction of each segment.
    ranges: Vec<(FuncId, u32, u32)>,
    /// First side number of each branch site, and the total at the end.
    side_start: Vec<u32>,
}

impl Segments {
    pub fn new(program: &Program) -> Self {
        let mut code_start = Vec::with_capacity(program.functions.len());
        let mut of_code = Vec::new();
        let mut ranges: Vec<(FuncId, u32, u32)> = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            code_start.push(of_code.len() as u32);
            let mut starts = vec![false; function.code.len() + 1];
            for block in &function.blocks {
                starts[block.start as usize] = true;
            }
            for (pc, inst) in function.code.iter().enumerate() {
                if matches!(inst, Inst::Call { .. }) {
                    starts[pc + 1] = true;
                }
            }
            for (pc, starts_here) in (0..function.code.len()).zip(&starts) {
                if *starts_here {
                    ranges.push((FuncId::new(index), pc as u32, pc as u32));
                }
                if let Some(range) = ranges.last_mut() {
                    range.2 = pc as u32 + 1;
                }
                of_code.push(ranges.len().saturating_sub(1) as u32);
            }
        }
        let mut side_start = Vec::with_capacity(program.branches.len() + 1);
        let mut sides = 0;
        for branch in &program.branches {
            side_start.push(sides);
            sides += branch.sides;
        }
        side_start.push(sides);
        Self {
            code_start,
            of_code,
            ranges,
            side_start,
        }
    }

    /// The segment that holds an instruction.
    #[inline(always)]
    pub fn segment(&self, function: FuncId, pc: u32) -> u32 {
        self.of_code[(self.code_start[function.index()] + pc) as usize]
    }

    /// The number of an instruction in the whole program.
    pub fn instruction_number(&self, function: FuncId, pc: u32) -> u64 {
        u64::from(self.code_start[function.index()]) + u64::from(pc)
    }

    /// The segments of one function's code, by instruction.
    #[inline(always)]
    pub fn of_function(&self, function: FuncId) -> &[u32] {
        &self.of_code[self.code_start[function.index()] as usize..]
    }

    /// Function, first and one-past-last instruction of a segment.
    pub fn range(&self, segment: u32) -> (FuncId, u32, u32) {
        self.ranges[segment as usize]
    }

    pub fn segment_count(&self) -> usize {
        self.ranges.len()
    }

    /// The dense number of a branch side.
    #[inline(always)]
    pub fn side(&self, branch: BranchId, side: u32) -> u32 {
        self.side_start[branch.index()] + side
    }

    /// Branch and side of a dense side number.
    pub fn branch_of_side(&self, number: u32) -> (BranchId, u32) {
        let after = self.side_start.partition_point(|start| *start <= number);
        let branch = after.saturating_sub(1);
        (BranchId::new(branch), number - self.side_start[branch])
    }

    pub fn side_count(&self) -> usize {
        self.side_start.last().map_or(0, |total| *total as usize)
    }
}
