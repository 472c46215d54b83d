//! Calls of the executor's marks (`Roots::watch.marks`): before instructions of the program that
//! use what homi decides in place of the program or its environment, before system calls of the C
//! library, and where its functions begin that answer from the environment.
//!
//! Invariant: where `Roots::watch.marks` is off, nothing here emits an instruction. An address that
//! becomes a number is followed through the function's own values and locals; where it goes into
//! other memory, loads are looked at, and everywhere else the conversion is marked.

use super::Unsupported;
use super::function::Body;
use super::marked_values::{
    changes_locals_after, is_debug, is_local, is_part_of_word, is_unset, is_word, number_matters,
    pointer_of, prints_addresses, stored_place, use_matters,
};
use super::order::unordered;
use crate::c_api::{Block, LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Value};
use crate::read::tag::origin_of;
use homi_ir::program::{Mark, Origin, PointerWidth, Slot};
use rustc_hash::FxHashSet;

/// Functions of the C library that answer from the environment without a system call.
const ANSWERS: &[&str] = &[
    "getenv",
    "secure_getenv",
    "getauxval",
    "sysconf",
    "confstr",
    "getopt",
    "isatty",
    "rand",
    "rand_r",
    "random",
    "drand48",
    "lrand48",
    "mrand48",
    "gethostid",
];

/// Variables of the C library that hold the environment or the processor's answers.
const VARIABLES: &[&str] = &[
    "environ",
    "__environ",
    "_environ",
    "__cpu_model",
    "__cpu_features2",
    "program_invocation_name",
    "program_invocation_short_name",
    "__progname",
    "__progname_full",
];

/// System calls of x86-64 Linux whose answers the environment does not decide, or that have a limit
/// of their own: output, memory, signals, threads, the clock, ends.
const HARMLESS_CALLS: &[u64] = &[
    1, 3, 9, 10, 11, 12, 13, 14, 15, 20, 24, 25, 28, 34, 35, 56, 57, 58, 59, 60, 61, 96, 131, 158,
    186, 200, 201, 202, 218, 228, 230, 231, 234, 247, 273, 274, 318, 324, 435,
];

/// The system call `ioctl`, by which standard output learns whether it is a terminal.
const IOCTL: u64 = 16;
const STANDARD_OUTPUT: &str = "__stdout_write";

/// Functions whose result says whether output succeeded, without the underscores before it.
const OUTPUT: &[&str] = &[
    "printf",
    "printf_chk",
    "vprintf",
    "vprintf_chk",
    "fprintf",
    "fprintf_chk",
    "vfprintf",
    "vfprintf_chk",
    "dprintf",
    "vdprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fwrite",
    "putchar_unlocked",
    "putc_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "fflush",
    "fflush_unlocked",
    "fclose",
    "close",
    "ferror",
    "write",
    "writev",
    "wprintf",
    "fwprintf",
    "putwchar",
    "fputwc",
    "fputws",
];

/// Functions that print into memory, and the index of their format.
const PRINTS: &[(&str, u32)] = &[
    ("sprintf", 1),
    ("vsprintf", 1),
    ("asprintf", 1),
    ("vasprintf", 1),
    ("snprintf", 2),
    ("vsnprintf", 2),
    ("sprintf_chk", 3),
    ("vsprintf_chk", 3),
    ("snprintf_chk", 4),
    ("vsnprintf_chk", 4),
];

/// Intrinsics that answer for the processor.
const PROCESSOR: &[&str] = &[
    "llvm.readcyclecounter",
    "llvm.readsteadycounter",
    "llvm.x86.rd",
    "llvm.read_register",
];

/// Intrinsics that give an address of the native stack or code.
const NATIVE_ADDRESSES: &[&str] = &[
    "llvm.returnaddress",
    "llvm.frameaddress",
    "llvm.addressofreturnaddress",
    "llvm.sponentry",
];

