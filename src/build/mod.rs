//! C compilers: `homi cc`, the toolchains of this machine, harnesses that call one function.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `cc` | `homi cc`: what a compiler's command line asks for, bitcode that objects carry | `sanitizers` |
//! | `sanitizers` | the flags about sanitizers that bitcode and gcc get | - |
//! | `toolchain` | the compilers on this machine and what they can do | - |
//! | `harness` | C programs that call one function with symbolic parameters | `toolchain` |

pub mod cc;
pub mod harness;
pub mod sanitizers;
pub mod toolchain;
