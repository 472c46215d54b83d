//! Constants: folding of constant expressions to integers and addresses, and initializers to bytes.
//!
//! Invariant: the folding never loses a relocation: an address stays "global plus offset" or it is
//! a [`Unsupported`]. Undefined and poison values are zero, a fixed value.

use super::{Lowering, Unsupported};
use crate::c_api::{LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Type, Value};
use homi_ir::ops::{BinOp, eval_bin, mask};
use homi_ir::program::{ConstValue, GlobalInit, Relocation};

pub fn int(width: u8, value: u128) -> ConstValue {
    ConstValue::Int {
        width,
        value: value & mask(u32::from(width)),
    }
}

/// The integer operator of an opcode.
pub fn bin_op(opcode: LLVMOpcode) -> Option<BinOp> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => BinOp::Add,
        LLVMOpcode::LLVMSub => BinOp::Sub,
        LLVMOpcode::LLVMMul => BinOp::Mul,
        LLVMOpcode::LLVMUDiv => BinOp::UDiv,
        LLVMOpcode::LLVMSDiv => BinOp::SDiv,
        LLVMOpcode::LLVMURem => BinOp::URem,
        LLVMOpcode::LLVMSRem => BinOp::SRem,
        LLVMOpcode::LLVMShl => BinOp::Shl,
        LLVMOpcode::LLVMLShr => BinOp::LShr,
        LLVMOpcode::LLVMAShr => BinOp::AShr,
        LLVMOpcode::LLVMAnd => BinOp::And,
        LLVMOpcode::LLVMOr => BinOp::Or,
        LLVMOpcode::LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