/// Words of inline assembly that ask the processor or the kernel.
const ASSEMBLY: &[&str] = &[
    "rdtsc", "cpuid", "rdrand", "rdseed", "rdpid", "xgetbv", "syscall",
];

impl Body<'_, '_> {
    /// Marks the begin of a function.
    pub fn mark_entry(&mut self, name: &str, origin: Origin) {
        if !self.module.roots.watch.marks {
            return;
        }
        if origin != Origin::Program && ANSWERS.contains(&name) {
            self.mark(Mark::Environment);
        }
        if self.is_marked && name == "main" {
            if self.module.roots.watch.folds && !self.module.roots.checks_overflow {
                self.mark(Mark::Folded);
            }
            let parameters = self.function.parameters();
            for parameter in &parameters {
                let places = parameter.users().into_iter().filter_map(stored_place);
                self.parameter_places.extend(places);
            }
            self.parameter_places.extend(parameters);
        }
    }

    /// Finds what is to be marked in a block that is lowered next.
    pub fn prepare_marks(&mut self, block: Block) {
        if self.is_marked {
            self.unordered = unordered(&mut self.module.effects, block);
        }
    }

    /// Marks an instruction of the program's own code, before it.
    pub fn mark_instruction(&mut self, inst: Value) -> Result<(), Unsupported> {
        use LLVMOpcode as Op;
        if !self.is_marked {
            return Ok(());
        }
        if self.asks_environment(inst) {
            self.mark(Mark::Environment);
        }
        if self.converts_address(inst) {
            self.mark(Mark::Addresses);
        }
        if self.unordered.contains(&inst) {
            self.mark(Mark::Order);
        }
        if !self.module.roots.track_undefined {
            self.mark_unset(inst)?;
        }
        match inst.opcode() {
            Op::LLVMICmp => self.mark_comparison(inst),
            Op::LLVMSub => self.mark_distance(inst),
            Op::LLVMPtrToInt if number_matters(inst, &mut FxHashSet::default()) => {
                let pointer = self.operand(inst.operand(0))?;
                match pointer.as_slice() {
                    [pointer] => self.call_of_words("homi_mark_number", &[*pointer]),
                    _ => self.mark(Mark::Addresses),
                }
                Ok(())
            }
            Op::LLVMLoad if is_part_of_word(inst) => {
                let size = self.module.types.layout.allocation_size(inst.ty());
                let size = self.int(64, size.into());
                self.mark_bytes(inst.operand(0), size)
            }
            Op::LLVMCall => {
                self.mark_call(inst);
                self.mark_bytes_of_call(inst)
            }
            _ => Ok(()),
        }
    }

    /// A copy of a few bytes, or a comparison of bytes.
    fn mark_bytes_of_call(&mut self, call: Value) -> Result<(), Unsupported> {
        let name = call.called_value().name();
        if name == "llvm.dbg.declare" {
            return self.renew_local(call);
        }
        let is_copy = name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
        let is_comparison = ["memcmp", "bcmp"].contains(&name.as_str());
        if call.argument_count() < 3 || !(is_copy || is_comparison) {
            return Ok(());
        }
        let size = call.operand(2);
        if is_copy && (!size.is_constant_int() || size.const_u64() % 8 == 0) {
            return Ok(());
        }
        let size = self.scalar(size)?;
        if is_comparison {
            self.mark_bytes(call.operand(0), size)?;
        }
        self.mark_bytes(call.operand(1), size)
    }

    /// Bytes that are read on their own, and may be of an address.
    fn mark_bytes(&mut self, address: Value, size: Slot) -> Result<(), Unsupported> {
        if self.has_wide_addresses() {
            let address = self.scalar(address)?;
            self.call_of_words("homi_mark_bytes", &[address, size]);
        }
        Ok(())
    }

