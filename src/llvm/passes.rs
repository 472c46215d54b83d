//! LLVM passes before lowering.
//!
//! Invariant: on the program's code no pass adds, removes, duplicates, inverts or moves a
//! conditional branch or switch, and none folds away an operation that can be a bug (a division by
//! a constant zero, a constant index beyond an array), so coverage and findings refer to the
//! bitcode as compiled. instsimplify, early-cse and plain sroa break one or the other and are not
//! used.

use super::c_api::ModuleRef;
use super::read::error::LoadError;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use std::ffi::{CStr, CString};

/// Runs a textual pass pipeline.
pub fn run_pipeline(module: ModuleRef, pipeline: &str) -> Result<(), LoadError> {
    let text = CString::new(pipeline).map_err(|error| LoadError::Passes {
        reason: error.to_string(),
    })?;
    // SAFETY: the module is live; options and error are disposed of exactly once; a null target
    // machine is allowed and means "no target".
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.raw(), text.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let reason = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(LoadError::Passes {
            reason: format!("{pipeline}: {reason}"),
        })
    }
}

/// Makes registers of the program's local scalars. Not so with `promote` off: where a local is not
/// set on every way, the pass takes the value of the ways on which it is.
pub fn prepare_program(module: ModuleRef, promote: bool) -> Result<(), LoadError> {
    for function in module.functions() {
        if !function.is_declaration() && function.has_function_attribute("optnone") {
            // optnone makes every pass skip the function; it requires noinline.
            function.remove_function_attribute("optnone");
        }
    }
    if !promote {
        return Ok(());
    }
    run_pipeline(module, "function(mem2reg)")
}