impl Lowering<'_> {
    /// The parts of a constant.
    pub fn constant(&mut self, value: Value) -> Result<Vec<ConstValue>, Unsupported> {
        use LLVMValueKind as Kind;
        match value.kind() {
            Kind::LLVMConstantIntValueKind => {
                if self.types.wide(value.ty()).is_some() {
                    let leaves = self.types.leaves(value.ty())?;
                    let parts = leaves.iter().zip(value.const_words());
                    let parts = parts.map(|(leaf, word)| int(leaf.scalar.width(), word.into()));
                    return Ok(parts.collect());
                }
                let scalar = self.types.lane(value.ty())?;
                Ok(vec![int(scalar.width(), value.const_u128())])
            }
            Kind::LLVMConstantFPValueKind => {
                let width = self.types.lane(value.ty())?.width();
                Ok(vec![int(width, value.const_float_bits(u32::from(width)))])
            }
            Kind::LLVMConstantPointerNullValueKind => Ok(vec![int(64, 0)]),
            Kind::LLVMUndefValueValueKind
            | Kind::LLVMPoisonValueKind
            | Kind::LLVMConstantAggregateZeroValueKind
            | Kind::LLVMConstantTokenNoneValueKind
            | Kind::LLVMConstantTargetNoneValueKind => {
                let leaves = self.types.leaves(value.ty())?;
                let zero = leaves.iter().map(|leaf| int(leaf.scalar.width(), 0));
                Ok(zero.collect())
            }
            Kind::LLVMConstantArrayValueKind
            | Kind::LLVMConstantStructValueKind
            | Kind::LLVMConstantVectorValueKind
            | Kind::LLVMConstantDataArrayValueKind
            | Kind::LLVMConstantDataVectorValueKind => {
                self.types.leaves(value.ty())?;
                let mut parts = Vec::new();
                let mut index = 0;
                while let Some(element) = value.aggregate_element(index) {
                    parts.extend(self.constant(element)?);
                    index += 1;
                }
                Ok(parts)
            }
            Kind::LLVMFunctionValueKind => {
                if value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage
                    && value.is_declaration()
                    && !homi_ir::program::is_builtin(&value.name())
                {
                    return Ok(vec![int(64, 0)]);
                }
                self.syscall_entries.note_address(value);
                let id = self.function_id(value);
                self.program.functions[id.index()].address_taken = true;
                Ok(vec![ConstValue::Function(id)])
            }
            Kind::LLVMGlobalVariableValueKind => {
                if let Some((global, offset)) = self.place_in_section(value) {
                    return Ok(vec![ConstValue::Global { global, offset }]);
                }
                if value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage
                    && value.is_declaration()
                    && homi_ir::program::linker_symbol(&value.name()).is_none()
                {
                    return Ok(vec![int(64, 0)]);
                }
                let global = self.global_id(value);
                Ok(vec![ConstValue::Global { global, offset: 0 }])
            }
            Kind::LLVMGlobalAliasValueKind => self.constant(value.aliasee()),
            Kind::LLVMGlobalIFuncValueKind => {
                Err(Unsupported::new(format!("ifunc {}", value.name())))
            }
            Kind::LLVMBlockAddressValueKind => {
                let (function, block) = value.block_address();
                let number = super::block_number(function, block)
                    .ok_or_else(|| Unsupported::new("address of a block of another function"))?;
                Ok(vec![int(64, number)])
            }
            Kind::LLVMConstantExprValueKind => self.constant_expression(value),
            _ => Err(Unsupported::new(format!("constant {}", value.describe()))),
        }
    }

    pub(super) fn single(&mut self, value: Value) -> Result<ConstValue, Unsupported> {
        match self.constant(value)?[..] {
            [part] => Ok(part),
            _ => Err(Unsupported::new(format!("constant {}", value.describe()))),
        }
    }

    fn constant_expression(&mut self, value: Value) -> Result<Vec<ConstValue>, Unsupported> {
        let unknown = || Unsupported::new(format!("constant expression {}", value.describe()));
        let opcode = value.const_opcode();
        match opcode {
            LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast => {
                let parts = self.constant(value.operand(0))?;
                let leaves = self.types.leaves(value.ty())?;
                let source = self.types.leaves(value.operand(0).ty())?;
                let same = parts.len() == leaves.len()
                    && (leaves.iter().zip(source.iter()))
                        .all(|(a, b)| a.scalar.width() == b.scalar.width());
                if same { Ok(parts) } else { Err(unknown()) }
            }
            LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr | LLVMOpcode::LLVMTrunc => {
                let width = self.types.scalar(value.ty())?.width();
                let pointers = self.types.pointers;
                match self.single(value.operand(0))? {
                    ConstValue::Int { value, .. } if opcode == LLVMOpcode::LLVMTrunc => {
                        Ok(vec![int(width, value)])
                    }
                    ConstValue::Int { value, .. } => {
                        Ok(vec![int(width, pointers.address(value as u64).into())])
                    }
                    address if width == 64 || width == pointers.bits() => Ok(vec![address]),
                    _ => Err(unknown()),
                }
            }
            LLVMOpcode::LLVMGetElementPtr => {
                let base = self.single(value.operand(0))?;
                let offset = self.constant_offset(value)?.ok_or_else(unknown)?;
                let part = match add_offset(base, offset).ok_or_else(unknown)? {
                    ConstValue::Int { width, value } => {
                        let address = self.types.pointers.address(value as u64);
                        int(width, address.into())
                    }
                    part => part,
                };
                Ok(vec![part])
            }
            _ => {
                let op = bin_op(opcode).ok_or_else(unknown)?;
                let width = self.types.scalar(value.ty())?.width();
                let a = self.single(value.operand(0))?;
                let b = self.single(value.operand(1))?;
                fold(op, width, a, b)
                    .map(|part| vec![part])
                    .ok_or_else(unknown)
            }
        }
    }

    /// The byte offset of a getelementptr (instruction or constant) if all its indices are
    /// constant.
    pub fn constant_offset(&mut self, gep: Value) -> Result<Option<i64>, Unsupported> {
        let mut offset = 0i64;
        for step in self.gep_steps(gep)? {
            match step {
                GepStep::Offset(bytes) => offset = offset.wrapping_add(bytes),
                GepStep::Index { index, scale } => {
                    if !index.is_constant() {
                        return Ok(None);
                    }
                    let ConstValue::Int { width, value } = self.single(index)? else {
                        return Ok(None);
                    };
                    let index = homi_ir::ops::signed(u32::from(width), value) as i64;
                    offset = offset.wrapping_add(index.wrapping_mul(scale as i64));
                }
            }
        }
        Ok(Some(offset))
    }

    /// A getelementptr as a sum of constant offsets and scaled indices.
    pub fn gep_steps(&mut self, gep: Value) -> Result<Vec<GepStep>, Unsupported> {
        let mut steps = Vec::new();
        let mut ty = gep.gep_source_type();
        for operand in 1..gep.operand_count() {
            let index = gep.operand(operand);
            if operand > 1 {
                if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                    // A vector of equal constants may index a struct; its first lane says it all.
                    let index = match index.aggregate_element(0) {
                        Some(lane) => lane.const_u64(),
                        None => index.const_u64(),
                    } as u32;
                    steps.push(GepStep::Offset(
                        self.types.layout.element_offset(ty, index) as i64
                    ));
                    let elements = ty.struct_elements();
                    ty = *elements
                        .get(index as usize)
                        .ok_or_else(|| Unsupported::new("getelementptr beyond a struct"))?;
                    continue;
                }
                ty = ty.element();
            }
            let scale = self.element_stride(ty)?;
            steps.push(GepStep::Index { index, scale });
        }
        Ok(steps)
    }

    fn element_stride(&mut self, ty: Type) -> Result<u64, Unsupported> {
        if !ty.is_sized() {
            return Err(Unsupported::new(format!("size of type {}", ty.describe())));
        }
        Ok(self.types.layout.allocation_size(ty))
    }

    /// The initial contents of a global of `size` bytes.
    pub fn initialiser(&mut self, value: Value, size: u64) -> GlobalInit {
        if size > MAX_INITIALISER && !is_zero(value) {
            self.note_unsupported(format!("initialiser of {size} bytes"));
            return GlobalInit::Zero;
        }
        if is_zero(value) {
            return GlobalInit::Zero;
        }
        let mut image = Image {
            bytes: vec![0; size as usize],
            relocations: Vec::new(),
        };
        if let Err(unsupported) = self.fill(value, 0, &mut image) {
            self.note_unsupported(format!("initialiser: {}", unsupported.0));
        }
        if image.relocations.is_empty() && image.bytes.iter().all(|byte| *byte == 0) {
            return GlobalInit::Zero;
        }
        GlobalInit::Bytes {
            bytes: image.bytes,
            relocations: image.relocations,
        }
    }

    fn fill(&mut self, value: Value, offset: u64, image: &mut Image) -> Result<(), Unsupported> {
        if is_zero(value) {
            return Ok(());
        }
        use LLVMValueKind as Kind;
        match value.kind() {
            Kind::LLVMConstantStructValueKind => {
                let ty = value.ty();
                for index in 0..value.operand_count() {
                    let at = offset + self.types.layout.element_offset(ty, index);
                    self.fill(value.operand(index), at, image)?;
                }
                Ok(())
            }
            Kind::LLVMConstantArrayValueKind => {
                let stride = self.types.layout.allocation_size(value.ty().element());
                for index in 0..value.operand_count() {
                    let at = offset + u64::from(index) * stride;
                    self.fill(value.operand(index), at, image)?;
                }
                Ok(())
            }
            Kind::LLVMConstantDataArrayValueKind => {
                if let Some(bytes) = value.const_bytes() {
                    return image.put_bytes(offset, bytes);
                }
                let stride = self.types.layout.allocation_size(value.ty().element());
                let mut index = 0;
                while let Some(element) = value.aggregate_element(index) {
                    self.fill(element, offset + u64::from(index) * stride, image)?;
                    index += 1;
                }
                Ok(())
            }
            _ => {
                let leaves = self.types.leaves(value.ty())?;
                let parts = self.constant(value)?;
                for (leaf, part) in leaves.iter().zip(parts) {
                    image.put(offset * 8 + leaf.bit_offset, part)?;
                }
                Ok(())
            }
        }
    }
}

