//! Intrinsics that rearrange the lanes of vectors: splices, interleaving, packing, sums of lanes.
//!
//! Invariant: a lane that depends on a value is chosen by selects, so nothing forks. Vectors have a
//! fixed number of lanes; `vscale` is none of x86's.

use super::super::Unsupported;
use super::super::function::Body;
use super::{find, matches_family};
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, FloatOp, MinMaxOp, Slot};

impl Body<'_, '_> {
    /// Lowers a rearrangement of lanes; false if the intrinsic is none.
    pub fn rearranging_intrinsic(
        &mut self,
        inst: Value,
        family: &str,
    ) -> Result<bool, Unsupported> {
        let family = family.strip_prefix("experimental.").unwrap_or(family);
        let is = |candidate: &str| matches_family(family, candidate);
        let slots = if is("vector.splice.left") {
            self.splice(inst, Splice::Left)?
        } else if is("vector.splice.right") {
            self.splice(inst, Splice::Right)?
        } else if is("vector.splice") {
            self.splice(inst, Splice::Signed)?
        } else if let Some(count) = parts_of(family, "vector.interleave") {
            self.interleaved(inst, count)?
        } else if let Some(count) = parts_of(family, "vector.deinterleave") {
            let lanes = self.operand(inst.operand(0))?;
            let part = |part: usize| lanes.iter().copied().skip(part).step_by(count);
            (0..count).flat_map(part).collect()
        } else if is("vector.compress") {
            self.moved_to_the_start(inst)?
        } else if is("cttz.elts") {
            vec![self.first_set_lane(inst)?]
        } else if is("vector.extract.last.active") {
            vec![self.last_active_lane(inst)?]
        } else if is("vector.partial.reduce.add") || is("vector.partial.reduce.fadd") {
            self.partial_sums(inst, is("vector.partial.reduce.fadd"))?
        } else if is("vector.match") {
            self.lanes_among(inst)?
        } else if is("get.vector.length") {
            vec![self.vector_length(inst)?]
        } else if let Some(reads_first) = find(&DEPENDENCES, family) {
            self.independent_lanes(inst, reads_first)?
        } else {
            return Ok(false);
        };
        self.define(inst, slots);
        Ok(true)
    }

    /// Takes one vector's number of lanes from two concatenated vectors.
    fn splice(&mut self, inst: Value, kind: Splice) -> Result<Vec<Slot>, Unsupported> {
        let mut lanes = self.operand(inst.operand(0))?;
        let count = lanes.len();
        lanes.extend(self.operand(inst.operand(1))?);
        let offset = inst.operand(2);
        if !offset.is_constant_int() {
            return self.splice_anywhere(inst, lanes, kind);
        }
        let offset = i64::from(offset.const_u64() as i32);
        let start = match kind {
            Splice::Right => count as i64 - offset,
            Splice::Signed if offset < 0 => count as i64 + offset,
            _ => offset,
        };
        let start = start.clamp(0, count as i64) as usize;
        Ok(lanes[start..start + count].to_vec())
    }

    fn splice_anywhere(
        &mut self,
        inst: Value,
        lanes: Vec<Slot>,
        kind: Splice,
    ) -> Result<Vec<Slot>, Unsupported> {
        let count = lanes.len() / 2;
        let w = self.module.types.lane(inst.ty())?.width();
        let mut offset = self.scalar(inst.operand(2))?;
        if matches!(kind, Splice::Right) {
            let all = self.int(32, count as u128);
            offset = self.bin(BinOp::Sub, 32, all, offset);
        }
        let mut result = lanes[..count].to_vec();
        for start in 1..=count {
            let number = self.int(32, start as u128);
            let here = self.cmp(CmpOp::Eq, 32, offset, number);
            for (lane, slot) in result.iter_mut().enumerate() {
                *slot = self.select(w, here, lanes[start + lane], *slot);
            }
        }
        Ok(result)
    }

