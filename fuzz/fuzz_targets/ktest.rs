//! The reader of `.ktest` files and what follows from it: any bytes are a test or an error; a test
//! is written back as the same bytes, printed, and expanded to the inputs of a process.
#![no_main]

use homi::native::replay::Inputs;
use homi::native::testcase::ktest::KTest;
use homi::native::testcase::ktest_text;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let test = match KTest::from_bytes(bytes) {
        Ok(test) => test,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(
        test.to_bytes(),
        bytes,
        "a test is not written as it was read"
    );
    for trim in [false, true] {
        let text = ktest_text::print(&test, Path::new("fuzzed.ktest"), trim);
        assert!(text.starts_with("ktest file : "), "{text}");
    }
    match Inputs::of(&test) {
        Ok(mut inputs) => inputs.leave_to_model(),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
