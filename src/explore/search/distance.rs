//! `md2u`: the least number of instructions from a state to an uncovered one, over control flow and
//! calls.
//!
//! KLEE's definition (StatsTracker's `computeReachableUncovered`) as two fix points over
//! instructions; 0 always means "cannot":
//! - `to_return(i)`: instructions until the function returns; 1 for a return itself. A call counts
//!   1 plus its callee's shortest way through; a function without a body counts 1, one that never
//!   returns cannot be passed.
//! - `to_uncovered(i)`: 1 if `i` itself is uncovered; else the least over the next instructions,
//!   and over the callees' entries at a call.
//!
//! `to_return` depends on the program only and is computed once; `to_uncovered` is updated at an
//! interval. An indirect call may call every function whose address is taken; inline assembly calls
//! none.

use homi_ir::program::{Callee, FuncId, Inst, Program};

/// Position of each function's instructions in one array over the whole program.
#[derive(Debug)]
struct Layout {
    first: Vec<usize>,
    total: usize,
}

/// The distances of a program.
#[derive(Debug)]
pub struct Distances {
    layout: Layout,
    to_return: Vec<u32>,
    to_uncovered: Vec<u32>,
    /// Functions that an indirect call may call.
    indirect: Vec<FuncId>,
}

/// Returns the smaller of two distances; 0 means unreachable.
fn nearer(a: u32, b: u32) -> u32 {
    match (a, b) {
        (0, other) | (other, 0) => other,
        _ => a.min(b),
    }
}

/// The sum of two distances, 0 if one cannot be gone.
fn chain(a: u32, b: u32) -> u32 {
    if a == 0 || b == 0 {
        0
    } else {
        a.saturating_add(b)
    }
}

impl Distances {
    /// Computes the ways to returns; everything counts as covered until `update`.
    pub fn new(program: &Program) -> Self {
        let mut first = Vec::with_capacity(program.functions.len());
        let mut total = 0;
        for function in &program.functions {
            first.push(total);
            total += function.code.len();
        }
        let indirect = (0..program.functions.len())
            .filter(|index| program.functions[*index].address_taken)
            .map(FuncId::new)
            .collect();
        let mut distances = Self {
            layout: Layout { first, total },
            to_return: vec![0; total],
            to_uncovered: vec![0; total],
            indirect,
        };
        distances.compute_to_return(program);
        distances
    }

    /// Computes the ways to uncovered instructions. `covered(f, pc)` tells about instruction `pc`
    /// of `f`.
    pub fn update(&mut self, program: &Program, covered: impl Fn(FuncId, usize) -> bool) {
        self.to_uncovered = vec![0; self.layout.total];
        for (index, function) in program.functions.iter().enumerate() {
            let first = self.layout.first[index];
            for pc in 0..function.code.len() {
                if !covered(FuncId::new(index), pc) {
                    self.to_uncovered[first + pc] = 1;
                }
            }
        }
        self.fix_point(program, Self::sweep_to_uncovered);
    }

    /// The distance of a state whose frames resume at these instructions, from the outermost frame
    /// to the innermost; 0 if it can reach nothing uncovered.
    pub fn of_state(&self, frames: impl Iterator<Item = (FuncId, u32)>) -> u32 {
        frames.fold(0, |after_return, (function, pc)| {
            self.combine(function, pc, after_return)
        })
    }

    /// The distance at an instruction, if leaving the function leads to a distance of
    /// `after_return`.
    fn combine(&self, function: FuncId, pc: u32, after_return: u32) -> u32 {
        let index = self.layout.first[function.index()] + pc as usize;
        let inside = self.to_uncovered.get(index).copied().unwrap_or(0);
        let leave = self.to_return.get(index).copied().unwrap_or(0);
        nearer(inside, chain(leave, after_return))
    }

    /// Instructions to the end of a call: through the nearest callee, plus the call itself.
    fn through(&self, program: &Program, function: usize, inst: &Inst) -> u32 {
        let Inst::Call { site } = inst else {
            return 1;
        };
        let site = &program.functions[function].calls[*site as usize];
        if site.landing.is_some() {
            // An exception may come out of it at once.
            return 1;
        }
        match site.callee {
            Callee::Direct(callee) => chain(1, self.through_function(program, callee)),
            Callee::Indirect(_) => {
                let ways = self.indirect.iter();
                let best = ways.fold(0, |best, callee| {
                    nearer(best, self.through_function(program, *callee))
                });
                chain(1, best)
            }
            Callee::Assembly { .. } => 1,
        }
    }