    /// Marks a call of the kernel by the C library, before it.
    pub fn mark_system_call(&mut self, callee: Value, inst: Value) {
        if !self.module.roots.watch.marks {
            return;
        }
        let entries = &self.module.syscall_entries;
        let is_harmless = match entries.asked(self.function, callee, inst) {
            None => true,
            Some(Some(IOCTL)) => self.function.name() == STANDARD_OUTPUT,
            Some(Some(number)) => HARMLESS_CALLS.contains(&number),
            Some(None) => false,
        };
        if !is_harmless {
            self.mark(Mark::Environment);
        }
    }

    /// Returns true if an instruction reads a parameter of main or a variable of the environment.
    fn asks_environment(&self, inst: Value) -> bool {
        use LLVMOpcode as Op;
        let is_load = inst.opcode() == Op::LLVMLoad;
        if is_load && inst.users().is_empty() {
            return false;
        }
        (0..inst.operand_count()).any(|index| {
            let mut operand = inst.operand(index);
            while operand.kind() == LLVMValueKind::LLVMConstantExprValueKind {
                operand = operand.operand(0);
            }
            if operand.kind() == LLVMValueKind::LLVMGlobalVariableValueKind {
                return VARIABLES.contains(&operand.name().as_str());
            }
            let puts_away = stored_place(inst).is_some_and(|place| {
                self.parameter_places.contains(&place) && (index == 1 || operand != place)
            });
            self.parameter_places.contains(&operand) && !puts_away && !is_debug(inst)
        })
    }

    /// Returns true if an operand is a constant that converts an address, and its number matters.
    fn converts_address(&self, inst: Value) -> bool {
        (0..inst.operand_count()).any(|index| {
            let operand = inst.operand(index);
            operand.kind() == LLVMValueKind::LLVMConstantExprValueKind
                && operand.const_opcode() == LLVMOpcode::LLVMPtrToInt
                && use_matters(inst, operand, &mut FxHashSet::default())
        })
    }

    /// A use of what may never have been set, where undefined values are not tracked.
    fn mark_unset(&mut self, inst: Value) -> Result<(), Unsupported> {
        if !is_debug(inst) {
            let mut operands = (0..inst.operand_count()).map(|index| inst.operand(index));
            if operands.any(|operand| is_unset(operand, &mut FxHashSet::default())) {
                self.mark(Mark::Unset);
            }
        }
        if inst.opcode() == LLVMOpcode::LLVMLoad {
            let size = self.module.types.layout.allocation_size(inst.ty());
            let (address, size) = (self.scalar(inst.operand(0))?, self.int(64, size.into()));
            self.call_of_words("homi_mark_load", &[address, size]);
        }
        Ok(())
    }

    /// Behind a load of a number as wide as an address, which may have been stored as one. Numbers
    /// in locals are followed from their conversion.
    pub fn mark_loaded(&mut self, inst: Value) -> Result<(), Unsupported> {
        let place = inst.operand(0);
        let is_followed = is_local(place) && is_word(place.allocated_type());
        if self.is_marked
            && self.has_wide_addresses()
            && !is_followed
            && is_word(inst.ty())
            && number_matters(inst, &mut FxHashSet::default())
        {
            let number = self.scalar(inst)?;
            self.call_of_words("homi_mark_loaded", &[number]);
        }
        Ok(())
    }

    /// Returns true if a loaded number can be distinguished from an address; 32 bits are too few.
    fn has_wide_addresses(&self) -> bool {
        self.module.types.pointers == PointerWidth::Bits64
    }

    /// Pointers that are compared, and numbers that they are.
    fn mark_comparison(&mut self, inst: Value) -> Result<(), Unsupported> {
        let (a, b) = (inst.operand(0), inst.operand(1));
        let is_equality = matches!(
            inst.int_predicate(),
            LLVMIntPredicate::LLVMIntEQ | LLVMIntPredicate::LLVMIntNE
        );
        let is_pointer = a.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
        let is_null =
            |value: Value| value.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind;
        if is_pointer && !is_null(a) && !is_null(b) {
            return self.mark_pair(a, b, !is_equality);
        }
        match (pointer_of(a), pointer_of(b)) {
            (Some(a), Some(b)) => self.mark_pair(a, b, !is_equality),
            _ => Ok(()),
        }
    }

