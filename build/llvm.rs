//! Has entries made for LLVM's functions (build/lazy.rs).

use std::path::Path;

mod lazy;

fn main() {
    println!("cargo:rerun-if-changed=../../build");
    for version in 19..=23 {
        let prefix = format!("LLVM_SYS_{version}1_PREFIX");
        println!("cargo:rerun-if-env-changed={prefix}");
        let prefix = std::env::var(prefix).unwrap_or_default();
        if std::env::var_os(format!("CARGO_FEATURE_LLVM{version}")).is_some() {
            let library = Path::new(&prefix).join(format!("lib/libLLVM-{version}.so"));
            lazy::write("llvm", &library, "LLVM");
        }
    }
}
