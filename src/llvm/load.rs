//! One load from start to end: read, tag, passes, runtime, lower. Runs in the process that calls
//! it.
//!
//! Invariant: the program's modules are linked and numbered before anything else happens to them,
//! and the runtime comes after, so that the program's own definitions win and its branch numbers do
//! not depend on the runtime.

use super::alias;
use super::block_locals::mark_blocks;
use super::c_api::{LLVMLinkage, ModuleRef, Value};
use super::link::cxx;
use super::link::definitions::{
    give_up_function, is_definition, is_visible, separate_from_program, symbols, yield_to,
};
use super::link::indirect::bind_indirect_functions;
use super::link::join::{Joined, read_program, read_reporting};
use super::link::named::{TABLE as NAMES_TABLE, asked_names, fill_names};
use super::link::nearest;
use super::link::thread_locals::separate_threads;
use super::lower;
use super::lower::Roots;
use super::passes::prepare_program;
use super::read::error::LoadError;
use super::read::folded::report_folded;
use super::read::inputs::{ModuleSource, find_modules};
use super::read::modules::{link, read_module};
use super::read::tag::{TaggedBranch, mark_origin, number_branches};
use homi_ir::program::watch::Watch;
use homi_ir::program::{AliasNote, FUZZED, Origin, Program, is_builtin};
use inkwell::context::Context;
use inkwell::module::Module;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files to load, and options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoadOptions {
    /// Files of one program, linked in this order: bitcode, and files with embedded bitcode.
    pub inputs: Vec<PathBuf>,
    /// Holds `libc.bc` and `kernel.bc`; `None` loads the program without libc and kernel model.
    pub runtime_dir: Option<PathBuf>,
    /// The function to start with.
    pub entry: String,
    /// Bitcode of a harness that calls `entry` of the program, and the name of its `main`.
    pub harness: Option<(PathBuf, String)>,
    /// Functions of the program that functions of the runtime replace.
    pub replaced: Vec<String>,
    /// Functions to keep although nothing refers to them.
    pub keep: Vec<String>,
    /// Directory that caches lowered programs between runs; `None` disables the cache.
    pub cache_dir: Option<PathBuf>,
    /// Read the program so that the use of undefined values can be found.
    pub track_undefined: bool,
    /// Undefined values that are not poison are any value.
    pub unset_is_any: bool,
    /// Read the program so that arithmetic is found that overflows although it is promised not to.
    pub track_overflow: bool,
    /// Locals stay in memory.
    pub keep_locals: bool,
    /// Locals of blocks end with their blocks.
    pub ends_blocks: bool,
    /// Functions that others replace, as `NAME:OTHER`.
    pub aliases: Vec<String>,
    /// A switch tests one case after the other.
    pub simple_switches: bool,
    /// Events of the program's threads to observe while it runs.
    pub watch: Watch,
    /// CPU seconds that LLVM has to read a file in a child process, plus one for each MiB.
    pub reading_time: u64,
}

/// Default of `LoadOptions::reading_time`, a hundred times what real files need. Damaged ones can
/// keep LLVM's reader busy for hours.
pub const READING_TIME: u64 = 20;

impl LoadOptions {
    /// Loads `input` from `main` without runtime and cache.
    pub fn new(input: impl Into<PathBuf>) -> LoadOptions {
        LoadOptions {
            inputs: vec![input.into()],
            runtime_dir: None,
            entry: "main".to_string(),
            harness: None,
            replaced: Vec::new(),
            keep: Vec::new(),
            cache_dir: None,
            track_undefined: false,
            unset_is_any: false,
            track_overflow: false,
            keep_locals: false,
            ends_blocks: true,
            aliases: Vec::new(),
            simple_switches: false,
            watch: Watch::default(),
            reading_time: READING_TIME,
        }
    }
}

/// Files of the runtime directory, in link order.
pub(crate) const RUNTIME_FILES: [(&str, Origin); 2] =
    [("kernel.bc", Origin::Runtime), ("libc.bc", Origin::Libc)];

/// The folder of the runtime directory with the same files for programs that `-m32` made.
pub(crate) const RUNTIME_OF_32_BITS: &str = "i386";

/// Reads, links and lowers a program in this process.
pub fn load(options: &LoadOptions) -> Result<Program, LoadError> {
    load_reporting(options, &mut |_| {})
}

