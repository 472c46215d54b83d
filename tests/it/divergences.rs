//! Predicted outcomes and the native program: homi reports what differs and does not compare what
//! varies.
//!
//! A program that asks which compiler made it stands for every difference: homi explores clang's,
//! the native one is gcc's.

use crate::support::TestDir;
use serde_json::Value;
use std::fs;

/// End that does not depend on a clock.
const END: [&str; 2] = ["--max-time", "20000000i"];

/// Exit status, standard output and summary of `homi test` for a source, with a SARIF file.
fn tested(source: &str, arguments: &[&str]) -> (TestDir, Option<i32>, String, Value) {
    let place = TestDir::new();
    fs::write(place.path("a.c"), source).expect("a file");
    let output = place
        .homi()
        .args(["test", "a.c", "--output-dir", "out", "--quiet"])
        .args(END)
        .args(["--export", "sarif", "--"])
        .args(arguments)
        .output()
        .expect("homi runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let summary = fs::read(place.path("out/summary.json")).expect("a summary");
    let summary = serde_json::from_slice(&summary).expect("JSON");
    (place, output.status.code(), text, summary)
}

/// Numbers of tests that were compared and that diverge.
fn counts(summary: &Value) -> (u64, usize) {
    let outcomes = &summary["outcomes"];
    let divergences = outcomes["divergences"].as_array().expect("divergences");
    (
        outcomes["compared"].as_u64().expect("a count"),
        divergences.len(),
    )
}

const STATUS: &str = "int main(int argc, char **argv) {
#ifdef __clang__
  if (argc > 1 && argv[1][0] == 'x') return 1;
#else
  if (argc > 1 && argv[1][0] == 'x') return 2;
#endif
  return 0;
}
";

