//! The functions that the executor implements itself: the one table of their names.
//!
//! Invariant: the table is the only list. The executor makes its functions of it (a row names the
//! module and the function under `machine::exec::intrinsics`, so a row without function does not
//! compile), and lowering asks it which declarations need no definition.

use super::{Function, Origin};

/// Hands all built-in functions to the macro `$take`, as rows of
/// `module::function: kind "name", "name"...;`.
///
/// The kind says what happens to a definition in bitcode of the same name. `always`: the built-in
/// replaces the one of a libc or the runtime. `fallback`: the built-in is for programs without a
/// definition. The user's own definition wins in either case.
#[macro_export]
macro_rules! builtin_table {
    ($take:ident) => {
        $take! {
            allocate::malloc: always
                "malloc", "homi_malloc", "_Znwm", "_Znam",
                "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t";
            allocate::aligned_new: always
                "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t",
                "_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t";
            allocate::calloc: always "calloc", "homi_calloc";
            allocate::realloc: always "realloc", "homi_realloc";
            allocate::reallocarray: always "reallocarray";
            allocate::free: always
                "free", "homi_free", "cfree", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm",
                "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t",
                "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
                "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t",
                "_ZdlPvSt11align_val_tRKSt9nothrow_t", "_ZdaPvSt11align_val_tRKSt9nothrow_t";
            allocate::memalign: always "memalign", "aligned_alloc", "homi_aligned_alloc";
            allocate::posix_memalign: always "posix_memalign";
            allocate::valloc: always "valloc";
            allocate::malloc_usable_size: always "malloc_usable_size";

            bytes::copy: always "memcpy", "memmove", "mempcpy", "__mempcpy";
            bytes::set: always "memset";
            bytes::compare: always "memcmp", "bcmp", "strcmp", "strncmp";
            bytes::find: always
                "memchr", "strchr", "index", "strchrnul", "__strchrnul", "rawmemchr";
            bytes::length: always "strlen", "strnlen";
            bytes::copy_string: always "strcpy", "stpcpy", "__stpcpy";

            control::set_jump: always "setjmp", "_setjmp", "__setjmp";
            control::set_jump_with_mask: always "sigsetjmp", "__sigsetjmp";
            control::set_jump_of_caller: always "homi_set_jump_of_caller";
            control::long_jump_with_mask: always
                "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk";
            control::long_jump: always "homi_long_jump";
            control::set_jump_in_words: always "homi_set_jump_in_words";
            control::long_jump_in_words: always "homi_long_jump_in_words";
            control::resume: always "homi_resume";
            control::run_constructors: always "__homi_run_constructors";
            control::run_destructors: always "__homi_run_destructors";

            ending::abort: always "abort", "klee_abort", "homi_abort";
            ending::assert_fail: always "__assert_fail", "__assert", "_assert", "klee_assert_fail";
            ending::assert_rtn: always "__assert_rtn";
            ending::silent_exit: always "klee_silent_exit";
            ending::report_error: always "klee_report_error";
            ending::report_and_go_on: always "homi_report_error";
            ending::exit: always "homi_exit";
            trapping::trap: always "homi_trap";
            trapping::folded: always "homi_folded";
            ending::unsupported: always "homi_unsupported";
            // A libc runs handlers and flushes first; this is for programs without one.
            ending::exit: fallback "exit", "_exit", "_Exit", "quick_exit";
            ending::smashed: fallback "__stack_chk_fail";

            environment::clear_exceptions: always "feclearexcept";
            environment::raise_exceptions: always "feraiseexcept";
            environment::test_exceptions: always "fetestexcept";
            environment::get_flags: always "fegetexceptflag";
            environment::set_flags: always "fesetexceptflag";
            environment::hold_exceptions: always "feholdexcept";
            environment::update_environment: always "feupdateenv";
            environment::no_traps: always "fegetexcept", "fedisableexcept";
            environment::enable_traps: always "feenableexcept";
            environment::get_round: always "fegetround";
            environment::set_round: always "fesetround";
            environment::get_environment: always "fegetenv";
            environment::set_environment: always "fesetenv";

            host::host_stat: always "homi_host_stat";
            host::host_read: always "homi_host_read";
            host::host_readlink: always "homi_host_readlink";
            host::host_readdir: always "homi_host_readdir";
            host::host_getcwd: always "homi_host_getcwd";
            host::stdin_read: always "homi_stdin_read";
            host::host_id: always "homi_host_id";
            host::output: always "homi_output";
            host::concretize: always "homi_concretize";
            host::each_value: always "homi_each_value";
            host::concretize_string: always "homi_concretize_string";
            host::require_room: always "homi_require_room";
            host::copy: always "homi_copy";
            host::clock_ns: always "homi_clock_ns";
            host::predicts: always "homi_predicts";
            host::variation: always "homi_variation";
            host::note_underapproximation: always "homi_note_concretized";

            inputs::make_symbolic: always "klee_make_symbolic";
            inputs::range: always "klee_range";
            inputs::int: always "klee_int";
            inputs::choose: always "klee_choose";
            inputs::assume: always "klee_assume";
            inputs::assume_or_end: always "homi_assume";
            inputs::prefer: always "klee_prefer_cex";
            // Preferences change nothing: no option asks for readable inputs.
            inputs::prefer_readable: always "klee_posix_prefer_cex";

            mappings::is_free: always "homi_is_free";
            mappings::map: always "homi_map";
            mappings::map_window: always "homi_map_window";
            mappings::unmap: always "homi_unmap";
            mappings::protect: always "homi_protect";

            merging::open: always "klee_open_merge";
            merging::close: always "klee_close_merge";

            numbers::of_libm: always
                "sin", "sinf", "cos", "cosf", "tan", "tanf", "asin", "asinf", "acos", "acosf",
                "atan", "atanf", "sinh", "sinhf", "cosh", "coshf", "tanh", "tanhf", "asinh",
                "asinhf", "acosh", "acoshf", "atanh", "atanhf", "exp", "expf", "exp2", "exp2f",
                "exp10", "exp10f", "expm1", "expm1f", "log", "logf", "log2", "log2f", "log10",
                "log10f", "log1p", "log1pf", "erf", "erff", "erfc", "erfcf", "tgamma", "tgammaf",
                "j0", "j0f", "j1", "j1f", "y0", "y0f", "y1", "y1f", "pow", "powf", "atan2",
                "atan2f", "hypot", "hypotf";

            pointing::relation: always "homi_check_relation";
            pointing::sum: always "homi_check_sum";

            queries::is_symbolic: always "klee_is_symbolic";
            queries::is_replay: always "klee_is_replay";
            queries::get_value: always
                "klee_get_valuef", "klee_get_valued", "klee_get_valuel", "klee_get_valuell",
                "klee_get_value_i32", "klee_get_value_i64";
            queries::print_expr: always "klee_print_expr";
            queries::print_range: always "klee_print_range";
            queries::stack_trace: always "klee_stack_trace";
            queries::warning: always "klee_warning";
            queries::warning_once: always "klee_warning_once";
            queries::get_obj_size: always "klee_get_obj_size";
            queries::check_memory_access: always "klee_check_memory_access";
            queries::define_fixed_object: always "klee_define_fixed_object";
            queries::mark_global: always "klee_mark_global";
            queries::set_forking: always "klee_set_forking";
            queries::get_errno: always "klee_get_errno";
            queries::errno_location: fallback "__errno_location";

            stdio::putchar: fallback "putchar";
            stdio::puts: fallback "puts";
            stdio::printf: fallback "printf";
            stdio::fflush: fallback "fflush";

            threads::tick_after: always "homi_tick_after";
            threads::start: always "homi_thread_start";
            threads::switch: always "homi_thread_switch";

            unwind::depth: always "homi_unwind_depth";
            unwind::clause: always "homi_unwind_clause";
            unwind::land: always "homi_unwind_land";
            unwind::uncaught: always "homi_uncaught";

            watching::preemptions: always "homi_preemptions";
            watching::preempt_by: always "homi_preempt_by";
            watching::preempt_point: always "homi_preempt_point";
            watching::begin_section: always "homi_atomic_begin";
            watching::end_section: always "homi_atomic_end";
            watching::access: always "homi_watch_access";
            watching::acquire: always "homi_watch_acquire";
            watching::release: always "homi_watch_release";
            watching::join: always "homi_watch_join";
            watching::end: always "homi_watch_end";

            marking::mark: always "homi_mark";
            marking::compare: always "homi_mark_comparison";
            marking::number: always "homi_mark_number";
            marking::loaded: always "homi_mark_loaded";
            marking::load: always "homi_mark_load";
            marking::bytes: always "homi_mark_bytes";
            marking::renew: always "homi_renew";
            marking::jump: always "homi_mark_jump";
            marking::loop_head: always "homi_loop_head";
        }
    };
}
pub use builtin_table;

