//! The whole program: functions, globals, source locations and branch sites.
//!
//! Invariant: ids are dense and refer to these tables; `locations[0]` is the unknown location.

use super::{BranchId, FuncId, Function, GlobalId, LocId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Origin of a function; coverage for the user counts `Program` only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// The user's bitcode.
    Program,
    /// musl and the glibc shim.
    Libc,
    /// The modeled kernel and homi's own support code.
    Runtime,
}

/// Width of pointers in memory. Slots hold them zero-extended to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum PointerWidth {
    #[default]
    Bits64,
    Bits32,
}

impl PointerWidth {
    pub const fn bits(self) -> u8 {
        match self {
            PointerWidth::Bits64 => 64,
            PointerWidth::Bits32 => 32,
        }
    }

    pub const fn bytes(self) -> u32 {
        self.bits() as u32 / 8
    }

    /// A number as the address that it is.
    pub const fn address(self, number: u64) -> u64 {
        match self {
            PointerWidth::Bits64 => number,
            PointerWidth::Bits32 => number & 0xffff_ffff,
        }
    }
}

/// A constant that a slot or an initializer holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ConstValue {
    /// `width` bits (1 to 128).
    Int { width: u8, value: u128 },
    /// Address of a global plus bytes.
    Global { global: GlobalId, offset: i64 },
    /// Address of a function.
    Function(FuncId),
}

/// A pointer inside an initializer, at `offset`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Relocation {
    pub offset: u64,
    pub value: ConstValue,
}

/// The initial contents of a global.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum GlobalInit {
    /// All bytes are zero.
    Zero,
    /// Bytes (exactly `size`) with pointers patched in.
    Bytes {
        bytes: Vec<u8>,
        relocations: Vec<Relocation>,
    },
    /// Declared but defined nowhere: an access ends the path as an unsupported feature.
    External,
}

/// A global variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Global {
    pub name: String,
    pub origin: Origin,
    /// Size in bytes.
    pub size: u64,
    pub align: u32,
    pub constant: bool,
    /// True if each thread has its own object (runtime/kernel/threads.c). The variable is the
    /// object of the first thread.
    pub thread_local: bool,
    pub init: GlobalInit,
    /// Definition of the variable, for error reports.
    pub location: LocId,
}

/// A source position; `line` 0 is unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Location {
    /// Index into `Program::files`.
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// The kind of a branch site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BranchKind {
    Conditional,
    Switch,
    Indirect,
}

/// Expression of a branch's condition, in terms of its source: read from the bitcode as clang made
/// it, as far as the branch's block computes it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Condition {
    /// The result of a function that the program only declares, such as one of libc's.
    pub external_call: bool,
    /// A value of an integer type.
    pub integer: bool,
    /// A string literal.
    pub string: bool,
    /// A pointer, or what one points to.
    pub pointer: bool,
    /// A local variable or a parameter.
    pub local: bool,
}

/// A conditional branch, switch or computed goto of the source program, numbered in module order
/// before any pass. Side 0 of a conditional branch is its true side. A switch has one side per
/// distinct target block, in the order of first mention (default first, then the cases).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BranchSite {
    pub kind: BranchKind,
    pub sides: u32,
    pub function: String,
    pub origin: Origin,
    pub location: LocId,
    pub condition: Condition,
}

