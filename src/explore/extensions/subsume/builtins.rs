//! Reads and writes of the built-in functions.
//!
//! Invariant: a function that is not listed here is unsupported, and its subpath has no
//! interpolant.

use super::reasons::Reason;
use super::subpath::{Equipment, Failure, Subpath, Touch};
use homi_ir::program::{Slot, builtin_name};
use homi_machine::memory::Value;
use homi_solver::term::Term;

/// Reads and writes of a built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// Reads only its arguments, which stay concrete if they were.
    Arguments,
    /// Reads nothing on which the path depends, not even its arguments.
    Values,
    /// Copies bytes from the second argument to the first; the third is their number.
    Copy,
    /// Overwrites bytes at the first argument; the third is their number.
    Fill,
    /// Reads objects to which its arguments point; concrete bytes stay concrete.
    Contents,
    /// Depends only on the existence of the object to which the first argument points.
    Shape,
    /// Reads all bytes of the object to which the first argument points.
    Whole,
    /// Overwrites the whole object to which the first argument points.
    Overwritten,
    /// Returns whether the first argument is symbolic.
    AsksSymbolic,
}

/// Returns the reads and writes of a function by its name; `None` if it is unsupported.
fn effect(name: &str) -> Option<Effect> {
    Some(match name {
        "malloc"
        | "homi_malloc"
        | "_Znwm"
        | "_Znam"
        | "_ZnwmRKSt9nothrow_t"
        | "_ZnamRKSt9nothrow_t"
        | "calloc"
        | "homi_calloc"
        | "memalign"
        | "aligned_alloc"
        | "homi_aligned_alloc"
        | "valloc"
        | "abort"
        | "klee_abort"
        | "homi_abort"
        | "__assert_fail"
        | "__assert"
        | "_assert"
        | "klee_assert_fail"
        | "__assert_rtn"
        | "klee_silent_exit"
        | "klee_report_error"
        | "__stack_chk_fail"
        | "klee_assume"
        | "klee_is_replay"
        | "klee_warning"
        | "klee_warning_once"
        | "homi_host_id"
        | "homi_clock_ns"
        | "homi_predicts"
        | "homi_variation"
        | "homi_concretize"
        | "homi_each_value"
        | "klee_int"
        | "klee_range"
        | "klee_choose"
        | "__homi_run_constructors"
        | "__homi_run_destructors"
        | "feclearexcept"
        | "feraiseexcept"
        | "fetestexcept"
        | "fegetround"
        | "fesetround"
        | "fegetexcept"
        | "fedisableexcept"
        | "feenableexcept"
        | "fflush" => Effect::Arguments,
        "homi_exit"
        | "exit"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "klee_prefer_cex"
        | "klee_posix_prefer_cex"
        | "klee_open_merge"
        | "klee_close_merge"
        | "homi_mark"
        | "homi_mark_comparison"
        | "homi_mark_number"
        | "homi_mark_load"
        | "homi_mark_bytes"
        | "homi_renew"
        | "homi_mark_loaded"
        | "homi_mark_jump"
        | "homi_loop_head"
        | "putchar" => Effect::Values,
        "memcpy" | "memmove" | "mempcpy" | "__mempcpy" | "homi_copy" => Effect::Copy,
        "memset" => Effect::Fill,
        "memcmp"
        | "bcmp"
        | "strcmp"
        | "strncmp"
        | "memchr"
        | "strchr"
        | "index"
        | "strchrnul"
        | "__strchrnul"
        | "rawmemchr"
        | "strlen"
        | "strnlen"
        | "strcpy"
        | "stpcpy"
        | "__stpcpy"
        | "homi_host_stat"
        | "homi_host_read"
        | "homi_host_readlink"
        | "homi_host_readdir"
        | "homi_host_getcwd"
        | "homi_stdin_read"
        | "homi_concretize_string"
        | "setjmp"
        | "_setjmp"
        | "__setjmp"
        | "longjmp"
        | "_longjmp"
        | "siglongjmp"
        | "sigsetjmp"
        | "__sigsetjmp"
        | "__longjmp_chk"
        | "homi_long_jump"
        | "homi_set_jump_of_caller"
        | "fegetexceptflag"
        | "fesetexceptflag"
        | "feholdexcept"
        | "feupdateenv"
        | "fegetenv"
        | "fesetenv"
        | "puts"
        | "printf"
        | "posix_memalign" => Effect::Contents,
        "free"
        | "homi_free"
        | "cfree"
        | "_ZdlPv"
        | "_ZdaPv"
        | "_ZdlPvm"
        | "_ZdaPvm"
        | "_ZdlPvRKSt9nothrow_t"
        | "_ZdaPvRKSt9nothrow_t"
        | "malloc_usable_size"
        | "klee_get_obj_size"
        | "klee_check_memory_access"
        | "homi_require_room" => Effect::Shape,
        "realloc" | "homi_realloc" | "reallocarray" => Effect::Whole,
        "klee_make_symbolic" => Effect::Overwritten,
        "homi_output" => Effect::Shape,
        "klee_is_symbolic" => Effect::AsksSymbolic,
        _ => return None,
    })
}