    fn through_function(&self, program: &Program, callee: FuncId) -> u32 {
        let function = program.function(callee);
        if function.is_defined() {
            self.to_return[self.layout.first[callee.index()]]
        } else if function.noreturn {
            0
        } else {
            1
        }
    }

    fn compute_to_return(&mut self, program: &Program) {
        self.fix_point(program, Self::sweep_to_return);
    }

    /// Repeats a sweep over all functions until nothing changes.
    fn fix_point(&mut self, program: &Program, sweep: fn(&mut Self, &Program, usize) -> bool) {
        loop {
            let mut changed = false;
            for function in 0..program.functions.len() {
                while sweep(self, program, function) {
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The nearest of the instruction's successors by `table`.
    fn nearest_successor(
        table: &[u32],
        program: &Program,
        function: usize,
        first: usize,
        pc: usize,
    ) -> u32 {
        let body = &program.functions[function];
        let at = |block: &homi_ir::program::BlockId| {
            let start = body.blocks[block.index()].start as usize;
            table.get(first + start).copied().unwrap_or(0)
        };
        match &body.code[pc] {
            Inst::Jump { target } => at(target),
            Inst::Branch {
                then, otherwise, ..
            } => nearer(at(then), at(otherwise)),
            Inst::Switch { table: index, .. } | Inst::IndirectBranch { table: index, .. } => {
                let switch = &body.switches[*index as usize];
                let cases = switch.cases.iter().map(|case| at(&case.1));
                let default = match &body.code[pc] {
                    Inst::Switch { .. } => at(&switch.default),
                    _ => 0,
                };
                cases.fold(default, nearer)
            }
            Inst::Return { .. } | Inst::Unreachable | Inst::Trap | Inst::Unsupported { .. } => 0,
            _ if pc + 1 < body.code.len() => table[first + pc + 1],
            _ => 0,
        }
    }

    fn sweep_to_return(&mut self, program: &Program, function: usize) -> bool {
        let first = self.layout.first[function];
        let code = &program.functions[function].code;
        let mut changed = false;
        for pc in (0..code.len()).rev() {
            let way = if matches!(code[pc], Inst::Return { .. }) {
                1
            } else {
                let next = Self::nearest_successor(&self.to_return, program, function, first, pc);
                chain(self.through(program, function, &code[pc]), next)
            };
            changed |= lower(&mut self.to_return[first + pc], way);
        }
        changed
    }

    fn sweep_to_uncovered(&mut self, program: &Program, function: usize) -> bool {
        let first = self.layout.first[function];
        let code = &program.functions[function].code;
        let mut changed = false;
        for pc in (0..code.len()).rev() {
            let next = Self::nearest_successor(&self.to_uncovered, program, function, first, pc);
            let mut way = chain(self.through(program, function, &code[pc]), next);
            if let Inst::Call { site } = code[pc] {
                let entry = |callee: FuncId| {
                    let start = self.layout.first[callee.index()];
                    if program.function(callee).is_defined() {
                        chain(1, self.to_uncovered[start])
                    } else {
                        0
                    }
                };
                match program.functions[function].calls[site as usize].callee {
                    Callee::Direct(callee) => way = nearer(way, entry(callee)),
                    Callee::Indirect(_) => {
                        for callee in &self.indirect {
                            way = nearer(way, entry(*callee));
                        }
                    }
                    Callee::Assembly { .. } => {}
                }
            }
            changed |= lower(&mut self.to_uncovered[first + pc], way);
        }
        changed
    }
}

/// Replaces a distance by a nearer one; true if it did.
fn lower(distance: &mut u32, way: u32) -> bool {
    let better = nearer(*distance, way);
    let changed = better != *distance;
    *distance = better;
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{
        branch, call, call_indirect, function, jump, program, ret, step,
    };

    /// f0: 0 step; 1 branch -> b1 (2) / b2 (4)
    ///     b1: 2 call f1; 3 return
    ///     b2: 4 step; 5 step; 6 jump b1
    /// f1: 0 step; 1 return
    fn example() -> Program {
        program(vec![
            function(
                "main",
                vec![
                    vec![step(), branch(0, 1, 2)],
                    vec![call(1), ret()],
                    vec![step(), step(), jump(1)],
                ],
            ),
            function("callee", vec![vec![step(), ret()]]),
        ])
    }

    #[test]
    fn ways_to_the_return() {
        let program = example();
        let distances = Distances::new(&program);
        // callee: 2, 1. main: return 1; call 1 + 2 + 1 = 4; jump 5; 6; 7; branch 1 + 4; step 6.
        assert_eq!(distances.to_return, [6, 5, 4, 1, 7, 6, 5, 2, 1]);
    }

    #[test]
    fn ways_to_uncovered_code() {
        let program = example();
        let mut distances = Distances::new(&program);
        // Only the return of the callee is uncovered.
        distances.update(&program, |function, pc| (function, pc) != (FuncId(1), 1));
        // callee: step 2, return 1. main: call 1 + 2 = 3; branch 4; step 5; jump 4, 5, 6.
        assert_eq!(distances.to_uncovered, [5, 4, 3, 0, 6, 5, 4, 2, 1]);
        // Only main's return: through the call 1 + 2 + 1.
        distances.update(&program, |function, pc| (function, pc) != (FuncId(0), 3));
        assert_eq!(distances.to_uncovered, [6, 5, 4, 1, 7, 6, 5, 0, 0]);
    }

    #[test]
    fn a_state_returns_to_what_its_callers_can_reach() {
        let program = example();
        let mut distances = Distances::new(&program);
        distances.update(&program, |function, pc| (function, pc) != (FuncId(0), 3));
        let state = |frames: &[(u32, u32)]| {
            distances.of_state(frames.iter().map(|(f, pc)| (FuncId(*f), *pc)))
        };
        // In the callee at its start: 2 to return, then 1 at the instruction after the call.
        assert_eq!(state(&[(0, 3), (1, 0)]), 3);
        // The callee as outermost frame reaches nothing.
        assert_eq!(state(&[(1, 0)]), 0);
        assert_eq!(state(&[(0, 4)]), 7);
        // Everything covered.
        distances.update(&program, |_, _| true);
        assert_eq!(distances.of_state([(FuncId(0), 0)].into_iter()), 0);
    }

    #[test]
    fn functions_that_do_not_return_block_the_way() {
        let mut abort = function("abort", vec![]);
        abort.noreturn = true;
        let external = function("puts", vec![]);
        let program = program(vec![
            function("main", vec![vec![call(1), ret()]]),
            abort,
            function("other", vec![vec![call(3), ret()]]),
            external,
        ]);
        let distances = Distances::new(&program);
        // main cannot return; other: 1 + 1 + 1.
        assert_eq!(distances.to_return, [0, 1, 3, 1]);
    }

    #[test]
    fn indirect_calls_reach_functions_whose_address_is_taken() {
        let mut far = function("far", vec![vec![step(), step(), ret()]]);
        far.address_taken = true;
        let hidden = function("hidden", vec![vec![ret()]]);
        let program = program(vec![
            function("main", vec![vec![call_indirect(), ret()]]),
            far,
            hidden,
        ]);
        let mut distances = Distances::new(&program);
        // far 3 2 1; the call 1 + 3 + 1; hidden is not a candidate.
        assert_eq!(distances.to_return, [5, 1, 3, 2, 1, 1]);
        distances.update(&program, |function, _| function != FuncId(1));
        assert_eq!(distances.to_uncovered, [2, 0, 1, 1, 1, 0]);
        distances.update(&program, |function, _| function != FuncId(2));
        assert_eq!(distances.to_uncovered, [0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn loops_reach_a_fix_point() {
        // 0 step; 1 branch -> b0 / b1; b1: 2 return. Recursion through call in a second function.
        let program = program(vec![
            function("main", vec![vec![step(), branch(0, 0, 1)], vec![ret()]]),
            function(
                "recursive",
                vec![vec![branch(0, 1, 2)], vec![call(1), jump(2)], vec![ret()]],
            ),
        ]);
        let distances = Distances::new(&program);
        // recursive: ret 1; jump 2; call 1 + 2 + 2 = 5; branch 1 + 1 = 2.
        assert_eq!(distances.to_return, [3, 2, 1, 2, 5, 2, 1]);
    }
}
