//! `.gcno`: the flow graph of each function of one object file, and which lines its blocks are on.
//!
//! Which arcs count as branches follows what gcov itself reports: an arc of a block with at least two
//! real successors, and not the fake arc by which a call may fail to return.

use std::path::Path;

use super::gcov_file::{
    self, GcovError, NOTES_MAGIC, Reader, TAG_ARCS, TAG_BLOCKS, TAG_FUNCTION, TAG_LINES,
};

const ENTRY: usize = 0;
const EXIT: usize = 1;
const ON_TREE: u32 = 1;
const FAKE: u32 = 2;

/// The notes of one object file.
pub(super) struct Notes {
    /// Equals the stamp of the counts that belong to it.
    pub stamp: u32,
    /// The compiler's working directory, to which relative source names refer.
    pub directory: String,
    pub functions: Vec<Function>,
}

/// One function's graph. Blocks are numbered, 0 is the entry and 1 the exit.
pub(super) struct Function {
    pub ident: u32,
    pub line_checksum: u32,
    pub graph_checksum: u32,
    pub name: String,
    /// Made by the compiler, not in the source; gcov leaves it out.
    pub artificial: bool,
    pub source: String,
    pub first_line: u32,
    pub block_count: usize,
    /// In the file's order; those off the spanning tree have a counter each, in the same order.
    pub arcs: Vec<Arc>,
    /// (block, source file, line), in the file's order.
    pub lines: Vec<(usize, String, u32)>,
}

#[derive(Clone, Copy)]
pub(super) struct Arc {
    pub source: usize,
    pub target: usize,
    /// Its count follows from the others'.
    pub on_tree: bool,
    /// Leaves the function from a call that does not return (or enters at a setjmp).
    pub fake: bool,
}

/// One branch as gcov lists it.
pub(super) struct Branch<'a> {
    pub file: &'a str,
    pub line: u32,
    /// Index into `Function::arcs`.
    pub arc: usize,
}

impl Notes {
    pub fn read(path: &Path) -> Result<Notes, GcovError> {
        let bytes = gcov_file::read(path)?;
        let (mut reader, stamp) = Reader::open(path, &bytes, NOTES_MAGIC)?;
        let directory = reader.string()?;
        reader.number()?; // whether unexecuted blocks are recorded
        let mut functions: Vec<Function> = Vec::new();
        while let Some(record) = reader.record()? {
            let mut payload = record.payload;
            match (record.tag, functions.last_mut()) {
                (TAG_FUNCTION, _) => functions.push(read_function(&mut payload)?),
                (TAG_BLOCKS, Some(function)) => {
                    function.block_count = payload.number()? as usize;
                }
                (TAG_ARCS, Some(function)) => read_arcs(&mut payload, function)?,
                (TAG_LINES, Some(function)) => read_lines(&mut payload, function)?,
                _ => {} // conditions and paths of newer compilers
            }
        }
        Ok(Notes {
            stamp,
            directory,
            functions,
        })
    }
}

fn read_function(payload: &mut Reader<'_>) -> Result<Function, GcovError> {
    Ok(Function {
        ident: payload.number()?,
        line_checksum: payload.number()?,
        graph_checksum: payload.number()?,
        name: payload.string()?,
        artificial: payload.number()? != 0,
        source: payload.string()?,
        first_line: payload.number()?,
        block_count: 0,
        arcs: Vec::new(),
        lines: Vec::new(),
    })
}

fn read_arcs(payload: &mut Reader<'_>, function: &mut Function) -> Result<(), GcovError> {
    let source = payload.number()? as usize;
    while !payload.is_empty() {
        let target = payload.number()? as usize;
        let flags = payload.number()?;
        if source.max(target) >= function.block_count {
            return Err(payload.damaged());
        }
        function.arcs.push(Arc {
            source,
            target,
            on_tree: flags & ON_TREE != 0,
            fake: flags & FAKE != 0,
        });
    }
    Ok(())
}

/// Line numbers, with 0 before the name of the file that the following ones are in.
fn read_lines(payload: &mut Reader<'_>, function: &mut Function) -> Result<(), GcovError> {
    let block = payload.number()? as usize;
    if block >= function.block_count {
        return Err(payload.damaged());
    }
    let mut file = String::new();
    while !payload.is_empty() {
        let line = payload.number()?;
        if line != 0 {
            function.lines.push((block, file.clone(), line));
            continue;
        }
        file = payload.string()?;
        if file.is_empty() {
            break;
        }
    }
    Ok(())
}

impl Function {
    /// How many counters a run writes for it.
    pub fn counter_count(&self) -> usize {
        self.arcs.iter().filter(|arc| !arc.on_tree).count()
    }

