//! Copies of the program's functions that report the operands of their comparisons.
//!
//! An execution that records comparisons runs the copies, so all others pay nothing for them. A
//! copy calls copies: directly where the program names a function, and by a table where the program
//! calls a pointer. Variables are the program's own.
//!
//! A function with a computed goto has no copy, since tables of labels belong to one function.

use super::c_api::{Block, LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, ModuleRef, Type, Value};
use super::link::definitions::give_up_function;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

/// Functions of runtime/image/compared.c, and the table that it reads.
const COMPARED: &str = "homi_image_compared";
const COMPARED_TEXTS: &str = "homi_image_compared_texts";
const COPY_OF: &str = "homi_image_copy_of";
const COPIES: &str = "homi_image_copies";
const COPY_COUNT: &str = "homi_image_copy_count";

/// The end of a copy's name.
const COPY: &str = ".homi.copy";

/// Widest integer whose comparison is recorded, in bits.
const WIDEST: u32 = 64;

/// Functions that compare two texts: the name, and whether a NUL ends the texts.
const TEXT_FUNCTIONS: [(&str, bool); 8] = [
    ("memcmp", false),
    ("bcmp", false),
    ("strcmp", true),
    ("strncmp", true),
    ("strcasecmp", true),
    ("strncasecmp", true),
    ("strcoll", true),
    ("strstr", true),
];

/// Copies of a program's functions that are not part of the program yet.
pub(super) struct RecordingCopies {
    /// The program, and a module with the copies.
    module: ModuleRef,
    copies: ModuleRef,
    own: Vec<Value>,
    /// Static functions and variables, which the copies reach by name until they are linked.
    hidden: Vec<(Value, LLVMLinkage)>,
}

impl RecordingCopies {
    /// Copies the functions as they are now. A program with aliases gets no copies.
    pub(super) fn new(module: ModuleRef) -> Option<RecordingCopies> {
        if !module.aliases().is_empty() || !module.indirect_functions().is_empty() {
            return None;
        }
        let defined = |values: Vec<Value>| values.into_iter().filter(|one| !one.is_declaration());
        let own: Vec<Value> = defined(module.functions()).collect();
        let named = own.iter().copied().chain(defined(module.globals()));
        let hidden: Vec<(Value, LLVMLinkage)> = named
            .filter(|one| is_hidden(*one))
            .map(|one| (one, one.linkage()))
            .collect();
        for (value, _) in &hidden {
            value.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        }
        let names: Vec<String> = own.iter().map(|function| function.name()).collect();
        // SAFETY: a live module.
        let copies = unsafe { ModuleRef::from_raw(LLVMCloneModule(module.raw())) };
        make_copies(copies, &names);
        Some(RecordingCopies {
            module,
            copies,
            own,
            hidden,
        })
    }

    /// Adds the copies to the program.
    pub(super) fn add(self) {
        let Self { module, own, .. } = self;
        // SAFETY: two live modules of one context; the linker takes the second one over.
        let is_linked = unsafe { LLVMLinkModules2(module.raw(), self.copies.raw()) == 0 };
        for (value, linkage) in self.hidden {
            value.set_linkage(linkage);
        }
        if !is_linked {
            return;
        }
        let mut pairs = Vec::new();
        for function in own {
            let Some(copy) = module.function(&(function.name() + COPY)) else {
                continue;
            };
            copy.set_linkage(LLVMLinkage::LLVMInternalLinkage);
            if is_pointed_at(function) {
                pairs.push((function, copy));
            }
        }
        add_table(module, &pairs);
    }
}

fn is_hidden(value: Value) -> bool {
    matches!(
        value.linkage(),
        LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
    )
}

/// True if a function may be called by a pointer or from outside.
fn is_pointed_at(function: Value) -> bool {
    let users = function.users();
    let mut other = users.iter().filter(|user| !calls(**user, function));
    !is_hidden(function) || users.is_empty() || other.next().is_some()
}

/// True if an instruction calls a function and does nothing else with it.
fn calls(user: Value, function: Value) -> bool {
    let is_call = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
    is_call
        && user.called_value() == function
        && (0..user.argument_count()).all(|argument| user.operand(argument) != function)
}

