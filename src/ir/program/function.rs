//! A function: its slots, constants, code and the side tables that instructions point into.
//!
//! Invariant: `code` is the blocks' instructions one after the other; block `b` starts at
//! `blocks[b].start` and its last instruction is its only terminator (a `Unsupported` may also
//! stand last). `locations` runs parallel to `code`.

use super::{BlockId, BranchId, ConstValue, FuncId, Inst, LocId, Origin, Slot, TextId};
use serde::{Deserialize, Serialize};

/// A formal parameter: `width` bits in `slot` (and `slot + 1` above 64 bits).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Param {
    pub slot: Slot,
    pub width: u32,
    /// `byval`: the callee gets the address of a copy of this size and alignment in bytes.
    pub byval: Option<(u64, u32)>,
    /// The parameter's name where debug information or the bitcode has it, for error reports; else
    /// empty.
    pub name: String,
}

/// A stack object of fixed size in bytes, one per frame, made when the frame is made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FrameObject {
    pub size: u64,
    pub align: u32,
    /// The variable's name where debug information has it, for error reports.
    pub name: String,
    pub declared: Declared,
    /// A local of a block, which has two entries in a row that take turns, both among the first
    /// 64. There is none before the block begins (`Inst::ScopeBegin`).
    pub in_block: bool,
}

/// Type and place of a local in the source, for error reports; empty without debug information.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Declared {
    pub ty: String,
    pub location: LocId,
}

impl Default for Declared {
    fn default() -> Self {
        Self {
            ty: String::new(),
            location: LocId(0),
        }
    }
}

/// A basic block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockInfo {
    /// Index into `code` of the first instruction.
    pub start: u32,
}

/// Parallel assignments `(width, dst, src)`: all sources are read before any destination is
/// written.
pub type Moves = Vec<(u8, Slot, Slot)>;

/// The cases of a switch, or the targets of a computed goto (value = the block address's number).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SwitchTable {
    /// `(value, target, side)`; `side` numbers the distinct targets of the branch site.
    pub cases: Vec<(u128, BlockId, u32)>,
    pub default: BlockId,
    pub default_side: u32,
    pub branch: Option<BranchId>,
}

/// Target of a call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Callee {
    Direct(FuncId),
    /// Through the function pointer in this slot.
    Indirect(Slot),
    /// Inline assembly: text and constraints.
    Assembly {
        text: TextId,
        constraints: TextId,
    },
}

/// A call that an instruction makes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallSite {
    pub callee: Callee,
    /// First slot and width in bits of each argument; a scalarized aggregate gives several.
    pub args: Vec<(Slot, u32)>,
    /// `byval` size and alignment by argument, in bytes.
    pub byval: Vec<Option<(u64, u32)>>,
    /// The first argument index that belongs to `...`, if the callee's type is variadic.
    pub variadic_from: Option<u32>,
    /// ABI class of each argument (for the va_list layout).
    pub arg_classes: Vec<ArgClass>,
    /// First slot and width of each returned value; empty for void.
    pub results: Vec<(Slot, u32)>,
    /// The call is marked noreturn.
    pub noreturn: bool,
    /// Entry of the function's `landings` for an exception from the call. The last three results
    /// are then 1 bit (an exception came), the exception and the selector; a normal return writes
    /// zeros there.
    pub landing: Option<u32>,
}

impl CallSite {
    /// Returns the number of results that the callee returns.
    pub fn returned(&self) -> usize {
        match self.landing {
            Some(_) => self.results.len().saturating_sub(LANDING_RESULTS),
            None => self.results.len(),
        }
    }
}

/// Results of a call that say whether an exception came, which, and what catches it.
pub const LANDING_RESULTS: usize = 3;

/// A landing pad: what it does with which exceptions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Landing {
    /// True if it also runs for exceptions that it does not catch.
    pub cleanup: bool,
    /// In the order in which they are tried.
    pub clauses: Vec<Clause>,
}

