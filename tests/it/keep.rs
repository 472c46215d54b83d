//! `homi keep`: cases that a shell runs without homi, from native runs, that harm nothing.

use crate::support::TestDir;
use homi::app::tester::TestedProgram;
use homi::native::testcase::ktest::KTest;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Counts lines and divides by a number that it is given; copies, moves and removes files.
const TALLY: &str = r#"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void copy(const char *from, const char *to) {
  char bytes[64];
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  long count;
  while (in >= 0 && out >= 0 && (count = read(in, bytes, sizeof bytes)) > 0)
    if (write(out, bytes, count) != count) exit(9);
  if (in < 0 || out < 0) exit(8);
}

static void remove_all(const char *name) {
  DIR *all = opendir(name);
  struct dirent *one;
  char path[512];
  if (all) {
    while ((one = readdir(all)))
      if (one->d_name[0] != '.') {
        snprintf(path, sizeof path, "%s/%s", name, one->d_name);
        remove_all(path);
      }
    closedir(all);
    rmdir(name);
  } else
    unlink(name);
}

int main(int argc, char **argv) {
  int c, lines = 0;
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "rm")) remove_all(argv[2]);
  else if (!strcmp(what, "mv")) rename(argv[2], argv[3]);
  else if (!strcmp(what, "dd")) copy(argv[2] + 3, argv[3] + 3);
  else if (!strcmp(what, "passwd")) copy("/etc/passwd", "copy");
  else if (!strcmp(what, "tmp")) copy("A", "/tmp/homi-keep-must-not-be");
  else if (!strcmp(what, "up")) chdir("..") == 0 && unlink("precious");
  else if (!strcmp(what, "kill")) kill(getppid(), SIGTERM);
  else if (!strcmp(what, "socket")) printf("%d\n", socket(AF_INET, SOCK_STREAM, 0) < 0);
  else if (!strcmp(what, "time")) printf("%ld\n", (long)time(NULL));
  else if (!strcmp(what, "user")) printf("%d\n", (int)getuid());
  else if (!strcmp(what, "fresh")) printf("%d\n", ((int *)malloc(64))[3]);
  else if (!strcmp(what, "wait")) for (;;) pause();
  else if (!strcmp(what, "count")) {
    while ((c = getchar()) != EOF)
      if (c == '\n') lines++;
    if (argc > 2) lines = 60 / atoi(argv[2]);
    printf("%d\n", lines);
    if (lines > 1) fprintf(stderr, "%s: many\n", argv[0]);
    return lines > 1 ? 3 : 0;
  }
  return 0;
}
"#;

/// All that a command prints.
fn printed(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// A directory with a program and tests of it.
struct Kept {
    place: TestDir,
    tests: usize,
}

impl Kept {
    fn new() -> Self {
        let place = TestDir::new();
        // Another user runs the cases.
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.path("."), open).expect("open");
        let kept = Self { place, tests: 0 };
        kept.source(TALLY);
        kept
    }

    /// Writes the program and builds it as a user does.
    fn source(&self, text: &str) {
        fs::write(self.place.path("tally.c"), text).expect("written");
        let status = Command::new("gcc")
            .current_dir(self.place.path("."))
            .args(["-w", "-g", "tally.c", "-o", "tally"])
            .status();
        assert!(status.expect("gcc runs").success());
    }

    /// Adds a test with these arguments and standard input, in a directory with a file A.
    fn test(&mut self, arguments: &[&str], stdin: &str) {
        self.tests += 1;
        let size = stdin.len().to_string();
        let mut args = vec!["tally.bc", "--sym-files", "1", "4"];
        if !stdin.is_empty() {
            args.extend(["--sym-stdin", &size]);
        }
        args.extend(arguments);
        let mut test = KTest::new(args);
        test.push("A_data", b"data".to_vec());
        // Each run chooses the times of a symbolic file, here of access and modification.
        let mut stat = vec![0; 144];
        for time in [72, 88] {
            stat[time..time + 8].copy_from_slice(&1_700_000_000_i64.to_le_bytes());
        }
        test.push("A_data_stat", stat);
        if !stdin.is_empty() {
            test.push("stdin", stdin.as_bytes().to_vec());
            test.push("stdin_stat", vec![0; 144]);
        }
        let out = self.place.path("out");
        fs::create_dir_all(&out).expect("a directory");
        let program = TestedProgram {
            directory: self.place.path("."),
            sources: vec!["tally.c".into()],
            executable: None,
            entry: "main".to_string(),
            compile: vec!["-w".to_string()],
            link: Vec::new(),
        };
        program.write(&out).expect("written");
        let file = out.join(format!("test{:06}.ktest", self.tests));
        test.write(&file).expect("written");
    }

    fn keep(&self, status: i32, arguments: &[&str]) -> String {
        let output = self.place.output(&[&["keep"], arguments].concat());
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(status), "{text}");
        text
    }

    /// Runs the cases in a shell, as an ordinary user. Status and output.
    fn run(&self, shell: &str, arguments: &[&str]) -> (i32, String) {
        let output = self.as_user(shell, arguments);
        (output.status.code().unwrap_or(-1), printed(&output))
    }

    fn as_user(&self, shell: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(shell);
        command.arg("tests/homi/run.sh").args(arguments);
        command.current_dir(self.place.path("."));
        if nix::unistd::geteuid().is_root() {
            command.uid(65_534).gid(65_534);
        }
        command.output().expect("a shell")
    }

    fn cases(&self) -> PathBuf {
        self.place.path("tests/homi/tally")
    }

    /// Names of the cases.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.cases()).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The only case whose arguments begin with a word.
    fn case_of(&self, word: &str) -> PathBuf {
        let names = self.names().into_iter().map(|name| self.cases().join(name));
        let mut found = names.filter(|case| {
            let args = fs::read_to_string(case.join("args")).unwrap_or_default();
            args.lines().next() == Some(word)
        });
        found.next().unwrap_or_else(|| panic!("no case of {word}"))
    }
}