    fn interleaved(&mut self, inst: Value, count: usize) -> Result<Vec<Slot>, Unsupported> {
        let mut parts = Vec::new();
        for part in 0..count {
            parts.push(self.operand(inst.operand(part as u32))?);
        }
        let lanes = parts[0].len();
        let column = |lane: usize| parts.iter().map(move |part| part[lane]);
        Ok((0..lanes).flat_map(column).collect())
    }

    /// The chosen lanes at the start, in their order; behind them the third operand's.
    fn moved_to_the_start(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let w = self.module.types.lane(inst.ty())?.width();
        let lanes = self.operand(inst.operand(0))?;
        let mask = self.operand(inst.operand(1))?;
        let mut result = self.operand(inst.operand(2))?;
        let (mut taken, one) = (self.int(32, 0), self.int(32, 1));
        for (lane, chosen) in lanes.into_iter().zip(mask) {
            for (place, slot) in result.iter_mut().enumerate() {
                let place = self.int(32, place as u128);
                let is_next = self.cmp(CmpOp::Eq, 32, taken, place);
                let here = self.bin(BinOp::And, 1, is_next, chosen);
                *slot = self.select(w, here, lane, *slot);
            }
            let more = self.bin(BinOp::Add, 32, taken, one);
            taken = self.select(32, chosen, more, taken);
        }
        Ok(result)
    }

    /// The number of the first lane that is not 0, or of all lanes.
    fn first_set_lane(&mut self, inst: Value) -> Result<Slot, Unsupported> {
        let (w, lanes) = self.lanes_of(inst, 0)?;
        let to = self.module.types.scalar(inst.ty())?.width();
        let (mut result, zero) = (self.int(to, lanes.len() as u128), self.int(w, 0));
        for (number, lane) in lanes.into_iter().enumerate().rev() {
            let is_set = self.cmp(CmpOp::Ne, w, lane, zero);
            let number = self.int(to, number as u128);
            result = self.select(to, is_set, number, result);
        }
        Ok(result)
    }

    fn last_active_lane(&mut self, inst: Value) -> Result<Slot, Unsupported> {
        let (w, lanes) = self.lanes_of(inst, 0)?;
        let mask = self.operand(inst.operand(1))?;
        let mut result = self.scalar(inst.operand(2))?;
        for (lane, active) in lanes.into_iter().zip(mask) {
            result = self.select(w, active, lane, result);
        }
        Ok(result)
    }

    /// Lane `i` of the second vector is added to lane `i` modulo the first one's length.
    fn partial_sums(&mut self, inst: Value, is_float: bool) -> Result<Vec<Slot>, Unsupported> {
        let lane_type = self.module.types.lane(inst.ty())?;
        let mut sums = self.operand(inst.operand(0))?;
        let count = sums.len();
        for (number, lane) in self.operand(inst.operand(1))?.into_iter().enumerate() {
            let sum = sums[number % count];
            sums[number % count] = if is_float {
                self.float(FloatOp::Add, lane_type.float()?, sum, lane)
            } else {
                self.bin(BinOp::Add, lane_type.width(), sum, lane)
            };
        }
        Ok(sums)
    }