/// Turns a copy of the module into copies of its functions alone.
fn make_copies(copy: ModuleRef, names: &[String]) {
    for global in copy.globals() {
        if global.name().starts_with("llvm.") {
            global.delete_global();
        } else if !global.is_declaration() {
            // SAFETY: a global of the live module becomes a declaration of the program's own.
            unsafe { LLVMSetInitializer(global.raw(), std::ptr::null_mut()) };
            global.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        }
    }
    let mut recorder = Recorder::new(copy);
    for name in names {
        let Some(function) = copy.function(name) else {
            continue;
        };
        if has_computed_goto(function) {
            give_up_function(copy, name);
            continue;
        }
        recorder.record(function);
        function.set_name(&format!("{name}{COPY}"));
        function.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        function.drop_comdat();
        for attribute in ["alwaysinline", "inlinehint", "minsize", "optsize"] {
            function.remove_function_attribute(attribute);
        }
        // Copies run rarely, so their code is made fast and not fast code.
        function.set_enum_attribute("noinline");
        function.set_enum_attribute("optnone");
        if let Some(original) = copy.add_function(name, function.global_value_type()) {
            function.replace_all_uses_with(original);
            for user in original.users() {
                if user.is_instruction()
                    && user.opcode() == LLVMOpcode::LLVMCall
                    && user.called_value() == original
                {
                    set_called(user, function);
                }
            }
        }
    }
}

/// Lets a call call another function.
fn set_called(call: Value, function: Value) {
    // SAFETY: the last operand of a live call is what it calls.
    unsafe { LLVMSetOperand(call.raw(), call.operand_count() - 1, function.raw()) };
}

fn has_computed_goto(function: Value) -> bool {
    let blocks = function.blocks().into_iter();
    let mut terminators = blocks.filter_map(Block::terminator);
    terminators.any(|one| one.opcode() == LLVMOpcode::LLVMIndirectBr)
}

/// Defines the table of functions with their copies.
fn add_table(module: ModuleRef, pairs: &[(Value, Value)]) {
    let context = module.context();
    // SAFETY: types, constants and globals of the live module's own context.
    unsafe {
        let pointer = LLVMPointerTypeInContext(context, 0);
        let row = LLVMArrayType2(pointer, 2);
        let mut rows: Vec<LLVMValueRef> = pairs
            .iter()
            .map(|(function, copy)| {
                LLVMConstArray2(pointer, [function.raw(), copy.raw()].as_mut_ptr(), 2)
            })
            .collect();
        let count = rows.len() as u64;
        let table = LLVMConstArray2(row, rows.as_mut_ptr(), count);
        let number = LLVMConstInt(LLVMInt64TypeInContext(context), count, 0);
        for (name, value) in [(COPIES, table), (COPY_COUNT, number)] {
            if let Some(global) = module.add_global(name, Type::from_raw(LLVMTypeOf(value))) {
                LLVMSetInitializer(global.raw(), value);
                LLVMSetGlobalConstant(global.raw(), 1);
            }
        }
    }
}

