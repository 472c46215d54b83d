//! The native image of a program: the program, the runtime and runtime/image as one static
//! executable that counts the sides of branches and its work.
//!
//! Invariant: the branches have the numbers of a load with the same options, so that the image's
//! counts and the engine's coverage are about the same sides. What the engine implements itself
//! comes from image.bc, and replaces what libc.bc has of the same name.

use super::c_api::{Block, LLVMIntPredicate, LLVMOpcode, ModuleRef, Value};
use super::copies::RecordingCopies;
use super::link::definitions::{
    definitions, give_up, give_up_function, resolve_function, symbols, yield_to,
};
use super::load::{LoadOptions, link_whole};
use super::passes::run_pipeline;
use super::read::error::LoadError;
use super::read::inputs::ModuleSource;
use super::read::modules::{link, read_module};
use super::read::tag::{TaggedBranch, origin_of};
use super::sides::{SideBuilder, for_each_branch};
use homi_ir::program::{Origin, watch::Watch};
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMStripModuleDebugInfo;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file of the runtime directory with runtime/image.
const IMAGE_FILE: &str = "image.bc";

/// Functions of C that clang's code generator calls on its own.
const CALLED_BY_GENERATOR: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "bcmp"];

/// The counters, in whole pages of their own: runtime/image/start.c maps shared memory there.
const SIDES: &str = "homi_image_sides";
const SIDE_COUNT: &str = "homi_image_side_count";
/// The function that counts a unit of work, and the one that ends an execution without any left.
const COUNT_WORK: &str = "homi_image_count_work";
const END_OF_WORK: &str = "homi_image_end_of_work";

/// Bytes of a page of memory.
const PAGE: usize = 4096;

/// Options of the build.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImageOptions {
    /// The options with which the engine loads the program.
    pub load: LoadOptions,
    /// The executable to write.
    pub output: PathBuf,
}

/// Builds the image with a clang of the version that homi was built with.
///
/// # Errors
/// Programs of C++ and of `-m32` have no image.
pub fn build_image(options: &ImageOptions, clang: &Path) -> Result<(), LoadError> {
    let failed = |reason: String| LoadError::Instrument { reason };
    let Some(runtime) = &options.load.runtime_dir else {
        return Err(failed("a program without a C library has no image".into()));
    };
    let context = Context::create();
    let load = image_load(&options.load);
    let linked = link_whole(&context, &load, &mut |_| {}, &mut instrument)?;
    let handle = linked.handle();
    check_kind(handle)?;
    let entry = options
        .load
        .harness
        .as_ref()
        .map_or("main", |(_, main)| main);
    name_entry(handle, entry);
    share_thread_locals(handle);
    add_image_runtime(&context, (&linked.module, handle), runtime)?;
    define_missing(handle);
    let verified = linked.module.verify();
    verified.map_err(|message| failed(format!("the image's module: {message}")))?;
    let io = |error: std::io::Error| failed(error.to_string());
    let directory = tempfile::tempdir().map_err(io)?;
    let bitcode = directory.path().join("image.bc");
    if !linked.module.write_bitcode_to_path(&bitcode) {
        return Err(failed(format!("cannot write {}", bitcode.display())));
    }
    compile(clang, &bitcode, &options.output)
}

/// The body of `homi __lower --image`: builds the image that the options on standard input
/// describe.
pub fn image_child_main(clang: &Path) -> Result<(), LoadError> {
    let failed = |reason: String| LoadError::Process { reason };
    let options = serde_json::from_reader(std::io::stdin().lock());
    build_image(&options.map_err(|error| failed(error.to_string()))?, clang)
}

/// The options of a load of the same program without what only the engine needs.
fn image_load(load: &LoadOptions) -> LoadOptions {
    let mut keep = load.keep.clone();
    keep.extend(CALLED_BY_GENERATOR.map(String::from));
    LoadOptions {
        keep,
        track_undefined: false,
        unset_is_any: false,
        track_overflow: false,
        keep_locals: false,
        ends_blocks: false,
        watch: Watch::default(),
        ..load.clone()
    }
}

fn check_kind(module: ModuleRef) -> Result<(), LoadError> {
    let failed = |reason: &str| {
        Err(LoadError::Instrument {
            reason: reason.into(),
        })
    };
    if module.data_layout().pointer_bytes() != 8 {
        return failed("programs of 32 bits have no image");
    }
    let functions = module.functions();
    if functions.iter().any(|function| function.has_personality()) {
        return failed("programs with exceptions have no image");
    }
    Ok(())
}