/// All files below a directory with their contents.
fn bytes_below(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(bytes_below(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).expect("readable"));
        }
    }
    found
}

#[test]
fn cases_pass_without_homi_and_fail_when_behavior_changes() {
    let mut kept = Kept::new();
    for stdin in ["", "a", "a\n", "\n\n"] {
        kept.test(&["count"], stdin);
    }
    kept.test(&["count", "0"], "");
    kept.test(&["count", "60"], "");
    let said = kept.keep(0, &["out"]);
    assert!(said.contains("1 of known bugs"), "{said}");
    let before = bytes_below(&kept.place.path("tests"));
    for shell in ["dash", "bash"] {
        let (status, said) = kept.run(shell, &["./tally"]);
        assert_eq!(status, 0, "{shell}: {said}");
        assert!(said.contains("\nok 1 - tally/"), "{shell}: {said}");
        assert!(
            said.contains("\nnot ok 1 - tally/bug_") || said.contains("# TODO"),
            "{said}"
        );
    }
    // Nothing is new, so no byte changes.
    kept.keep(0, &["out"]);
    assert!(before == bytes_below(&kept.place.path("tests")));
    // Another layout changes no byte.
    kept.source(&TALLY.replace(
        "int c, lines = 0;",
        "int c;\n\n  /* new */\n  int lines = 0;",
    ));
    kept.keep(0, &["out"]);
    assert!(before == bytes_below(&kept.place.path("tests")));

    // Other behavior fails, waits, and is accepted.
    kept.source(&TALLY.replace("lines > 1 ? 3 : 0", "lines > 1 ? 4 : 0"));
    let (status, said) = kept.run("dash", &["./tally"]);
    assert_eq!(status, 1, "{said}");
    assert_eq!(
        said.matches("# the exit status is 4, expected 3").count(),
        1,
        "{said}"
    );
    let said = kept.keep(3, &["out"]);
    assert!(said.contains("changed"), "{said}");
    kept.keep(0, &["--reject"]);
    assert!(before == bytes_below(&kept.place.path("tests")));
    kept.keep(3, &["out"]);
    kept.keep(0, &["--accept"]);
    assert_eq!(kept.run("dash", &["./tally"]).0, 0);
    kept.place
        .fails(&["keep", "--accept", "nothing"], 1, &["nothing waits"]);
}