#[test]
fn another_exit_status_is_a_divergence() {
    let (place, status, text, summary) = tested(STATUS, &["--sym-arg", "1"]);
    assert_eq!(status, Some(4), "{text}");
    assert_eq!(counts(&summary), (2, 1), "{summary}");
    assert!(
        text.contains("homi predicts exit 1, the native program gives exit 2"),
        "{text}"
    );
    assert!(!text.contains("show every behavior"), "{text}");
    let exe = fs::read_dir(place.path("out/build")).expect("builds");
    let exe = exe
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.to_string_lossy().ends_with("-gcov"))
        .expect("a counted build");
    let replay = |arguments: &[&str]| {
        let output = place
            .homi()
            .arg("replay")
            .args(arguments)
            .arg(&exe)
            .arg("out")
            .output();
        let output = output.expect("homi runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (status, table) = replay(&[]);
    assert_eq!(status, Some(0), "{table}");
    assert!(
        table.contains("  diverges: homi predicts exit 1"),
        "{table}"
    );
    assert_eq!(replay(&["--error-exit-code"]).0, Some(4));
}

#[test]
fn a_divergence_is_a_notification_in_sarif_and_a_row_of_the_page() {
    let (place, _, text, summary) = tested(STATUS, &["--sym-arg", "1"]);
    let test = summary["outcomes"]["divergences"][0]["test"].as_str();
    let test = test.expect("a name");
    let sarif = fs::read(place.path("out/homi.sarif")).expect("SARIF");
    let sarif: Value = serde_json::from_slice(&sarif).expect("JSON");
    let run = &sarif["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(0), "{text}");
    let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array();
    let divergences: Vec<&Value> = notifications
        .expect("notifications")
        .iter()
        .filter(|one| one["descriptor"]["id"] == "divergence")
        .collect();
    let [divergence] = divergences[..] else {
        panic!("one divergence: {run}");
    };
    let message = divergence["message"]["text"].as_str().expect("a message");
    let expected = "homi predicts exit 1, the native program gives exit 2";
    assert_eq!(message, format!("{test}: {expected}"));
    let location = &divergence["locations"][0]["physicalLocation"];
    let file = &location["artifactLocation"]["uri"];
    assert_eq!(file, &format!("{test}.ktest"));
    assert!(location["region"].is_null(), "{location}");
    place.succeeds(&["report", "out", "--output", "page.html"]);
    let page = fs::read_to_string(place.path("page.html")).expect("a page");
    assert!(page.contains("No bug found; 1 test differs natively"));
    for cell in [
        &format!("<a href=\"#{test}\">{test}</a></td>"),
        expected,
        ">unknown</td>",
    ] {
        assert!(page.contains(cell), "{cell}");
    }
}

#[test]
fn the_first_call_that_gives_something_else_is_the_cause() {
    let source = "#include <malloc.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return strcmp(a, b); }
int main(int argc, char **argv) {
  char letters[4][2] = {\"d\", \"b\", \"c\", \"a\"};
  qsort(letters, 4, 2, compare);
  void *block = malloc(10 + (letters[0][0] - 'a'));
  size_t size = argv[1][0] == 'x' ? malloc_usable_size(block) : 10;
  free(block);
  return size == 10 ? 0 : (int)strlen(\"other\");
}
";
    let (_place, status, text, summary) = tested(source, &["--sym-arg", "1"]);
    assert_eq!(status, Some(4), "{text}");
    let cause = summary["outcomes"]["divergences"][0]["cause"].as_str();
    let cause = cause.expect("a cause");
    let expected = "a.c:9: malloc_usable_size gives 10 in homi, 24 natively";
    assert!(cause.ends_with(expected), "{cause}");
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_summary_counts_bugs_by_their_confirmation() {
    let source = "#include <stdlib.h>
int main(int argc, char **argv) {
  if (argv[1][0] == 'a') abort();
  if (argv[1][0] == 'z') return 7 / (argv[1][0] - 'z');
  return 0;
}
";
    let (_place, status, text, summary) = tested(source, &["--sym-arg", "1"]);
    assert_eq!(status, Some(3), "{text}");
    let confirmations = &summary["confirmations"];
    let counts = ["confirmed", "confirmed_by_signal", "unseen"].map(|name| &confirmations[name]);
    assert_eq!(counts, [1, 1, 0], "{text}{summary}");
}

#[test]
fn other_output_and_files_are_divergences() {
    let source = "#include <stdio.h>
#ifdef __clang__
#define WORD \"clang\"
#else
#define WORD \"gcc\"
#endif
int main(int argc, char **argv) {
  FILE *file;
  if (argv[1][0] == 'o') return puts(WORD) < 0;
  if (argv[1][0] == 'e') return fprintf(stderr, \"one\\n%s\\n\", WORD) < 0;
  if (argv[1][0] != 'f' || !(file = fopen(\"made\", \"w\"))) return 3;
  return fputs(WORD, file) < 0;
}
";
    let (_place, status, text, summary) = tested(source, &["--sym-arg", "1"]);
    assert_eq!(status, Some(4), "{text}");
    let divergences = summary["outcomes"]["divergences"]
        .as_array()
        .expect("a list");
    let mut streams: Vec<(&str, u64)> = divergences
        .iter()
        .map(|one| &one["output"][0])
        .map(|line| {
            (
                line["stream"].as_str().unwrap(),
                line["line"].as_u64().unwrap(),
            )
        })
        .collect();
    streams.sort_unstable();
    assert_eq!(
        streams,
        [("files", 2), ("stderr", 2), ("stdout", 1)],
        "{summary}"
    );
}

#[test]
fn what_varies_from_run_to_run_is_not_compared() {
    let source = "#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
static void *run(void *p) { return printf(\"thread %p\\n\", p), p; }
int main(int argc, char **argv) {
  unsigned bytes = 0;
  int local;
  pthread_t thread;
  char *fresh = malloc(64);
  printf(\"pid %d, parent %d\\n\", getpid(), getppid() > 0);
  printf(\"time %ld\\n\", (long)time(0));
  printf(\"addresses %p %p %p\\n\", (void *)&local, (void *)main, (void *)fresh);
  getrandom(&bytes, sizeof bytes, 0);
  printf(\"random %u, %d\\n\", bytes, rand());
  printf(\"fresh %d, %d\\n\", fresh[40], fresh[42] < 0);
  getrandom(&bytes, sizeof bytes, GRND_NONBLOCK);
  for (local = 0; local < 12; local++) printf(\"a bit: %u\\n\", bytes >> local & 1);
  srand(getpid());
  for (local = 0; local < 12; local++) printf(\"a side: %d\\n\", rand() & 1);
  printf(\"distance %ld\\n\", (long)((char *)malloc(64) - fresh));
  pthread_create(&thread, 0, run, &local);
  pthread_join(thread, 0);
  switch (argv[1][0]) {
  case 'p': return getpid() & 3;
  case 'a': return (int)((unsigned long)fresh >> 12) & 3;
  case 'u': return fresh[41] & 3;
  }
  return 0;
}
";
    let (_place, status, text, summary) = tested(source, &["--sym-arg", "1"]);
    assert_eq!(counts(&summary).1, 0, "{text}{summary}");
    assert_eq!(status, Some(0), "{text}");
    let unstable = summary["outcomes"]["unstable"].as_u64();
    assert!(unstable > Some(0), "{summary}");
}

#[test]
fn equal_programs_agree_in_all() {
    let source = "#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
  FILE *file = fopen(\"made\", \"w\");
  fprintf(file, \"%s and so on\\n\", argv[1]);
  fclose(file);
  mkdir(\"place\", 0750);
  symlink(\"made\", \"place/link\");
  chmod(\"made\", 0600);
  if (argv[1][0] == 'r') remove(\"made\");
  if (argv[1][0] == 's') raise(15);
  printf(\"%s\\n\", argv[1]);
  return argv[1][0] == 'q' ? 7 : 0;
}
";
    let source = source.replace(
        "#include <stdio.h>",
        "#include <signal.h>\n#include <stdio.h>",
    );
    let (place, status, text, summary) = tested(&source, &["--sym-arg", "1"]);
    assert_eq!(status, Some(0), "{text}");
    let (compared, diverging) = counts(&summary);
    assert_eq!((compared > 1, diverging), (true, 0), "{summary}");
    let files = fs::read_to_string(place.path("out/test000001.files")).expect("files");
    assert!(files.starts_with("files\n"), "{files}");
    assert!(files.contains("directory place, mode 750"), "{files}");
    assert!(files.contains("link place/link"), "{files}");
}

#[test]
fn the_run_goes_on_behind_a_call_with_its_native_result() {
    let source = "#include <malloc.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  void *block = malloc(10);
  size_t size = malloc_usable_size(block);
  free(block);
  if (size == 10) return 0;
  if (size != 24) return 1;
  if (argv[1][0] == 'x') return 5;
  return argv[1][0] == 'y' ? 7 / (argv[1][0] - 'y') : 2;
}
";
    let place = TestDir::new();
    fs::write(place.path("a.c"), source).expect("a file");
    let output = place
        .homi()
        .args(["test", "a.c", "--output-dir", "out", "--quiet"])
        .args(["--max-time", "300s", "--", "--sym-arg", "1"])
        .output()
        .expect("homi runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let summary = fs::read(place.path("out/summary.json")).expect("a summary");
    let summary: Value = serde_json::from_slice(&summary).expect("JSON");
    assert_eq!(output.status.code(), Some(3), "{text}{summary}");
    // The division natively ends as homi says, behind a call that homi's library answers otherwise.
    assert_eq!(summary["confirmations"]["unseen"], 0, "{text}{summary}");
    assert_eq!(summary["errors"].as_array().map(Vec::len), Some(1));
    for status in ["0", "2", "5"] {
        let count = summary["exit_statuses"][status].as_u64();
        assert!(count > Some(0), "{status}: {summary}");
    }
    assert_eq!(summary["exit_statuses"]["1"], Value::Null, "{summary}");
    assert_eq!(summary["stop_reason"], "exhausted-underapproximated");
    let lost = &summary["underapproximations"][0];
    assert_eq!(lost["kind"], "native-result", "{summary}");
    assert_eq!(lost["what"], "malloc_usable_size: native result");
    let location = lost["location"].as_str().expect("a location");
    assert!(location.ends_with("a.c:5"), "{location}");
    // Only the tests from before diverge: the native result makes the others right.
    let (compared, diverging) = counts(&summary);
    assert_eq!((compared, diverging), (3, 1), "{summary}");
    assert!(!text.contains("show every behavior"), "{text}");
    let budget = tested(source, &["--sym-arg", "1"]);
    let reason = &budget.3["stop_reason"];
    assert_eq!(reason, "exhausted-underapproximated", "{}", budget.3);
}

#[test]
fn a_replay_names_the_cause_for_a_program_with_its_bitcode() {
    let place = TestDir::new();
    let source = "#include <malloc.h>
#include <stdlib.h>
int main(void) {
  void *block = malloc(10);
  size_t size = malloc_usable_size(block);
  free(block);
  return size == 10 ? 0 : 3;
}
";
    fs::write(place.path("a.c"), source).expect("a file");
    place.succeeds(&["cc", "-g", "a.c", "-o", "a"]);
    let explore = ["run", "a", "--output-dir", "out", "--quiet"];
    place.succeeds(&[&explore[..], &END[..]].concat());
    let expected = "a.c:5: malloc_usable_size gives 10 in homi, 24 natively";
    for form in ["--quiet", "--events"] {
        let words = ["replay", form, "--json", "results.json", "a", "out"];
        place.succeeds(&words);
        let results = fs::read_to_string(place.path("results.json")).expect("results");
        assert!(results.contains(expected), "{form}: {results}");
    }
    let output = place.homi().args(["replay", "a", "out"]).output();
    let table = String::from_utf8_lossy(&output.expect("homi runs").stdout).into_owned();
    assert!(table.contains(expected), "{table}");
}

const DIRECTORIES: &str = r#"#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
static void list(const char *path) {
  DIR *directory = opendir(path);
  struct dirent *entry;
  while (directory && (entry = readdir(directory))) printf("%s/%s\n", path, entry->d_name);
}
int main(int argc, char **argv) {
  time_t now = 1700000000;
  struct stat found;
  setenv("TZ", argc > 1 && argv[1][0] == 'b' ? "Europe/Berlin" : "Asia/Tokyo", 1);
  printf("%s", ctime(&now));
  printf("%d\n", stat("out", &found));
  printf("%d\n", stat("out/summary.json", &found));
  list(".");
  list("/");
  list("/usr");
  list("/usr/share");
  return 0;
}
"#;

#[test]
fn a_replay_sees_the_directories_that_the_run_saw() {
    let (_place, status, text, summary) = tested(DIRECTORIES, &["--sym-arg", "1"]);
    assert_eq!(counts(&summary), (2, 0), "{text}\n{summary}");
    assert_eq!(status, Some(0), "{text}");
}

/// A part of an object that a fortified call leaves although it stays in the object.
const FORTIFIED: &str = r#"#include <stdio.h>
#include <string.h>
struct { char name[4]; char rest[12]; } both;
int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'x') strcpy(both.name, "longer");
  if (argc > 1 && argv[1][0] == 'y') sprintf(both.name, "%d", 12345);
  return 0;
}
"#;

#[test]
fn a_fortified_call_that_leaves_a_part_of_an_object_is_a_bug() {
    let place = TestDir::new();
    fs::write(place.path("a.c"), FORTIFIED).expect("a file");
    place.succeeds(&["cc", "-O2", "-D_FORTIFY_SOURCE=2", "a.c", "-o", "a"]);
    let words = ["run", "./a", "--output-dir", "out", "--", "--sym-arg", "1"];
    place.succeeds(&words);
    let found = |message: &str| {
        let errors = fs::read_dir(place.path("out")).expect("a directory");
        let errors = errors.map(|entry| entry.expect("an entry").path());
        let mut errors = errors.filter(|path| path.extension().is_some_and(|end| end == "err"));
        errors.any(|path| fs::read_to_string(path).is_ok_and(|error| error.contains(message)))
    };
    assert!(found("strcpy overflow") && found("sprintf overflow"));
    place.succeeds(&["cc", "-D_FORTIFY_SOURCE=2", "a.c", "-o", "plain"]);
    let words = [
        "run",
        "./plain",
        "--output-dir",
        "plain-out",
        "--",
        "--sym-arg",
        "1",
    ];
    place.succeeds(&words);
    let summary = fs::read(place.path("plain-out/summary.json")).expect("a summary");
    let summary: Value = serde_json::from_slice(&summary).expect("JSON");
    assert_eq!(summary["paths"]["error"], 0, "{summary}");
}

const LAST_DIGITS: &str = r#"#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 1; i < 40; i++) {
    volatile double x = i / 7.0;
    printf("%a %a %a %a %a\n", exp10(x), tgamma(x), atan2(x, 3), pow(x, 0.3), erf(x));
    printf("%a %a %a\n", exp10f(x), tanf(x), hypotf(x, 2));
  }
  return argc > 1 && argv[1][0] == 'x';
}
"#;

#[test]
fn numbers_of_libm_have_the_last_digits_of_the_machine() {
    let (_place, status, text, summary) = tested(LAST_DIGITS, &["--sym-arg", "1"]);
    assert_eq!(counts(&summary), (1, 0), "{text}");
    assert_eq!(status, Some(0), "{text}");
}

/// The first thread waits in a call while another one runs deeper than it.
const WAITING: &str = r#"#include <pthread.h>
#include <sched.h>
static volatile int is_ready;
static int deep(int n) { return n ? deep(n - 1) + n % 3 : (int)pthread_self() == 0; }
static void *work(void *data) {
  int sum = 0;
  while (!is_ready) sched_yield();
  for (int i = 0; i < 9; i++) sum += deep(i);
  return (void *)(long)sum;
}
int main(int argc, char **argv) {
  pthread_t thread;
  void *sum;
  pthread_create(&thread, 0, work, 0);
  is_ready = 1;
  pthread_join(thread, &sum);
#ifdef __clang__
  return sum ? 1 : 3;
#else
  return sum ? 2 : 4;
#endif
}
"#;

#[test]
fn the_calls_of_a_run_with_threads_are_recorded() {
    let (_place, status, text, summary) = tested(WAITING, &["--sym-arg", "1"]);
    assert_eq!(counts(&summary).1, 1, "{text}");
    assert_eq!(status, Some(4), "{text}");
}
