//! Lowering of a linked module to the IR: which functions and globals, and the tables they share.
//!
//! Invariant: only what the roots (entry, constructors, runtime entries) reach is lowered, in order
//! of discovery, which depends on the bitcode alone. What cannot be expressed becomes a
//! `Unsupported` instruction and a line in `unsupported_in_lowering`; lowering itself cannot fail.

mod assembly;
mod call;
mod checked_pointers;
mod cleanup;
mod constant;
mod convert;
mod declarations;
mod edges;
mod effects;
mod exceptions;
mod folded;
mod function;
mod instruction;
mod intrinsics;
mod liveness;
mod marked_values;
mod marks;
mod memory;
mod names;
mod order;
mod relative;
mod sections;
mod simplify;
mod starting;
mod syscall_pruning;
mod types;
mod undefined;
mod vector;
mod watched;
mod wide;
mod x86;

use super::c_api::{Block, LLVMLinkage, ModuleRef, SourcePosition, Value, metadata_kind};
pub(crate) use super::link::definitions::resolve_function;
use super::read::tag::{BRANCH_METADATA, ORIGIN_ATTRIBUTE, TaggedBranch, origin_of};
use effects::EffectsOfCalls;
pub use exceptions::RESUME;
use homi_ir::program::watch::Watch;
use homi_ir::program::{
    BranchId, BranchSite, FuncId, Function, Global, GlobalId, GlobalInit, LocId, Location, Origin,
    Param, Program, TextId, is_builtin, linker_symbol,
};

use rustc_hash::{FxHashMap, FxHashSet};
use sections::Sections;
use syscall_pruning::ReachableSyscalls;
use types::Types;

/// Something that cannot be lowered, in words that a user can search for.
#[derive(Clone, Debug)]
pub struct Unsupported(pub String);

impl Unsupported {
    pub fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

/// Roots of lowering.
pub struct Roots<'a> {
    /// The bitcode file's name.
    pub name: String,
    /// The entry function's name; it exists.
    pub entry: &'a str,
    /// Further functions to keep if they are defined.
    pub others: &'a [&'a str],
    /// Keep apart what is undefined; otherwise it is zero.
    pub track_undefined: bool,
    /// Undefined values that are not poison are any value.
    pub unset_is_any: bool,
    /// Locals of blocks end with their blocks.
    pub ends_blocks: bool,
    /// Keep what is promised of sums, differences, products and left shifts of the program's own.
    pub track_overflow: bool,
    /// A switch tests one case after the other.
    pub simple_switches: bool,
    /// Events of the program's threads to observe.
    pub watch: Watch,
    /// The compiler checked the program's signed sums, differences and products itself.
    pub checks_overflow: bool,
    /// True if clang's sanitizer checks the shifts of all modules.
    pub checks_shifts: bool,
    /// Names of the native program's constructors in the order in which they run, if known.
    pub constructors: &'a [String],
}

/// The state of lowering one module.
pub struct Lowering<'m> {
    module: ModuleRef,
    types: Types,
    branch_kind: u32,
    /// All numbered branches of the linked module, and the ids of the program's branches.
    branches: &'m [TaggedBranch],
    branch_ids: Vec<Option<BranchId>>,
    program: Program,
    functions: FxHashMap<Value, FuncId>,
    globals: FxHashMap<Value, GlobalId>,
    /// Tables of relative addresses and their replacements (see `absolute_table`).
    absolute_tables: FxHashMap<Value, Option<GlobalId>>,
    files: FxHashMap<String, u32>,
    locations: FxHashMap<Location, LocId>,
    texts: FxHashMap<String, TextId>,
    sections: Sections,
    function_queue: Vec<Value>,
    global_queue: Vec<Value>,
    /// The numbers of types that exceptions may have.
    type_numbers: FxHashMap<Value, i32>,
    /// System calls that the program can make.
    syscall_entries: ReachableSyscalls,
    /// Some function says its type in the bytes before it.
    has_signatures: bool,
    /// Effects of the program's calls, where marks ask for them.
    effects: EffectsOfCalls,
    /// Defined functions of the linked module by name, for libm calls of intrinsics.
    roots: &'m Roots<'m>,
}

