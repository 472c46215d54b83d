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
//! | `record` | `homi record`: processes, and tests made of them | `testcase` |

pub mod record;
pub mod replay;
pub mod testcase;