/// Generates code and links. The program's own code has been optimized before, and the runtime's
/// when it was built.
fn compile(clang: &Path, bitcode: &Path, output: &Path) -> Result<(), LoadError> {
    let failed = |reason: String| LoadError::Instrument { reason };
    let flags = "-O2 -Xclang -disable-llvm-passes -w -fno-pic -no-pie -static -nostdlib";
    let linker = "-Wl,-z,norelro,--build-id=none";
    let result = Command::new(clang)
        .args(flags.split(' '))
        .args([linker, "-o"])
        .arg(output)
        .arg(bitcode)
        .output()
        .map_err(|error| failed(format!("{}: {error}", clang.display())))?;
    if result.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&result.stderr);
    let lines: Vec<&str> = messages.lines().take(8).collect();
    Err(failed(format!("{}: {}", clang.display(), lines.join("; "))))
}

/// Inserts counters of sides and of work, and optimizes the program's code.
fn instrument(module: ModuleRef, branches: &[TaggedBranch]) {
    // SAFETY: a live module.
    unsafe { LLVMStripModuleDebugInfo(module.raw()) };
    // The copies count nothing: they execute inputs whose sides and work are known.
    let copies = RecordingCopies::new(module);
    count_work(module);
    let sides = declare_sides(module, branches);
    let builder = SideBuilder::new(module);
    for_each_branch(module, branches, &mut |branch| {
        let side = builder.side_taken(branch);
        builder.count_one(sides, side);
    });
    for function in module.functions() {
        if function.has_function_attribute("optnone") {
            function.remove_function_attribute("optnone");
            function.remove_function_attribute("noinline");
        }
        // No call becomes a call of another function, which the image may not have.
        function.set_text_attribute("no-builtins", "");
    }
    if let Some(copies) = copies {
        copies.add();
    }
    // Without it the image is as right, and slower.
    let _ = run_pipeline(module, "default<O2>");
}

fn declare_sides(module: ModuleRef, branches: &[TaggedBranch]) -> Value {
    let total: usize = branches.iter().map(|branch| branch.sides as usize).sum();
    let bytes = total.max(1).next_multiple_of(PAGE);
    let context = module.context();
    // SAFETY: types, constants and globals of a live module's own context.
    unsafe {
        let array = LLVMArrayType2(LLVMInt8TypeInContext(context), bytes as u64);
        let name = std::ffi::CString::new(SIDES).unwrap_or_default();
        let sides = LLVMAddGlobal(module.raw(), array, name.as_ptr());
        LLVMSetInitializer(sides, LLVMConstNull(array));
        LLVMSetAlignment(sides, PAGE as u32);
        let word = LLVMInt64TypeInContext(context);
        let name = std::ffi::CString::new(SIDE_COUNT).unwrap_or_default();
        let count = LLVMAddGlobal(module.raw(), word, name.as_ptr());
        LLVMSetInitializer(count, LLVMConstInt(word, total as u64, 0));
        LLVMSetGlobalConstant(count, 1);
        Value::from_raw(sides)
    }
}

