//! x86's vector instructions on memory that bitcode names: gathers, masked loads and stores; the
//! control word for floating point.
//!
//! Invariant: as in `x86`. A lane whose mask is clear touches no memory of the program.

use super::super::Unsupported;
use super::super::function::Body;
use crate::c_api::{LLVMTypeKind, Value};
use homi_ir::ops::BinOp;
use homi_ir::program::{CastOp, Inst, Slot};

/// The control word of a program that has changed nothing: all exceptions masked.
const CONTROL_WORD: u128 = 0x1f80;
/// The bits of that word for exceptions that were raised.
const EXCEPTIONS: u128 = 0x3f;

impl Body<'_, '_> {
    /// The parts of `x86.SET.NAME`; `None` if it is none of these.
    pub fn x86_memory(
        &mut self,
        inst: Value,
        name: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        if let Some(kind) = name.strip_prefix("gather.") {
            return self.x86_gather(inst, kind).map(Some);
        }
        let slots = match name {
            "maskload.ps" | "maskload.pd" | "maskload.d" | "maskload.q" => {
                let address = self.scalar(inst.operand(0))?;
                let (w, mask) = self.lanes_of(inst, 1)?;
                let addresses = self.consecutive(address, w, mask.len());
                let others = self.zeros(inst)?;
                self.load_where_negative(w, &addresses, w, &mask, &others)
            }
            "maskstore.ps" | "maskstore.pd" | "maskstore.d" | "maskstore.q" => {
                let address = self.scalar(inst.operand(0))?;
                let (w, mask) = self.lanes_of(inst, 1)?;
                let (_, data) = self.lanes_of(inst, 2)?;
                let addresses = self.consecutive(address, w, mask.len());
                self.store_where_negative(w, &addresses, &mask, &data)
            }
            "maskmov.dqu" => {
                let (w, data) = self.lanes_of(inst, 0)?;
                let (_, mask) = self.lanes_of(inst, 1)?;
                let address = self.scalar(inst.operand(2))?;
                let addresses = self.consecutive(address, w, mask.len());
                self.store_where_negative(w, &addresses, &mask, &data)
            }
            "stmxcsr" => {
                let addr = self.scalar(inst.operand(0))?;
                let mode = self.call_word_function("fegetround", &[]);
                let mode = self.shift_left(mode, 32, 3);
                let all = self.int(32, EXCEPTIONS);
                let raised = self.call_word_function("fetestexcept", &[all]);
                let rest = self.int(32, CONTROL_WORD);
                let rest = self.bin(BinOp::Or, 32, raised, rest);
                let src = self.bin(BinOp::Or, 32, mode, rest);
                self.emit(Inst::Store { w: 32, addr, src });
                Vec::new()
            }
            "ldmxcsr" => {
                let addr = self.scalar(inst.operand(0))?;
                let dst = self.new_slot(32);
                self.emit(Inst::Load { w: 32, dst, addr });
                let moved = self.bits(dst, 32, 3, 29);
                let moved = self.cast(CastOp::Zext, 29, 32, moved);
                let both = self.int(32, 0xc00);
                let mode = self.bin(BinOp::And, 32, moved, both);
                self.call_word_function("fesetround", &[mode]);
                let all = self.int(32, EXCEPTIONS);
                let raised = self.bin(BinOp::And, 32, dst, all);
                self.call_word_function("feclearexcept", &[all]);
                self.call_word_function("feraiseexcept", &[raised]);
                Vec::new()
            }
            _ => return Ok(None),
        };
        Ok(Some(slots))
    }

    /// Gathers lanes. `kind` is the width of an index, d or q, and the width of the lanes. Lanes
    /// without an index are 0.
    fn x86_gather(&mut self, inst: Value, kind: &str) -> Result<Vec<Slot>, Unsupported> {
        if inst.operand(3).ty().kind() != LLVMTypeKind::LLVMVectorTypeKind {
            return Err(Unsupported::new(format!(
                "gather {kind} with a mask register"
            )));
        }
        let (w, others) = self.lanes_of(inst, 0)?;
        let (mask_width, mask) = self.lanes_of(inst, 3)?;
        let mut addresses = self.indexed_addresses(inst, 1, 2, 4)?;
        addresses.truncate(others.len());
        let mut lanes = self.load_where_negative(w, &addresses, mask_width, &mask, &others);
        lanes.resize(others.len(), self.int(w, 0));
        Ok(lanes)
    }