#[test]
fn edits_stay_deleted_cases_do_not_return_and_fixed_bugs_move() {
    let mut kept = Kept::new();
    kept.test(&["count"], "\n\n");
    kept.test(&["count", "0"], "");
    kept.test(&["time"], "");
    kept.keep(0, &["out"]);
    let bug = kept
        .names()
        .into_iter()
        .find(|name| name.starts_with("bug_"));
    let bug = bug.expect("a bug");
    // A person expects something else: the case fails and stays.
    let edited = kept.case_of("count").join("stdout");
    assert!(
        !edited.starts_with(kept.cases().join(&bug)),
        "{}",
        edited.display()
    );
    fs::write(&edited, "seven\n").expect("written");
    let time = kept.case_of("time");
    assert!(time.join("status").exists() && !time.join("stdout").exists());
    fs::remove_dir_all(time).expect("removed");
    kept.source(&TALLY.replace(
        "60 / atoi(argv[2])",
        "atoi(argv[2]) ? 60 / atoi(argv[2]) : 0",
    ));
    let (status, said) = kept.run("dash", &["./tally", &bug]);
    assert!(status == 0 && said.contains("\nok 1 - "), "{said}");
    let said = kept.keep(0, &["out"]);
    assert!(
        said.contains("fails    ") && said.contains("fixed    bug_"),
        "{said}"
    );
    assert!(said.contains("1 deleted cases do not return"), "{said}");
    assert_eq!(fs::read_to_string(&edited).expect("readable"), "seven\n");
    let names = kept.names();
    assert!(
        names.iter().any(|name| name.starts_with("fixed_")),
        "{names:?}"
    );
    assert!(!names.contains(&bug), "{names:?}");
    let (status, said) = kept.run("dash", &["./tally"]);
    assert_eq!((status, said.matches("not ok").count()), (1, 1), "{said}");
    // The shell can accept, too.
    assert_eq!(
        kept.run("dash", &["--list", "tally"]).1.lines().count(),
        names.len()
    );
}

#[test]
fn what_reaches_out_is_left_out_and_nothing_outside_changes() {
    let mut kept = Kept::new();
    let precious = kept.place.path("precious");
    fs::write(&precious, "precious").expect("written");
    let whole = precious.display().to_string();
    kept.test(&["rm", "A"], "");
    kept.test(&["mv", "A", "B"], "");
    kept.test(&["dd", "if=A", "of=copy"], "");
    for bad in [
        &["rm", &whole][..],
        &["rm", ".."],
        &["mv", "A", "../A"],
        &["dd", "if=A", &format!("of={whole}")],
        &["passwd"],
        &["tmp"],
        &["up"],
        &["kill"],
        &["socket"],
        &["wait"],
    ] {
        kept.test(bad, "");
    }
    let said = kept.keep(0, &["out", "--timeout", "1s"]);
    let reasons = [
        "may name a file outside",
        "it reads /etc/passwd",
        "it changes /tmp/homi-keep-must-not-be",
        "it signals another process",
        "it opens a socket",
        "it does not end in time",
    ];
    for reason in &reasons[1..5] {
        assert!(
            said.contains(reason) || said.contains("and "),
            "{reason}: {said}"
        );
    }
    assert!(
        said.contains(reasons[0]) && said.contains("left out: 10 tests"),
        "{said}"
    );
    assert_eq!(kept.names().len(), 3, "{said}");
    let removed = kept.case_of("rm");
    assert_eq!(fs::read(removed.join("tree")).expect("a tree"), b".\n");
    // Names and contents are made smaller.
    assert_eq!(bytes_below(&kept.case_of("dd").join("after")).len(), 1);
    let outside = bytes_below(&kept.place.path("."));
    let (status, said) = kept.run("dash", &["./tally"]);
    assert_eq!(status, 0, "{said}");
    assert!(outside == bytes_below(&kept.place.path(".")));
    assert!(!Path::new("/tmp/homi-keep-must-not-be").exists());
    if nix::unistd::geteuid().is_root() {
        let mut as_root = Command::new("sh");
        as_root
            .args(["tests/homi/run.sh", "./tally"])
            .current_dir(kept.place.path("."));
        let output = as_root.output().expect("a shell");
        assert_eq!(output.status.code(), Some(99), "{}", printed(&output));
    }
}

#[test]
fn what_varies_is_not_expected() {
    let mut kept = Kept::new();
    for what in ["time", "user", "fresh"] {
        kept.test(&[what], "");
    }
    let said = kept.keep(0, &["out"]);
    for what in ["time", "user", "fresh"] {
        let left_out = said.contains("undefined behavior");
        let case = kept.case_of(what);
        assert!(left_out || !case.join("stdout").exists(), "{what}: {said}");
        assert_eq!(fs::read(case.join("stderr")).expect("a stream"), b"");
    }
    assert_eq!(kept.run("bash", &["./tally"]).0, 0);
}