/// Returns true if a compiler's command line adds a sanitizer, before the compiler computes
/// anything itself.
fn has_sanitizer(line: &str, sanitizer: &str) -> bool {
    let names = |list: &str| {
        let mut names = list.split(',');
        names.any(|name| [sanitizer, "undefined", "integer"].contains(&name))
    };
    let mut words = line.split_whitespace();
    let last = words.rfind(|word| {
        let list = word
            .strip_prefix("-fno-sanitize=")
            .or(word.strip_prefix("-fsanitize="));
        list.is_some_and(names)
    });
    last.is_some_and(|word| word.starts_with("-fsanitize="))
}

/// Returns the sanitizers that command lines name.
fn sanitizers(lines: &[String]) -> Vec<String> {
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    let lists = words.filter_map(|word| word.strip_prefix("-fsanitize="));
    let mut names: Vec<String> = lists
        .flat_map(|list| list.split(','))
        .map(String::from)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Step of a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// LLVM reads this file next.
    Reading(&'a Path),
    /// LLVM has read the file of the last `Reading`.
    Read,
}

/// Told of each file before and after it is read.
pub type OnRead<'a> = &'a mut dyn FnMut(Event<'_>);

/// A program's modules and the runtime as one, with what lowering needs to know besides.
pub(crate) struct Linked<'c> {
    pub module: Module<'c>,
    pub branches: Vec<TaggedBranch>,
    wanted_by: BTreeMap<String, String>,
    warnings: Vec<String>,
    alias_notes: Vec<AliasNote>,
    constructors: Vec<String>,
    command_lines: Vec<String>,
    directories: BTreeMap<String, String>,
    has_all_lines: bool,
}

impl Linked<'_> {
    /// The module's handle, which must not outlive the module.
    pub fn handle(&self) -> ModuleRef {
        // SAFETY: the module lives as long as `self`.
        unsafe { ModuleRef::from_raw(self.module.as_mut_ptr()) }
    }

    /// Returns true if the compiler of every module added this sanitizer.
    fn has_all(&self, sanitizer: &str) -> bool {
        let mut lines = self.command_lines.iter();
        self.has_all_lines && lines.all(|line| has_sanitizer(line, sanitizer))
    }
}

/// Reads the program, numbers its branches and links the runtime. `on_numbered` may change the
/// program's code before passes run.
pub(crate) fn link_whole<'c>(
    context: &'c Context,
    options: &LoadOptions,
    on_read: OnRead<'_>,
    on_numbered: &mut dyn FnMut(ModuleRef, &[TaggedBranch]),
) -> Result<Linked<'c>, LoadError> {
    let mut branches = Vec::new();
    let inputs = find_modules(&options.inputs)?;
    let Joined {
        module,
        wanted_by,
        warnings,
        constructors,
    } = read_program(context, &inputs, &options.entry, &mut *on_read)?;
    // SAFETY: the module lives to the end of this function, and the handle does not leave it.
    let handle = unsafe { ModuleRef::from_raw(module.as_mut_ptr()) };
    let command_lines = handle.command_lines();
    let alias_notes = alias::apply(handle, &options.aliases)?;
    if options.runtime_dir.is_some() {
        for name in &options.replaced {
            give_up_function(handle, name);
        }
    }
    mark_origin(handle, Origin::Program);
    number_branches(handle, &mut branches);
    report_folded(handle);
    let functions = handle.functions().into_iter();
    let directories = functions.filter_map(Value::function_file).collect();
    check_entry(handle, &options.inputs[0], &options.entry)?;
    if let Some((harness, _)) = &options.harness {
        add_harness(context, &module, harness, &mut branches)?;
    }
    on_numbered(handle, &branches);
    if options.ends_blocks || options.watch.marks {
        mark_blocks(handle);
    }
    prepare_program(handle, !(options.track_undefined || options.keep_locals))?;
    if let Some(directory) = &options.runtime_dir {
        // Their resolvers are run by the runtime's start.
        bind_indirect_functions(handle);
        let names = asked_names(handle);
        let mut keep = [options.keep.as_slice(), names.as_slice()].concat();
        keep.push(NAMES_TABLE.to_string());
        let asked = (handle, keep.as_slice());
        let runtime = read_runtime(context, directory, asked, &mut branches, on_read)?;
        if let Some(runtime) = runtime {
            link(&module, runtime, directory)?;
            fill_names(handle, &names);
            separate_threads(handle);
        }
    }
    Ok(Linked {
        module,
        branches,
        wanted_by,
        warnings,
        alias_notes,
        constructors,
        has_all_lines: command_lines.len() >= inputs.modules.len(),
        command_lines,
        directories,
    })
}

