//! Tells the linker where set-up put the solver library, so that `homi` finds it at run time
//! without environment variables.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if let Ok(directory) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        if let Ok(absolute) = Path::new(&directory).canonicalize() {
            println!("cargo:rustc-link-arg=-Wl,-rpath,{}", absolute.display());
        }
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/homi");
}
