//! Harnesses of small programs, given as LLVM's text.

use super::*;
use homi_config::Pointee;

fn config(entry: &str) -> FunctionConfig {
    FunctionConfig {
        entry: entry.to_string(),
        shapes: PointerShape::ALL.to_vec(),
        elements: None,
        depth: 3,
        globals: Vec::new(),
        pointees: Vec::new(),
        requires: Vec::new(),
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

/// `int f(struct s *r, char *t)` with `struct s { int low; struct s *next; }`.
const WITH_TYPES: &str = "define i32 @f(ptr noundef %0, ptr noundef %1) #0 !dbg !4 {\n}\n\
    !1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n\
    !4 = distinct !DISubprogram(name: \"f\", file: !1, line: 9, type: !5)\n\
    !5 = !DISubroutineType(types: !6)\n!6 = !{!7, !8, !9}\n\
    !7 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n\
    !8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)\n\
    !9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)\n\
    !10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"s\", size: 128, elements: !12)\n\
    !11 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)\n\
    !12 = !{!13, !14}\n\
    !13 = !DIDerivedType(tag: DW_TAG_member, name: \"low\", baseType: !7, size: 32)\n\
    !14 = !DIDerivedType(tag: DW_TAG_member, name: \"next\", baseType: !8, size: 64, offset: 64)\n\
    !15 = !DILocalVariable(name: \"r\", arg: 1, scope: !4, type: !8)\n\
    !16 = !DILocalVariable(name: \"t\", arg: 2, scope: !4, type: !9)\n";

#[test]
fn contracts_are_in_the_harness() {
    let mut with_contract = config("f");
    let pointee = |text: &str| Pointee::read(text).expect("a shape");
    with_contract.pointees = vec![
        ("r".to_string(), pointee("null|one")),
        ("t".to_string(), pointee("string(<=8)")),
    ];
    with_contract.requires = vec!["r && r->next->low <= t[0]".to_string()];
    let made = source(WITH_TYPES, &with_contract, false).expect("no error");
    let made = made.expect("a harness").text;
    for part in [
        "struct s {\n  int low;\n  struct s *next;\n};",
        "static int homi_requires(struct s *r, char *t) {",
        "if (!(r && r->next->low <= t[0])) return 0;",
        "\"r\", 3, 1, 0);",
        "\"t\", 4, 8, 1);",
        "if (!homi_requires(p_r, p_t)) klee_silent_exit(0);",
    ] {
        assert!(made.contains(part), "{part} in {made}");
    }
    let wrong = |name: &str, shape: &str| {
        let mut wrong = config("f");
        wrong.pointees = vec![(name.to_string(), pointee(shape))];
        source(WITH_TYPES, &wrong, false)
            .expect_err("refused")
            .to_string()
    };
    assert!(wrong("q", "one").contains("its parameters are r, t"));
    assert!(wrong("r", "string").contains("no string"));
}
