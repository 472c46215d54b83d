//! Each stage of a run: what it refuses, and what is on the disk when the next one fails.

use super::checking::Checked;
use super::directory::RunDirectory;
use super::exploration::{Exploration, FirstThread};
use super::loaded::LoadedProgram;
use super::plan::Plan;
use super::world::World;
use super::{Caller, Report, SessionError, SessionJob, SessionJobWork, run};
use homi_config::RunConfig;
use homi_explore::sources::checkpoint::Frontier;
use homi_solver::term::Terms;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const TWO_PATHS: &str = "
    void klee_make_symbolic(void *, unsigned long, const char *);
    int main(void) {
        char c;
        klee_make_symbolic(&c, 1, \"c\");
        if (c == 'x')
            return 1;
        return 0;
    }";

/// A place for a program and the output of its run.
struct TestDir(TempDir);

impl TestDir {
    fn new() -> Self {
        Self(TempDir::new().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("written");
        self.path(name).display().to_string()
    }

    /// The options of a run of the program with two paths.
    fn config(&self, options: &[&str]) -> RunConfig {
        let source = self.file("two_paths.c", TWO_PATHS);
        let bitcode = self.path("two_paths.bc");
        let mut clang = Command::new("clang-19");
        clang.args(["-c", "-emit-llvm", "-g", &source, "-o"]);
        let status = clang.arg(&bitcode).status().expect("clang-19");
        assert!(status.success());
        self.config_of(&bitcode, options)
    }

    fn config_of(&self, program: &Path, options: &[&str]) -> RunConfig {
        let (program, output) = (program.display().to_string(), self.path("out"));
        let output = output.display().to_string();
        let usual = [
            &program,
            "--quiet",
            "--libc",
            "none",
            "--output-dir",
            &output,
        ];
        crate::options::parse([&usual, options].concat()).expect("options")
    }

    /// The names of the files in the output directory; `None` if there is no directory.
    fn output(&self) -> Option<Vec<String>> {
        let entries = fs::read_dir(self.path("out")).ok()?;
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("a file"))).collect();
        names.sort();
        Some(names)
    }

    fn has(&self, name: &str) -> bool {
        self.path("out").join(name).exists()
    }
}

fn text(error: Option<SessionError>) -> String {
    error.expect("it is refused").to_string()
}

#[test]
fn a_plan_refuses_what_makes_no_sense_whatever_the_program() {
    let place = TestDir::new();
    let no_test = place.file("no.ktest", "none");
    let no_environment = place.file("environment", "no value");
    for (options, expected) in [
        (&["--tuning", "no-such=1"][..], "--tuning no-such=1"),
        (&["--env-file", &no_environment], "environment file"),
        (&["--run-in-dir", &no_test], "it is not a directory"),
        (&["--seed-file", &no_test], "cannot use a seed"),
        (&["--concolic", "--strategy", "param:/nowhere"], "/nowhere"),
    ] {
        let config = place.config_of(Path::new("absent.bc"), options);
        let caller = Caller::default();
        let refused = text(Plan::make(&config, &caller).err());
        assert!(refused.contains(expected), "{refused}");
        assert_eq!(place.output(), None);
    }
}

fn with_job(program: &str, work: SessionJobWork) -> Caller {
    Caller {
        job: Some(SessionJob {
            program: program.to_string(),
            work,
        }),
        ..Caller::default()
    }
}

#[test]
fn a_plan_is_fitted_to_a_job() {
    let place = TestDir::new();
    let open = || SessionJobWork::Open {
        frontier: Frontier::default(),
        sides: Vec::new(),
        segments: Vec::new(),
    };
    let caller = with_job("", open());
    let config = place.config_of(Path::new("absent.bc"), &[]);
    assert!(config.tests.dump_open);
    let plan = Plan::make(&config, &caller).expect("a plan");
    assert!(!plan.config.tests.dump_open);
    let merging = place.config_of(Path::new("absent.bc"), &["--use-merge"]);
    let refused = text(Plan::make(&merging, &caller).err());
    assert!(refused.contains("not a list of decisions"), "{refused}");
}

