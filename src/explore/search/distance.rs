//! `md2u`: the least number of instructions from a state to an uncovered one, over control flow and
//! calls.
//!
//! KLEE's definition (StatsTracker's `computeReachableUncovered`), a fix point and shortest paths
//! over instructions; 0 always means "cannot":
//! - `to_return(i)`: instructions until the function returns; 1 for a return itself. A call counts
//!   1 plus its callee's shortest way through; a function without a body counts 1, one that never
//!   returns cannot be passed.
//! - `to_uncovered(i)`: 1 if `i` itself is uncovered; else the least over the next instructions,
//!   and over the callees' entries at a call.
//!
//! `to_return` depends on the program only and is computed once; `to_uncovered` is updated at an
//! interval. An indirect call may call every function whose address is taken; inline assembly calls
//! none.

use super::backward::{Backward, Source};
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
    backward: Option<Backward>,
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
            backward: None,
        };
        distances.fix_point(program);
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
        // The ways to returns are known by now, and stay.
        let backward = self.backward.take();
        let backward = backward.unwrap_or_else(|| self.backward(program));
        backward.lower(&mut self.to_uncovered);
        self.backward = Some(backward);
    }

    fn backward(&self, program: &Program) -> Backward {
        Backward::new(&Source {
            program,
            first: &self.layout.first,
            total: self.layout.total,
            indirect: &self.indirect,
            through: |function, inst: &Inst| self.through(program, function, inst),
        })
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

    /// Repeats a sweep over all functions until nothing changes.
    fn fix_point(&mut self, program: &Program) {
        loop {
            let mut changed = false;
            for function in 0..program.functions.len() {
                while self.sweep_to_return(program, function) {
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
    use rand::{Rng, RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

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

    /// The definition word by word: sweeps over all instructions until nothing changes.
    fn by_definition(distances: &Distances, program: &Program, uncovered: &[bool]) -> Vec<u32> {
        let mut ways: Vec<u32> = uncovered.iter().map(|one| u32::from(*one)).collect();
        let entry = |ways: &[u32], callee: FuncId| {
            let start = distances.layout.first[callee.index()];
            let is_defined = program.function(callee).is_defined();
            chain(1, if is_defined { ways[start] } else { 0 })
        };
        loop {
            let before = ways.clone();
            for (index, function) in program.functions.iter().enumerate() {
                let first = distances.layout.first[index];
                for (pc, inst) in function.code.iter().enumerate() {
                    let next = Distances::nearest_successor(&ways, program, index, first, pc);
                    let mut way = chain(distances.through(program, index, inst), next);
                    if let Inst::Call { site } = inst {
                        match function.calls[*site as usize].callee {
                            Callee::Direct(callee) => way = nearer(way, entry(&ways, callee)),
                            _ => {
                                for callee in &distances.indirect {
                                    way = nearer(way, entry(&ways, *callee));
                                }
                            }
                        }
                    }
                    lower(&mut ways[first + pc], way);
                }
            }
            if ways == before {
                return ways;
            }
        }
    }

    /// A program of random blocks that step, call, branch and return.
    fn random_program(random: &mut impl Rng) -> Program {
        let functions = (0..random.random_range(1..6)).map(|_| {
            let blocks = random.random_range(0..5u32);
            let block = |random: &mut dyn Rng| {
                let mut code: Vec<Inst> = (0..random.random_range(0..4))
                    .map(|_| match random.random_range(0..4) {
                        0 => call(0),
                        1 => call_indirect(),
                        _ => step(),
                    })
                    .collect();
                code.push(match random.random_range(0..4) {
                    0 => ret(),
                    1 => jump(random.random_range(0..blocks)),
                    _ => branch(
                        0,
                        random.random_range(0..blocks),
                        random.random_range(0..blocks),
                    ),
                });
                code
            };
            let blocks = (0..blocks).map(|_| block(random)).collect();
            let mut made = function("f", blocks);
            made.address_taken = random.random_bool(0.4);
            made.noreturn = random.random_bool(0.2);
            made
        });
        let mut functions: Vec<_> = functions.collect();
        let count = functions.len() as u32;
        for site in functions.iter_mut().flat_map(|one| &mut one.calls) {
            if let Callee::Direct(callee) = &mut site.callee {
                *callee = FuncId(random.random_range(0..count));
            }
        }
        program(functions)
    }

    #[test]
    fn shortest_paths_are_the_fix_point_of_the_definition() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        for _ in 0..2000 {
            let program = random_program(&mut random);
            let mut distances = Distances::new(&program);
            for share in [0.05, 0.3] {
                let total = distances.layout.total;
                let uncovered: Vec<bool> = (0..total).map(|_| random.random_bool(share)).collect();
                let first = distances.layout.first.clone();
                distances.update(&program, |function, pc| {
                    !uncovered[first[function.index()] + pc]
                });
                let expected = by_definition(&distances, &program, &uncovered);
                assert_eq!(distances.to_uncovered, expected);
            }
        }
    }
}