    /// Returns which lanes equal a lane of the second vector.
    fn lanes_among(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, lanes) = self.lanes_of(inst, 0)?;
        let wanted = self.operand(inst.operand(1))?;
        let mask = self.operand(inst.operand(2))?;
        let mut result = Vec::new();
        for (lane, active) in lanes.into_iter().zip(mask) {
            let mut found = self.int(1, 0);
            for &other in &wanted {
                let same = self.cmp(CmpOp::Eq, w, lane, other);
                found = self.bin(BinOp::Or, 1, found, same);
            }
            result.push(self.bin(BinOp::And, 1, found, active));
        }
        Ok(result)
    }

    /// Returns the number of lanes in the next step of a loop: the remaining ones, or all.
    fn vector_length(&mut self, inst: Value) -> Result<Slot, Unsupported> {
        let w = self.module.types.scalar(inst.operand(0).ty())?.width();
        let left = self.scalar(inst.operand(0))?;
        let all = self.int(w, inst.operand(1).const_u64().into());
        let least = self.min_max(MinMaxOp::UMin, w, w, left, all);
        Ok(self.resize(w, 32, least))
    }

    /// Lanes of a step of a loop that do not depend on the ones before by two addresses.
    fn independent_lanes(
        &mut self,
        inst: Value,
        reads_first: bool,
    ) -> Result<Vec<Slot>, Unsupported> {
        let (a, b) = (self.scalar(inst.operand(0))?, self.scalar(inst.operand(1))?);
        let size = self.int(64, inst.operand(2).const_u64().into());
        let zero = self.int(64, 0);
        let mut distance = self.bin(BinOp::Sub, 64, b, a);
        if !reads_first {
            let negated = self.bin(BinOp::Sub, 64, zero, distance);
            distance = self.min_max(MinMaxOp::SMax, 64, 64, distance, negated);
        }
        let distance = self.bin(BinOp::SDiv, 64, distance, size);
        let free = self.cmp(CmpOp::Sle, 64, distance, zero);
        let mut lanes = Vec::new();
        for lane in 0..self.module.types.leaves(inst.ty())?.len() {
            let lane = self.int(64, lane as u128);
            let is_before = self.cmp(CmpOp::Slt, 64, lane, distance);
            lanes.push(self.bin(BinOp::Or, 1, free, is_before));
        }
        Ok(lanes)
    }

    /// A condition that chooses between two values without a jump.
    pub fn choose_without_jump(&mut self, inst: Value) -> Result<(), Unsupported> {
        let condition = self.operand(inst.operand(0))?;
        let chosen = self.operand(inst.operand(1))?;
        let other = self.operand(inst.operand(2))?;
        let leaves = self.module.types.leaves(inst.ty())?;
        let mut slots = Vec::new();
        for (lane, leaf) in leaves.iter().enumerate() {
            let condition = condition[lane.min(condition.len() - 1)];
            let w = leaf.scalar.width();
            slots.push(self.select(w, condition, chosen[lane], other[lane]));
        }
        self.define(inst, slots);
        Ok(())
    }

    /// Pointers whose bits a mask clears.
    pub fn masked_pointers(&mut self, inst: Value) -> Result<(), Unsupported> {
        let width = self.module.types.lane(inst.operand(1).ty())?.width();
        let pointers = self.operand(inst.operand(0))?;
        let masks = self.operand(inst.operand(1))?;
        let mut slots = Vec::new();
        for (pointer, mask) in pointers.into_iter().zip(masks) {
            let mask = self.cast(CastOp::Sext, width, 64, mask);
            slots.push(self.bin(BinOp::And, 64, pointer, mask));
        }
        self.define(inst, slots);
        Ok(())
    }
}

/// Meaning of a splice's third operand, from which its first element follows.
#[derive(Clone, Copy)]
enum Splice {
    /// At this lane of the first vector.
    Left,
    /// This many lanes before the first vector's end.
    Right,
    /// Like `Left`, or like `Right` if the amount is negative.
    Signed,
}

/// Masks of loops: whether the first address is read before the second is written.
const DEPENDENCES: [(&str, bool); 2] = [
    ("loop.dependence.war.mask", true),
    ("loop.dependence.raw.mask", false),
];

/// The number behind the name, as in `vector.interleave3`: 2 to 8 parts.
fn parts_of(family: &str, name: &str) -> Option<usize> {
    let digit = family.strip_prefix(name)?.chars().next()?.to_digit(10)?;
    let whole = format!("{name}{digit}");
    (matches!(digit, 2..=8) && matches_family(family, &whole)).then_some(digit as usize)
}