/// Adds the reports to functions.
struct Recorder {
    module: ModuleRef,
    builder: LLVMBuilderRef,
    word: LLVMTypeRef,
    small: LLVMTypeRef,
    nothing: LLVMTypeRef,
    /// Number of the next place with a comparison.
    site: u64,
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: made by `new`, disposed of once.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl Recorder {
    fn new(module: ModuleRef) -> Recorder {
        let context = module.context();
        // SAFETY: a builder and types of the live module's context.
        unsafe {
            Recorder {
                module,
                builder: LLVMCreateBuilderInContext(context),
                word: LLVMInt64TypeInContext(context),
                small: LLVMInt32TypeInContext(context),
                nothing: LLVMVoidTypeInContext(context),
                site: 0,
            }
        }
    }

    fn record(&mut self, function: Value) {
        let blocks = function.blocks().into_iter();
        let all: Vec<Value> = blocks.flat_map(|block| block.instructions()).collect();
        for instruction in all {
            match instruction.opcode() {
                LLVMOpcode::LLVMICmp => self.record_comparison(instruction),
                LLVMOpcode::LLVMSwitch => self.record_switch(instruction),
                LLVMOpcode::LLVMCall => self.record_call(instruction),
                _ => {}
            }
        }
    }

    fn record_comparison(&mut self, comparison: Value) {
        let (left, right) = (comparison.operand(0), comparison.operand(1));
        let is_zero = |value: Value| value.is_constant_int() && value.const_u64() == 0;
        if is_integer(left) && !is_zero(left) && !is_zero(right) {
            let is_order = !matches!(
                comparison.int_predicate(),
                LLVMIntPredicate::LLVMIntEQ | LLVMIntPredicate::LLVMIntNE
            );
            self.report(comparison, (left, right), is_order);
        }
    }

    fn record_switch(&mut self, switch: Value) {
        let tested = switch.operand(0);
        if is_integer(tested) {
            for case in 1..switch.successors().len() as u32 {
                self.report(switch, (tested, switch.switch_case(case)), false);
            }
        }
    }

    fn report(&mut self, before: Value, (left, right): (Value, Value), is_order: bool) {
        let bytes = left.ty().int_width().div_ceil(8);
        // SAFETY: the operands are integers that live before the instruction.
        let [left, right] = [left, right].map(|operand| unsafe {
            LLVMPositionBuilderBefore(self.builder, before.raw());
            LLVMBuildZExtOrBitCast(self.builder, operand.raw(), self.word, c"".as_ptr())
        });
        let words = [u64::from(bytes), u64::from(is_order)].map(|number| self.number(number));
        let site = self.next_site();
        let arguments = [left, right, site, words[0], words[1]];
        self.call(COMPARED, self.nothing, before, &arguments);
    }

    fn record_call(&mut self, call: Value) {
        let called = call.called_value();
        let name = called.name();
        let known = TEXT_FUNCTIONS.iter().find(|(known, _)| *known == name);
        match known {
            Some((_, is_string)) => self.record_texts(call, *is_string),
            None if name.is_empty() && !called.is_inline_assembly() => self.follow_pointer(call),
            None => {}
        }
    }

    fn record_texts(&mut self, call: Value, is_string: bool) {
        let is_pointer = |value: Value| value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
        let count = call.argument_count();
        if !(2..=3).contains(&count) || !(0..2).all(|place| is_pointer(call.operand(place))) {
            return;
        }
        // SAFETY: a constant of the live context; an integer that lives before the call.
        let size = unsafe {
            LLVMPositionBuilderBefore(self.builder, call.raw());
            if count == 3 && is_integer(call.operand(2)) {
                let size = call.operand(2).raw();
                LLVMBuildZExtOrBitCast(self.builder, size, self.word, c"".as_ptr())
            } else {
                LLVMConstInt(self.word, u64::MAX, 0)
            }
        };
        let is_string = self.number(u64::from(is_string));
        let texts = [call.operand(0).raw(), call.operand(1).raw()];
        let site = self.next_site();
        let arguments = [texts[0], texts[1], size, site, is_string];
        self.call(COMPARED_TEXTS, self.nothing, call, &arguments);
    }

    /// Lets a call of a pointer call the copy of what it points at.
    fn follow_pointer(&mut self, call: Value) {
        let pointer = call.called_value();
        let ty = pointer.ty().raw();
        if let Some(copy) = self.call(COPY_OF, ty, call, &[pointer.raw()]) {
            set_called(call, copy);
        }
    }

    fn number(&self, value: u64) -> LLVMValueRef {
        // SAFETY: a constant of an integer type of the live context.
        unsafe { LLVMConstInt(self.small, value, 0) }
    }

    fn next_site(&mut self) -> LLVMValueRef {
        self.site += 1;
        self.number(self.site)
    }

    /// Calls a function of runtime/image before an instruction.
    fn call(
        &self,
        name: &str,
        returned: LLVMTypeRef,
        before: Value,
        arguments: &[LLVMValueRef],
    ) -> Option<Value> {
        let mut arguments = arguments.to_vec();
        let count = arguments.len() as u32;
        let unnamed = c"".as_ptr();
        // SAFETY: the arguments are live values of the module, and the types are their own.
        unsafe {
            let types = arguments.iter().map(|argument| LLVMTypeOf(*argument));
            let mut types: Vec<LLVMTypeRef> = types.collect();
            let ty = LLVMFunctionType(returned, types.as_mut_ptr(), count, 0);
            let known = self.module.function(name);
            let called = known.or_else(|| self.module.add_function(name, Type::from_raw(ty)))?;
            LLVMPositionBuilderBefore(self.builder, before.raw());
            let call = LLVMBuildCall2(
                self.builder,
                ty,
                called.raw(),
                arguments.as_mut_ptr(),
                count,
                unnamed,
            );
            Some(Value::from_raw(call))
        }
    }
}

/// True for an integer that is recorded.
fn is_integer(value: Value) -> bool {
    let ty = value.ty();
    ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind && (8..=WIDEST).contains(&ty.int_width())
}
