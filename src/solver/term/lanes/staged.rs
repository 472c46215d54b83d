//! Several terms evaluated together while their bytes get values one after the other.
//!
//! Idea: every operation has its value as soon as the last byte below it has one, its stage. A
//! stage is computed for all values of its byte at once, and once for each choice of the earlier
//! bytes. Later stages depend only on the values that they read of it and of earlier stages.

use super::vector::{Operand, vector};
use super::{LaneValues, Op, SLOW};
use crate::term::node::{Byte, Node, Term};
use crate::term::pool::Terms;
use crate::term::walk::PostOrder;
use rustc_hash::FxHashMap;

/// Operations above which terms are not evaluated together: each takes 2 KiB while its stage is
/// under way.
const OPERATIONS: usize = 2048;

/// When a byte gets its value.
#[derive(Clone, Copy, Debug)]
pub enum BytePlace {
    /// The byte has this value throughout.
    Fixed(u8),
    /// The byte gets its value at this step.
    Step(u32),
}

/// Terms of one bit, compiled together.
#[derive(Debug)]
pub struct StagedProgram {
    ops: Vec<Op>,
    /// The stage of each slot: 0 if it is known at once, n + 1 if it is known after step n.
    stage_of: Vec<u32>,
    /// The place of each slot in its stage.
    place: Vec<u32>,
    stages: Vec<Stage>,
    /// The value of each slot for the present choice of bytes, as far as a later stage reads it.
    values: Vec<u64>,
    /// A term that depends on no byte does not hold.
    never: bool,
}

/// Computation of one step.
#[derive(Default, Debug)]
struct Stage {
    /// Slots, operands first.
    slots: Vec<u32>,
    /// Slots of the terms that are known now.
    terms: Vec<u32>,
    /// Slots of this stage that later ones read.
    read_new: Vec<u32>,
    /// Slots of earlier stages that later ones read.
    read_old: Vec<u32>,
    /// Operations, slow ones counted as several.
    cost: usize,
}

/// The values of a stage's operations, one for each value of its byte.
#[derive(Default, Debug)]
pub struct StageVectors {
    vectors: Vec<LaneValues>,
    /// Values that the terms known so far allow, as 0 and 1.
    allowed: Vec<u64>,
    /// Values on which the later stages depend.
    keys: Vec<u128>,
}

struct Compiler<'a, F> {
    terms: &'a Terms,
    place: F,
    program: StagedProgram,
    slots: FxHashMap<Term, u32>,
}

impl<F: Fn(Byte) -> BytePlace> PostOrder for Compiler<'_, F> {
    fn knows(&self, term: Term) -> bool {
        self.slots.contains_key(&term)
    }

    /// Ends the compilation at a term of more than 64 bits, and when there are too many.
    fn visit(&mut self, term: Term, node: &Node) -> bool {
        let slot = self.program.ops.len();
        if self.terms.width(term) > 64 || slot >= OPERATIONS {
            return false;
        }
        let mut stage = 0;
        let at = |term: Term| self.slots.get(&term).copied().unwrap_or(0);
        node.for_each_operand(|operand| {
            stage = stage.max(self.program.stage_of[at(operand) as usize]);
        });
        if let Node::Symbol(byte) = *node
            && let BytePlace::Step(step) = (self.place)(byte)
        {
            stage = step + 1;
        }
        let op = Op::of(self.terms, term, node, at, |byte| {
            match (self.place)(byte) {
                BytePlace::Fixed(value) => Op::Const(value.into()),
                BytePlace::Step(step) => Op::Byte(step),
            }
        });
        let value = match stage {
            0 => op.scalar(&self.program.values, &[]),
            _ => 0,
        };
        self.program.ops.push(op);
        self.program.values.push(value);
        self.program.stage_of.push(stage);
        self.slots.insert(term, slot as u32);
        true
    }
}

impl StagedProgram {
    /// Compiles terms of one bit whose bytes get their values in `steps` steps. Nothing for terms
    /// that are too many or wider than 64 bits somewhere.
    pub fn compile(
        terms: &Terms,
        roots: impl Iterator<Item = Term>,
        place: impl Fn(Byte) -> BytePlace,
        steps: usize,
    ) -> Option<StagedProgram> {
        let mut compiler = Compiler {
            terms,
            place,
            program: StagedProgram {
                ops: Vec::new(),
                stage_of: Vec::new(),
                place: Vec::new(),
                stages: (0..=steps).map(|_| Stage::default()).collect(),
                values: Vec::new(),
                never: false,
            },
            slots: FxHashMap::default(),
        };
        let mut known = Vec::new();
        for root in roots {
            if !terms.post_order(root, &mut compiler) {
                return None;
            }
            known.push(compiler.slots[&root]);
        }
        let mut program = compiler.program;
        program.arrange(&known);
        Some(program)
    }

