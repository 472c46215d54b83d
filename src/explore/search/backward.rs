//! Control flow against its direction: from each instruction to those before it, with the
//! instructions that lie between.
//!
//! A shortest path from all uncovered instructions at once gives the distance of every other one
//! (Dijkstra's algorithm; most lengths are 1, so a list per length replaces most of the queue).

use homi_ir::program::{Callee, FuncId, Inst, Program};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An instruction before another one, and the instructions from the one to the other.
#[derive(Clone, Copy, Debug)]
struct Before {
    node: u32,
    length: u32,
}

/// All edges of a program by their targets. Nodes are instructions, numbered over the whole
/// program, and one more for any function whose address is taken.
#[derive(Debug)]
pub(super) struct Backward {
    /// From where the edges of each node begin in `edges`; one more at the end.
    starts: Vec<u32>,
    edges: Vec<Before>,
}

/// The facts that edges are made from: the program, where its functions begin, functions that may
/// be called indirectly, and the instructions that a call takes.
pub(super) struct Source<'s, W> {
    pub program: &'s Program,
    /// Number of each function's first instruction.
    pub first: &'s [usize],
    /// Number of instructions.
    pub total: usize,
    pub indirect: &'s [FuncId],
    /// Instructions from one to the next; 0 if control does not come back.
    pub through: W,
}

impl Backward {
    pub fn new<W: Fn(usize, &Inst) -> u32>(source: &Source<'_, W>) -> Self {
        let mut found: Vec<(u32, Before)> = Vec::with_capacity(source.total);
        source.each_edge(|from, to, length| {
            let before = Before {
                node: from as u32,
                length,
            };
            found.push((to as u32, before));
        });
        let mut starts = vec![0; source.total + 2];
        for (to, _) in &found {
            starts[*to as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let empty = Before { node: 0, length: 0 };
        let mut edges = vec![empty; found.len()];
        for (to, before) in found {
            let place = &mut next[to as usize];
            edges[*place as usize] = before;
            *place += 1;
        }
        Self { starts, edges }
    }

    /// Lowers the distances to the shortest ones. Before, a distance is 1 for an uncovered
    /// instruction and 0 for others; 0 stays where no way leads to an uncovered one.
    pub fn lower(&self, distances: &mut Vec<u32>) {
        let total = distances.len();
        distances.push(0);
        let sources = (0..total as u32).filter(|node| distances[*node as usize] != 0);
        let mut here: Vec<u32> = sources.collect();
        let mut next = Vec::new();
        let mut far = BinaryHeap::new();
        let mut distance = 1;
        loop {
            while let Some(node) = here.pop() {
                if distances[node as usize] == distance {
                    self.relax(node, distances, (&mut here, &mut next), &mut far);
                }
            }
            std::mem::swap(&mut here, &mut next);
            distance = match far.peek() {
                Some(&Reverse((nearest, _))) if here.is_empty() => nearest,
                None if here.is_empty() => break,
                _ => distance + 1,
            };
            while let Some(&Reverse((_, node))) = far.peek().filter(|one| one.0.0 == distance) {
                far.pop();
                here.push(node);
            }
        }
        distances.truncate(total);
    }

    /// Lowers the distances of the instructions before a node.
    fn relax(
        &self,
        node: u32,
        distances: &mut [u32],
        (here, next): (&mut Vec<u32>, &mut Vec<u32>),
        far: &mut BinaryHeap<Reverse<(u32, u32)>>,
    ) {
        let distance = distances[node as usize];
        let edges = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        for before in &self.edges[edges] {
            let way = distance.saturating_add(before.length);
            let old = &mut distances[before.node as usize];
            if *old != 0 && *old <= way {
                continue;
            }
            *old = way;
            match before.length {
                0 => here.push(before.node),
                1 => next.push(before.node),
                _ => far.push(Reverse((way, before.node))),
            }
        }
    }
}

impl<W: Fn(usize, &Inst) -> u32> Source<'_, W> {
    /// Calls `edge` with each pair of nodes and the length between.
    fn each_edge(&self, mut edge: impl FnMut(usize, usize, u32)) {
        for (index, function) in self.program.functions.iter().enumerate() {
            let first = self.first[index];
            for (pc, inst) in function.code.iter().enumerate() {
                let through = (self.through)(index, inst);
                if through != 0 {
                    each_successor(self.program, index, pc, |to| {
                        edge(first + pc, first + to, through);
                    });
                }
                let Inst::Call { site } = inst else {
                    continue;
                };
                match function.calls[*site as usize].callee {
                    Callee::Direct(callee) => {
                        if let Some(entry) = self.entry(callee) {
                            edge(first + pc, entry, 1);
                        }
                    }
                    Callee::Indirect(_) => edge(first + pc, self.total, 1),
                    Callee::Assembly { .. } => {}
                }
            }
        }
        for callee in self.indirect {
            if let Some(entry) = self.entry(*callee) {
                edge(self.total, entry, 0);
            }
        }
    }

    fn entry(&self, callee: FuncId) -> Option<usize> {
        let is_defined = self.program.function(callee).is_defined();
        is_defined.then(|| self.first[callee.index()])
    }
}

/// Calls `to` with the places in the function at which control may go on after an instruction.
fn each_successor(program: &Program, function: usize, pc: usize, mut to: impl FnMut(usize)) {
    let body = &program.functions[function];
    let start = |block: &homi_ir::program::BlockId| body.blocks[block.index()].start as usize;
    match &body.code[pc] {
        Inst::Jump { target } => to(start(target)),
        Inst::Branch {
            then, otherwise, ..
        } => {
            to(start(then));
            to(start(otherwise));
        }
        Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. } => {
            let switch = &body.switches[*table as usize];
            switch.cases.iter().for_each(|case| to(start(&case.1)));
            if matches!(body.code[pc], Inst::Switch { .. }) {
                to(start(&switch.default));
            }
        }
        Inst::Return { .. } | Inst::Unreachable | Inst::Trap | Inst::Unsupported { .. } => {}
        _ if pc + 1 < body.code.len() => to(pc + 1),
        _ => {}
    }
}
