//! `homi bench`: a study from its file to its report; resumed after a kill; with failing runs,
//! programs that cannot be built and KLEE; and the errors of invalid studies.

use crate::support::{TestDir, json_lines, text, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// A few branches, one of them a bug.
const SMALL: &str = r#"
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const char *word = argv[1];
  if (word[0] == 'a' && word[1] == 'b') abort();
  return word[0] > 'm' ? 1 : 0;
}
"#;

/// Branches that one finds deep, and work without end.
const LONG: &str = r#"
#include <unistd.h>
int main(void) {
  char in[64];
  long n = read(0, in, sizeof in);
  int found = 0;
  for (int i = 0; i < n; i++) {
    if (in[i] == 'x') found++;
    else if (in[i] == 'y') found += 2;
    if (found == 7) return 1;
  }
  return found > 9;
}
"#;

/// A place with these programs, built from their sources, and a study with these lines before the
/// configurations.
fn place(study: &str, rest: &str) -> TestDir {
    let place = TestDir::new();
    fs::write(place.path("small.c"), SMALL).expect("write");
    fs::write(place.path("long.c"), LONG).expect("write");
    let text = format!("[study]\nname = \"t\"\n{study}{rest}");
    fs::write(place.path("t.toml"), text).expect("write");
    place
}

const PROGRAMS: &str = "

[subjects.small]
sources = \"small.c\"
arguments = \"--sym-arg 2\"
[subjects.long]
sources = \"long.c\"
arguments = \"--sym-stdin 24\"
";
const CONFIGURATIONS: &str = "[configs.default]\n[configs.dfs]\nsearch = \"dfs\"\n";

fn study_runs(place: &TestDir) -> Vec<Value> {
    json_lines(&place.path("t-study/runs.jsonl"))
}

/// A run as text, and what of it must be the same whenever it is run.
fn figures(study_runs: &[Value]) -> Vec<String> {
    let figure = |study_run: &Value| {
        format!(
            "{} {} {}: {} {} {}",
            study_run["subject"],
            study_run["configuration"],
            study_run["seed"],
            study_run["outcome"],
            study_run["engine"]["sides"],
            study_run["work"]
        )
    };
    let mut figures: Vec<String> = study_runs.iter().map(figure).collect();
    figures.sort();
    figures
}

