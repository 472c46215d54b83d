//! Witnesses of small tasks.

use super::*;

const SOURCE: &str = "extern int __VERIFIER_nondet_int(void);\n\
                      extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                      #define ANY __VERIFIER_nondet_int()\n\
                      int main(void) {\n\
                      \x20 int x = __VERIFIER_nondet_int();\n\
                      \n\
                      \x20 int y = 1 + __VERIFIER_nondet_int ( );\n\
                      \x20 long z = __VERIFIER_nondet_int();\n\
                      \x20 if (ANY) y = 2;\n\
                      \x20 if (x > y) { int f = 1; reach_error(); }\n\
                      }\n";

fn call(line: u32, column: u32, value: u128) -> InputCall {
    InputCall {
        function: "__VERIFIER_nondet_int".to_string(),
        position: SourceLocation {
            file: "task.c".to_string(),
            line,
            column,
        },
        value,
        width: 32,
    }
}

fn task(directory: &tempfile::TempDir) -> Task {
    let file = directory.path().join("task.c");
    std::fs::write(&file, SOURCE).expect("writable");
    Task {
        files: vec![file],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_string(),
        is_of_32_bits: false,
        created_unix_s: 0,
    }
}

#[test]
fn waypoints_are_where_the_format_wants_them() {
    let directory = tempfile::tempdir().expect("a directory");
    let task = task(&directory);
    let files = SourceFiles::read(&task.files);
    let waypoint = |call: &InputCall| {
        let waypoint = input(&files, call)?;
        let at = waypoint.position;
        Some(format!("{:?} {}:{}", waypoint.kind, at.line, at.column))
    };
    let shown = waypoint(&call(5, 11, 7));
    assert_eq!(shown.as_deref(), Some("Assumption(\"x == 7\") 7:0"));
    let shown = waypoint(&call(7, 15, 0xffff_ffff));
    assert_eq!(
        shown.as_deref(),
        Some("FunctionReturn(\"\\\\result == -1\") 7:39")
    );
    let shown = waypoint(&call(8, 12, 3));
    assert_eq!(
        shown.as_deref(),
        Some("FunctionReturn(\"\\\\result == 3\") 8:34")
    );
    // The name is in a macro.
    assert_eq!(waypoint(&call(9, 7, 3)), None);
    let at = |line, column| SourceLocation {
        file: "task.c".to_string(),
        line,
        column,
    };
    let column = |line, column| target(&files, &at(line, column)).map(|one| one.position.column);
    assert_eq!(column(10, 26), Some(26));
    assert_eq!(column(9, 7), Some(0));
    assert_eq!(column(70, 1), None);
}

#[test]
fn positions_are_of_the_file_itself_where_line_markers_name_others() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("task.i");
    let source = "# 1 \"task.c\"\n# 1 \"/usr/include/a.h\" 1 3\nint one;\n# 2 \"task.c\" 2\nint \
                  main(void) {\n  reach_error();\n}\n";
    std::fs::write(&file, source).expect("writable");
    let files = SourceFiles::read(&[file]);
    let at = |line| SourceLocation {
        file: "task.c".to_string(),
        line,
        column: 3,
    };
    let found = target(&files, &at(3)).expect("a line");
    assert_eq!((found.position.line, found.position.column), (6, 0));
    assert!(found.position.file.ends_with("task.i"));
    assert_eq!(target(&files, &at(9)), None);
}

#[test]
fn a_witness_is_the_same_each_time_and_ends_with_the_target() {
    let directory = tempfile::tempdir().expect("a directory");
    let task = task(&directory);
    let violation = Violation {
        inputs: vec![call(7, 15, 5)],
        target: call(10, 26, 0).position,
    };
    let text = violation_witness(&task, &violation).expect("a witness");
    assert_eq!(Some(text.clone()), violation_witness(&task, &violation));
    assert!(
        text.contains("entry_type: \"violation_sequence\""),
        "{text}"
    );
    assert!(text.contains("value: \"\\\\result == 5\""), "{text}");
    assert!(
        text.ends_with("line: 10\n              column: 26\n"),
        "{text}"
    );
    let file = directory.path().join("witness.yml");
    std::fs::write(&file, &text).expect("writable");
    let read = read_violation(&file, &task.files).expect("a violation witness");
    let five = NamedInput {
        name: "int".to_string(),
        bytes: vec![5, 0, 0, 0],
    };
    assert_eq!((read.inputs, read.target.line), (vec![five], 10));
    let proof = correctness_witness(&task, &[]);
    assert!(
        proof.contains("\"invariant_set\"") && proof.ends_with("content: []\n"),
        "{proof}"
    );
}
