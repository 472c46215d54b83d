//! Tables of relative addresses: position independent code from -O1 on turns a constant table of
//! pointers into 32-bit distances from the table's start, which `llvm.load.relative` reads.
//!
//! Idea: distances between objects mean nothing here, and would not fit into 32 bits. So each such
//! table has a twin with the addresses themselves, and the intrinsic reads the twin of whichever
//! table its operand points into. Invariant: a table that has a twin has no contents, so reading it
//! in another way is an unsupported feature.

use super::function::Body;
use super::{Lowering, Unsupported};
use crate::c_api::{LLVMOpcode, LLVMValueKind, Value};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{
    CastOp, ConstValue, Global, GlobalId, GlobalInit, Inst, LocId, Relocation, Slot,
};

/// Bytes of a distance.
const DISTANCE: u64 = 4;
/// Bytes of an address.
const ADDRESS: u64 = 8;

impl Lowering<'_> {
    /// The twin of a table of relative addresses; nothing if the global is none.
    pub(super) fn absolute_table(&mut self, table: Value) -> Option<GlobalId> {
        if let Some(known) = self.absolute_tables.get(&table) {
            return *known;
        }
        let made = self.make_absolute_table(table);
        self.absolute_tables.insert(table, made);
        made
    }

    fn make_absolute_table(&mut self, table: Value) -> Option<GlobalId> {
        if !is_relative_table(table) {
            return None;
        }
        let initialiser = table.initializer()?;
        let mut relocations = Vec::new();
        while let Some(element) = initialiser.aggregate_element(relocations.len() as u32) {
            let address = match distance_from(element, table) {
                Some(target) => self.single(target).ok()?,
                None => match self.single(element).ok()? {
                    ConstValue::Int { value, .. } => ConstValue::Global {
                        global: self.global_id(table),
                        offset: i64::from(value as i32),
                    },
                    _ => return None,
                },
            };
            if matches!(address, ConstValue::Int { .. }) {
                return None;
            }
            relocations.push(Relocation {
                offset: relocations.len() as u64 * ADDRESS,
                value: address,
            });
        }
        let twin = self.addresses(table, relocations);
        Some(twin)
    }

    /// A constant global that holds addresses.
    fn addresses(&mut self, table: Value, relocations: Vec<Relocation>) -> GlobalId {
        let size = relocations.len() as u64 * ADDRESS;
        let twin = GlobalId::new(self.program.globals.len());
        self.program.globals.push(Global {
            name: format!("{}.absolute", table.name()),
            origin: self.origin_of(table),
            size,
            align: ADDRESS as u32,
            constant: true,
            thread_local: false,
            init: GlobalInit::Bytes {
                bytes: vec![0; size as usize],
                relocations,
            },
            location: LocId(0),
        });
        twin
    }

    /// All tables of relative addresses, with their twins and numbers of elements.
    fn relative_tables(&mut self) -> Vec<(Value, GlobalId, u64)> {
        let globals = self.module.globals().into_iter();
        let tables: Vec<Value> = globals
            .filter(|global| is_relative_table(*global))
            .collect();
        let twins = tables.into_iter().filter_map(|table| {
            let twin = self.absolute_table(table)?;
            let elements = self.program.globals[twin.index()].size / ADDRESS;
            Some((table, twin, elements))
        });
        twins.collect()
    }
}

impl Body<'_, '_> {
    /// `llvm.load.relative(base, offset)`: `base` and the distance that is stored at `base +
    /// offset`.
    pub(super) fn load_relative(&mut self, inst: Value) -> Result<(), Unsupported> {
        let width = self.module.types.scalar(inst.operand(1).ty())?.width();
        let index = self.scalar(inst.operand(1))?;
        let offset = self.cast(CastOp::Sext, width, 64, index);
        if let Some(twin) = self.module.absolute_table(inst.operand(0)) {
            let address = self.load_address(twin, offset);
            self.define(inst, vec![address]);
            return Ok(());
        }
        let base = self.scalar(inst.operand(0))?;
        let place = self.bin(BinOp::Add, 64, base, offset);
        let mut read = place;
        let mut targets = Vec::new();
        for (table, twin, elements) in self.module.relative_tables() {
            let start = self.scalar(table)?;
            let inside = self.bin(BinOp::Sub, 64, place, start);
            let size = self.int(64, u128::from(elements * DISTANCE));
            let is_inside = self.cmp(CmpOp::Ult, 64, inside, size);
            // Elsewhere the first element is read, and not used.
            let zero = self.int(64, 0);
            let inside = self.select(64, is_inside, inside, zero);
            let target = self.load_address(twin, inside);
            // The distances are those from the table's start, whatever the base is.
            let shift = self.bin(BinOp::Sub, 64, base, start);
            let target = self.bin(BinOp::Add, 64, target, shift);
            targets.push((is_inside, target));
            let first = self.twin_start(twin);
            read = self.select(64, is_inside, first, read);
        }
        let distance = self.new_slot(32);
        self.emit(Inst::Load {
            w: 32,
            dst: distance,
            addr: read,
        });
        let distance = self.cast(CastOp::Sext, 32, 64, distance);
        let mut result = self.bin(BinOp::Add, 64, base, distance);
        for (is_inside, target) in targets {
            result = self.select(64, is_inside, target, result);
        }
        self.define(inst, vec![result]);
        Ok(())
    }

    fn twin_start(&mut self, twin: GlobalId) -> Slot {
        self.constant_slot(ConstValue::Global {
            global: twin,
            offset: 0,
        })
    }

    /// Loads the address in a twin that replaces the distance at an offset into the table.
    fn load_address(&mut self, twin: GlobalId, offset: Slot) -> Slot {
        let base = self.twin_start(twin);
        let addr = self.new_slot(64);
        self.emit(Inst::PtrAdd {
            iw: 64,
            dst: addr,
            base,
            index: offset,
            scale: (ADDRESS / DISTANCE) as u32,
            offset: 0,
        });
        let dst = self.new_slot(64);
        self.emit(Inst::Load { w: 64, dst, addr });
        dst
    }
}

/// Returns true if some element of a global is a distance from the global's start.
fn is_relative_table(global: Value) -> bool {
    if global.kind() != LLVMValueKind::LLVMGlobalVariableValueKind {
        return false;
    }
    let initialiser = global.initializer();
    let array = initialiser
        .filter(|initialiser| initialiser.kind() == LLVMValueKind::LLVMConstantArrayValueKind);
    array.is_some_and(|array| {
        let mut elements = (0..array.operand_count()).map(|index| array.operand(index));
        elements.any(|element| distance_from(element, global).is_some())
    })
}

/// The address whose distance from the start of `table` the constant is.
fn distance_from(constant: Value, table: Value) -> Option<Value> {
    let inner = |value: Value, opcode: LLVMOpcode| {
        (value.kind() == LLVMValueKind::LLVMConstantExprValueKind && value.const_opcode() == opcode)
            .then(|| value.operand(0))
    };
    let difference = inner(constant, LLVMOpcode::LLVMTrunc)?;
    let address = inner(difference, LLVMOpcode::LLVMSub)?;
    let start = inner(difference.operand(1), LLVMOpcode::LLVMPtrToInt)?;
    (start == table).then(|| inner(address, LLVMOpcode::LLVMPtrToInt))?
}