/// Initializers above this number of bytes are an unsupported feature (C programs have none).
const MAX_INITIALISER: u64 = 1 << 30;

/// A term of a getelementptr's sum.
pub enum GepStep {
    /// A constant number of bytes.
    Offset(i64),
    /// `index` times `scale` bytes.
    Index { index: Value, scale: u64 },
}

/// An initializer in the making.
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    fn put(&mut self, bit_offset: u64, part: ConstValue) -> Result<(), Unsupported> {
        match part {
            ConstValue::Int { width, value } => {
                for bit in 0..u64::from(width).div_ceil(8) {
                    // Whole bytes unless the value is an element of a packed vector.
                    let byte = (value >> (bit * 8)) as u8;
                    let at = bit_offset + bit * 8;
                    let shift = at % 8;
                    self.or(at / 8, byte << shift);
                    if shift != 0 {
                        self.or(at / 8 + 1, (u16::from(byte) >> (8 - shift)) as u8);
                    }
                }
                Ok(())
            }
            address if bit_offset % 8 == 0 => {
                if bit_offset / 8 >= self.bytes.len() as u64 {
                    return Err(beyond_the_object());
                }
                self.relocations.push(Relocation {
                    offset: bit_offset / 8,
                    value: address,
                });
                Ok(())
            }
            _ => Err(Unsupported::new("address at a bit offset")),
        }
    }

    fn put_bytes(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Unsupported> {
        let start = offset as usize;
        let place = self.bytes.get_mut(start..start.saturating_add(bytes.len()));
        place.ok_or_else(beyond_the_object)?.copy_from_slice(bytes);
        Ok(())
    }

    fn or(&mut self, index: u64, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(index as usize) {
            *slot |= byte;
        }
    }
}

