//! Errors of invalid programs, command lines and directories; help and manual.

use super::{MAZE, files};
use crate::support::TestDir;
use std::fs;

#[test]
fn bad_programs_are_refused_with_a_reason() {
    let place = TestDir::new();
    fs::write(place.path("text.bc"), "this is no bitcode\n").expect("write");
    place.fails(&["run", "text.bc"], 1, &["text.bc", "not LLVM bitcode"]);
    fs::write(place.path("empty.bc"), "").expect("write");
    place.fails(&["run", "empty.bc"], 1, &["empty.bc"]);
    place.fails(&["run", "absent.bc"], 1, &["absent.bc", "cannot read"]);
    let whole = fs::read(place.compile("maze", MAZE)).expect("the bitcode");
    for length in [whole.len() / 3, whole.len() - 40] {
        fs::write(place.path("cut.bc"), &whole[..length]).expect("write");
        place.fails(&["run", "cut.bc"], 1, &["cut.bc"]);
    }
    place.compile("library", "int helper(int x) { return x + 1; }\n");
    place.fails(&["run", "library.bc"], 1, &["library.bc", "main", "helper"]);
    place.fails(
        &["run", "maze.bc", "--entry-point", "start"],
        1,
        &["start", "main"],
    );
    // Nothing was written before the program was loaded.
    assert!(files(place.directory.path(), "homi-last").is_empty());
}

#[test]
fn bad_command_lines_are_refused_with_status_2() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    place.fails(&["run"], 2, &["FILE"]);
    place.fails(&["walk"], 2, &["walk"]);
    place.fails(
        &["run", "--search", "best", "maze.bc"],
        2,
        &["best", "md2u"],
    );
    place.fails(
        &["run", "--serach", "dfs", "maze.bc"],
        2,
        &["--serach", "--search"],
    );
    place.fails(&["run", "--max-time", "soon", "maze.bc"], 2, &["soon"]);
    place.fails(&["run", "--max-memory", "3 cows", "maze.bc"], 2, &["cows"]);
    place.fails(&["run", "--max-memory", "1kB", "maze.bc"], 2, &["64 MiB"]);
    place.fails(
        &["run", "maze.bc", "x", "--max-time", "3s"],
        2,
        &["`x`", "`--`"],
    );
}

#[test]
fn a_missing_directory_of_the_program_is_found_out_before_anything_is_written() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    for (directory, reason) in [("absent", "No such file"), ("maze.bc", "not a directory")] {
        let arguments = ["run", "maze.bc", "--run-in-dir", directory];
        place.fails(&arguments, 1, &[directory, "program's directory", reason]);
    }
    assert!(!place.path("homi-out-0").exists());
}

/// The runtime reads the program's arguments, so it is found out as the run begins; then that is no
/// bug of the program.
#[test]
fn wrong_symbolic_arguments_are_refused_with_status_2() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    for (arguments, usage) in [
        ("--sym-arg", "--sym-arg N"),
        (
            "--sym-args 3 1 2",
            "Invalid range to --sym-args: MIN <= MAX and MAX > 0",
        ),
        ("--sym-args 0 1 2 --sym-arg x", "--sym-arg N"),
        (
            "--sym-file no/such/place 4",
            "directory of this file does not exist",
        ),
    ] {
        let arguments = format!("run --quiet maze.bc -- {arguments}");
        let arguments: Vec<_> = arguments.split(' ').collect();
        place.fails(&arguments, 2, &[usage, "was not run"]);
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    fs::create_dir(place.path("mine")).expect("a directory");
    place.fails(
        &["run", "maze.bc", "--output-dir", "mine"],
        1,
        &["mine", "exists already"],
    );
    place.fails(
        &["run", "maze.bc", "--output-dir", "absent/x"],
        1,
        &["absent/x", "cannot create"],
    );
    place.fails(
        &["run", "maze.bc", "--output-dir", "maze.bc/x"],
        1,
        &["maze.bc/x", "cannot create"],
    );
    place.fails(&["run", "maze.bc", "--env-file", "absent"], 1, &["absent"]);
    place.fails(
        &["run", "maze.bc", "--run-in-dir", "absent"],
        1,
        &["absent"],
    );
}

#[test]
fn help_and_manual_name_every_option() {
    let place = TestDir::new();
    let help = place
        .homi()
        .args(["run", "--help"])
        .output()
        .expect("homi runs");
    assert!(help.status.success());
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let page = place
        .homi()
        .args(["man", "run"])
        .output()
        .expect("homi runs");
    let page = String::from_utf8_lossy(&page.stdout).replace('\\', "");
    for option in [
        "--max-time",
        "--search",
        "--all-tests",
        "--output-dir",
        "--seed",
    ] {
        assert!(help.contains(option) && page.contains(option), "{option}");
    }
    for heading in ["Limits:", "Search:", "Tests:", "Output:"] {
        assert!(help.contains(heading), "{heading}");
    }
    assert!(!help.contains("__solver"));
}