/// A program ready to run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The bitcode file's name, for messages and `.ktest` args.
    pub name: String,
    pub pointers: PointerWidth,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    pub files: Vec<String>,
    pub locations: Vec<Location>,
    pub branches: Vec<BranchSite>,
    /// Strings that instructions refer to by `TextId`.
    pub texts: Vec<String>,
    /// The function to start with (`main`, or what `--entry-point` named).
    pub entry: FuncId,
    /// `__homi_entry` if the libc and kernel model are linked in.
    pub runtime_entry: Option<FuncId>,
    /// `llvm.global_ctors` by priority, then `llvm.global_dtors`.
    pub constructors: Vec<FuncId>,
    pub destructors: Vec<FuncId>,
    /// The eight bytes before functions that have some there which say their type
    /// (`-fsanitize=function`).
    pub signatures: Vec<(FuncId, u64)>,
    /// Functions and variables that are declared, used and defined nowhere (and are not built-in).
    pub undefined: Vec<String>,
    /// Things lowering could not express; each is a `Unsupported` somewhere.
    pub unsupported_in_lowering: Vec<String>,
    /// The directories that the compiler was in, by file. They are for messages, as is what
    /// follows.
    pub directories: BTreeMap<String, String>,
    /// The program's first module that refers to each undefined name, by its source or file. It is
    /// for messages: no part of the text form, nor of what tells two programs apart, for which it
    /// stands last.
    pub wanted_by: BTreeMap<String, String>,
    /// Notes on `--function-alias`, for messages too.
    pub alias_notes: Vec<AliasNote>,
    /// Differences between this program and the native one that were seen when it was linked, for
    /// messages too.
    pub link_warnings: Vec<String>,
    /// Sanitizers that recorded command lines name (`-frecord-command-line`), for messages too.
    pub sanitizers: Vec<String>,
}

/// Result for a function that should be replaced.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AliasNote {
    /// True if it was not replaced.
    pub is_warning: bool,
    pub text: String,
}

impl AliasNote {
    pub fn warning(text: String) -> Self {
        Self {
            is_warning: true,
            text,
        }
    }

    pub fn done(text: String) -> Self {
        Self {
            is_warning: false,
            text,
        }
    }
}

impl Program {
    /// A program of this name with nothing in it, not even the location 0 and file 0 of what is
    /// unknown.
    pub fn empty(name: impl Into<String>) -> Program {
        Program {
            name: name.into(),
            pointers: PointerWidth::default(),
            functions: Vec::new(),
            globals: Vec::new(),
            files: Vec::new(),
            locations: Vec::new(),
            branches: Vec::new(),
            texts: Vec::new(),
            entry: FuncId(0),
            runtime_entry: None,
            constructors: Vec::new(),
            destructors: Vec::new(),
            signatures: Vec::new(),
            undefined: Vec::new(),
            unsupported_in_lowering: Vec::new(),
            directories: BTreeMap::new(),
            wanted_by: BTreeMap::new(),
            alias_notes: Vec::new(),
            link_warnings: Vec::new(),
            sanitizers: Vec::new(),
        }
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// The string that a constant points at, without its NUL; `None` if it is not a constant
    /// string.
    pub fn text_at(&self, value: &ConstValue) -> Option<&[u8]> {
        let ConstValue::Global { global, offset } = value else {
            return None;
        };
        let bytes = match &self.globals.get(global.index())?.init {
            GlobalInit::Bytes { bytes, relocations } if relocations.is_empty() => bytes,
            GlobalInit::Bytes { .. } | GlobalInit::Zero | GlobalInit::External => return None,
        };
        let rest = bytes.get(usize::try_from(*offset).ok()?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        Some(&rest[..end])
    }

    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter()
            .position(|function| function.name == name)
            .map(FuncId::new)
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// Names all files with the directories that the compiler was in.
    pub fn name_files_in_full(&mut self) {
        for file in &mut self.files {
            if let Some(directory) = self.directories.get(file)
                && !file.starts_with('/')
            {
                *file = format!("{directory}/{file}");
            }
        }
    }

    pub fn location(&self, id: LocId) -> Location {
        self.locations[id.index()]
    }

    pub fn branch(&self, id: BranchId) -> &BranchSite {
        &self.branches[id.index()]
    }

    /// `file:line` of a location, or `unknown`.
    pub fn describe_location(&self, id: LocId) -> String {
        let location = self.location(id);
        if location.line == 0 {
            return "unknown".to_string();
        }
        format!("{}:{}", self.files[location.file as usize], location.line)
    }
}