/// Returns the number that represents a block's address: its position in the function, from 1.
pub fn block_number(function: Value, block: Block) -> Option<u128> {
    let position = function.blocks().iter().position(|other| *other == block)?;
    Some(position as u128 + 1)
}

/// Returns true if a function of the program has no unwind table, as C may be compiled.
fn stops_exceptions(function: Value) -> bool {
    let has = |name| function.has_function_attribute(name);
    !function.is_declaration()
        && origin_of(function) == Origin::Program
        && has("nounwind")
        && !has("uwtable")
        && !function.has_personality()
}

/// The eight bytes that clang's function sanitizer puts before a function: a mark and the type.
fn signature(module: ModuleRef, function: Value) -> Option<u64> {
    match function.numbers_metadata(module, "func_sanitize")[..] {
        [mark, ty] => Some(mark & 0xffff_ffff | ty << 32),
        _ => None,
    }
}

/// Lowers everything that `roots` reach.
pub fn lower<'m>(module: ModuleRef, roots: &'m Roots<'m>, branches: &'m [TaggedBranch]) -> Program {
    module.use_debug_intrinsics();
    let mut lowering = Lowering {
        module,
        types: Types::new(module.data_layout()),
        branch_kind: metadata_kind(module, BRANCH_METADATA),
        branches,
        branch_ids: vec![None; branches.len()],
        program: Program::empty(&roots.name),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        absolute_tables: FxHashMap::default(),
        sections: Sections::find(module),
        files: FxHashMap::default(),
        locations: FxHashMap::default(),
        texts: FxHashMap::default(),
        function_queue: Vec::new(),
        global_queue: Vec::new(),
        type_numbers: FxHashMap::default(),
        syscall_entries: ReachableSyscalls::find(module),
        effects: EffectsOfCalls::default(),
        has_signatures: module
            .functions()
            .into_iter()
            .any(|function| signature(module, function).is_some()),
        roots,
    };
    lowering.program.pointers = lowering.types.pointers;
    lowering.run();
    lowering.program
}

