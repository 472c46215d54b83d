//! LLVM's functions, loaded with the library when the first one is called.

homi_ir::util::lazy_library!(
    include_str!(concat!(env!("OUT_DIR"), "/llvm.names")),
    include_str!(concat!(env!("OUT_DIR"), "/llvm.s"))
);
