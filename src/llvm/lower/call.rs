//! Calls: direct, through pointers, of intrinsics and of inline assembly.
//!
//! Invariant: arguments are passed part by part, in order; a `byval` argument is the address that
//! the callee copies from. A call whose type disagrees with its callee's is still direct: the
//! executor matches arguments by position, drops what is too much and gives zero for what is
//! missing.

use super::function::Body;
use super::types::Scalar;
use super::{Unsupported, is_weak_reference, resolve_function};
use crate::c_api::{LLVMTypeKind, LLVMValueKind, Value};
use homi_ir::program::{ArgClass, CallSite, Callee, FloatKind, FuncId, Inst, Slot, is_builtin};

/// Functions that may return a second time; old compilers do not always say so.
const TWICE_RETURNING: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"];

impl Body<'_, '_> {
    pub fn lower_call(&mut self, inst: Value) -> Result<(), Unsupported> {
        let called = inst.called_value();
        if called.is_inline_assembly() {
            return self.lower_assembly(inst, called);
        }
        if self.lower_block_event(inst) {
            return Ok(());
        }
        if let Some(function) = resolve_function(called) {
            if function.kind() == LLVMValueKind::LLVMFunctionValueKind {
                let name = function.name();
                if name.starts_with("llvm.") {
                    return self.lower_intrinsic(inst, &name);
                }
                if !is_weak_reference(function) || is_builtin(&name) {
                    self.note_system_call(function, inst);
                    self.mark_system_call(function, inst);
                    let id = self.module.function_id(function);
                    // The C library defines one function by several names.
                    let plain = name.trim_start_matches('_');
                    self.watch_call_of(inst, plain)?;
                    self.emit_call(inst, Callee::Direct(id))?;
                    self.mark_second_return(inst, plain)?;
                    return self.watch_return_from(inst, plain);
                }
            }
        }
        if called.kind() == LLVMValueKind::LLVMGlobalIFuncValueKind {
            return Err(Unsupported::new(format!("call of ifunc {}", called.name())));
        }
        let target = self.scalar(called)?;
        self.emit_call(inst, Callee::Indirect(target))
    }