    /// The branches, block by block. A block is on the last of its lines; a block without lines has
    /// no branches in the source's sense.
    pub fn branches(&self) -> Vec<Branch<'_>> {
        let mut successors = vec![0u32; self.block_count];
        for arc in self.arcs.iter().filter(|arc| !arc.fake) {
            successors[arc.source] += 1;
        }
        let mut place: Vec<Option<(&str, u32)>> = vec![None; self.block_count];
        for (block, file, line) in &self.lines {
            place[*block] = Some((file, *line));
        }
        let branching = |arc: &Arc| !arc.fake && successors[arc.source] > 1;
        let numbered = self.arcs.iter().enumerate();
        let mut branches: Vec<(usize, Branch<'_>)> = numbered
            .filter(|(_, arc)| branching(arc))
            .filter_map(|(i, arc)| {
                let (file, line) = place[arc.source]?;
                let branch = Branch { file, line, arc: i };
                Some((arc.source, branch))
            })
            .collect();
        branches.sort_by_key(|(block, _)| *block);
        branches.into_iter().map(|(_, branch)| branch).collect()
    }

    /// The count of every arc, from the counters of those off the tree: what flows into a block flows
    /// out of it. Arcs that the counters do not determine (a damaged graph) stay 0.
    pub fn solve(&self, counters: &[u64]) -> Vec<u64> {
        let mut flow = Flow::new(self);
        let mut next = counters.iter().copied();
        for i in 0..self.arcs.len() {
            if !self.arcs[i].on_tree {
                flow.set(i, next.next().unwrap_or(0));
            }
        }
        flow.propagate();
        flow.counts.into_iter().map(|c| c.unwrap_or(0)).collect()
    }

    /// How often each block ran, given its arcs' counts.
    pub fn block_counts(&self, arcs: &[u64]) -> Vec<u64> {
        let mut counts = vec![0u64; self.block_count];
        for (arc, count) in self.arcs.iter().zip(arcs) {
            if arc.source != ENTRY || arc.target != EXIT {
                counts[arc.target] = counts[arc.target].wrapping_add(*count);
            }
        }
        let entered = self.arcs.iter().zip(arcs);
        counts[ENTRY.min(self.block_count.saturating_sub(1))] = entered
            .filter(|(arc, _)| arc.source == ENTRY)
            .fold(0, |sum, (_, count)| sum.wrapping_add(*count));
        counts
    }
}

/// One side of a block: its arcs' sum so far and how many are unknown.
#[derive(Clone, Default)]
struct Side {
    arcs: Vec<usize>,
    known_sum: u64,
    unknown: usize,
}

/// The propagation of known counts through the graph.
struct Flow<'a> {
    function: &'a Function,
    counts: Vec<Option<u64>>,
    incoming: Vec<Side>,
    outgoing: Vec<Side>,
}

impl<'a> Flow<'a> {
    fn new(function: &'a Function) -> Flow<'a> {
        let mut incoming = vec![Side::default(); function.block_count];
        let mut outgoing = incoming.clone();
        for (i, arc) in function.arcs.iter().enumerate() {
            for side in [&mut outgoing[arc.source], &mut incoming[arc.target]] {
                side.arcs.push(i);
                side.unknown += 1;
            }
        }
        Flow {
            function,
            counts: vec![None; function.arcs.len()],
            incoming,
            outgoing,
        }
    }

    fn set(&mut self, i: usize, count: u64) {
        self.counts[i] = Some(count);
        let arc = self.function.arcs[i];
        for side in [&mut self.outgoing[arc.source], &mut self.incoming[arc.target]] {
            side.known_sum = side.known_sum.wrapping_add(count);
            side.unknown -= 1;
        }
    }

    /// The block's own count, if one side is known. Nothing flows into the entry or out of the exit.
    fn block(&self, block: usize) -> Option<u64> {
        let (into, out) = (&self.incoming[block], &self.outgoing[block]);
        if out.unknown == 0 && block != EXIT {
            Some(out.known_sum)
        } else if into.unknown == 0 && block != ENTRY {
            Some(into.known_sum)
        } else {
            None
        }
    }

    fn propagate(&mut self) {
        let mut pending: Vec<usize> = (0..self.function.block_count).rev().collect();
        while let Some(block) = pending.pop() {
            let Some(count) = self.block(block) else {
                continue;
            };
            for side in [&self.incoming[block], &self.outgoing[block]] {
                if side.unknown != 1 {
                    continue;
                }
                let missing = side.arcs.iter().find(|i| self.counts[**i].is_none());
                let rest = count.wrapping_sub(side.known_sum);
                if let Some(&i) = missing {
                    let arc = self.function.arcs[i];
                    self.set(i, rest);
                    pending.extend([arc.source, arc.target, block]);
                    break;
                }
            }
        }
    }
}
