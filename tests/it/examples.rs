//! homi finds in each program of `examples/` what its comments say.
//!
//! `// run: ARGUMENTS` are the program's arguments. `// finds: KIND line N` is a bug of the run,
//! `// finds: arguments WORD` an argument of one of its tests.

use crate::support::{TestDir, files_with, root, summary, text};
use homi::native::testcase::ktest::KTest;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Expectations in an example's comments.
struct Promise {
    arguments: Vec<String>,
    finds: Vec<String>,
}

fn promise(source: &str) -> Promise {
    let after = |key: &str| -> Vec<String> {
        let lines = source.lines().filter_map(|line| line.strip_prefix(key));
        lines.map(|rest| rest.trim().to_string()).collect()
    };
    let runs = after("// run:");
    assert_eq!(runs.len(), 1, "an example has one line `// run:`");
    Promise {
        arguments: runs[0].split_whitespace().map(str::to_string).collect(),
        finds: after("// finds:"),
    }
}

/// The bugs of a run as `KIND line N`.
fn bugs(output: &Path, name: &str) -> BTreeSet<String> {
    let summary = summary(output);
    let mut bugs = BTreeSet::new();
    for error in summary["errors"].as_array().expect("a list of errors") {
        let kind = error["kind"].as_str().expect("a kind");
        let location = error["location"].as_str().expect("a location");
        let file_and_line = location.rsplit('/').next().expect("a last part");
        if let Some(line) = file_and_line.strip_prefix(&format!("{name}.c:")) {
            bugs.insert(format!("{kind} line {line}"));
        }
    }
    bugs
}

/// The arguments that a run's tests have, as `arguments WORD`.
fn arguments(output: &Path) -> BTreeSet<String> {
    let mut arguments = BTreeSet::new();
    for path in files_with("ktest", output) {
        let test = KTest::read(&path).expect("a test is readable");
        let objects = test.objects.iter();
        let objects = objects.filter(|object| object.name.starts_with(b"arg"));
        arguments.extend(objects.map(|object| {
            let end = object.bytes.iter().position(|byte| *byte == 0);
            let word = &object.bytes[..end.unwrap_or(object.bytes.len())];
            format!("arguments {}", String::from_utf8_lossy(word))
        }));
    }
    arguments
}

#[test]
fn homi_finds_the_documented_bugs_of_the_examples() {
    let mut examples = 0;
    for path in files_with("c", &root().join("examples")) {
        examples += 1;
        let name = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy();
        let source = fs::read_to_string(&path).expect("an example is readable");
        let promise = promise(&source);
        assert!(
            !promise.finds.is_empty(),
            "{name}.c says nothing that homi finds"
        );
        let place = TestDir::new();
        let bitcode = place.compile(&name, &source);
        let mut command = place.homi();
        command.args(["run", "--quiet", "--max-instructions", "50000000"]);
        command.args(["--output-dir", "out"]).arg(bitcode).arg("--");
        let output = command
            .args(&promise.arguments)
            .output()
            .expect("homi runs");
        let said = text(&output);
        assert_eq!(output.status.code(), Some(0), "{name}.c: {said}");
        let mut found = bugs(&place.path("out"), &name);
        found.extend(arguments(&place.path("out")));
        for what in &promise.finds {
            assert!(
                found.contains(what),
                "{name}.c: no `{what}` among {found:?}"
            );
        }
    }
    assert!(examples >= 5, "only {examples} examples");
}
