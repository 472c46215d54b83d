//! Memory: allocas, loads, stores, pointer arithmetic and atomics (single-threaded).
//!
//! Invariant: an aggregate is loaded and stored part by part in memory order; padding is neither
//! read nor written. Constant offsets fold; indices keep their order of evaluation.

use super::Unsupported;
use super::constant::GepStep;
use super::function::Body;
use super::types::Scalar;
use crate::block_locals::{BEGIN, END, UNSEEN};
use crate::c_api::{LLVMAtomicRMWBinOp, LLVMOpcode, LLVMTypeKind, Type, Value};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{AtomicOp, CastOp, FloatOp, FrameObject, Inst, Mark, Slot};

/// Fixed-size allocas above this many bytes are made when they are reached.
const MAX_FRAME_OBJECT: u64 = 1 << 31;

/// Frame objects of a function that may be locals of blocks: the first ones.
const MOST_BLOCK_OBJECTS: u32 = 64;

/// Returns true if calls say where the block of a local begins and ends.
fn is_block_local(local: Value) -> bool {
    let calls = local
        .users()
        .into_iter()
        .filter(|user| user.is_instruction());
    let mut calls = calls.filter(|user| user.opcode() == LLVMOpcode::LLVMCall);
    calls.any(|call| call.called_value().name() == BEGIN)
}

impl Body<'_, '_> {
    pub fn lower_alloca(&mut self, inst: Value) -> Result<(), Unsupported> {
        let ty = inst.allocated_type();
        if !ty.is_sized() {
            return Err(Unsupported::new(format!("alloca of {}", ty.describe())));
        }
        let size = self.module.types.layout.allocation_size(ty);
        let natural = self.module.types.layout.alignment(ty);
        let align = inst.alignment().max(natural).max(1);
        let count = inst.operand(0);
        let in_entry = self.current == 0;
        let dst = self.new_slot(64);
        let fixed = (count.is_constant() && in_entry)
            .then(|| size.checked_mul(count.const_u64()))
            .flatten()
            .filter(|size| *size <= MAX_FRAME_OBJECT);
        if let Some(size) = fixed {
            let (name, declared) = self.declaration_of(inst);
            let object = self.frame_objects.len() as u32;
            let in_block = self.module.roots.ends_blocks
                && is_block_local(inst)
                && object + 1 < MOST_BLOCK_OBJECTS;
            let entry = FrameObject {
                size,
                align,
                name,
                declared,
                in_block,
            };
            if in_block {
                self.frame_objects.push(entry.clone());
                self.block_locals.insert(inst, (dst, object));
            } else {
                self.emit(Inst::FrameAddress { dst, object });
            }
            self.frame_objects.push(entry);
        } else {
            let width = self.module.types.scalar(count.ty())?.width();
            let count = self.scalar(count)?;
            let mut count = self.resize(width, 64, count);
            let mut size = size;
            if size > u64::from(u32::MAX) {
                let factor = self.int(64, u128::from(size));
                count = self.bin(BinOp::Mul, 64, count, factor);
                size = 1;
            }
            self.emit(Inst::AllocaDynamic {
                dst,
                count,
                size: size as u32,
                align,
            });
        }
        self.define(inst, vec![dst]);
        Ok(())
    }

    /// Lowers a call that says that the block of a local begins or ends; false for other calls.
    pub fn lower_block_event(&mut self, call: Value) -> bool {
        let name = call.called_value().name();
        if ![BEGIN, END, UNSEEN].contains(&name.as_str()) {
            return false;
        }
        match self.block_locals.get(&call.operand(0)).copied() {
            Some((dst, object)) if name == BEGIN => self.emit(Inst::ScopeBegin { dst, object }),
            Some((_, object)) => self.emit(Inst::ScopeEnd { object }),
            None if name != BEGIN && self.is_marked => self.mark(Mark::Block),
            None => {}
        }
        true
    }

    pub fn lower_load(&mut self, inst: Value) -> Result<(), Unsupported> {
        if !self.module.has_signatures && inst.loads_function_mark() {
            // Functions have nothing before them then.
            let none = self.int(32, 0);
            self.define(inst, vec![none]);
            return Ok(());
        }
        let base = self.scalar(inst.operand(0))?;
        let slots = self.load_parts(inst.ty(), base)?;
        self.define(inst, slots);
        Ok(())
    }