/// One type of a clause of a landing pad, or the start of a list of types.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clause {
    pub kind: ClauseKind,
    /// Selector that the landing pad gets if this matches.
    pub selector: i32,
    /// The address of the type's `std::type_info`; 0 is any type.
    pub of: ConstValue,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ClauseKind {
    /// Exceptions that this type can catch.
    Catch,
    /// Exceptions that none of the types that follow can catch.
    Filter,
    /// A type of the filter before it.
    Listed,
}

/// Class of an argument in the System V x86-64 ABI; matters for variadic arguments only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ArgClass {
    Integer,
    /// float and double: XMM registers.
    Sse,
    /// long double and byval: the overflow area.
    Memory,
    /// A further element of a vector that is one argument: in the register of the element before
    /// it.
    Continued,
}

/// A function. A declaration has empty `blocks`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub origin: Origin,
    pub params: Vec<Param>,
    /// Widths in bits of the values it returns; empty for void.
    pub returns_widths: Vec<u32>,
    pub variadic: bool,
    pub noreturn: bool,
    /// Some instruction or initializer holds its address.
    pub address_taken: bool,
    /// Number of 64-bit slots of a frame.
    pub slots: u32,
    /// Values put into slots when a frame is made.
    pub constants: Vec<(Slot, ConstValue)>,
    pub frame_objects: Vec<FrameObject>,
    pub code: Vec<Inst>,
    pub locations: Vec<LocId>,
    pub blocks: Vec<BlockInfo>,
    pub calls: Vec<CallSite>,
    pub moves: Vec<Moves>,
    pub switches: Vec<SwitchTable>,
    /// Slots and widths of each `Return`.
    pub returns: Vec<Vec<(Slot, u32)>>,
    pub landings: Vec<Landing>,
    /// True if returning is the only way to leave the function, so no exception passes it.
    pub stops_exceptions: bool,
    /// Definition of the function.
    pub location: LocId,
}

impl Function {
    /// The declaration of a function of the program without parameters and results.
    pub fn declaration(name: impl Into<String>) -> Function {
        Function {
            name: name.into(),
            origin: Origin::Program,
            params: Vec::new(),
            returns_widths: Vec::new(),
            variadic: false,
            noreturn: false,
            address_taken: false,
            slots: 0,
            constants: Vec::new(),
            frame_objects: Vec::new(),
            code: Vec::new(),
            locations: Vec::new(),
            blocks: Vec::new(),
            calls: Vec::new(),
            moves: Vec::new(),
            switches: Vec::new(),
            returns: Vec::new(),
            landings: Vec::new(),
            stops_exceptions: false,
            location: LocId(0),
        }
    }

    /// True if the function has a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The range of `code` of a block.
    pub fn block_range(&self, block: BlockId) -> std::ops::Range<usize> {
        let start = self.blocks[block.index()].start as usize;
        let end = self
            .blocks
            .get(block.index() + 1)
            .map_or(self.code.len(), |next| next.start as usize);
        start..end
    }

    /// The blocks that the block's terminator may jump to, in the terminator's order (duplicates
    /// kept).
    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        match self.code[self.block_range(block)].last() {
            Some(Inst::Jump { target }) => vec![*target],
            Some(Inst::Branch {
                then, otherwise, ..
            }) => vec![*then, *otherwise],
            Some(Inst::Switch { table, .. }) => {
                let table = &self.switches[*table as usize];
                let cases = table.cases.iter().map(|case| case.1);
                cases.chain(std::iter::once(table.default)).collect()
            }
            Some(Inst::IndirectBranch { table, .. }) => self.switches[*table as usize]
                .cases
                .iter()
                .map(|case| case.1)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The branch site that a terminator belongs to.
    pub fn branch_of(&self, inst: &Inst) -> Option<BranchId> {
        match inst {
            Inst::Branch { branch, .. } => *branch,
            Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. } => {
                self.switches[*table as usize].branch
            }
            _ => None,
        }
    }
}
