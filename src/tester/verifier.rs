//! The functions of the software verification competition (SV-COMP), by which its programs get
//! inputs, in terms of klee/klee.h: programs only declare them.
//!
//! Invariant: all of them are weak, so a program that defines one keeps its own.

use std::fmt::Write;

/// What their names begin with.
pub(super) const PREFIX: &str = "__VERIFIER_";

/// The file that defines them.
pub(super) const FILE: &str = "homi-verifier.c";

/// What those begin with that make an input.
pub(super) const MAKERS: &str = "__VERIFIER_nondet_";

/// The end of a function's name, and the type that it returns.
const TYPES: [(&str, &str); 19] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("size_t", "size_t"),
    ("u8", "uint8_t"),
    ("u16", "uint16_t"),
    ("u32", "uint32_t"),
    ("u64", "uint64_t"),
    ("float", "float"),
    ("double", "double"),
];

/// C source that defines them.
pub(super) fn verifier_source() -> String {
    let mut text = "#include <klee/klee.h>\n#include <stdlib.h>\n\
        #define WEAK __attribute__((weak))\n"
        .to_string();
    for (name, c_type) in TYPES {
        // Bits of a truth value beyond the lowest would be no truth value.
        let value = match name {
            "bool" => "(value & 1)",
            _ => "value",
        };
        let held = if name == "bool" {
            "unsigned char"
        } else {
            c_type
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "WEAK {c_type} {MAKERS}{name}(void) {{\n  {held} value;\n  \
             klee_make_symbolic(&value, sizeof value, \"{name}\");\n  return {value};\n}}\n"
        );
    }
    text + "WEAK void __VERIFIER_assume(int holds) { if (!holds) klee_silent_exit(0); }\n\
        WEAK void __VERIFIER_error(void) { abort(); }\n"
}