/// [`load`], telling when it reads which file.
pub fn load_reporting(options: &LoadOptions, on_read: OnRead<'_>) -> Result<Program, LoadError> {
    let context = Context::create();
    let linked = link_whole(&context, options, on_read, &mut |_, _| {})?;
    let path = &options.inputs[0];
    let name = path.file_name().unwrap_or(path.as_os_str());
    let others: Vec<&str> = options.keep.iter().map(String::as_str).collect();
    let harness = options.harness.as_ref();
    let roots = Roots {
        name: name.to_string_lossy().into_owned(),
        entry: harness.map_or(options.entry.as_str(), |(_, main)| main),
        others: &others,
        track_undefined: options.track_undefined,
        ends_blocks: options.ends_blocks,
        unset_is_any: options.unset_is_any,
        track_overflow: options.track_overflow,
        simple_switches: options.simple_switches,
        watch: options.watch,
        checks_overflow: linked.has_all("signed-integer-overflow"),
        checks_shifts: linked.has_all("shift"),
        constructors: &linked.constructors,
    };
    let mut program = lower::lower(linked.handle(), &roots, &linked.branches);
    program.directories = linked.directories;
    program.alias_notes = linked.alias_notes;
    program.link_warnings = linked.warnings;
    program.sanitizers = sanitizers(&linked.command_lines);
    let wanted = linked.wanted_by.into_iter();
    program.wanted_by = wanted
        .filter(|(name, _)| program.undefined.contains(name))
        .collect();
    Ok(program)
}

/// Links the harness that calls the program's function. Its code does not count as the program's.
fn add_harness<'c>(
    context: &'c Context,
    program: &Module<'c>,
    path: &Path,
    branches: &mut Vec<TaggedBranch>,
) -> Result<(), LoadError> {
    let harness = read_module(context, &ModuleSource::whole(path))?;
    // SAFETY: both modules live longer than the handles.
    let (added, whole) = unsafe {
        let added = ModuleRef::from_raw(harness.as_mut_ptr());
        (added, ModuleRef::from_raw(program.as_mut_ptr()))
    };
    mark_origin(added, Origin::Runtime);
    number_branches(added, branches);
    for wanted in symbols(added)
        .into_iter()
        .filter(|one| one.is_declaration())
    {
        let name = wanted.name();
        let own = whole.function(&name).or_else(|| whole.global(&name));
        // A static function or variable is called by its name, too.
        if let Some(own) = own.filter(|own| !own.is_declaration() && !is_visible(own.linkage())) {
            own.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        }
    }
    link(program, harness, path)
}

/// Advice for a fuzz driver without `main`.
const FUZZ_MAIN: &str =
    "`--entry-point LLVMFuzzerTestOneInput` calls it with any bytes; leave -fsanitize=fuzzer away";

fn check_entry(module: ModuleRef, path: &Path, entry: &str) -> Result<(), LoadError> {
    let function = module
        .function(entry)
        .or_else(|| module.alias(entry).and_then(lower::resolve_function));
    if function.is_some_and(|function| !function.is_declaration()) {
        return Ok(());
    }
    let mut names: Vec<String> = module
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
        .map(Value::name)
        .collect();
    names.sort();
    let fuzzed = entry != FUZZED && names.iter().any(|name| name == FUZZED);
    let candidates = if fuzzed {
        format!("it is a fuzz driver ({FUZZED}): {FUZZ_MAIN}")
    } else {
        nearest::candidates(entry, &names)
    };
    Err(LoadError::NoEntry {
        path: path.to_path_buf(),
        entry: entry.to_string(),
        candidates,
        is_fuzz_driver: fuzzed,
    })
}