#[test]
fn a_program_is_refused_before_there_is_an_output_directory() {
    let place = TestDir::new();
    let caller = Caller::default();
    let refused = |config: &RunConfig, caller: &Caller| {
        let plan = Plan::make(config, caller).expect("a plan");
        let refused = text(LoadedProgram::load(&plan).err());
        assert_eq!(place.output(), None);
        refused
    };
    let absent = place.config_of(Path::new("/nowhere/absent.bc"), &[]);
    assert!(refused(&absent, &caller).contains("absent.bc"));
    let no_line = place.config(&["--target", "two_paths.c:1000"]);
    assert!(refused(&no_line, &caller).contains("no target line can be reached"));
    let nothing_left = place.0.path().display().to_string();
    let resumed = place.config(&[]);
    let resumed = RunConfig {
        resume: Some(PathBuf::from(nothing_left)),
        ..resumed
    };
    assert!(refused(&resumed, &caller).contains("checkpoint"));
    let other = with_job("another", SessionJobWork::Trials(Vec::new()));
    assert!(refused(&place.config(&[]), &other).contains("belongs to another program"));
}

#[test]
fn a_directory_that_is_there_is_not_written_to() {
    let place = TestDir::new();
    fs::create_dir(place.path("out")).expect("a directory");
    let (config, caller) = (place.config(&[]), Caller::default());
    let plan = Plan::make(&config, &caller).expect("a plan");
    let loaded = LoadedProgram::load(&plan).expect("a program");
    let refused = text(RunDirectory::create(&loaded).err());
    assert!(refused.contains("exists already"), "{refused}");
    assert_eq!(place.output(), Some(Vec::new()));
}

#[test]
fn a_world_that_fails_leaves_the_log_of_how_the_run_began() {
    let place = TestDir::new();
    let path = place.file("path", "1 0 2");
    let mut config = place.config(&[]);
    config.seeds.path = Some(PathBuf::from(path));
    let caller = Caller {
        warnings: vec!["beware".to_string()],
        ..Caller::default()
    };
    let plan = Plan::make(&config, &caller).expect("a plan");
    let loaded = LoadedProgram::load(&plan).expect("a program");
    let output = RunDirectory::create(&loaded).expect("a directory");
    let refused = text(World::open(&output).err());
    assert!(refused.contains("expected 0 or 1, found `2`"), "{refused}");
    let warnings = fs::read_to_string(place.path("out").join("warnings.txt"));
    assert!(warnings.expect("warnings").contains("beware"));
    assert!(place.has("info") && place.has("stdout.txt"));
    assert!(!place.has("branches.json") && !place.has("summary.json"));
}

#[test]
fn a_thread_refuses_arguments_that_no_process_can_have() {
    let place = TestDir::new();
    let mut config = place.config(&[]);
    config.program.arguments = vec!["a\0b".to_string()];
    let caller = Caller::default();
    let plan = Plan::make(&config, &caller).expect("a plan");
    let loaded = LoadedProgram::load(&plan).expect("a program");
    let output = RunDirectory::create(&loaded).expect("a directory");
    let world = World::open(&output).expect("a world");
    let terms = Terms::sharing(&world.arrays);
    let refused = text(FirstThread::begin(&output, &world, &terms).err());
    assert!(refused.contains("NUL"), "{refused}");
    assert!(!place.has("summary.json"));
}

#[test]
fn an_exploration_leaves_tests_and_its_report_the_summary() {
    let place = TestDir::new();
    let (config, caller) = (place.config(&[]), Caller::default());
    let plan = Plan::make(&config, &caller).expect("a plan");
    let loaded = LoadedProgram::load(&plan).expect("a program");
    let output = RunDirectory::create(&loaded).expect("a directory");
    let world = World::open(&output).expect("a world");
    let terms = Terms::sharing(&world.arrays);
    let (mut first, start) = FirstThread::begin(&output, &world, &terms).expect("a thread");
    let exploration =
        Exploration::begin(&output, &world, &mut first, &start).expect("an exploration");
    assert!(!place.has("test000001.ktest"));
    let explored = exploration.explore(&mut first, start).expect("explored");
    assert!(place.has("test000001.ktest") && place.has("test000002.ktest"));
    assert!(!place.has("summary.json"));
    let report = Report::of(&exploration, (explored, Checked::default()), &mut first);
    assert!(report.failure.is_none() && place.has("summary.json"));
    assert_eq!(report.summary.tests, 2);
}

#[test]
fn a_run_is_its_stages() {
    let place = TestDir::new();
    let report = run(&place.config(&[]), &Caller::default()).expect("a run");
    assert_eq!((report.summary.tests, report.failure.is_none()), (2, true));
    let second = run(&place.config(&[]), &Caller::default());
    assert!(text(second.err()).contains("exists already"));
}