/// Fate of a definition of a built-in function that comes from a libc or the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Always,
    Fallback,
}

macro_rules! kind {
    (always) => {
        Kind::Always
    };
    (fallback) => {
        Kind::Fallback
    };
}

macro_rules! names {
    ($($module:ident::$function:ident: $kind:ident $($name:literal),+;)+) => {
        &[$($(($name, kind!($kind))),+),+]
    };
}

/// Names of all built-in functions.
const NAMES: &[(&str, Kind)] = builtin_table!(names);

/// A built-in function: its place in the table of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin(u16);

impl Builtin {
    /// The place of the built-in function's name in the table, counted from 0.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Prefix of the runtime's functions that the program defines as well; a built-in function is found
/// without it.
pub const OWN: &str = "homi.own.";

/// The name under which a function is built in.
#[inline]
pub fn builtin_name(name: &str) -> &str {
    name.strip_prefix(OWN).unwrap_or(name)
}

fn find(name: &str) -> Option<usize> {
    let name = builtin_name(name);
    NAMES.iter().position(|(known, _)| *known == name)
}

/// True if the executor implements the function, so that a declaration of it is not "undefined".
pub fn is_builtin(name: &str) -> bool {
    find(name).is_some()
}

/// Returns the built-in function that replaces a function of a program, if there is one.
pub fn builtin_for(function: &Function) -> Option<Builtin> {
    let place = find(&function.name)?;
    let over_libc = NAMES[place].1 == Kind::Always && function.origin != Origin::Program;
    (!function.is_defined() || over_libc).then_some(Builtin(place as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_built_in_once() {
        let distinct: BTreeSet<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        assert_eq!(distinct.len(), NAMES.len());
    }

    #[test]
    fn names_are_looked_up_whole() {
        assert!(is_builtin("homi.own.memcpy") && !is_builtin("homi.own.fprintf"));
        assert!(is_builtin("printf") && is_builtin("_Znwm") && is_builtin("klee_assume"));
        assert!(!is_builtin("klee_") && !is_builtin("klee_merge") && !is_builtin("fprintf"));
    }
}
