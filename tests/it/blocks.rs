//! Locals of blocks: an access behind the end of the block is a bug, as AddressSanitizer says.

use crate::support::{TestDir, text};

const HEAD: &str = "static int *kept, other; static void keep(int *p) { kept = p; }\n";

/// The line of the access, the local, its type and the line of its declaration.
const ENDED: &[(u32, &str, u32, &str)] = &[
    (
        4,
        "'inner' (int,",
        3,
        "int main(void) {\n{ int inner = 3; keep(&inner); }\nreturn *kept; }",
    ),
    (
        4,
        "'inner' (int,",
        3,
        "int main(void) {\n{ int inner = 3; kept = &inner; }\nreturn *kept; }",
    ),
    (
        4,
        "'block' (int[],",
        3,
        "int main(void) { for (int round = 0; round < 3; round++) {\nint block[3] = {round, 0, 0};\n\
            if (round) kept[1] = 5; else kept = block; } }",
    ),
    (
        5,
        "'inner' (int,",
        3,
        "int main(int n, char **v) { int *p = &other; if (n == 1) {\nint inner = 3;\np = &inner; }\n*p = 1; }",
    ),
    (
        4,
        "'at' (struct s,",
        3,
        "struct s { int n; }; int main(void) { struct s *p = 0; do {\nstruct s at = {1}; p = &at; keep(&at.n); } while (\n\
            p->n < 1); }",
    ),
    (
        3,
        "'word' (char[],",
        3,
        "int main(void) { char *p = 0; for (int i = 0; i < 2; i++) {\nchar word[9] = {1}; if (i) return *p; p = word; } return 0; }",
    ),
    (
        4,
        "'inner' (int *,",
        3,
        "int main(void) { int **p; switch (kept == 0) { case 1: {\nint *inner = &other; p = &inner; break; } default: return 0; }\nreturn **p; }",
    ),
    (
        5,
        "'x' (int,",
        3,
        "int main(void) { int n = 0; again: {\nint x = n; if (n == 0) keep(&x);\n}\nif (n == 1) return *kept; n++; goto again; }",
    ),
];

fn said(program: &str, flags: &[&str], options: &[&str]) -> String {
    let place = TestDir::new();
    std::fs::write(place.path("task.c"), format!("{HEAD}{program}\n")).expect("a file");
    let compiled = std::process::Command::new("clang-19")
        .args(["-w", "-emit-llvm", "-c", "task.c", "-o", "task.bc"])
        .args(flags)
        .current_dir(place.path("."))
        .status();
    assert!(compiled.expect("clang-19 runs").success(), "{program}");
    text(&place.output(&[&["run", "task.bc", "--output-dir", "out"], options].concat()))
}

const PLAIN: &[&str] = &["-g", "-O0", "-Xclang", "-disable-O0-optnone"];

#[test]
fn a_local_ends_with_its_block() {
    for (line, local, declared, program) in ENDED {
        let said = said(program, PLAIN, &[]);
        let expected =
            format!("task.c:{line}: memory error: use after scope of {local} declared at");
        assert!(said.contains(&expected), "{program}: {said}");
        assert!(
            said.contains(&format!("task.c:{declared})")),
            "{program}: {said}"
        );
    }
}

#[test]
fn a_compound_literal_ends_with_its_block() {
    let program = "int main(void) { int *p;\n{ p = (int[]){1, 2}; keep(p); }\nreturn p[0]; }";
    let told = said(program, PLAIN, &[]);
    assert!(
        told.contains("task.c:4: memory error: use after scope"),
        "{told}"
    );
    // The value of a statement expression has a place of its own in its block.
    let program = "int main(void) { int *p = ({\nint x = 1; &x; });\nreturn *p; }";
    let told = said(program, PLAIN, &[]);
    assert!(
        told.contains("task.c:4: memory error: use after scope of 'x' (int,"),
        "{told}"
    );
    for alive in [
        "int main(void) { int *p; { p = __builtin_alloca(8); keep(p); *p = 1; } return *p; }",
        "int main(void) { int *p = (int[]){1, 2}; { keep(p); } return *p; }",
    ] {
        let told = said(alive, PLAIN, &[]);
        assert!(!told.contains("memory error"), "{alive}: {told}");
    }
}

#[test]
fn lifetime_markers_say_where_a_block_ends() {
    let flags = ["-O1", "-Xclang", "-disable-llvm-passes"];
    for (_, _, _, program) in ENDED {
        let said = said(program, &flags, &[]);
        assert!(
            said.contains("memory error: use after scope of"),
            "{program}: {said}"
        );
    }
}

#[test]
fn a_block_that_has_ended_violates_memory_safety() {
    for (_, _, _, program) in ENDED.iter().filter(|row| !row.3.contains("int n, char")) {
        let said = said(program, PLAIN, &["--property", "valid-memsafety"]);
        assert!(
            said.contains("verdict: FALSE (valid-memsafety): valid-deref"),
            "{program}: {said}"
        );
    }
}

#[test]
fn a_sanitizer_confirms_the_end_of_a_block() {
    let place = TestDir::new();
    std::fs::write(place.path("task.c"), format!("{HEAD}{}\n", ENDED[0].3)).expect("a file");
    let tested = place.output(&["test", "task.c", "--output-dir", "out"]);
    let said = String::from_utf8_lossy(&tested.stdout);
    assert!(
        said.contains("use after scope of 'inner' (int, declared at task.c:3)"),
        "{said}"
    );
    assert!(
        said.contains("AddressSanitizer: stack-use-after-scope"),
        "{said}"
    );
}

#[test]
fn a_block_whose_end_is_not_seen_is_no_proof() {
    let (_, _, _, program) = ENDED[0];
    let unseen = |flags: &[&str], options: &[&str]| {
        let said = said(
            program,
            flags,
            &[&["--property", "valid-memsafety"], options].concat(),
        );
        assert!(
            said.contains("under-approximation: block"),
            "{flags:?}: {said}"
        );
    };
    unseen(&["-O0"], &[]);
    unseen(&["-O0", "-gline-tables-only"], &[]);
    unseen(PLAIN, &["--subsume"]);
    let correct = "static int twice(int *p) { return *p + *p; }
        int main(void) { for (int i = 0; i < 3; i++) { int x = i; if (twice(&x) > 4) return 1; } return 0; }";
    let said = said(correct, &["-O0"], &["--property", "valid-memsafety"]);
    assert!(said.contains("verdict: TRUE"), "{said}");
}