/// The runtime's modules as one, cut down to what the program needs; `None` if nothing
/// of it is needed.
fn read_runtime<'c>(
    context: &'c Context,
    directory: &Path,
    (program, keep): (ModuleRef, &[String]),
    branches: &mut Vec<TaggedBranch>,
    on_read: OnRead<'_>,
) -> Result<Option<Module<'c>>, LoadError> {
    let mut whole: Option<Module<'c>> = None;
    let is_narrow = program.data_layout().pointer_bytes() == 4;
    let directory = if is_narrow {
        &directory.join(RUNTIME_OF_32_BITS)
    } else {
        directory
    };
    for (file, origin) in RUNTIME_FILES {
        let path = directory.join(file);
        if !path.exists() && is_narrow {
            return Err(LoadError::NoRuntimeOf32Bits { path });
        }
        if !path.exists() {
            return Err(LoadError::Runtime {
                path: directory.to_path_buf(),
                reason: format!("{file} is missing"),
            });
        }
        let source = ModuleSource::whole(&path);
        let module = read_reporting(context, &source, &mut *on_read)?;
        // SAFETY: the module is live, and the handle is not kept.
        mark_origin(unsafe { ModuleRef::from_raw(module.as_mut_ptr()) }, origin);
        match &whole {
            None => whole = Some(module),
            Some(existing) => link(existing, module, &path)?,
        }
    }
    let Some(runtime) = whole else {
        return Ok(None);
    };
    let mut keep = keep.to_vec();
    // SAFETY: the module lives to the end of this function, and the handle does not leave it.
    let handle = unsafe { ModuleRef::from_raw(runtime.as_mut_ptr()) };
    if cxx::is_wanted(program) && !is_narrow {
        for path in cxx::files(directory, program)? {
            let source = ModuleSource::whole(&path);
            let module = read_reporting(context, &source, &mut *on_read)?;
            // SAFETY: the module is live, and the handle is not kept.
            let added = unsafe { ModuleRef::from_raw(module.as_mut_ptr()) };
            mark_origin(added, Origin::Libc);
            yield_to(added, handle);
            link(&runtime, module, &path)?;
        }
        keep.push(lower::RESUME.to_string());
    }
    check_version(handle, directory)?;
    if is_narrow {
        use_narrow_names(handle, program);
    }
    separate_from_program(handle, program);
    keep_only_needed(handle, program, &keep);
    super::passes::run_pipeline(handle, "globaldce")?;
    number_branches(handle, branches);
    Ok(Some(runtime))
}

/// Prefix of functions that 32-bit programs declare with other types.
const NARROW: &str = "__narrow_";

/// Lets a 32-bit program call those functions of the runtime that have its types, such as `lseek`
/// with an offset of 32 bits.
fn use_narrow_names(runtime: ModuleRef, program: ModuleRef) {
    for function in runtime.functions() {
        let name = function.name();
        let declared = name
            .strip_prefix(NARROW)
            .and_then(|name| program.function(name));
        if let Some(declared) = declared.filter(|declared| declared.is_declaration()) {
            declared.set_name(&name);
        }
    }
}

/// Checks that the engine has the functions that the runtime asks for. A missing one means a
/// runtime of other sources, with which paths would end at their beginning.
fn check_version(runtime: ModuleRef, directory: &Path) -> Result<(), LoadError> {
    let unknown = runtime.functions().into_iter().find(|function| {
        let name = function.name();
        function.is_declaration() && name.starts_with("homi_") && !is_builtin(&name)
    });
    match unknown {
        None => Ok(()),
        Some(function) => Err(LoadError::Runtime {
            path: directory.to_path_buf(),
            reason: format!(
                "it was built for another version of homi: it needs `{}`; rebuild it with this \
                 version",
                function.name()
            ),
        }),
    }
}

/// Makes everything of the runtime internal that neither the program nor `keep` asks for by name.
fn keep_only_needed(runtime: ModuleRef, program: ModuleRef, keep: &[String]) {
    let mut needed: BTreeSet<String> = keep.iter().cloned().collect();
    needed.insert(super::RUNTIME_ENTRY.to_string());
    for value in symbols(program) {
        let name = value.name();
        if !is_definition(value) && is_visible(value.linkage()) {
            needed.extend(libm_names(&name));
            needed.insert(name);
        }
    }
    for value in symbols(runtime) {
        if value.is_declaration() || value.name().starts_with("llvm.") {
            continue;
        }
        if !needed.contains(&value.name()) && is_visible(value.linkage()) {
            value.drop_comdat();
            value.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
}

/// The libm functions that lowering may call for a math intrinsic.
fn libm_names(intrinsic: &str) -> Vec<String> {
    let Some(rest) = intrinsic.strip_prefix("llvm.") else {
        return Vec::new();
    };
    let rest = rest
        .strip_prefix("experimental.constrained.")
        .unwrap_or(rest);
    let base = rest.split('.').next().unwrap_or(rest);
    let bases: &[&str] = match base {
        "powi" => &["pow"],
        "sincos" => &["sin", "cos"],
        "sincospi" => &["sinpi", "cospi"],
        base => &[base],
    };
    let names = bases.iter().flat_map(|base| {
        let suffixes = ["", "f", "l"].iter();
        suffixes.map(move |suffix| format!("{base}{suffix}"))
    });
    names.collect()
}