    /// The distance of two pointers.
    fn mark_distance(&mut self, inst: Value) -> Result<(), Unsupported> {
        match (pointer_of(inst.operand(0)), pointer_of(inst.operand(1))) {
            (Some(a), Some(b)) => self.mark_pair(a, b, true),
            _ => Ok(()),
        }
    }

    fn mark_pair(&mut self, a: Value, b: Value, is_order: bool) -> Result<(), Unsupported> {
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        let is_order = self.int(64, is_order.into());
        self.call_of_words("homi_mark_comparison", &[a, b, is_order]);
        Ok(())
    }

    /// A call by the program: of what answers for the processor, or of output whose result is used.
    fn mark_call(&mut self, inst: Value) {
        let called = inst.called_value();
        if called.is_inline_assembly() {
            let (text, _) = called.assembly();
            if ASSEMBLY.iter().any(|word| text.contains(word)) {
                self.mark(Mark::Environment);
            }
            return;
        }
        let name = called.name();
        let plain = name.trim_start_matches('_');
        let begins = |list: &[&str]| list.iter().any(|begin| name.starts_with(begin));
        if begins(PROCESSOR) {
            self.mark(Mark::Environment);
        } else if begins(NATIVE_ADDRESSES) {
            self.mark(Mark::Addresses);
        } else if self.tells_of_output(inst, plain) {
            self.mark(Mark::Output);
        }
        let format = PRINTS.iter().find(|row| row.0 == plain);
        if format.is_some_and(|(_, index)| prints_addresses(inst, *index)) {
            self.mark(Mark::Addresses);
        }
    }

    /// Returns true if the program uses what a call says of the success of output: its result, also
    /// of one through a pointer that may be to such a function, or `errno` behind it.
    fn tells_of_output(&self, call: Value, plain: &str) -> bool {
        if call.users().is_empty() {
            return false;
        }
        let module = self.module.module;
        let functions = || OUTPUT.iter().filter_map(|name| module.function(name));
        let is_called =
            |user: &Value| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
        match plain {
            "errno_location" => {
                let reads = |user: &Value| user.opcode() == LLVMOpcode::LLVMLoad;
                let is_own = |user: &Value| {
                    is_called(user) && origin_of(user.block().function()) == Origin::Program
                };
                call.users().iter().any(reads)
                    && functions().any(|function| function.users().iter().any(is_own))
            }
            _ if OUTPUT.contains(&plain) => true,
            _ if call.called_value().kind() == LLVMValueKind::LLVMFunctionValueKind => false,
            _ => functions().any(|function| {
                let mut users = function.users().into_iter();
                users.any(|user| !is_called(&user) || user.called_value() != function)
            }),
        }
    }

    /// Behind a call of the program that may return twice: where it does so the second time, locals
    /// that changed in between have no certain value.
    pub fn mark_second_return(&mut self, inst: Value, plain: &str) -> Result<(), Unsupported> {
        let sets_jump = ["setjmp", "sigsetjmp"].contains(&plain);
        if self.is_marked && sets_jump && changes_locals_after(inst) {
            let result = self.scalar(inst)?;
            let result = self.resize(32, 64, result);
            self.call_of_words("homi_mark_jump", &[result]);
        }
        Ok(())
    }

    /// Marks the begin of a round of a loop.
    pub fn mark_loop_head(&mut self) {
        self.call_of_words("homi_loop_head", &[]);
    }

    pub fn mark(&mut self, mark: Mark) {
        let number = self.int(64, mark as u128);
        self.call_of_words("homi_mark", &[number]);
    }
}