/// Counts a unit of work at each call of the program's functions and each round of a loop.
fn count_work(module: ModuleRef) {
    let functions = module.functions().into_iter();
    let own: Vec<Value> = functions.filter(|one| !one.is_declaration()).collect();
    let Some(count) = work_function(module) else {
        return;
    };
    // SAFETY: a builder of the live module's context, disposed of below; a call of a function
    // without parameters stands before a live terminator.
    unsafe {
        let builder = LLVMCreateBuilderInContext(module.context());
        for function in own {
            for terminator in counted_places(function) {
                LLVMPositionBuilderBefore(builder, terminator.raw());
                let ty = count.global_value_type().raw();
                let none = std::ptr::null_mut();
                LLVMBuildCall2(builder, ty, count.raw(), none, 0, c"".as_ptr());
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// Defines the function that counts a unit of work: the work left falls by one, and below 0 the
/// execution ends.
fn work_function(module: ModuleRef) -> Option<Value> {
    let end = module.add_word_function(END_OF_WORK, 0)?;
    let count = module.add_word_function(COUNT_WORK, 0)?;
    let context = module.context();
    let name = c"".as_ptr();
    // SAFETY: types, values and blocks of the live module's context; the builder is disposed of.
    unsafe {
        let word = LLVMInt64TypeInContext(context);
        let left = LLVMAddGlobal(module.raw(), word, c"homi_image_work".as_ptr());
        let [entry, over, done] =
            [(); 3].map(|()| LLVMAppendBasicBlockInContext(context, count.raw(), name));
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(builder, entry);
        let (zero, one) = (LLVMConstInt(word, 0, 0), LLVMConstInt(word, 1, 0));
        let before = LLVMBuildLoad2(builder, word, left, name);
        let after = LLVMBuildSub(builder, before, one, name);
        LLVMBuildStore(builder, after, left);
        let less = LLVMIntPredicate::LLVMIntSLT;
        let is_over = LLVMBuildICmp(builder, less, after, zero, name);
        LLVMBuildCondBr(builder, is_over, over, done);
        LLVMPositionBuilderAtEnd(builder, over);
        let ty = end.global_value_type().raw();
        LLVMBuildCall2(builder, ty, end.raw(), std::ptr::null_mut(), 0, name);
        LLVMBuildBr(builder, done);
        LLVMPositionBuilderAtEnd(builder, done);
        LLVMBuildRet(builder, LLVMConstInt(LLVMInt32TypeInContext(context), 0, 0));
        LLVMDisposeBuilder(builder);
    }
    count.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    count.set_enum_attribute("alwaysinline");
    Some(count)
}

/// The terminators of a function's first block and of all blocks that jump back in a loop.
fn counted_places(function: Value) -> Vec<Value> {
    let blocks = function.blocks();
    let Some(first) = blocks.first() else {
        return Vec::new();
    };
    let mut places: Vec<Value> = first.terminator().into_iter().collect();
    let (mut seen, mut open) = (HashSet::from([*first]), HashSet::from([*first]));
    let mut path = vec![(*first, successors(*first))];
    while let Some((block, rest)) = path.last_mut() {
        let block = *block;
        let Some(next) = rest.pop() else {
            open.remove(&block);
            path.pop();
            continue;
        };
        if open.contains(&next) {
            places.extend(block.terminator().filter(|one| !places.contains(one)));
        } else if seen.insert(next) {
            open.insert(next);
            path.push((next, successors(next)));
        }
    }
    places
}

fn successors(block: Block) -> Vec<Block> {
    let terminator = block.terminator();
    terminator.map(Value::successors).unwrap_or_default()
}

/// Lets runtime/image find the function to start with under the name `main`.
fn name_entry(module: ModuleRef, entry: &str) {
    if entry == "main" {
        return;
    }
    if let Some(other) = module.function("main") {
        other.set_name("homi.other.main");
    }
    if let Some(entry) = module.function(entry) {
        entry.set_name("main");
        entry.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    }
}

/// Makes ordinary variables of thread-local ones: each thread finds its own in its list, and the
/// first thread's are the variables themselves.
fn share_thread_locals(module: ModuleRef) {
    for global in module
        .globals()
        .into_iter()
        .filter(|one| one.is_thread_local())
    {
        for user in global.users() {
            let is_call = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
            if is_call
                && user
                    .called_value()
                    .name()
                    .starts_with("llvm.threadlocal.address")
            {
                user.replace_all_uses_with(global);
                // SAFETY: an instruction of the live module without uses.
                unsafe { LLVMInstructionEraseFromParent(user.raw()) };
            }
        }
        // SAFETY: a global variable of the live module.
        unsafe { LLVMSetThreadLocal(global.raw(), 0) };
    }
}

/// Links runtime/image. Its functions replace the runtime's of the same name, and give way to the
/// program's.
fn add_image_runtime<'c>(
    context: &'c Context,
    (whole, handle): (&inkwell::module::Module<'c>, ModuleRef),
    runtime: &Path,
) -> Result<(), LoadError> {
    let path = runtime.join(IMAGE_FILE);
    let image = read_module(context, &ModuleSource::whole(&path))?;
    // SAFETY: the module is live until it is linked, and the handle is not used after that.
    let added = unsafe { ModuleRef::from_raw(image.as_mut_ptr()) };
    let names = definitions(added);
    let mut runtime_has = BTreeSet::new();
    for value in symbols(handle) {
        let function = resolve_function(value).filter(|one| !one.is_declaration());
        let is_library = function.is_some_and(|one| origin_of(one) != Origin::Program);
        if names.contains(&value.name()) && is_library {
            runtime_has.insert(value.name());
        }
    }
    for name in &runtime_has {
        give_up_function(handle, name);
    }
    give_up(handle, &runtime_has);
    yield_to(added, handle);
    link(whole, image, &path)
}

/// Ends an execution that calls an undefined function.
const UNSUPPORTED: &str = "homi_unsupported";

/// Gives undefined functions a body that ends the execution.
fn define_missing(module: ModuleRef) {
    let Some(end) = module.function(UNSUPPORTED) else {
        return;
    };
    let missing = module.functions().into_iter().filter(|one| {
        let is_weak = one.linkage() == LLVMLinkage::LLVMExternalWeakLinkage;
        one.is_declaration() && !is_weak && !one.name().starts_with("llvm.")
    });
    // SAFETY: a builder of the live module's context, disposed of below; the functions have no body
    // yet, and the called one takes a string.
    unsafe {
        let builder = LLVMCreateBuilderInContext(module.context());
        for function in missing {
            let text = format!("call to undefined function: {}", function.name());
            let text = std::ffi::CString::new(text).unwrap_or_default();
            let empty = c"".as_ptr();
            let block = LLVMAppendBasicBlockInContext(module.context(), function.raw(), empty);
            LLVMPositionBuilderAtEnd(builder, block);
            let mut arguments = [LLVMBuildGlobalStringPtr(builder, text.as_ptr(), empty)];
            let ty = end.global_value_type().raw();
            LLVMBuildCall2(builder, ty, end.raw(), arguments.as_mut_ptr(), 1, empty);
            LLVMBuildUnreachable(builder);
        }
        LLVMDisposeBuilder(builder);
    }
}
