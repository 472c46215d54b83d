//! The program's globals: where they lie in memory, and what they begin with.
//!
//! Invariant: addresses depend on the program alone, so that they are the same for every state.

use crate::memory::{AllocationSite, Memory, ObjectKind, function_address};
use homi_ir::program::{
    ConstValue, FuncId, Global, GlobalId, GlobalInit, LinkerSymbol, Program, linker_symbol,
};
use std::collections::BTreeMap;

/// Reason why a program cannot run at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("global {name} of {size} bytes does not fit into memory")]
    GlobalTooLarge { name: String, size: u64 },
    #[error("the initial value of global {name} cannot be written: {reason}")]
    BadInitialiser { name: String, reason: String },
    #[error("the program to run is malformed: {0}")]
    Malformed(String),
}

/// The globals of a program in memory.
pub(super) struct Globals<'a> {
    program: &'a Program,
    addresses: Vec<u64>,
    /// Memory with all of them in place, and nothing else.
    pub(super) image: Memory,
}

impl<'a> Globals<'a> {
    /// Gives globals their addresses, which depend on `variation`, and initial values.
    pub(super) fn new(program: &'a Program, variation: u16) -> Result<Self, SetupError> {
        let mut image = Memory::new(program.pointers);
        image.vary(variation);
        let last_function = FuncId::new(program.functions.len());
        image.keep_for_functions(function_address(last_function));
        let addresses = allocate_globals(program, &mut image)?;
        let mut globals = Self {
            program,
            addresses,
            image,
        };
        globals.initialise()?;
        globals.initialise_signatures();
        Ok(globals)
    }

    /// The address of a global variable.
    pub(super) fn address(&self, global: GlobalId) -> u64 {
        self.addresses[global.index()]
    }

    /// A constant's width in bits and value.
    pub(super) fn constant(&self, value: ConstValue) -> (u32, u128) {
        match value {
            ConstValue::Int { width, value } => (u32::from(width), value),
            ConstValue::Global { global, offset } => {
                let base = self.address(global);
                let address = base.wrapping_add_signed(offset);
                (64, u128::from(self.program.pointers.address(address)))
            }
            ConstValue::Function(function) => (64, u128::from(function_address(function))),
        }
    }

    fn initialise(&mut self) -> Result<(), SetupError> {
        for (index, global) in self.program.globals.iter().enumerate() {
            let address = self.addresses[index];
            let bad = |error: &dyn std::fmt::Display| SetupError::BadInitialiser {
                name: global.name.clone(),
                reason: error.to_string(),
            };
            if let GlobalInit::Bytes { bytes, relocations } = &global.init {
                let mut bytes = bytes.clone();
                for relocation in relocations {
                    let (_, value) = self.constant(relocation.value);
                    let at = relocation.offset as usize;
                    let width = self.program.pointers.bytes() as usize;
                    let Some(place) = bytes.get_mut(at..at + width) else {
                        return Err(bad(&"a pointer lies outside of it"));
                    };
                    place.copy_from_slice(&value.to_le_bytes()[..width]);
                }
                self.image
                    .initialise(address, &bytes)
                    .map_err(|error| bad(&error))?;
            }
        }
        Ok(())
    }

    /// Writes the bytes before functions, if a program checks the types of its callees. Functions
    /// that were built without the check accept any type.
    fn initialise_signatures(&mut self) {
        if self.program.signatures.is_empty() {
            return;
        }
        let signatures = &self.program.signatures;
        let bytes: BTreeMap<FuncId, u64> = signatures.iter().copied().collect();
        for index in 0..self.program.functions.len() {
            let id = FuncId::new(index);
            let at = function_address(id) - 8;
            let site = AllocationSite::Engine("the type of a function");
            if self.program.function(id).address_taken && self.image.define_fixed(at, 8, site) {
                let bytes = bytes.get(&id).copied().unwrap_or(0).to_le_bytes();
                let _ = self.image.initialise(at, &bytes);
            }
        }
    }
}

/// The globals in the order in which they get their addresses. If the program names borders of its
/// data, what lies between them does.
fn order_of_globals(program: &Program) -> Vec<usize> {
    let mut order: Vec<usize> = (0..program.globals.len()).collect();
    let border = |global: &Global| match global.init {
        GlobalInit::External => linker_symbol(&global.name),
        _ => None,
    };
    if program
        .globals
        .iter()
        .any(|global| border(global).is_some())
    {
        // A border counts for what is before it, and comes behind it.
        order.sort_by_key(|index| {
            let global = &program.globals[*index];
            match (border(global), &global.init) {
                (None, _) if global.constant => 0,
                (Some(LinkerSymbol::DataStart), _) => 1,
                (Some(border), _) => 2 * border as u8,
                (None, GlobalInit::Bytes { .. }) => 2 * LinkerSymbol::DataEnd as u8 - 1,
                (None, _) => 2 * LinkerSymbol::End as u8 - 1,
            }
        });
    }
    order
}

/// The address of a border of the code.
fn border_of_code(program: &Program, global: &Global) -> Option<u64> {
    let border = linker_symbol(&global.name).filter(|_| global.init == GlobalInit::External)?;
    let count = match border {
        LinkerSymbol::CodeStart => 0,
        LinkerSymbol::CodeEnd => program.functions.len(),
        _ => return None,
    };
    Some(function_address(FuncId::new(count)))
}

fn allocate_globals(program: &Program, image: &mut Memory) -> Result<Vec<u64>, SetupError> {
    let mut addresses = vec![0; program.globals.len()];
    for index in order_of_globals(program) {
        let global = &program.globals[index];
        if let Some(address) = border_of_code(program, global) {
            addresses[index] = address;
            continue;
        }
        let kind = match global.init {
            GlobalInit::External => ObjectKind::External,
            _ => ObjectKind::Global {
                constant: global.constant,
            },
        };
        let site = AllocationSite::Global(GlobalId::new(index));
        let address = image
            .allocate(kind, global.size, u64::from(global.align.max(1)), site)
            .ok_or_else(|| SetupError::GlobalTooLarge {
                name: global.name.clone(),
                size: global.size,
            })?;
        addresses[index] = address;
    }
    Ok(addresses)
}