    /// Loads all parts of a value of type `ty` from `base`.
    pub fn load_parts(&mut self, ty: Type, base: Slot) -> Result<Vec<Slot>, Unsupported> {
        let leaves = self.module.types.leaves(ty)?;
        if self.module.types.is_packed(ty)? {
            let width = self.packed_width(ty)?;
            let image = self.new_slot(width);
            self.emit(Inst::Load {
                w: width,
                dst: image,
                addr: base,
            });
            return Ok(self.split(image, width, leaves[0].scalar.width()));
        }
        let mut slots = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            let addr = self.offset(base, (leaf.bit_offset / 8) as i64);
            slots.push(self.load_scalar(leaf.scalar, addr));
        }
        Ok(slots)
    }

    pub fn lower_store(&mut self, value: Value, address: Value) -> Result<(), Unsupported> {
        let base = self.scalar(address)?;
        let sources = self.operand(value)?;
        self.store_parts(value.ty(), base, sources)
    }

    /// Stores all parts of a value of type `ty` at `base`.
    pub fn store_parts(
        &mut self,
        ty: Type,
        base: Slot,
        sources: Vec<Slot>,
    ) -> Result<(), Unsupported> {
        let leaves = self.module.types.leaves(ty)?;
        if self.module.types.is_packed(ty)? {
            let width = self.packed_width(ty)?;
            let image = self.join(&sources, leaves[0].scalar.width(), width);
            self.emit(Inst::Store {
                w: width,
                addr: base,
                src: image,
            });
            return Ok(());
        }
        for (leaf, src) in leaves.iter().zip(sources) {
            let addr = self.offset(base, (leaf.bit_offset / 8) as i64);
            self.store_scalar(leaf.scalar, addr, src);
        }
        Ok(())
    }

    /// Loads one scalar from `addr`.
    pub fn load_scalar(&mut self, scalar: Scalar, addr: Slot) -> Slot {
        let w = self.module.types.stored_width(scalar);
        let dst = self.new_slot(w);
        self.emit(Inst::Load { w, dst, addr });
        self.resize(w, scalar.width(), dst)
    }

    /// Stores one scalar at `addr`.
    pub fn store_scalar(&mut self, scalar: Scalar, addr: Slot, src: Slot) {
        let w = self.module.types.stored_width(scalar);
        let src = self.resize(scalar.width(), w, src);
        self.emit(Inst::Store { w, addr, src });
    }

    fn packed_width(&mut self, ty: Type) -> Result<u8, Unsupported> {
        let (scalar, count) = self.module.types.vector(ty)?;
        let bits = u32::from(scalar.width()) * count;
        u8::try_from(bits)
            .ok()
            .filter(|bits| *bits <= 128)
            .ok_or_else(|| Unsupported::new(format!("packed vector {}", ty.describe())))
    }

    pub fn lower_gep(&mut self, inst: Value) -> Result<(), Unsupported> {
        let slots = self.gep(inst)?;
        self.define(inst, slots);
        Ok(())
    }

    /// The address or vector of addresses that a getelementptr (instruction or constant) computes.
    pub fn gep(&mut self, gep: Value) -> Result<Vec<Slot>, Unsupported> {
        let lanes = match gep.ty().kind() {
            LLVMTypeKind::LLVMVectorTypeKind => Some(gep.ty().vector_length() as usize),
            _ => None,
        };
        let steps = self.module.gep_steps(gep)?;
        let bases = self.operand(gep.operand(0))?;
        let promises = self.module.promises_of(gep);
        let mut results = Vec::new();
        for lane in 0..lanes.unwrap_or(1) {
            let base = if bases.len() == 1 {
                bases[0]
            } else {
                bases[lane]
            };
            results.push(match promises {
                0 => self.gep_lane(base, &steps, lane)?,
                _ => self.promised_lane(promises, base, &steps, lane)?,
            });
        }
        Ok(results)
    }

    /// One lane's address, summed up step by step with the promises of the getelementptr at each;
    /// neighboring steps of one sign are one step.
    fn promised_lane(
        &mut self,
        promises: u8,
        base: Slot,
        steps: &[GepStep],
        lane: usize,
    ) -> Result<Slot, Unsupported> {
        let mut address = base;
        let mut constant = 0i64;
        for step in steps {
            let (index, width, scale) = match step {
                GepStep::Offset(bytes) => (self.int(64, *bytes as u64 as u128), 64, 1),
                GepStep::Index { index, scale } => {
                    let slots = self.operand(*index)?;
                    let slot = *slots.get(lane).unwrap_or(&slots[0]);
                    (slot, self.module.types.lane(index.ty())?.width(), *scale)
                }
            };
            if let Some(value) = self.known_int(index) {
                let value = homi_ir::ops::signed(u32::from(width), value) as i64;
                let bytes = value.wrapping_mul(scale as i64);
                if constant.signum() * bytes.signum() < 0 {
                    address = self.promised_offset(promises, address, constant);
                    constant = 0;
                }
                constant = constant.wrapping_add(bytes);
                continue;
            }
            address = self.promised_offset(promises, address, constant);
            constant = 0;
            let (index, width) = self.gep_index(index, width);
            address = match u32::try_from(scale) {
                Ok(0) => address,
                Ok(scale) => self.promised_sum(promises, address, (width, index), scale),
                Err(_) => {
                    let wide = self.cast(CastOp::Sext, width, 64, index);
                    let factor = self.int(64, u128::from(scale));
                    let distance = self.bin(BinOp::Mul, 64, wide, factor);
                    self.promised_sum(promises, address, (64, distance), 1)
                }
            };
        }
        Ok(self.promised_offset(promises, address, constant))
    }

    /// An index of a getelementptr and its width: no more bits than pointers have count.
    fn gep_index(&mut self, index: Slot, width: u8) -> (Slot, u8) {
        match self.module.types.pointers.bits() {
            bits if width > bits => (self.cast(CastOp::Trunc, width, bits, index), bits),
            _ => (index, width),
        }
    }

    fn promised_offset(&mut self, promises: u8, base: Slot, bytes: i64) -> Slot {
        if bytes == 0 {
            return base;
        }
        let distance = self.int(64, bytes as u64 as u128);
        self.promised_sum(promises, base, (64, distance), 1)
    }

    fn gep_lane(
        &mut self,
        base: Slot,
        steps: &[GepStep],
        lane: usize,
    ) -> Result<Slot, Unsupported> {
        let mut constant = 0i64;
        let mut terms = Vec::new();
        for step in steps {
            match step {
                GepStep::Offset(bytes) => constant = constant.wrapping_add(*bytes),
                GepStep::Index { index, scale } => {
                    let slots = self.operand(*index)?;
                    let slot = if slots.len() == 1 {
                        slots[0]
                    } else {
                        slots[lane]
                    };
                    let width = self.module.types.lane(index.ty())?.width();
                    if let Some(value) = self.known_int(slot) {
                        let value = homi_ir::ops::signed(u32::from(width), value) as i64;
                        constant = constant.wrapping_add(value.wrapping_mul(*scale as i64));
                    } else if *scale != 0 {
                        terms.push((slot, width, *scale));
                    }
                }
            }
        }
        if terms.is_empty() {
            return Ok(self.offset(base, constant));
        }
        // The last addition carries the constant; an offset of the base joins it.
        let (root, before) = self.derived.get(&base).copied().unwrap_or((base, 0));
        constant = constant.wrapping_add(before);
        let count = terms.len();
        let mut address = root;
        for (position, (index, width, mut scale)) in terms.into_iter().enumerate() {
            let (mut index, mut width) = self.gep_index(index, width);
            if scale > u64::from(u32::MAX) {
                let wide = self.cast(CastOp::Sext, width, 64, index);
                let factor = self.int(64, u128::from(scale));
                index = self.bin(BinOp::Mul, 64, wide, factor);
                (width, scale) = (64, 1);
            }
            let mut offset = 0;
            if position + 1 == count {
                if let Ok(small) = i32::try_from(constant) {
                    (offset, constant) = (small, 0);
                }
            }
            let dst = self.new_slot(64);
            self.emit(Inst::PtrAdd {
                iw: width,
                dst,
                base: address,
                index,
                scale: scale as u32,
                offset,
            });
            address = dst;
        }
        Ok(self.offset(address, constant))
    }

    pub fn lower_atomic(&mut self, inst: Value) -> Result<(), Unsupported> {
        use LLVMAtomicRMWBinOp as R;
        if let Some(width) = self.module.types.wide(inst.ty()) {
            return self.lower_wide_atomic(inst, width);
        }
        let scalar = self.module.types.scalar(inst.ty())?;
        let w = self.module.types.stored_width(scalar);
        let addr = self.scalar(inst.operand(0))?;
        let src = self.scalar(inst.operand(1))?;
        let src = self.resize(scalar.width(), w, src);
        let op = match inst.atomic_operation() {
            R::LLVMAtomicRMWBinOpXchg => AtomicOp::Exchange,
            R::LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
            R::LLVMAtomicRMWBinOpSub => AtomicOp::Sub,
            R::LLVMAtomicRMWBinOpAnd => AtomicOp::And,
            R::LLVMAtomicRMWBinOpNand => AtomicOp::Nand,
            R::LLVMAtomicRMWBinOpOr => AtomicOp::Or,
            R::LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
            R::LLVMAtomicRMWBinOpMax => AtomicOp::Max,
            R::LLVMAtomicRMWBinOpMin => AtomicOp::Min,
            R::LLVMAtomicRMWBinOpUMax => AtomicOp::UMax,
            R::LLVMAtomicRMWBinOpUMin => AtomicOp::UMin,
            other => return self.lower_composed_atomic(inst, other, scalar, addr, src),
        };
        let dst = self.new_slot(w);
        self.emit(Inst::AtomicRmw {
            op,
            w,
            dst,
            addr,
            src,
        });
        let dst = self.resize(w, scalar.width(), dst);
        self.define(inst, vec![dst]);
        Ok(())
    }

    /// Lowers operators without an atomic instruction: load, compute, store (one thread runs).
    fn lower_composed_atomic(
        &mut self,
        inst: Value,
        op: LLVMAtomicRMWBinOp,
        scalar: Scalar,
        addr: Slot,
        src: Slot,
    ) -> Result<(), Unsupported> {
        use LLVMAtomicRMWBinOp as R;
        let w = scalar.width();
        let old = self.new_slot(w);
        self.emit(Inst::Load { w, dst: old, addr });
        let float = |op| -> Option<FloatOp> {
            Some(match op {
                R::LLVMAtomicRMWBinOpFAdd => FloatOp::Add,
                R::LLVMAtomicRMWBinOpFSub => FloatOp::Sub,
                R::LLVMAtomicRMWBinOpFMax => FloatOp::MaxNum,
                R::LLVMAtomicRMWBinOpFMin => FloatOp::MinNum,
                _ => return None,
            })
        };
        let new = if let Some(op) = float(op) {
            self.float(op, scalar.float()?, old, src)
        } else {
            let zero = self.int(w, 0);
            let one = self.int(w, 1);
            match op {
                R::LLVMAtomicRMWBinOpUIncWrap => {
                    let next = self.bin(BinOp::Add, w, old, one);
                    let wrap = self.cmp(CmpOp::Uge, w, old, src);
                    self.select(w, wrap, zero, next)
                }
                R::LLVMAtomicRMWBinOpUDecWrap => {
                    let next = self.bin(BinOp::Sub, w, old, one);
                    let above = self.cmp(CmpOp::Ugt, w, old, src);
                    let none = self.cmp(CmpOp::Eq, w, old, zero);
                    let wrap = self.bin(BinOp::Or, 1, above, none);
                    self.select(w, wrap, src, next)
                }
                _ => return Err(Unsupported::new(format!("atomic {}", inst.describe()))),
            }
        };
        self.emit(Inst::Store { w, addr, src: new });
        self.define(inst, vec![old]);
        Ok(())
    }

    pub fn lower_compare_exchange(&mut self, inst: Value) -> Result<(), Unsupported> {
        if let Some(width) = self.module.types.wide(inst.operand(1).ty()) {
            return self.lower_wide_compare_exchange(inst, width);
        }
        let scalar = self.module.types.scalar(inst.operand(1).ty())?;
        let w = self.module.types.stored_width(scalar);
        let addr = self.scalar(inst.operand(0))?;
        let expected = self.scalar(inst.operand(1))?;
        let expected = self.resize(scalar.width(), w, expected);
        let new = self.scalar(inst.operand(2))?;
        let new = self.resize(scalar.width(), w, new);
        let dst = self.new_slot(w);
        let success = self.new_slot(1);
        self.emit(Inst::CompareExchange {
            w,
            dst,
            success,
            addr,
            expected,
            new,
        });
        let dst = self.resize(w, scalar.width(), dst);
        self.define(inst, vec![dst, success]);
        Ok(())
    }
}