#[test]
fn a_study_that_was_killed_goes_on_and_comes_to_the_same() {
    let rest = format!("{PROGRAMS}{CONFIGURATIONS}");
    let study = "seeds = 2\nbudget = \"400000w\"\njobs = 2";
    let whole = place(study, &rest);
    let output = whole.succeeds(&["bench", "t.toml"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in [
        "| small",
        "| long",
        "dfs",
        "abort",
        "counted by gcov",
        "arguments: ab",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let expected = study_runs(&whole);
    assert_eq!(expected.len(), 8);
    for study_run in &expected {
        assert_eq!(study_run["outcome"], "done", "{study_run}");
        assert!(
            study_run["engine"]["branches"].as_u64() > Some(0),
            "{study_run}"
        );
        assert!(
            study_run["gcov"]["branches"].as_u64() > Some(0),
            "{study_run}"
        );
    }
    assert!(whole.path("t-study/curves.csv").exists());

    let killed = place(study, &rest);
    let mut bench = killed.homi();
    bench
        .args(["bench", "t.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut bench = bench.spawn().expect("homi runs");
    let rows = killed.path("t-study/runs.jsonl");
    let read = || fs::read_to_string(&rows).unwrap_or_default();
    wait_until("three runs", || read().lines().count() >= 3);
    kill(Pid::from_raw(bench.id() as i32), Signal::SIGKILL).expect("it runs");
    bench.wait().expect("it ends");
    // As if it had been killed while it wrote one of the next lines, however late that was.
    let written = read();
    let whole_lines: Vec<&str> = written.split_inclusive('\n').take(5).collect();
    let before = whole_lines
        .iter()
        .filter(|line| line.ends_with('\n'))
        .count();
    assert!((3..=5).contains(&before), "{before}");
    let cut = [&whole_lines[..before], &["{\"schema\":1,\"subj"]].concat();
    fs::write(&rows, cut.concat()).expect("write");

    // Another study is refused, and the same one names how to resume.
    killed.fails(&["bench", "t.toml"], 2, &["--resume t-study"]);
    let other = fs::read_to_string(killed.path("t.toml")).expect("the study");
    fs::write(killed.path("u.toml"), other.replace("\"t\"", "\"u\"")).expect("write");
    killed.fails(
        &["bench", "u.toml", "--resume", "t-study"],
        2,
        &["`t`", "`u`"],
    );
    killed.fails(
        &["bench", "--resume", "absent"],
        2,
        &["absent", "study.toml"],
    );

    let output = killed.succeeds(&["bench", "--resume", "t-study"]);
    let expected_words = format!("8 runs, {before} finished, {} to run", 8 - before);
    assert!(text(&output).contains(&expected_words), "{}", text(&output));
    assert_eq!(figures(&study_runs(&killed)), figures(&expected));

    // Again there is nothing to do, and the report is there.
    let output = killed.succeeds(&["bench", "t-study", "--report"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("runs: 8 of 8"));
    // Further seeds are run, the others stay.
    let more = fs::read_to_string(killed.path("t.toml")).expect("the study");
    fs::write(
        killed.path("t.toml"),
        more.replace("seeds = 2", "seeds = [1, 2, 5]"),
    )
    .expect("write");
    let output = killed.succeeds(&["bench", "--resume", "t-study", "t.toml"]);
    assert!(
        text(&output).contains("12 runs, 8 finished, 4 to run"),
        "{}",
        text(&output)
    );
}

#[test]
fn study_runs_that_fail_and_programs_that_cannot_be_built_are_rows() {
    let rest = format!(
        "{PROGRAMS}
[subjects.broken]
sources = \"broken.c\"
[subjects.dir]
source = \"dir\"
make = \"CFLAGS=-DLETTER\"
program = \"made\"
arguments = \"--sym-arg 2\"
[subjects.archive]
source = \"small.c\"
sha256 = \"00\"
program = \"x\"
[configs.default]
"
    );
    let place = place("seeds = 1\nbudget = \"100000w\"", &rest);
    fs::write(
        place.path("broken.c"),
        "int main(void) { return missing; }\n",
    )
    .expect("write");
    fs::create_dir(place.path("dir")).expect("make");
    fs::write(place.path("dir/p.c"), SMALL).expect("write");
    let makefile = "made: p.c\n\t$(CC) $(CFLAGS) p.c -o made\n";
    fs::write(place.path("dir/Makefile"), makefile).expect("write");
    let output = place.succeeds(&["bench", "t.toml"]);
    let said = text(&output);
    assert!(
        said.contains("cannot build broken; the study continues without it"),
        "{said}"
    );
    assert!(said.contains("missing"), "{said}");
    assert!(said.contains("SHA-256"), "{said}");
    let outcome = |name: &str| {
        let study_runs = study_runs(&place);
        let study_run = study_runs
            .iter()
            .find(|study_run| study_run["subject"] == name);
        study_run.expect("each has a row")["outcome"].clone()
    };
    assert_eq!(outcome("broken"), "not-built");
    assert_eq!(outcome("archive"), "not-built");
    assert_eq!(outcome("small"), "done");
    // A build of its own, by homi cc: bitcode to run and counts of gcov.
    assert_eq!(outcome("dir"), "done");
    let of_dir = study_runs(&place)
        .into_iter()
        .find(|study_run| study_run["subject"] == "dir");
    assert!(of_dir.is_some_and(|study_run| study_run["gcov"]["branches"].as_u64() > Some(3)));
    let report = fs::read_to_string(place.path("t-study/report.md")).expect("a report");
    assert!(
        report.contains("not built") && report.contains("missing"),
        "{report}"
    );

    // A build that works now is tried again only if that is asked for.
    fs::write(place.path("broken.c"), SMALL).expect("write");
    let output = place.succeeds(&["bench", "--resume", "t-study", "--retry-failed"]);
    assert!(
        text(&output).contains("5 runs, 3 finished, 2 to run"),
        "{}",
        text(&output)
    );
    assert_eq!(outcome("broken"), "done");
}

#[test]
fn time_and_memory_end_a_job_and_a_failure_is_reported_with_its_last_lines() {
    let study =
        "seeds = 1\nbudget = \"100000000000i\"\ntimeout = \"20s\"\noptions = \"--halt-time 1s\"";
    let rest = "
[subjects.long]
sources = \"long.c\"
arguments = \"--sym-stdin 60\"
[subjects.bad]
bitcode = \"bad.bc\"
[configs.default]
";
    let place = place(study, rest);
    fs::write(place.path("bad.bc"), "no bitcode\n").expect("write");
    place.succeeds(&["bench", "t.toml", "--quiet"]);
    let study_runs = study_runs(&place);
    let find = |name: &str| {
        study_runs
            .iter()
            .find(|study_run| study_run["subject"] == name)
            .expect("a row")
    };
    let long = find("long");
    assert_eq!(long["outcome"], "out-of-time", "{long}");
    assert!(long["engine"]["branches"].as_u64() > Some(0), "{long}");
    let bad = find("bad");
    assert_eq!(bad["outcome"], "failed", "{bad}");
    let lines = bad["last_lines"].as_array().expect("lines");
    let last = lines.last().and_then(Value::as_str).expect("a line");
    assert!(last.contains("bad.bc"), "{bad}");
    let report = fs::read_to_string(place.path("t-study/report.md")).expect("a report");
    assert!(report.contains("bad default seed 1: failed"), "{report}");
    assert!(
        report.contains("long default seed 1: out of time"),
        "{report}"
    );
    // The page has the same, and the curves.
    place.succeeds(&[
        "report",
        "t-study",
        "--output",
        "page.html",
        "--plots",
        "plots",
    ]);
    let page = fs::read_to_string(place.path("page.html")).expect("a page");
    for part in [
        "id=\"branches-engine\"",
        "id=\"costs-by-configuration\"",
        "bad default seed 1: failed",
        "long: open states",
        "</html>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for name in ["long.svg", "long.png", "long-states.csv"] {
        assert!(place.path(&format!("plots/{name}")).exists(), "{name}");
    }
}

/// Strategies of concolic runs are compared over executions, too, on one page.
#[test]
fn strategies_are_drawn_over_executions() {
    let study =
        "seeds = 2\nbudget = \"100000000w\"\noptions = [\"--max-runs\", \"40\"]\nreplay = false";
    let rest = "
[subjects.long]
sources = \"long.c\"
arguments = \"--sym-stdin 60\"
[configs.s]
strategy = [\"dfs\", \"param:weights/w.json\"]
";
    let place = place(study, rest);
    // Paths among the options begin where the study's file is.
    place.compile("long", LONG);
    fs::create_dir(place.path("weights")).expect("make");
    let learn = "learn-search long.bc --samples 3 --best 2 --trials 1 --max-runs 5 --quiet \
                 --output weights/w.json -- --sym-stdin 60";
    place.succeeds(&learn.split(' ').collect::<Vec<_>>());
    place.succeeds(&["bench", "t.toml", "--quiet"]);
    place.succeeds(&[
        "report",
        "t-study",
        "--output",
        "page.html",
        "--plots",
        "plots",
    ]);
    let page = fs::read_to_string(place.path("page.html")).expect("a page");
    assert!(page.contains("long: branch sides over executions"));
    let curves = fs::read_to_string(place.path("plots/long-executions.csv")).expect("curves");
    for configuration in ["s-dfs", "s-w_json"] {
        let of_configuration = |line: &&str| line.contains(configuration);
        let last = curves.lines().rfind(of_configuration).expect("a line");
        assert!(last.contains("40"), "{last}");
    }
}

/// Ctrl-C ends the jobs, says how to go on, and no job stays.
#[test]
fn ctrl_c_stops_a_study_and_its_jobs() {
    let place = place(
        "seeds = 4\nbudget = \"3600s\"\njobs = 2",
        &format!("{PROGRAMS}{CONFIGURATIONS}").replace("--sym-stdin 24", "--sym-stdin 60"),
    );
    let bench = place
        .homi()
        .args(["bench", "t.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("homi runs");
    let runs = place.path("t-study/runs/long/default/1/out/info");
    wait_until("a run", || runs.exists());
    kill(Pid::from_raw(bench.id() as i32), Signal::SIGINT).expect("it runs");
    let output = bench.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(
        text(&output).contains("homi bench --resume"),
        "{}",
        text(&output)
    );
    let mine = place.directory.path().canonicalize().expect("a place");
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let left: Vec<_> = processes
        .filter_map(|entry| fs::read_link(entry.path().join("cwd")).ok())
        .filter(|cwd| cwd.starts_with(&mine))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Writes tests as KLEE does: copies the tests of a run of homi.
const KLEE: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "KLEE 0.0-fake"; echo "LLVM version 19.1.7"; exit 0; fi
echo "$@" > "$FAKE_KLEE/arguments"
ulimit -s >> "$FAKE_KLEE/arguments"
for word; do case $word in --output-dir=*) out=${word#--output-dir=};; esac; done
mkdir "$out"
cp "$FAKE_KLEE"/tests/*.ktest "$out"
printf 'Error: abort failure\nFile: small.c\nLine: 6\n' > "$out/test000002.abort.err"
echo "KLEE: done: total instructions = 4321" >&2
echo "KLEE: done: completed paths = 3" >&2
"#;

#[test]
fn klee_is_an_engine_whose_tests_are_counted_by_replays() {
    let study = "seeds = 1\nbudget = \"100000i\"";
    let rest = "
[subjects.small]
bitcode = \"small.bc\"
gcov = \"small-gcov\"
arguments = \"--sym-arg 2\"
main = \"small.c\"
[configs.homi]
[configs.klee]
engine = \"klee\"
search = [\"default\", \"nurs:covnew\"]
";
    let place = place(study, rest);
    place.compile("small", SMALL);
    let gcc = std::process::Command::new("gcc")
        .args(["--coverage", "-O0", "-g", "small.c", "-o", "small-gcov"])
        .current_dir(place.directory.path())
        .status();
    assert!(gcc.expect("gcc").success());
    place.run_into("klee-place", &["small.bc", "--", "--sym-arg", "2"]);
    fs::create_dir_all(place.path("fake/tests")).expect("make");
    for entry in fs::read_dir(place.path("klee-place"))
        .expect("tests")
        .flatten()
    {
        if entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "ktest")
        {
            fs::copy(
                entry.path(),
                place.path("fake/tests").join(entry.file_name()),
            )
            .expect("copy");
        }
    }
    place.fails(&["bench", "t.toml"], 2, &["klee", "PATH"]);
    let klee = place.path("fake/klee");
    fs::write(&klee, KLEE).expect("write");
    fs::set_permissions(&klee, fs::Permissions::from_mode(0o755)).expect("a script");
    let path = std::env::var("PATH").expect("a path");
    let output = place
        .homi()
        .args(["bench", "t.toml"])
        .env("PATH", format!("{}:{path}", place.path("fake").display()))
        .env("FAKE_KLEE", place.path("fake"))
        .output()
        .expect("homi runs");
    assert!(output.status.success(), "{}", text(&output));
    let mut study_runs = study_runs(&place);
    study_runs.sort_by_key(|study_run| study_run["configuration"].to_string());
    assert_eq!(study_runs.len(), 3);
    for study_run in &study_runs[1..] {
        assert_eq!(study_run["outcome"], "done", "{study_run}");
        assert_eq!(study_run["instructions"], 4321);
        assert_eq!(study_run["bugs"][0]["location"], "small.c:6");
        assert_eq!(
            study_run["gcov"]["branches"], study_runs[0]["gcov"]["branches"],
            "{study_run}"
        );
        assert_eq!(
            study_run["gcov"]["main"], study_runs[0]["gcov"]["main"],
            "{study_run}"
        );
        assert!(
            study_run["build"]
                .as_str()
                .is_some_and(|build| build.contains("KLEE 0.0-fake"))
        );
    }
    let report = fs::read_to_string(place.path("t-study/report.md")).expect("a report");
    let (by_engine, by_gcov) = report.split_once("gcov in replays").expect("both counts");
    let rows = |text: &str| text.lines().filter(|line| line.contains("| klee")).count();
    assert_eq!(
        rows(by_engine),
        0,
        "KLEE's own count is no branch sides: {report}"
    );
    assert!(rows(by_gcov) > 0, "{report}");
    let passed = fs::read_to_string(place.path("fake/arguments")).expect("passed");
    for word in [
        "--search=nurs:covnew",
        "--max-instructions=100000",
        "--posix-runtime",
        "unlimited",
        "build/klee_library.bc",
        "small.bc --sym-arg 2",
    ] {
        assert!(passed.contains(word), "{word}: {passed}");
    }
    assert!(!passed.contains("random-path"), "{passed}");
}

#[test]
fn errors_of_studies_name_cause_and_line() {
    let good = format!("seeds = 1\nbudget = \"1000w\"\n{PROGRAMS}{CONFIGURATIONS}");
    for (from, to, parts) in [
        (
            "seeds = 1",
            "sedes = 1",
            vec!["t.toml:3", "`sedes`", "`seeds`"],
        ),
        (
            "search = \"dfs\"",
            "search = \"dsf\"",
            vec!["`dsf`", "did you mean `dfs`"],
        ),
        (
            "search = \"dfs\"",
            "prune = \"hommi\"",
            vec!["`hommi`", "did you mean `homi`"],
        ),
        (
            "search = \"dfs\"",
            "options = \"--serch dfs\"",
            vec!["configuration `dfs`", "--serch", "--search"],
        ),
        (
            "seeds = 1",
            "subjects = [\"exprr\"]",
            vec!["t.toml:3", "`exprr`", "did you mean `expr`"],
        ),
        (
            "\"small.c\"",
            "\"smal.c\"",
            vec!["t.toml:", "cannot read", "smal.c"],
        ),
        ("budget = \"1000w\"", "budget = 'x", vec!["t.toml:4"]),
        (
            "[configs.default]",
            "[config.default]",
            vec!["did you mean `configs`"],
        ),
    ] {
        let text = good.replace(from, to);
        assert_ne!(text, good);
        let place = place("", &text);
        place.fails(&["bench", "t.toml"], 2, &parts);
        assert!(!place.path("t-study").exists());
    }
    let place = place("", &good);
    place.fails(&["bench"], 2, &["STUDY.toml"]);
    place.fails(&["bench", "absent.toml"], 1, &["absent.toml"]);
    place.fails(
        &["bench", ".", "--report"],
        2,
        &["not the directory of a study"],
    );
    place.fails(&["bench", "."], 2, &["--report", "--resume"]);
    fs::create_dir(place.path("t-study")).expect("make");
    place.fails(
        &["bench", "t.toml"],
        2,
        &["t-study", "does not hold a study", "--output-dir"],
    );
}

/// A small file system of its own, where a user may have one: the study stops and says why, no run
/// is taken for a result, and with room it goes on.
#[test]
fn a_full_disk_stops_a_study_and_costs_no_result() {
    let study = "seeds = 1\nbudget = \"200000w\"\njobs = 1";
    let rest = format!(
        "\n[subjects.long]\nbitcode = \"long.bc\"\narguments = \"--sym-stdin 24\"\n{CONFIGURATIONS}"
    );
    let place = place(study, &rest);
    place.compile("long", LONG);
    fs::create_dir(place.path("disk")).expect("make");
    let script = "mount -t tmpfs -o size=SIZE none disk || exit 77; \"$0\" bench t.toml -o disk/t-study; \
                  status=$?; cp disk/t-study/runs.jsonl . ; exit $status";
    let output = |size: &str| {
        let mut command = std::process::Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
            .arg(script.replace("SIZE", size))
            .arg(crate::support::homi())
            .current_dir(place.directory.path())
            .env("XDG_CACHE_HOME", place.path("cache"));
        command.output()
    };
    let Ok(full) = output("100k") else {
        eprintln!("there is no unshare: a full disk was not tried");
        return;
    };
    if full.status.code() == Some(77) || text(&full).contains("unshare") {
        eprintln!("no file system of its own: a full disk was not tried");
        return;
    }
    assert_eq!(full.status.code(), Some(1), "{}", text(&full));
    assert!(text(&full).contains("free disk space"), "{}", text(&full));
    assert_eq!(json_lines(&place.path("runs.jsonl")).len(), 0);
    let enough = output("50m").expect("it runs");
    assert!(enough.status.success(), "{}", text(&enough));
    assert_eq!(json_lines(&place.path("runs.jsonl")).len(), 2);
}
