//! Test cases: the `.ktest` file, KLEE's format byte for byte, and how one is printed. Owns no policy
//! on which tests are written; the engine hands in objects, `replay` and `explain` take them out.
//! Never runs anything.

pub mod ktest;
pub mod ktest_text;