impl Lowering<'_> {
    fn run(&mut self) {
        self.intern_file(""); // file 0 and location 0 are "unknown"
        self.intern_location(None);
        // The program's branches keep their numbers, reached or not; the runtime's get numbers only
        // if they are reached.
        for number in 0..self.branches.len() {
            if self.branches[number].origin == Origin::Program {
                self.branch_id(number);
            }
        }
        self.add_roots();
        self.drain();
        self.collect_undefined();
        self.program.unsupported_in_lowering.sort();
        self.program.unsupported_in_lowering.dedup();
    }

    fn add_roots(&mut self) {
        let resolve = |module: ModuleRef, name: &str| {
            module
                .function(name)
                .or_else(|| module.alias(name).and_then(resolve_function))
                .filter(|function| !function.is_declaration())
        };
        if let Some(entry) = resolve(self.module, self.roots.entry) {
            // Its arguments come from elsewhere.
            self.syscall_entries.note_address(entry);
            self.program.entry = self.function_id(entry);
        }
        if let Some(start) = resolve(self.module, super::RUNTIME_ENTRY) {
            self.program.runtime_entry = Some(self.function_id(start));
        }
        if let Some(resolvers) = resolve(self.module, super::link::indirect::RESOLVE) {
            let id = self.function_id(resolvers);
            self.program.constructors.push(id);
        }
        let constructors = self.constructors();
        self.program.constructors.extend(constructors);
        self.program.destructors = self.destructors();
        for name in self.roots.others {
            if let Some(function) = resolve(self.module, name) {
                self.syscall_entries.note_address(function);
                self.function_id(function);
            }
        }
    }

    /// Functions and globals queue each other until nothing is left.
    fn drain(&mut self) {
        loop {
            if let Some(function) = self.function_queue.pop() {
                let id = self.functions[&function];
                let lowered = function::lower_function(self, function, id);
                self.program.functions[id.index()] = lowered;
            } else if let Some(global) = self.global_queue.pop() {
                let id = self.globals[&global];
                if self.absolute_table(global).is_some() {
                    // Only its twin can be read.
                    self.program.globals[id.index()].init = GlobalInit::External;
                } else if let Some(value) = global.initializer() {
                    let size = self.program.globals[id.index()].size;
                    self.program.globals[id.index()].init = self.initialiser(value, size);
                }
            } else if self.fill_next_section() {
                continue;
            } else if let Some(chooser) = self.due_chooser() {
                self.function_queue.push(chooser);
            } else {
                return;
            }
        }
    }

    /// The id of a function; its body is lowered later.
    fn function_id(&mut self, function: Value) -> FuncId {
        if let Some(id) = self.functions.get(&function) {
            return *id;
        }
        let id = FuncId::new(self.program.functions.len());
        self.functions.insert(function, id);
        let declaration = self.declare(function);
        self.program.functions.push(declaration);
        if let Some(bytes) = signature(self.module, function) {
            self.program.signatures.push((id, bytes));
        }
        if !function.is_declaration() && !self.syscall_entries.is_chooser(function) {
            self.function_queue.push(function);
        }
        id
    }

    /// A function without its body.
    fn declare(&mut self, function: Value) -> Function {
        let ty = function.global_value_type();
        let mut params = Vec::new();
        let mut slots = 0u32;
        let parameters = function.parameters();
        for (index, parameter) in ty.parameter_types().into_iter().enumerate() {
            let name = parameters
                .get(index)
                .map_or_else(String::new, |value| value.name());
            let byval = function.byval_type(index as u32).map(|pointee| {
                let align = function.parameter_alignment(index as u32);
                (
                    self.types.layout.allocation_size(pointee),
                    align.max(self.types.layout.alignment(pointee)),
                )
            });
            let Ok(leaves) = self.types.leaves(parameter) else {
                continue;
            };
            for leaf in leaves.iter() {
                let width = leaf.scalar.width();
                params.push(Param {
                    slot: homi_ir::program::Slot(slots),
                    width: u32::from(width),
                    byval,
                    name: name.clone(),
                });
                slots += u32::from(width).div_ceil(64);
            }
        }
        let returns = self.types.leaves(ty.return_type());
        let position = function.function_position();
        let name = function.name();
        Function {
            origin: if function.is_declaration() {
                Origin::Program
            } else {
                origin_of(function)
            },
            params,
            returns_widths: returns
                .map(|leaves| {
                    let widths = leaves.iter().map(|leaf| u32::from(leaf.scalar.width()));
                    widths.collect()
                })
                .unwrap_or_default(),
            variadic: ty.is_variadic(),
            noreturn: function.has_function_attribute("noreturn"),
            stops_exceptions: stops_exceptions(function),
            slots,
            location: self.intern_location(position.as_ref()),
            ..Function::declaration(name)
        }
    }

    /// Returns the part of the linked program that a global variable comes from.
    fn origin_of(&self, global: Value) -> Origin {
        match global
            .text_metadata(self.module, ORIGIN_ATTRIBUTE)
            .as_deref()
        {
            Some("libc") => Origin::Libc,
            Some("runtime") => Origin::Runtime,
            _ => Origin::Program,
        }
    }

    /// The id of a global variable; its initializer is lowered later.
    fn global_id(&mut self, global: Value) -> GlobalId {
        if let Some(id) = self.globals.get(&global) {
            return *id;
        }
        let id = GlobalId::new(self.program.globals.len());
        self.globals.insert(global, id);
        let (size, align) = extent(self.module, global);
        let external = global.is_declaration();
        let position = global.global_position(self.module);
        let location = self.intern_location(position.as_ref());
        self.program.globals.push(Global {
            name: global.name(),
            origin: self.origin_of(global),
            size,
            align,
            constant: global.is_constant_global(),
            thread_local: global.is_thread_local(),
            init: if external {
                GlobalInit::External
            } else {
                GlobalInit::Zero
            },
            location,
        });
        if !external {
            self.global_queue.push(global);
        }
        id
    }

    fn intern_file(&mut self, name: &str) -> u32 {
        if let Some(index) = self.files.get(name) {
            return *index;
        }
        let index = self.program.files.len() as u32;
        self.program.files.push(name.to_string());
        self.files.insert(name.to_string(), index);
        index
    }

    fn intern_location(&mut self, position: Option<&SourcePosition>) -> LocId {
        let location = match position {
            Some(position) => Location {
                file: self.intern_file(&position.file),
                line: position.line,
                column: position.column,
            },
            None => Location {
                file: 0,
                line: 0,
                column: 0,
            },
        };
        if let Some(id) = self.locations.get(&location) {
            return *id;
        }
        let id = LocId::new(self.program.locations.len());
        self.program.locations.push(location);
        self.locations.insert(location, id);
        id
    }

    /// The branch site of a number that `number_branches` gave.
    fn branch_id(&mut self, number: usize) -> Option<BranchId> {
        let branch = self.branches.get(number)?;
        if let Some(id) = self.branch_ids[number] {
            return Some(id);
        }
        let id = BranchId::new(self.program.branches.len());
        let location = self.intern_location(branch.position.as_ref());
        self.program.branches.push(BranchSite {
            kind: branch.kind,
            sides: branch.sides,
            function: branch.function.clone(),
            origin: branch.origin,
            location,
            condition: branch.condition,
        });
        self.branch_ids[number] = Some(id);
        Some(id)
    }

    fn intern_text(&mut self, text: &str) -> TextId {
        if let Some(id) = self.texts.get(text) {
            return *id;
        }
        let id = TextId::new(self.program.texts.len());
        self.program.texts.push(text.to_string());
        self.texts.insert(text.to_string(), id);
        id
    }

    fn note_unsupported(&mut self, what: String) {
        self.program.unsupported_in_lowering.push(what);
    }

    /// A function of the linked module by name, if it has a body or is a built-in.
    fn callable(&mut self, name: &str) -> Option<FuncId> {
        let function = self
            .module
            .function(name)
            .or_else(|| self.module.alias(name).and_then(resolve_function))?;
        (!function.is_declaration() || is_builtin(name)).then(|| self.function_id(function))
    }

    /// A built-in function of words (`int f(int...)`), declared if the program does not call it
    /// itself.
    fn word_function(&mut self, name: &str, parameters: usize) -> Option<FuncId> {
        let function = match self.module.function(name) {
            Some(function) => function,
            None => self.module.add_word_function(name, parameters)?,
        };
        Some(self.function_id(function))
    }

    fn collect_undefined(&mut self) {
        let mut names: Vec<String> = Vec::new();
        for function in &self.program.functions {
            if !function.is_defined() && !is_builtin(&function.name) {
                names.push(function.name.clone());
            }
        }
        let twins = self.absolute_tables.iter();
        let tables = twins.filter_map(|(table, twin)| twin.and(self.globals.get(table)));
        let replaced: FxHashSet<GlobalId> = tables.copied().collect();
        for (index, global) in self.program.globals.iter().enumerate() {
            let external = global.init == GlobalInit::External;
            let known = linker_symbol(&global.name).is_some();
            if external && !known && !replaced.contains(&GlobalId::new(index)) {
                names.push(global.name.clone());
            }
        }
        names.sort();
        names.dedup();
        self.program.undefined = names;
    }
}

/// A global variable's size and alignment in bytes.
fn extent(module: ModuleRef, global: Value) -> (u64, u32) {
    let (ty, layout) = (global.global_value_type(), module.data_layout());
    let (size, natural) = if ty.is_sized() {
        (layout.allocation_size(ty), layout.alignment(ty))
    } else {
        (0, 1)
    };
    (size, global.alignment().max(natural).max(1))
}

/// True for functions that a declaration may leave undefined (`__attribute__((weak))`).
pub fn is_weak_reference(value: Value) -> bool {
    value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage && value.is_declaration()
}
