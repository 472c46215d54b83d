//! Z3's functions, loaded with the library when the first one is called.

homi_ir::util::lazy_library!(
    include_str!(concat!(env!("OUT_DIR"), "/z3.names")),
    include_str!(concat!(env!("OUT_DIR"), "/z3.s"))
);