    /// Puts the operations into their stages.
    fn arrange(&mut self, roots: &[u32]) {
        let mut last_reader = self.stage_of.clone();
        for (slot, op) in self.ops.iter().enumerate() {
            let stage = self.stage_of[slot];
            op.for_each_slot(|operand| {
                let last = &mut last_reader[operand as usize];
                *last = stage.max(*last);
            });
        }
        for (slot, op) in self.ops.iter().enumerate() {
            let own = self.stage_of[slot] as usize;
            let stage = &mut self.stages[own];
            self.place.push(stage.slots.len() as u32);
            stage.slots.push(slot as u32);
            stage.cost += if matches!(op, Op::Float(..)) { SLOW } else { 1 };
            if own == 0 || last_reader[slot] as usize == own {
                continue;
            }
            stage.read_new.push(slot as u32);
            for later in &mut self.stages[own + 1..last_reader[slot] as usize] {
                later.read_old.push(slot as u32);
            }
        }
        for &root in roots {
            let stage = self.stage_of[root as usize];
            self.stages[stage as usize].terms.push(root);
            self.never |= stage == 0 && self.values[root as usize] == 0;
        }
    }

    /// True if a term fails whatever the bytes are.
    pub fn never_holds(&self) -> bool {
        self.never
    }

    /// Computes the stage of a step for the given values of its byte, at most 256, with what was
    /// chosen for the bytes before. The operations that it took (the same on every machine).
    pub fn run(&self, step: usize, values: &[u8], out: &mut StageVectors) -> u64 {
        let stage = &self.stages[step + 1];
        let count = values.len();
        if out.vectors.len() < stage.slots.len() {
            out.vectors.resize(stage.slots.len(), [0; 256]);
        }
        for (at, &slot) in stage.slots.iter().enumerate() {
            let (earlier, rest) = out.vectors.split_at_mut(at);
            let result = &mut rest[0];
            let operand = |slot: u32| {
                if self.stage_of[slot as usize] as usize == step + 1 {
                    Operand::Varying(&earlier[self.place[slot as usize] as usize])
                } else {
                    Operand::Uniform(self.values[slot as usize])
                }
            };
            match &self.ops[slot as usize] {
                Op::Byte(_) => {
                    for (lane, &value) in result.iter_mut().zip(values) {
                        *lane = value.into();
                    }
                }
                op => vector(op, operand, &mut result[..count]),
            }
        }
        out.allowed.clear();
        out.allowed.resize(count, 1);
        for &term in &stage.terms {
            let vector = &out.vectors[self.place[term as usize] as usize];
            for (allowed, &holds) in out.allowed.iter_mut().zip(vector) {
                *allowed &= holds;
            }
        }
        self.make_keys(stage, count, out);
        let width = stage.read_new.len() + stage.terms.len();
        (stage.cost * (count / 2 + 8) + width * count + stage.read_old.len() + 64) as u64
    }

    fn make_keys(&self, stage: &Stage, count: usize, out: &mut StageVectors) {
        let old = stage.read_old.iter();
        let common = old.fold(0x6a09_e667_f3bc_c908, |key, &slot| {
            mix(key, self.values[slot as usize])
        });
        out.keys.clear();
        out.keys.resize(count, common);
        for &slot in &stage.read_new {
            let vector = &out.vectors[self.place[slot as usize] as usize];
            for (key, &value) in out.keys.iter_mut().zip(vector) {
                *key = mix(*key, value);
            }
        }
    }

    /// Chooses the value of this place for the byte of a step that was computed.
    pub fn choose(&mut self, step: usize, lane: usize, computed: &StageVectors) {
        for &slot in &self.stages[step + 1].read_new {
            let vector = &computed.vectors[self.place[slot as usize] as usize];
            self.values[slot as usize] = vector[lane];
        }
    }
}

impl StageVectors {
    /// True if the terms known at this step hold with the value of this place.
    pub fn allows(&self, lane: usize) -> bool {
        self.allowed[lane] != 0
    }

    /// Returns the values on which the unknown terms depend, except the unassigned bytes: equal
    /// keys at a step mean equal answers.
    pub fn key(&self, lane: usize) -> u128 {
        self.keys[lane]
    }
}

/// Keys of different sequences of words are different for all practical purposes.
fn mix(key: u128, word: u64) -> u128 {
    let mixed = (key ^ u128::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    mixed.rotate_left(61) ^ mixed
}
