//! Tells the linker where set-up and an archive put the libraries that `homi` loads.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build/main.rs");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if let Ok(directory) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        if let Ok(absolute) = Path::new(&directory).canonicalize() {
            println!("cargo:rustc-link-arg=-Wl,-rpath,{}", absolute.display());
        }
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/homi");
}
