//! What the fuzz targets share: processes that may die without ending the fuzzer, and mutations of
//! bitcode that keep its structure. Never part of homi itself.

pub mod bitstream;
pub mod isolated;
