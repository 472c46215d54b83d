//! Tests as files, and what happens outside homi: native runs and recorded processes.
//!
//! The program under test runs natively here only, in another process and in a sandbox.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `testcase` | `.ktest` with its forms, `.err`, the coverage log | - |
//! | `replay` | native runs in a sandbox on the modeled kernel, reports on them | `testcase` |
//! | `kept` | cases that a shell script runs without homi, and how they are recorded | `replay` |
//! | `image` | the program as a native executable that executes inputs one after the other | - |
//! | `record` | `homi record`: processes, and tests made of them | `testcase` |

pub mod image;
pub mod kept;
pub mod record;
pub mod replay;
pub mod testcase;
