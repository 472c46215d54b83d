//! The fuzz targets of fuzz compile and take plain inputs. They are a package of their
//! own, which no other check builds (building it costs minutes); here their files are modules, and
//! this crate stands for libFuzzer's and theirs.

// `fuzzing` is cargo-fuzz's.
#![allow(unexpected_cfgs)]

extern crate self as homi_fuzz;
extern crate self as libfuzzer_sys;

#[path = "../fuzz/src/bitstream.rs"]
#[allow(dead_code)]
pub mod bitstream;
#[path = "../fuzz/src/isolated.rs"]
#[allow(dead_code)]
pub mod isolated;

/// As libFuzzer's, a function instead of an entry point.
#[macro_export]
macro_rules! fuzz_target {
    (init: $start:expr, |$input:ident: $type:ty| $body:block) => {
        pub fn start() {
            $start
        }
        $crate::fuzz_target!(|$input: $type| $body);
    };
    (|$input:ident: $type:ty| $body:block) => {
        pub fn target($input: $type) $body
    };
}

#[macro_export]
macro_rules! fuzz_mutator {
    (
        |$data:ident: $d:ty, $size:ident: $s:ty, $most:ident: $m:ty, $seed:ident: $r:ty| $body:block
    ) => {
        pub fn mutator($data: $d, $size: $s, $most: $m, $seed: $r) -> usize $body
    };
}

/// libFuzzer's own mutation: here none.
pub fn fuzzer_mutate(_data: &mut [u8], size: usize, _most: usize) -> usize {
    size
}

#[path = "../fuzz/fuzz_targets/bitcode.rs"]
#[allow(unused_attributes, unused_imports)]
mod bitcode;
#[path = "../fuzz/fuzz_targets/ir_text.rs"]
#[allow(unused_attributes, unused_imports)]
mod ir_text;
#[path = "../fuzz/fuzz_targets/ktest.rs"]
#[allow(unused_attributes, unused_imports)]
mod ktest;

#[test]
fn texts_and_tests_that_are_none_are_errors() {
    ir_text::start();
    ir_text::target("no program\n");
    ktest::target(b"KTEST\0");
}

#[test]
fn mutations_stay_within_their_room() {
    let mut data = *b"BC\xc0\xde0123456789012345678901234567890123456789";
    let most = data.len();
    for seed in 0..50 {
        assert!(bitcode::mutator(&mut data, most, most, seed) <= most);
    }
    // Reads a file in a child process: only its type is looked at here.
    let _: fn(&[u8]) = bitcode::target;
}
