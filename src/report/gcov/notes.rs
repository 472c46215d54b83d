//! `.gcno`: the flow graph of each function of one object file, and which lines its blocks are on.
//!
//! The branches are the arcs that gcov reports as branches: an arc of a block with at least two
//! real successors, except the fake arc by which a call may fail to return.

use std::path::Path;

use super::file::{
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
    /// Arcs in the file's order; those off the spanning tree have a counter each, in the same
    /// order.
    pub arcs: Vec<Arc>,
    /// Locations of the blocks, in the file's order. A block may be in several source files.
    pub locations: Vec<Location>,
}

/// Lines of one source file that one block covers; never empty.
pub(super) struct Location {
    pub block: usize,
    pub file: String,
    pub lines: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(super) struct Arc {
    pub source: usize,
    pub target: usize,
    /// True if the arc is on the spanning tree: its count follows from the counts of other arcs.
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
        let bytes = file::read(path)?;
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
                    if function.block_count > bytes.len() {
                        return Err(payload.damaged()); // each block takes some bytes
                    }
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
        locations: Vec::new(),
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
    let mut file = None;
    while !payload.is_empty() {
        let line = payload.number()?;
        if line == 0 {
            let name = payload.string()?;
            if name.is_empty() {
                break;
            }
            file = Some(name);
            continue;
        }
        if let Some(file) = file.take() {
            let lines = Vec::new();
            function.locations.push(Location { block, file, lines });
        }
        match function.locations.last_mut() {
            Some(location) if location.block == block => location.lines.push(line),
            _ => return Err(payload.damaged()), // a line before any file name
        }
    }
    Ok(())
}

impl Function {
    /// Returns the number of counters that a run writes for the function.
    pub fn counter_count(&self) -> usize {
        self.arcs.iter().filter(|arc| !arc.on_tree).count()
    }

    /// The branches, location by location: as gcov, a block's branches are on the last line of each
    /// of its locations, and a block without lines has none.
    pub fn branches(&self) -> Vec<Branch<'_>> {
        let mut successors = vec![Vec::new(); self.block_count];
        for (i, arc) in self.arcs.iter().enumerate() {
            if !arc.fake {
                successors[arc.source].push(i);
            }
        }
        let mut branches = Vec::new();
        for Location { block, file, lines } in &self.locations {
            let (Some(line), arcs) = (lines.last().copied(), &successors[*block]) else {
                continue;
            };
            if arcs.len() > 1 {
                let on_line = arcs.iter().map(|arc| Branch {
                    file,
                    line,
                    arc: *arc,
                });
                branches.extend(on_line);
            }
        }
        branches
    }

    /// The count of every arc, from the counters of those off the tree: what flows into a block
    /// flows out of it. Arcs that the counters do not determine (a damaged graph) stay 0.
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

    /// Returns the execution count of each block, given its arcs' counts.
    pub fn block_counts(&self, arcs: &[u64]) -> Vec<u64> {
        let mut counts = vec![0u64; self.block_count];
        for (arc, count) in self.arcs.iter().zip(arcs) {
            // Nothing but the call flows into the entry, so its count is what flows out.
            let block = if arc.source == ENTRY {
                ENTRY
            } else {
                arc.target
            };
            counts[block] = counts[block].wrapping_add(*count);
            if arc.source == ENTRY {
                counts[arc.target] = counts[arc.target].wrapping_add(*count);
            }
        }
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
        for side in [
            &mut self.outgoing[arc.source],
            &mut self.incoming[arc.target],
        ] {
            side.known_sum = side.known_sum.wrapping_add(count);
            side.unknown -= 1;
        }
    }

    /// The block's own count, if one side is known. Nothing flows into the entry or out of the
    /// exit.
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

    /// An arc of `block` whose count follows from the others', and that count.
    fn determined(&self, block: usize) -> Option<(usize, u64)> {
        let count = self.block(block)?;
        let sides = [&self.incoming[block], &self.outgoing[block]];
        let side = sides.into_iter().find(|side| side.unknown == 1)?;
        let arc = side.arcs.iter().find(|i| self.counts[**i].is_none())?;
        Some((*arc, count.wrapping_sub(side.known_sum)))
    }

    fn propagate(&mut self) {
        let mut pending: Vec<usize> = (0..self.function.block_count).rev().collect();
        while let Some(block) = pending.pop() {
            if let Some((i, count)) = self.determined(block) {
                let arc = self.function.arcs[i];
                self.set(i, count);
                pending.extend([arc.source, arc.target, block]);
            }
        }
    }
}