    pub fn emit_call(&mut self, inst: Value, callee: Callee) -> Result<(), Unsupported> {
        self.returns_twice |= inst.has_call_attribute("returns_twice")
            || resolve_function(inst.called_value()).is_some_and(|function| {
                function.has_function_attribute("returns_twice")
                    || TWICE_RETURNING.contains(&function.name().as_str())
            });
        let fixed = inst.called_type().parameter_types().len() as u32;
        let variadic = inst.called_type().is_variadic();
        let mut site = CallSite {
            callee,
            args: Vec::new(),
            byval: Vec::new(),
            variadic_from: None,
            arg_classes: Vec::new(),
            results: Vec::new(),
            noreturn: inst.has_call_attribute("noreturn"),
            landing: None,
        };
        for index in 0..inst.argument_count() {
            if variadic && index == fixed {
                site.variadic_from = Some(site.args.len() as u32);
            }
            self.add_argument(inst, index, variadic && index >= fixed, &mut site)?;
        }
        if variadic && site.variadic_from.is_none() {
            site.variadic_from = Some(site.args.len() as u32);
        }
        let leaves = self.module.types.leaves(inst.ty())?;
        let mut slots = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            let width = leaf.scalar.width();
            let slot = self.new_slot(width);
            slots.push(slot);
            site.results.push((slot, u32::from(width)));
        }
        if let Some((landing, results)) = self.results_of_landing() {
            site.landing = Some(landing);
            site.results.extend([
                (results.came, 1),
                (results.exception, 64),
                (results.selector, 32),
            ]);
        }
        self.push_call(site);
        self.define(inst, slots);
        Ok(())
    }

    fn push_call(&mut self, site: CallSite) {
        let index = self.calls.len() as u32;
        self.calls.push(site);
        self.emit(Inst::Call { site: index });
    }

    fn add_argument(
        &mut self,
        inst: Value,
        index: u32,
        in_variadic: bool,
        site: &mut CallSite,
    ) -> Result<(), Unsupported> {
        let value = inst.operand(index);
        if value.ty().kind() == LLVMTypeKind::LLVMMetadataTypeKind {
            return Ok(());
        }
        let byval = inst.byval_type(index).map(|pointee| {
            let layout = self.module.types.layout;
            let align = inst.parameter_alignment(index);
            (
                layout.allocation_size(pointee),
                align.max(layout.alignment(pointee)),
            )
        });
        let leaves = self.module.types.leaves(value.ty())?;
        let slots = self.operand(value)?;
        let is_vector = value.ty().kind() == LLVMTypeKind::LLVMVectorTypeKind;
        if in_variadic && is_vector {
            // A small struct of floats travels as a vector in one register.
            let width = leaves[0].scalar.width();
            let total = u32::from(width) * leaves.len() as u32;
            let total = u8::try_from(total)
                .ok()
                .filter(|total| *total <= 128)
                .ok_or_else(|| Unsupported::new("wide vector passed through ..."))?;
            let slot = self.join(&slots, width, total);
            site.args.push((slot, u32::from(total)));
            site.byval.push(None);
            site.arg_classes.push(ArgClass::Sse);
            return Ok(());
        }
        for (position, (leaf, slot)) in leaves.iter().zip(slots).enumerate() {
            let width = leaf.scalar.width();
            // Of variable arguments it matters what they take in memory.
            let (slot, width) = if in_variadic && byval.is_none() {
                let stored = self.module.types.stored_width(leaf.scalar);
                (self.resize(width, stored, slot), stored)
            } else {
                (slot, width)
            };
            site.args.push((slot, u32::from(width)));
            site.byval.push(byval);
            site.arg_classes.push(if byval.is_some() {
                ArgClass::Memory
            } else if is_vector && position > 0 {
                ArgClass::Continued
            } else {
                argument_class(leaf.scalar)
            });
        }
        Ok(())
    }

    /// Calls a built-in `int name(int...)`.
    pub fn call_word_function(&mut self, name: &str, arguments: &[Slot]) -> Slot {
        let Some(id) = self.module.word_function(name, arguments.len()) else {
            return self.int(32, 0);
        };
        let arguments = arguments
            .iter()
            .map(|slot| (*slot, Scalar::Int(32)))
            .collect();
        self.call_function(id, arguments, Some(32))[0]
    }

    /// Calls a function by id with arguments already in slots, as an intrinsic's replacement.
    pub fn call_function(
        &mut self,
        id: FuncId,
        args: Vec<(Slot, Scalar)>,
        result: Option<u8>,
    ) -> Vec<Slot> {
        let results: Vec<(Slot, u32)> = result
            .map(|width| (self.new_slot(width), u32::from(width)))
            .into_iter()
            .collect();
        let slots = results.iter().map(|entry| entry.0).collect();
        let arg_classes = args.iter().map(|arg| argument_class(arg.1)).collect();
        let byval = vec![None; args.len()];
        let args = args
            .into_iter()
            .map(|(slot, scalar)| (slot, u32::from(scalar.width())))
            .collect();
        self.push_call(CallSite {
            callee: Callee::Direct(id),
            args,
            byval,
            variadic_from: None,
            arg_classes,
            results,
            noreturn: false,
            landing: None,
        });
        slots
    }

    /// Calls one of the executor's functions that take words and return nothing.
    pub fn call_of_words(&mut self, name: &str, words: &[Slot]) {
        let word = |slot: &Slot| (*slot, Scalar::Int(64));
        let arguments: Vec<(Slot, Scalar)> = words.iter().map(word).collect();
        if let Some(id) = self.module.word_function(name, arguments.len()) {
            self.call_function(id, arguments, None);
        }
    }
}

/// The register class by which the x86-64 ABI passes a scalar.
fn argument_class(scalar: Scalar) -> ArgClass {
    match scalar {
        Scalar::Int(_) | Scalar::Pointer => ArgClass::Integer,
        Scalar::Float(FloatKind::X87) => ArgClass::Memory,
        Scalar::Float(_) => ArgClass::Sse,
    }
}
