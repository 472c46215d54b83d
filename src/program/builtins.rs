//! The functions that the executor implements itself.
//!
//! Invariant: a declaration with one of these names is not "undefined". If the program or the libc
//! defines a function of the same name, the program's own definition wins; for one that only the
//! libc defines the executor may choose either.

/// Names of built-in functions, sorted. Names that start with `klee_` or `homi_` count as well.
pub const BUILTINS: &[&str] = &[
    "__assert_fail",
    "__homi_run_constructors",
    "__homi_run_destructors",
    "__sigsetjmp",
    "_exit",
    "_longjmp",
    "_setjmp",
    "abort",
    "aligned_alloc",
    "bcmp",
    "calloc",
    "exit",
    "free",
    "longjmp",
    "malloc",
    "malloc_usable_size",
    "memalign",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "posix_memalign",
    "realloc",
    "reallocarray",
    "setjmp",
    "siglongjmp",
    "sigsetjmp",
    "strchr",
    "strcmp",
    "strlen",
    "strncmp",
    "strnlen",
    "valloc",
];

/// True if the executor implements the function.
pub fn is_builtin(name: &str) -> bool {
    name.starts_with("klee_") || name.starts_with("homi_") || BUILTINS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_for_binary_search() {
        assert!(BUILTINS.is_sorted());
        assert!(is_builtin("malloc") && is_builtin("klee_assume") && !is_builtin("printf"));
    }
}
