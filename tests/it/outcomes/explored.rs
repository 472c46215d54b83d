//! homi's side of a case: what it finds, and what its tests do natively.

use super::Complaint;
use super::case::Case;
use crate::support::{TestDir, bitcode_into, files, summary};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Behavior shown by homi's tests.
pub(super) struct Found {
    /// How the tests end natively.
    pub(super) outcomes: BTreeSet<String>,
    pub(super) complaints: Vec<Complaint>,
}

/// Signals that a bug of a kind ends with natively.
fn signals(kind: &str) -> &'static [&'static str] {
    match kind {
        "ptr" | "stack" => &["SIGSEGV", "SIGBUS"],
        "read_only" => &["SIGSEGV"],
        "free" => &["SIGABRT", "SIGSEGV"],
        "div" | "overflow" => &["SIGFPE"],
        "exec" => &["SIGSEGV", "SIGILL"],
        "assert" => &["SIGABRT"],
        "abort" => &["SIGABRT", "SIGILL", "SIGTRAP"],
        _ => &[],
    }
}

/// The status that stands for a signal that is no bug of the program's.
fn ended_by(signal: &str) -> Option<u32> {
    let number = match signal {
        "SIGUSR1" => 10,
        "SIGUSR2" => 12,
        "SIGPIPE" => 13,
        "SIGALRM" => 14,
        "SIGTERM" => 15,
        _ => return None,
    };
    Some(128 + number)
}

/// Follows all paths.
fn run(case: &Case, place: &TestDir) -> Value {
    let program = place.path("program.bc");
    let mut flags = vec!["-g", "-w", "-O0", "-Xclang", "-disable-O0-optnone"];
    flags.extend(case.flags.iter().chain(&case.bitcode).map(String::as_str));
    bitcode_into("clang-19", &flags, &case.source, &program);
    let mut words = vec![
        "run",
        "program.bc",
        "--quiet",
        "--all-tests",
        "--emit-all-errors",
    ];
    words.extend([
        "--clock",
        "cpu",
        "--max-time",
        "60s",
        "--max-solver-time",
        "60s",
    ]);
    words.extend(case.options.iter().map(String::as_str));
    words.push("--");
    let size = case.input.to_string();
    if case.input > 0 {
        words.extend(["--sym-stdin", &size]);
    }
    words.extend(case.run.iter().map(String::as_str));
    place.succeeds(&words);
    summary(&place.path("homi-last"))
}

/// How each test ended natively, in words, by name.
fn replay(place: &TestDir, executable: &Path) -> BTreeMap<String, String> {
    let executable = executable.to_string_lossy();
    place.succeeds(&["replay", "--json", "replay.json", &executable, "homi-last"]);
    let json = fs::read_to_string(place.path("replay.json")).expect("the results");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let tests = json["tests"].as_array().expect("tests").iter();
    let word = |value: &Value| value.as_str().expect("a word").to_string();
    let stem = |path: &str| {
        let stem = Path::new(path).file_stem().expect("a name");
        stem.to_string_lossy().into_owned()
    };
    tests
        .map(|test| (stem(&word(&test["test"])), word(&test["status"])))
        .collect()
}

/// The kinds of bug that homi says tests end in, and `early`, by name of test; all reports.
fn ends(place: &TestDir) -> (BTreeMap<String, String>, String) {
    let (mut kinds, mut reports) = (BTreeMap::new(), String::new());
    for path in files(&place.path("homi-last")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some((test, end)) = name.split_once('.') else {
            continue;
        };
        let kind = end.strip_suffix(".err").or((end == "early").then_some(end));
        if let Some(kind) = kind.filter(|_| test.starts_with("test")) {
            kinds.insert(test.to_string(), kind.to_string());
            reports += &fs::read_to_string(&path).expect("a report");
        }
    }
    (kinds, reports)
}

/// True if all paths were explored, and every expected report was made.
fn ends_and_reports(case: &Case, said: &Value, reports: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    if said["stop_reason"] != "exhausted" || said["paths"]["unsupported"] != 0 {
        complaints.push((
            "end",
            format!("{} {}", said["stop_reason"], said["unsupported"]),
        ));
    }
    for text in case.reports.iter().filter(|text| !reports.contains(*text)) {
        complaints.push(("report", text.clone()));
    }
    complaints
}

/// Reports of a case whose tests may end differently in native runs.
fn explored_orders(
    case: &Case,
    said: &Value,
    kinds: &BTreeMap<String, String>,
    reports: &str,
) -> Found {
    let mut complaints = ends_and_reports(case, said, reports);
    if case.reports.is_empty() && !kinds.is_empty() {
        complaints.push(("bugs", format!("{kinds:?}")));
    }
    let statuses = said["exit_statuses"].as_object().into_iter().flatten();
    let outcomes = statuses.map(|(status, _)| format!("exit {status}"));
    Found {
        outcomes: outcomes.collect(),
        complaints,
    }
}

/// Explores a case.
pub(super) fn explore(case: &Case, place: &TestDir, executable: &Path) -> Found {
    let said = run(case, place);
    let (kinds, reports) = ends(place);
    if case.replays_in_any_order {
        return explored_orders(case, &said, &kinds, &reports);
    }
    let ended = replay(place, executable);
    let mut complaints = Vec::new();
    let mut exits: BTreeMap<String, u64> = BTreeMap::new();
    for (test, status) in &ended {
        let kind = kinds.get(test).map(String::as_str);
        let is_right = match (kind, status.split_once(' ')) {
            (None, Some(("exit", number))) => {
                *exits.entry(number.to_string()).or_default() += 1;
                true
            }
            // A signal that the program sends itself and does not handle, in a shell's words.
            (None, Some(("signal", name))) if ended_by(name).is_some() => {
                let status = ended_by(name).unwrap_or_default();
                *exits.entry(status.to_string()).or_default() += 1;
                true
            }
            (Some(kind), _) if case.undefined.iter().any(|one| one == kind) => true,
            (Some(_), Some(("signal", name))) if case.is_sanitized => name == "SIGABRT",
            (Some(_), Some(("signal", "SIGILL" | "SIGTRAP"))) if case.has_traps() => true,
            (Some(kind), Some(("signal", name))) => signals(kind).contains(&name),
            _ => false,
        };
        if !is_right {
            let kind = kind.unwrap_or("no bug");
            complaints.push(("replay", format!("{test} is {kind}, natively {status}")));
        }
    }
    let counts = said["exit_statuses"].as_object().into_iter().flatten();
    let counts: BTreeMap<String, u64> = counts
        .filter_map(|(status, count)| Some((status.clone(), count.as_u64()?)))
        .collect();
    if counts != exits {
        complaints.push(("statuses", format!("{counts:?}, natively {exits:?}")));
    }
    if said["tests"].as_u64() != Some(ended.len() as u64) {
        complaints.push(("tests", format!("{} of {}", ended.len(), said["tests"])));
    }
    complaints.extend(ends_and_reports(case, &said, &reports));
    let outcomes = ended.into_values().collect();
    Found {
        outcomes,
        complaints,
    }
}