    /// A base, indices and a constant scale as operands: an address for each index.
    pub fn indexed_addresses(
        &mut self,
        inst: Value,
        base: u32,
        index: u32,
        scale: u32,
    ) -> Result<Vec<Slot>, Unsupported> {
        let base = self.scalar(inst.operand(base))?;
        let (width, indices) = self.lanes_of(inst, index)?;
        let scale = inst.operand(scale).const_u64() as u32;
        let address = |index| self.indexed(base, width, index, scale);
        Ok(indices.into_iter().map(address).collect())
    }

    /// `base + index * scale`; the index has `iw` bits and a sign.
    fn indexed(&mut self, base: Slot, iw: u8, index: Slot, scale: u32) -> Slot {
        let dst = self.new_slot(64);
        self.emit(Inst::PtrAdd {
            iw,
            dst,
            base,
            index,
            scale,
            offset: 0,
        });
        dst
    }

    /// Stores lanes of `w` bits (whole bytes) in a separate stack object; returns its address.
    pub fn lanes_in_memory(&mut self, w: u8, lanes: &[Slot]) -> Slot {
        let place = self.frame_object(lanes.len() as u64 * u64::from(w / 8));
        let addresses = self.consecutive(place, w, lanes.len());
        for (addr, &src) in addresses.into_iter().zip(lanes) {
            self.emit(Inst::Store { w, addr, src });
        }
        place
    }

    /// The lane of `w` bits that an index (an unsigned number within bounds) names.
    pub fn lane_in_memory(&mut self, base: Slot, w: u8, index_width: u8, index: Slot) -> Slot {
        let index = self.resize(index_width, 64, index);
        let (addr, dst) = (
            self.indexed(base, 64, index, u32::from(w / 8)),
            self.new_slot(w),
        );
        self.emit(Inst::Load { w, dst, addr });
        dst
    }

    pub fn consecutive(&mut self, base: Slot, w: u8, count: usize) -> Vec<Slot> {
        let bytes = i64::from(w / 8);
        (0..count as i64)
            .map(|lane| self.offset(base, lane * bytes))
            .collect()
    }

    /// A lane for each address, or the other one where the mask's sign is clear.
    fn load_where_negative(
        &mut self,
        w: u8,
        addresses: &[Slot],
        mask_width: u8,
        mask: &[Slot],
        others: &[Slot],
    ) -> Vec<Slot> {
        let spare = self.spare_object();
        let mut lanes = Vec::new();
        for ((address, mask), other) in addresses.iter().zip(mask).zip(others) {
            let wanted = self.bits(*mask, mask_width, mask_width - 1, 1);
            let addr = self.select(64, wanted, *address, spare);
            let dst = self.new_slot(w);
            self.emit(Inst::Load { w, dst, addr });
            lanes.push(self.select(w, wanted, dst, *other));
        }
        lanes
    }

    fn store_where_negative(
        &mut self,
        w: u8,
        addresses: &[Slot],
        mask: &[Slot],
        data: &[Slot],
    ) -> Vec<Slot> {
        let spare = self.spare_object();
        for ((address, mask), src) in addresses.iter().zip(mask).zip(data) {
            let wanted = self.bits(*mask, w, w - 1, 1);
            let addr = self.select(64, wanted, *address, spare);
            self.emit(Inst::Store { w, addr, src: *src });
        }
        Vec::new()
    }

    /// `llvm.masked.expandload` and `compressstore`: the lanes of the mask lie side by side in
    /// memory.
    pub fn packed_access(&mut self, inst: Value, is_store: bool) -> Result<bool, Unsupported> {
        let first = u32::from(is_store);
        let ty = if is_store {
            inst.operand(0).ty()
        } else {
            inst.ty()
        };
        let w = self.module.types.lane(ty)?.width();
        if w % 8 != 0 {
            return Err(Unsupported::new(
                "packed access of elements that are not bytes",
            ));
        }
        let mut place = self.scalar(inst.operand(first))?;
        let mask = self.operand(inst.operand(first + 1))?;
        let data = self.operand(inst.operand(if is_store { 0 } else { 2 }))?;
        let spare = self.spare_object();
        let mut lanes = Vec::new();
        for (wanted, other) in mask.into_iter().zip(data) {
            let addr = self.select(64, wanted, place, spare);
            if is_store {
                self.emit(Inst::Store {
                    w,
                    addr,
                    src: other,
                });
            } else {
                let dst = self.new_slot(w);
                self.emit(Inst::Load { w, dst, addr });
                lanes.push(self.select(w, wanted, dst, other));
            }
            let next = self.offset(place, i64::from(w / 8));
            place = self.select(64, wanted, next, place);
        }
        self.define(inst, lanes);
        Ok(true)
    }
}
