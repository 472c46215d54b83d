//! The modelled kernel (`runtime/kernel`), compiled natively with the host behind the engine's
//! functions: tests/data/runtime/kernel_native.c holds the cases, each run here in a fresh
//! directory under the sanitizers.

use crate::support::{data, files_with, host_directory, root, run};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

fn compile(executable: &Path) {
    let mut sources = files_with("c", &root().join("runtime/kernel"));
    sources.push(data("runtime/kernel_native.c"));
    sources.push(data("runtime/kernel_host.c"));
    run(Command::new("cc")
        .args([
            "-D_GNU_SOURCE",
            "-g",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fno-builtin",
        ])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg("-I")
        .arg(root().join("runtime/include"))
        .args(&sources)
        .arg("-o")
        .arg(executable));
}

#[test]
fn the_modelled_kernel_answers_like_linux() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let executable = directory.path().join("kernel_native");
    compile(&executable);
    let names = String::from_utf8(run(&mut Command::new(&executable))).expect("names");
    let mut failed = Vec::new();
    for name in names.lines() {
        let place = directory.path().join(name);
        host_directory(&place);
        let output = Command::new(&executable)
            .arg(name)
            .current_dir(&place)
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .output()
            .expect("a case");
        if !output.status.success() {
            failed.push(format!(
                "{name}: {}\n{}{}",
                output.status,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ));
        }
    }
    assert!(names.lines().count() >= 30, "too few cases: {names}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A row of the table of system calls: number, name, family, answer.
struct Row {
    number: u32,
    name: String,
    family: String,
    answer: String,
}

/// The rows of `runtime/kernel/calls.h`.
fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(root().join("runtime/kernel/calls.h")).expect("the table");
    // A row that does not fit a line goes on in the next one.
    let table = table.replace(",\n        ", ", ");
    let mut rows = Vec::new();
    for line in table.lines() {
        let full = line.strip_prefix("SYSCALL(");
        let refused = line
            .strip_prefix("REFUSED(")
            .or(line.strip_prefix("LACKING("));
        let Some(row) = full.or(refused) else {
            continue;
        };
        let row = row.strip_suffix(')').expect("the end of a row");
        let words: Vec<&str> = row.splitn(5, ", ").collect();
        let (family, answer) = match full {
            Some(_) => (words[2], words[4]),
            None => ("syscall", words[2]),
        };
        rows.push(Row {
            number: words[0].parse().expect("a number"),
            name: words[1].to_owned(),
            family: family.to_owned(),
            answer: answer.to_owned(),
        });
    }
    rows
}

/// The numbers are Linux's, as far as this machine's headers know them.
#[test]
fn numbers_of_system_calls_are_those_of_linux() {
    let header = std::fs::read_to_string("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
        .or_else(|_| std::fs::read_to_string("/usr/include/asm/unistd_64.h"))
        .expect("Linux's numbers");
    let linux: HashMap<&str, u32> = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define __NR_")?.split_once(' '))
        .map(|(name, number)| (name, number.trim().parse().expect("a number")))
        .collect();
    let rows = rows();
    let newest = linux.values().max().expect("some numbers");
    let mut known = 0;
    for row in &rows {
        match linux.get(row.name.as_str()) {
            Some(number) => {
                assert_eq!(row.number, *number, "{}", row.name);
                known += 1;
            }
            None => assert!(row.number > *newest, "{} {}", row.number, row.name),
        }
    }
    assert!(known > 300, "{known} of {} rows", rows.len());
}

/// A row names the file that has its function.
#[test]
fn families_of_system_calls_are_files_of_the_kernel() {
    let folder = root().join("runtime/kernel");
    for row in rows() {
        let file = folder.join(format!("{}.c", row.family));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", file.display()));
        let mut words = row.answer.split(|c: char| !c.is_alphanumeric() && c != '_');
        let Some(function) = words.find(|word| word.starts_with("hk_")) else {
            continue;
        };
        assert!(
            text.contains(&format!(" {function}(")),
            "{}: {function} is not in {}",
            row.name,
            file.display()
        );
    }
}
