//! LLVM types as lists of scalars: how a value spreads over slots and where each part lies in
//! memory.
//!
//! Invariant: every first-class type flattens to parts of 1 to 128 bits, in memory order, an
//! integer of more than 128 bits to parts of 64 bits (see `wide`); what does not flatten (scalable
//! vectors, huge arrays) is a [`Unsupported`], never a panic.

use super::Unsupported;
use crate::c_api::{DataLayout, LLVMTypeKind, Type};
use homi_ir::program::{FloatKind, PointerWidth};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More parts than this in one register value is an unsupported feature; memory can hold more.
const MAX_PARTS: usize = 4096;

/// Bits of each part but the last one of an integer of more than 128 bits.
pub const WIDE_PART: u8 = 64;

/// The parts of an integer of `width` bits by their widths, the lowest bits first.
pub fn integer_parts(width: u32) -> Vec<u8> {
    if width <= 128 {
        return vec![width as u8];
    }
    let part = u32::from(WIDE_PART);
    (0..width)
        .step_by(part as usize)
        .map(|low| (width - low).min(part) as u8)
        .collect()
}

/// The type of one part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer of 1 to 128 bits.
    Int(u8),
    Pointer,
    Float(FloatKind),
}

impl Scalar {
    /// Width in bits in slots; pointers are narrower in the memory of 32-bit programs.
    pub fn width(self) -> u8 {
        match self {
            Scalar::Int(width) => width,
            Scalar::Pointer => 64,
            Scalar::Float(kind) => kind.width() as u8,
        }
    }

    pub fn float(self) -> Result<FloatKind, Unsupported> {
        match self {
            Scalar::Float(kind) => Ok(kind),
            _ => Err(Unsupported::new("floating-point operation on an integer")),
        }
    }
}

/// One part of a flattened type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub scalar: Scalar,
    /// Offset from the start of the value in memory, in bits; a multiple of 8 except in packed
    /// vectors.
    pub bit_offset: u64,
}

/// Flattens types, remembering the answers.
pub struct Types {
    pub layout: DataLayout,
    pub pointers: PointerWidth,
    leaves: FxHashMap<Type, Rc<[Leaf]>>,
}

impl Types {
    pub fn new(layout: DataLayout) -> Types {
        let pointers = match layout.pointer_bytes() {
            4 => PointerWidth::Bits32,
            _ => PointerWidth::Bits64,
        };
        Types {
            layout,
            pointers,
            leaves: FxHashMap::default(),
        }
    }

    /// Width in bits in memory.
    pub fn stored_width(&self, scalar: Scalar) -> u8 {
        match scalar {
            Scalar::Pointer => self.pointers.bits(),
            other => other.width(),
        }
    }

    /// The parts of a first-class type; empty for void, labels, tokens and metadata.
    pub fn leaves(&mut self, ty: Type) -> Result<Rc<[Leaf]>, Unsupported> {
        if let Some(known) = self.leaves.get(&ty) {
            return Ok(known.clone());
        }
        let mut list = Vec::new();
        self.collect(ty, 0, &mut list)?;
        let list: Rc<[Leaf]> = list.into();
        self.leaves.insert(ty, list.clone());
        Ok(list)
    }

    fn collect(
        &mut self,
        ty: Type,
        bit_offset: u64,
        list: &mut Vec<Leaf>,
    ) -> Result<(), Unsupported> {
        if list.len() > MAX_PARTS {
            return Err(Unsupported::new(
                "register value with thousands of elements",
            ));
        }
        let mut push = |scalar| list.push(Leaf { scalar, bit_offset });
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => {
                let width = ty.int_width();
                if width as usize > WIDE_PART as usize * MAX_PARTS {
                    return Err(Unsupported::new(format!("integer of {width} bits")));
                }
                for (index, width) in integer_parts(width).into_iter().enumerate() {
                    list.push(Leaf {
                        scalar: Scalar::Int(width),
                        bit_offset: bit_offset + index as u64 * u64::from(WIDE_PART),
                    });
                }
            }
            LLVMTypeKind::LLVMPointerTypeKind => push(Scalar::Pointer),
            LLVMTypeKind::LLVMHalfTypeKind => push(Scalar::Float(FloatKind::F16)),
            LLVMTypeKind::LLVMBFloatTypeKind => push(Scalar::Float(FloatKind::BF16)),
            LLVMTypeKind::LLVMFloatTypeKind => push(Scalar::Float(FloatKind::F32)),
            LLVMTypeKind::LLVMDoubleTypeKind => push(Scalar::Float(FloatKind::F64)),
            LLVMTypeKind::LLVMX86_FP80TypeKind => push(Scalar::Float(FloatKind::X87)),
            LLVMTypeKind::LLVMFP128TypeKind => push(Scalar::Float(FloatKind::F128)),
            // Gone from LLVM 20 on, whose reader makes vectors of it.
            #[cfg(feature = "llvm19")]
            LLVMTypeKind::LLVMX86_MMXTypeKind => push(Scalar::Int(64)),
            LLVMTypeKind::LLVMVoidTypeKind
            | LLVMTypeKind::LLVMLabelTypeKind
            | LLVMTypeKind::LLVMTokenTypeKind
            | LLVMTypeKind::LLVMMetadataTypeKind => {}
            LLVMTypeKind::LLVMStructTypeKind if ty.is_sized() => {
                for (index, element) in ty.struct_elements().into_iter().enumerate() {
                    let offset = self.layout.element_offset(ty, index as u32) * 8;
                    self.collect(element, bit_offset + offset, list)?;
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let element = ty.element();
                let size = self.layout.allocation_size(element) * 8;
                let length = ty.array_length();
                if length > MAX_PARTS as u64 {
                    return Err(Unsupported::new(
                        "register value with thousands of elements",
                    ));
                }
                for index in 0..length {
                    self.collect(element, bit_offset + index * size, list)?;
                }
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                if let Some(width) = self.wide(ty.element()) {
                    return self.collect_wide_vector(ty, width, bit_offset, list);
                }
                let (scalar, count) = self.vector(ty)?;
                let width = u64::from(self.stored_width(scalar));
                for index in 0..u64::from(count) {
                    let bit_offset = bit_offset + index * width;
                    list.push(Leaf { scalar, bit_offset });
                }
            }
            _ => return Err(Unsupported::new(format!("type {}", ty.describe()))),
        }
        Ok(())
    }

