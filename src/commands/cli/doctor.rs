//! `homi doctor`: reports installed and missing parts, and tests a small program end to end.

use super::session::caller;
use super::status::Exit;
use crate::doctor;
use crate::doctor::{State, Trial};
use homi_app::options;
use homi_app::session;
use homi_app::tester;
use homi_app::tester::{HarnessCalls, NativeReplays, Sources};
use homi_config::{CheckConfig, NativeConfig};
use homi_explore::engine::Signals;
use homi_llvm::llvm_version;
use homi_report::Progress;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Report what is installed, what is missing, and how to install it
///
/// homi compiles, explores and replays a small program to check that all parts work together. Exit
/// status: 0 if homi can explore and replay programs, 1 if not.
#[derive(clap::Args, Debug)]
pub(super) struct DoctorArgs {}

pub(super) fn execute(_args: &DoctorArgs) -> anyhow::Result<Exit> {
    let llvm = llvm_version();
    let mut findings = doctor::compilers(llvm);
    findings.extend(doctor::host());
    let executable = std::env::current_exe().ok();
    let place =
        session::runtime_directory(executable.as_deref()).map_err(|error| error.to_string());
    findings.push(doctor::runtime(place.as_deref().map_err(String::as_str)));
    let tried = try_it(llvm).map_err(|error| format!("{error:#}"));
    findings.extend(doctor::trial(tried.as_ref().map_err(String::as_str)));
    let version = env!("CARGO_PKG_VERSION");
    super::print(&format!(
        "homi {version}, with LLVM {llvm}\n\n{}",
        doctor::text(&findings)
    ))?;
    let works = findings
        .iter()
        .all(|finding| finding.state != State::Missing);
    Ok(if works { Exit::Done } else { Exit::Failure })
}

/// Program with branches on integers and on floating-point numbers; the latter need Z3.
const PROGRAM: &str = "#include <klee/klee.h>
int main(void) {
  int n;
  float x, y;
  klee_make_symbolic(&n, sizeof n, \"n\");
  klee_make_symbolic(&x, sizeof x, \"x\");
  klee_make_symbolic(&y, sizeof y, \"y\");
  if (n * 3 == 21) return 1;
  if (x + y == 3.5f && x - y == 1.25f) return 2;
  return 0;
}
";

/// Tests a small program in a temporary directory.
fn try_it(llvm: u32) -> anyhow::Result<Trial> {
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("trial.c");
    std::fs::write(&source, PROGRAM)?;
    let sources = Sources {
        files: vec![source],
        config: NativeConfig {
            compile: Vec::new(),
            link: Vec::new(),
            checks: CheckConfig::BASIC,
            timeout: Duration::from_secs(5),
            keep: false,
            objects: None,
        },
    };
    let compiled = tester::compile_bitcode(llvm, &sources)?;
    let output = directory.path().join("out");
    let options = ["--quiet", "--max-time", "20s", "--max-solver-time", "10s"];
    let mut arguments: Vec<OsString> = options.map(OsString::from).to_vec();
    arguments.extend(["--output-dir".into(), output.clone().into_os_string()]);
    arguments.extend(compiled.files().into_iter().map(Into::into));
    let mut run = options::parse(arguments)?;
    run.program.files_dir = directory.path().to_path_buf();
    let mut caller = caller("homi doctor", &Signals::default())?;
    caller.process_ends = false;
    let explored = session::run(&run, &caller)?;
    let native = replayed(&sources, directory.path(), &output);
    let summary = &explored.summary;
    Ok(Trial {
        tests: summary.tests,
        branches: (summary.coverage.branches, summary.coverage.branches_total),
        native,
        solver: summary.solver.by_layer.smt > 0,
    })
}

/// Replays the tests natively. Returns the number of branches that they take and the number of all
/// branches; `None` if the replay failed.
fn replayed(sources: &Sources, directory: &Path, tests: &Path) -> Option<(usize, usize)> {
    let calls = HarnessCalls {
        makes_symbolic: true,
        any: true,
        is_about_error: false,
        is_fuzzed: false,
        verifier: false,
    };
    let builds = tester::build_natively(sources, calls, None, &directory.join("build"));
    let replays = NativeReplays {
        timeout: sources.config.timeout,
        second: None,
        interrupt: Arc::default(),
        progress: Progress::hidden(),
    };
    let replayed = tester::replay_natively(&builds, tests, &[], &replays);
    let program = replayed.program?;
    Some((program.covered(), program.total()))
}
