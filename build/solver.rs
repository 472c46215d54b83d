//! Has entries made for Z3's functions (build/lazy.rs).

use std::path::Path;

mod lazy;

fn main() {
    println!("cargo:rerun-if-changed=../../build");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let directory = std::env::var("Z3_LIBRARY_PATH_OVERRIDE").unwrap_or_default();
    lazy::write("z3", &Path::new(&directory).join("libz3.so"), "Z3_");
}