/// Damaged bitcode can have an initializer of another type than its object.
fn beyond_the_object() -> Unsupported {
    Unsupported::new("initialiser larger than its object")
}

fn is_zero(value: Value) -> bool {
    use LLVMValueKind as Kind;
    matches!(
        value.kind(),
        Kind::LLVMConstantAggregateZeroValueKind
            | Kind::LLVMConstantPointerNullValueKind
            | Kind::LLVMUndefValueValueKind
            | Kind::LLVMPoisonValueKind
    )
}

fn add_offset(base: ConstValue, bytes: i64) -> Option<ConstValue> {
    match base {
        ConstValue::Int { width, value } => Some(int(width, value.wrapping_add(bytes as u128))),
        ConstValue::Global { global, offset } => Some(ConstValue::Global {
            global,
            offset: offset.wrapping_add(bytes),
        }),
        ConstValue::Function(_) => (bytes == 0).then_some(base),
    }
}

fn fold(op: BinOp, width: u8, a: ConstValue, b: ConstValue) -> Option<ConstValue> {
    use ConstValue::{Global, Int};
    match (op, a, b) {
        (_, Int { value: x, .. }, Int { value: y, .. }) => {
            Some(int(width, eval_bin(op, u32::from(width), x, y)))
        }
        (BinOp::Add, address, Int { value, .. }) | (BinOp::Add, Int { value, .. }, address) => {
            add_offset(address, value as i64)
        }
        (BinOp::Sub, address, Int { value, .. }) => {
            add_offset(address, (value as i64).wrapping_neg())
        }
        (
            BinOp::Sub,
            Global { global, offset },
            Global {
                global: other,
                offset: start,
            },
        ) if global == other => Some(int(width, offset.wrapping_sub(start) as u128)),
        (BinOp::Sub, ConstValue::Function(f), ConstValue::Function(g)) if f == g => {
            Some(int(width, 0))
        }
        _ => None,
    }
}