    /// Elements of more than 128 bits: only of whole parts, which lie side by side. They are moved,
    /// not computed with (`lane`).
    fn collect_wide_vector(
        &mut self,
        ty: Type,
        width: u32,
        bit_offset: u64,
        list: &mut Vec<Leaf>,
    ) -> Result<(), Unsupported> {
        if width % u32::from(WIDE_PART) != 0 {
            return Err(Unsupported::new(format!("type {}", ty.describe())));
        }
        for index in 0..u64::from(ty.vector_length()) {
            self.collect(ty.element(), bit_offset + index * u64::from(width), list)?;
        }
        Ok(())
    }

    /// Element type and number of elements of a vector.
    pub fn vector(&mut self, ty: Type) -> Result<(Scalar, u32), Unsupported> {
        let element = ty.element();
        let leaves = self.leaves(element)?;
        match leaves[..] {
            [leaf] => Ok((leaf.scalar, ty.vector_length())),
            _ => Err(Unsupported::new(format!("type {}", ty.describe()))),
        }
    }

    /// The only part of a type that must be one.
    pub fn scalar(&mut self, ty: Type) -> Result<Scalar, Unsupported> {
        match self.leaves(ty)?[..] {
            [leaf] => Ok(leaf.scalar),
            _ => Err(match self.wide(ty) {
                Some(width) => Unsupported::new(format!("integer of {width} bits")),
                None => Unsupported::new(format!("scalar expected, not {}", ty.describe())),
            }),
        }
    }

    /// Bits of an integer type of more than 128 bits; `None` for all other types.
    pub fn wide(&self, ty: Type) -> Option<u32> {
        let is_integer = ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind;
        let width = is_integer.then(|| ty.int_width());
        width.filter(|width| *width > 128)
    }

    pub fn has_wide_elements(&self, ty: Type) -> bool {
        ty.kind() == LLVMTypeKind::LLVMVectorTypeKind && self.wide(ty.element()).is_some()
    }

    /// The element type of a scalar or vector type; integers of more than 128 bits have none.
    pub fn lane(&mut self, ty: Type) -> Result<Scalar, Unsupported> {
        if let Some(width) = self.wide(ty) {
            return Err(Unsupported::new(format!("integer of {width} bits")));
        }
        if self.has_wide_elements(ty) {
            return Err(Unsupported::new(format!("type {}", ty.describe())));
        }
        match self.leaves(ty)?.first() {
            Some(leaf) => Ok(leaf.scalar),
            None => Err(Unsupported::new(format!(
                "value expected, not {}",
                ty.describe()
            ))),
        }
    }

    /// Number of parts of elements before `index`, and of element `index`, in a struct or array.
    pub fn element_parts(&mut self, ty: Type, index: u32) -> Result<(usize, Type), Unsupported> {
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                let elements = ty.struct_elements();
                let mut before = 0;
                for element in &elements[..index as usize] {
                    before += self.leaves(*element)?.len();
                }
                Ok((before, elements[index as usize]))
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let element = ty.element();
                Ok((self.leaves(element)?.len() * index as usize, element))
            }
            _ => Err(Unsupported::new(format!(
                "aggregate expected, not {}",
                ty.describe()
            ))),
        }
    }

    /// True for vectors whose elements do not start at whole bytes.
    pub fn is_packed(&mut self, ty: Type) -> Result<bool, Unsupported> {
        let is_vector =
            ty.kind() == LLVMTypeKind::LLVMVectorTypeKind && !self.has_wide_elements(ty);
        Ok(is_vector && self.lane(ty)?.width() % 8 != 0)
    }
}
