//! Harnesses of small programs, given as LLVM's text.

use super::*;

fn config(entry: &str) -> FunctionConfig {
    FunctionConfig {
        entry: entry.to_string(),
        shapes: PointerShape::ALL.to_vec(),
        elements: None,
        depth: 3,
        globals: Vec::new(),
    }
}

#[test]
fn what_is_not_defined_has_no_harness() {
    let made = source("declare void @f(i32)\n", &config("f"), false).expect("no error");
    assert_eq!(made, None);
}

#[test]
fn without_debug_information_a_structure_by_value_is_refused() {
    let text = "define void @f(ptr byval(%struct.s) %0) #0 {\n}\n";
    let error = source(text, &config("f"), false)
        .expect_err("refused")
        .to_string();
    assert!(error.contains("compile with -g"), "{error}");
    let text = "define i32 @f(i32 noundef %0, ptr %1) #0 {\n}\n";
    let made = source(text, &config("f"), false).expect("no error");
    let made = made.expect("a harness").text;
    assert!(made.contains("unsigned int p_p1"), "{made}");
    assert!(made.contains("f(p_p1, p_p2);"), "{made}");
}