/// Returns the failure for a symbolic argument that must be concrete.
fn unknown(name: &str) -> Failure {
    Failure::Unsupported(format!("{name} with a symbolic argument"))
}

impl Subpath<'_> {
    /// Makes variables of the bytes that a built-in function is about to read.
    pub(super) fn built_in(
        &mut self,
        with: &mut Equipment<'_, '_>,
        name: &str,
        args: &[(Slot, u32)],
    ) -> Result<(), Failure> {
        let effect =
            effect(builtin_name(name)).ok_or_else(|| Failure::Unsupported(name.to_string()))?;
        if effect == Effect::AsksSymbolic {
            return self.asks_symbolic(with, args);
        }
        if effect == Effect::Values {
            return Ok(());
        }
        let numbers: Vec<Option<u64>> =
            args.iter().map(|(slot, _)| self.pin(with, *slot)).collect();
        let number = |index: usize| numbers.get(index).copied().flatten();
        let known = |index: usize| number(index).ok_or_else(|| unknown(name));
        match effect {
            Effect::Values | Effect::AsksSymbolic => Ok(()),
            Effect::Arguments => {
                let numbers: Vec<u64> = numbers.into_iter().flatten().collect();
                self.fix_all(&numbers, name)
            }
            Effect::Copy => match (number(0), number(1), number(2)) {
                (Some(target), Some(source), Some(length)) => {
                    self.touch(with, (source, length), Touch::Read)?;
                    self.touch(with, (target, length), Touch::Write)?;
                    self.check_copy(with, target, source, length)
                }
                _ => {
                    self.whole_of(with, args, 1)?;
                    self.whole_of(with, args, 0)
                }
            },
            Effect::Fill => match (number(0), number(2)) {
                (Some(target), Some(length)) => {
                    self.touch(with, (target, length), Touch::Write)?;
                    self.check_parts(with, (target, length))
                }
                _ => self.whole_of(with, args, 0),
            },
            Effect::Contents => {
                self.check_printed(with, name, &numbers)?;
                self.all_whole(with, name, &numbers)
            }
            Effect::Shape => match name {
                "homi_output" => self.touch(with, (known(1)?, 0), Touch::Shape),
                _ => self.touch(with, (known(0)?, 0), Touch::Shape),
            },
            Effect::Whole => self.touch_whole(with, known(0)?, Touch::Read),
            Effect::Overwritten => self.touch_whole(with, known(0)?, Touch::Write),
        }
    }

    /// Prepares an access somewhere in the objects to which an argument may point.
    fn whole_of(
        &mut self,
        with: &mut Equipment<'_, '_>,
        args: &[(Slot, u32)],
        index: usize,
    ) -> Result<(), Failure> {
        match args.get(index) {
            Some(&(slot, _)) => self.access_whole(with, (slot, 1), Touch::Somewhere),
            None => Ok(()),
        }
    }

    /// Prepares an access to all objects to which arguments point.
    fn all_whole(
        &mut self,
        with: &mut Equipment<'_, '_>,
        name: &str,
        numbers: &[Option<u64>],
    ) -> Result<(), Failure> {
        for number in numbers {
            let Some(number) = *number else {
                return Err(unknown(name));
            };
            if self.state.memory.owner(number).is_some()
                || self.start.memory.owner(number).is_some()
            {
                self.contents(with, name, number)?;
            }
        }
        Ok(())
    }

    /// Records whether the first argument is symbolic as a condition; a concrete argument stays
    /// concrete.
    fn asks_symbolic(
        &mut self,
        with: &mut Equipment<'_, '_>,
        args: &[(Slot, u32)],
    ) -> Result<(), Failure> {
        let Some(&(slot, _)) = args.first() else {
            return Ok(());
        };
        let Value::Term(term) = self.register(slot) else {
            return Ok(());
        };
        let term: Term = term;
        let is_number = self.pin(with, slot).is_some();
        if Reason::Symbolic.counts() {
            self.facts.symbolic.push((term, !is_number));
        }
        Ok(())
    }
}
