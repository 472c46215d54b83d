//! Intrinsics of vectors: reductions, masks, parts, lanes in memory.

use super::super::Unsupported;
use super::super::function::Body;
use super::matches_family;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, FrameObject, Inst, MinMaxOp, Slot};

impl Body<'_, '_> {
    pub(super) fn vector_intrinsic(
        &mut self,
        inst: Value,
        family: &str,
    ) -> Result<bool, Unsupported> {
        if let Some(rest) = family.strip_prefix("vector.reduce.") {
            return self.reduce(inst, rest);
        }
        let is = |candidate: &str| matches_family(family, candidate);
        if is("x86.sse2.pmovmskb.128")
            || is("x86.avx2.pmovmskb")
            || is("x86.sse.movmsk.ps")
            || is("x86.sse2.movmsk.pd")
            || is("x86.avx.movmsk.ps.256")
            || is("x86.avx.movmsk.pd.256")
        {
            let width = self.module.types.lane(inst.operand(0).ty())?.width();
            let lanes = self.operand(inst.operand(0))?;
            let mut result = self.int(32, 0);
            for (index, lane) in lanes.into_iter().enumerate() {
                let sign = self.bits(lane, width, width - 1, 1);
                let sign = self.cast(CastOp::Zext, 1, 32, sign);
                let sign = self.shift_left(sign, 32, index as u8);
                result = self.bin(BinOp::Or, 32, result, sign);
            }
            self.define(inst, vec![result]);
            return Ok(true);
        }
        if is("masked.load") || is("masked.store") || is("masked.gather") || is("masked.scatter") {
            return self.masked_access(inst, family);
        }
        if is("masked.expandload") || is("masked.compressstore") {
            return self.packed_access(inst, is("masked.compressstore"));
        }
        if is("get.active.lane.mask") {
            return self.active_lanes(inst);
        }
        if is("vector.extract") || is("vector.insert") {
            return self.subvector(inst, is("vector.insert"));
        }
        if is("vector.reverse") || is("experimental.vector.reverse") {
            let mut slots = self.operand(inst.operand(0))?;
            slots.reverse();
            self.define(inst, slots);
            return Ok(true);
        }
        if is("stepvector") || is("experimental.stepvector") {
            let leaves = self.module.types.leaves(inst.ty())?;
            let mut slots = Vec::new();
            for (index, leaf) in leaves.iter().enumerate() {
                slots.push(self.int(leaf.scalar.width(), index as u128));
            }
            self.define(inst, slots);
            return Ok(true);
        }
        Ok(false)
    }

    /// Lane `i` is whether `base + i`, without wrapping, is below the limit.
    fn active_lanes(&mut self, inst: Value) -> Result<bool, Unsupported> {
        let w = self.module.types.scalar(inst.operand(0).ty())?.width();
        let (base, limit) = (self.scalar(inst.operand(0))?, self.scalar(inst.operand(1))?);
        let count = self.module.types.leaves(inst.ty())?.len();
        let mut lanes = Vec::new();
        for lane in 0..count {
            let lane = self.int(w, lane as u128);
            let place = self.min_max(MinMaxOp::UAddSat, w, w, base, lane);
            lanes.push(self.cmp(CmpOp::Ult, w, place, limit));
        }
        self.define(inst, lanes);
        Ok(true)
    }

    fn subvector(&mut self, inst: Value, insert: bool) -> Result<bool, Unsupported> {
        let mut whole = self.operand(inst.operand(0))?;
        let index = inst.operand(if insert { 2 } else { 1 });
        let start = index.const_u64() as usize;
        if insert {
            for (lane, slot) in self.operand(inst.operand(1))?.into_iter().enumerate() {
                if let Some(place) = whole.get_mut(start + lane) {
                    *place = slot;
                }
            }
        } else {
            let count = self.module.types.leaves(inst.ty())?.len();
            whole = whole.into_iter().skip(start).take(count).collect();
        }
        self.define(inst, whole);
        Ok(true)
    }

    fn reduce(&mut self, inst: Value, operation: &str) -> Result<bool, Unsupported> {
        let family = |candidate: &str| matches_family(operation, candidate);
        let bin = [
            ("add", BinOp::Add),
            ("mul", BinOp::Mul),
            ("and", BinOp::And),
            ("or", BinOp::Or),
            ("xor", BinOp::Xor),
        ];
        let min_max = [
            ("smax", MinMaxOp::SMax),
            ("smin", MinMaxOp::SMin),
            ("umax", MinMaxOp::UMax),
            ("umin", MinMaxOp::UMin),
        ];
        let scalar = self.module.types.scalar(inst.ty())?;
        let w = scalar.width();
        if let Some((_, op)) = bin.into_iter().find(|entry| family(entry.0)) {
            let lanes = self.operand(inst.operand(0))?;
            let result = lanes.into_iter().reduce(|a, b| self.bin(op, w, a, b));
            self.define(inst, result.into_iter().collect());
            return Ok(true);
        }
        if let Some((_, op)) = min_max.into_iter().find(|entry| family(entry.0)) {
            let lanes = self.operand(inst.operand(0))?;
            let result = lanes
                .into_iter()
                .reduce(|a, b| self.min_max(op, w, w, a, b));
            self.define(inst, result.into_iter().collect());
            return Ok(true);
        }
        self.reduce_float(inst, operation, scalar)
    }

    /// Masked lanes go to a spare stack object instead of their address, so no branch is needed.
    fn masked_access(&mut self, inst: Value, family: &str) -> Result<bool, Unsupported> {
        let store = family.starts_with("masked.store") || family.starts_with("masked.scatter");
        let ty = if store {
            inst.operand(0).ty()
        } else {
            inst.ty()
        };
        let leaves = self.module.types.leaves(ty)?;
        let shift = u32::from(store);
        let addresses = self.operand(inst.operand(shift))?;
        let mask = self.operand(inst.operand(shift + 2))?;
        let spare = self.spare_object();
        let mut slots = Vec::new();
        for (lane, leaf) in leaves.iter().enumerate() {
            let w = leaf.scalar.width();
            if w % 8 != 0 {
                return Err(Unsupported::new("masked access of packed elements"));
            }
            let address = if addresses.len() == 1 {
                self.offset(addresses[0], (leaf.bit_offset / 8) as i64)
            } else {
                addresses[lane]
            };
            let addr = self.select(64, mask[lane], address, spare);
            if store {
                let src = self.operand(inst.operand(0))?[lane];
                self.store_scalar(leaf.scalar, addr, src);
            } else {
                let dst = self.load_scalar(leaf.scalar, addr);
                let other = self.operand(inst.operand(3))?[lane];
                slots.push(self.select(w, mask[lane], dst, other));
            }
        }
        self.define(inst, slots);
        Ok(true)
    }

    /// The address of a 16-byte stack object that nothing else uses.
    pub fn spare_object(&mut self) -> Slot {
        self.frame_object(16)
    }

    /// The address of a stack object for the lanes of one instruction.
    pub fn frame_object(&mut self, size: u64) -> Slot {
        let object = self.frame_objects.len() as u32;
        self.frame_objects.push(FrameObject {
            size,
            align: 16,
            name: "(masked lanes)".to_string(),
            declared: Default::default(),
            in_block: false,
        });
        let dst = self.new_slot(64);
        self.emit(Inst::FrameAddress { dst, object });
        dst
    }
}
