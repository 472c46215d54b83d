//! A run lists its under-approximations with kind and location, and they decide its stop reason;
//! behavior that it explores completely is not listed.

use crate::support::{self, TestDir, root, summary, text};
use serde_json::Value;
use std::fs;

/// The input of most programs here.
const HEAD: &str = "\
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned char in[8];
static void begin(void) { klee_make_symbolic(in, sizeof in, \"in\"); }
";

/// The line of a source that has a mark.
fn line_of(source: &str, mark: &str) -> usize {
    let found = source.lines().position(|line| line.contains(mark));
    found.expect("the marked line") + 1
}

/// A run of a program with these arguments before the file's name.
fn run(source: &str, arguments: &[&str]) -> (TestDir, Value, String) {
    let place = TestDir::new();
    place.compile("program", source);
    let arguments = [&["run", "--all-tests"], arguments, &["program.bc"]].concat();
    let said = self::said(&place, &arguments);
    let found = without_folder(&place, &summary(&place.path("homi-last")).to_string());
    let found = serde_json::from_str(&found).expect("JSON");
    (place, found, said)
}

/// Messages and output of homi, without the directory of the program.
fn said(place: &TestDir, arguments: &[&str]) -> String {
    let output = place.succeeds(arguments);
    let printed = String::from_utf8_lossy(&output.stdout);
    without_folder(place, &format!("{}{printed}", text(&output)))
}

fn without_folder(place: &TestDir, text: &str) -> String {
    let folder = place.directory.path().display();
    text.replace(&format!("{folder}/"), "")
}

/// Kind and location of each under-approximation.
fn underapproximations(summary: &Value) -> Vec<(String, String)> {
    let list = summary["underapproximations"].as_array().expect("a list");
    let text = |place: &Value, key: &str| place[key].as_str().expect("a text").to_string();
    list.iter()
        .map(|place| (text(place, "kind"), text(place, "location")))
        .collect()
}

/// The program must lose values of one kind at the line marked HERE, and nothing else.
fn loses_values(kind: &str, body: &str, arguments: &[&str]) {
    let source = format!("{HEAD}{body}");
    let (place, found, said) = run(&source, arguments);
    let here = format!("program.c:{}", line_of(&source, "HERE"));
    assert_eq!(
        underapproximations(&found),
        [(kind.to_string(), here.clone())],
        "{kind}: {found}"
    );
    assert_eq!(
        found["stop_reason"], "exhausted-underapproximated",
        "{kind}: {found}"
    );
    assert_eq!(found["underapproximations"][0]["lost"], "values", "{kind}");
    let verdict =
        format!("all paths explored, but values were concretized at 1 location: {here} (");
    assert!(said.contains(&verdict), "{kind}: {said}");
    assert!(
        said.contains("homi: done: under-approximated locations = 1, most often = "),
        "{said}"
    );
    // Some test says so, and `homi explain` as well.
    let log = fs::read_to_string(place.path("homi-last/coverage.jsonl")).expect("the log");
    let entries: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let entry = entries
        .iter()
        .find(|entry| entry["underapproximations"][0]["kind"] == kind);
    let test = entry.expect("a test of a concretized path")["test"]
        .as_str()
        .expect("a name");
    let file = format!("homi-last/{test}.ktest");
    let explained = self::said(&place, &["explain", &file]);
    assert!(
        explained.contains(&format!("Under-approximation at {here}: ")),
        "{kind}: {explained}"
    );
    let shown = self::said(&place, &["stats", "homi-last"]);
    assert!(
        shown.contains(&format!("values  {here}: ")),
        "{kind}: {shown}"
    );
}

/// The program must lose paths of one kind at the line marked HERE, and nothing else.
fn loses_paths(kind: &str, body: &str, arguments: &[&str]) {
    let source = format!("{HEAD}{body}");
    let (place, found, said) = run(&source, arguments);
    let here = format!("program.c:{}", line_of(&source, "HERE"));
    assert_eq!(
        underapproximations(&found),
        [(kind.to_string(), here.clone())],
        "{kind}: {found}"
    );
    assert_eq!(found["stop_reason"], "no-states-left", "{kind}: {found}");
    assert_eq!(found["underapproximations"][0]["lost"], "paths", "{kind}");
    let verdict = format!("no states left, but paths were dropped at 1 location: {here} (");
    assert!(said.contains(&verdict), "{kind}: {said}");
    let log = fs::read_to_string(place.path("homi-last/coverage.jsonl")).expect("the log");
    assert!(
        log.contains(&format!("\"kind\":\"{kind}\"")),
        "{kind}: {log}"
    );
}

/// The program must lose nothing.
fn loses_nothing(body: &str, arguments: &[&str]) -> Value {
    let source = format!("{HEAD}{body}");
    let (place, found, said) = run(&source, arguments);
    assert_eq!(underapproximations(&found), [], "{body}: {found}");
    assert_eq!(found["stop_reason"], "exhausted", "{body}: {found}");
    assert!(said.contains("homi: done: all paths explored\n"), "{said}");
    assert!(!said.contains("underapproximations"), "{said}");
    let log = fs::read_to_string(place.path("homi-last/coverage.jsonl")).expect("the log");
    assert!(!log.contains("underapproximations"), "{log}");
    found
}

#[test]
fn an_address_with_many_offsets() {
    loses_values(
        "address",
        "
struct piece { char bytes[16]; };
static char large[1 << 20];
static struct piece piece;
int main(void) {
  begin();
  unsigned at = in[0] | in[1] << 8;
  piece = *(struct piece *)(large + at * 3); // HERE
  return piece.bytes[3] != 0;
}
",
        &[],
    );
}

#[test]
fn a_size_of_very_many_values() {
    loses_values(
        "size",
        "
static char large[1 << 20];
int main(void) {
  begin();
  unsigned long count = (in[0] | in[1] << 8 | in[2] << 16) % sizeof large;
  memset(large, 1, count); // HERE
  return large[0] == 7;
}
",
        &[],
    );
}

#[test]
fn an_argument_of_a_system_call() {
    loses_values(
        "argument",
        "
int main(void) {
  begin();
  unsigned seconds;
  memcpy(&seconds, in, sizeof seconds);
  return sleep(seconds) > 100; // HERE
}
",
        &[],
    );
    loses_nothing(
        "
#include <sys/random.h>
int main(void) {
  begin();
  char bytes[8];
  if (in[0] > 4) return 1;
  return getrandom(bytes, in[0], 0) == 3;
}
",
        &[],
    );
}

/// All positions from the end on are one, and the others are followed.
#[test]
fn positions_and_counts_of_any_width() {
    loses_nothing(
        "
#include <fcntl.h>
int main(void) {
  begin();
  char bytes[8] = {0};
  long position;
  int file = open(\"program.c\", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (write(file, \"abcdef\", 6) != 6) return 1;
  memcpy(&position, in, sizeof position);
  if (lseek(file, position, SEEK_SET) < 0) return 2;
  if (read(file, bytes, (size_t)position * 2) < 0) return 3;
  return bytes[0] == 'c' ? 4 : 5;
}
",
        &[],
    );
}

#[test]
fn a_text_that_the_engine_must_know() {
    loses_values(
        "text",
        "
int main(void) {
  begin();
  in[2] = 0;
  klee_warning((char *)in); // HERE
  return 0;
}
",
        &["--max-forks", "0"],
    );
}

#[test]
fn a_floating_point_number() {
    let body = "
int main(void) {
  begin();
  double x = in[0]; // HERE
  if (x * 2 > 100) return 1;
  return x == 3;
}
";
    loses_values("float", body, &["--concrete-floats"]);
    loses_nothing(body, &[]);
}

#[test]
fn an_exit_status() {
    let body = "int main(void) { begin(); return in[0]; } // HERE\n";
    loses_values("exit-status", body, &["--tuning max-exit-statuses", "16"]);
    loses_nothing(body, &[]);
}

#[test]
fn a_value_that_was_asked_for() {
    loses_values(
        "given-value",
        "int main(void) { begin(); return klee_get_value_i32(in[0]); } // HERE\n",
        &[],
    );
    loses_nothing(
        "int main(void) { begin(); return in[0] == 5 ? klee_get_value_i32(in[0]) : 0; }\n",
        &[],
    );
}

#[test]
fn conditions_where_forking_is_off() {
    let body = "
int main(void) {
  begin();
  if (in[1] == 9) in[2] = 1;
  klee_set_forking(0);
  if (in[0] > 5) return 1; // HERE
  if (in[0] > 5) return 2;
  return 3;
}
";
    loses_values("forking", body, &[]);
    loses_values(
        "forking",
        "int main(void) { begin(); klee_set_forking(0); switch (in[0]) { // HERE\n\
         case 1: return 4; case 2: return 5; default: return 6; } }\n",
        &[],
    );
    loses_values(
        "forking",
        "
int main(void) {
  begin();
  if (in[1] == 9) return 2;
  if (in[0] > 5) return 1; // HERE
  return 3;
}
",
        &["--max-forks", "1", "--search", "dfs"],
    );
    loses_nothing(
        "
int main(void) {
  begin();
  if (in[0] > 5) return 0;
  klee_set_forking(0);
  if (in[0] > 6) return 1;
  switch (in[0] / 8) { case 0: return 2; default: return 3; }
}
",
        &[],
    );
}

/// The modelled kernel says so by a function of the engine.
#[test]
fn under_approximations_of_the_modeled_kernel() {
    for (kind, text) in [
        ("file-position", "file-position"),
        ("kernel", "no more than 32 of them"),
    ] {
        let body = format!(
            "void homi_note_concretized(const char *);\n\
             int main(void) {{ begin(); homi_note_concretized(\"{text}\"); return 0; }} // HERE\n"
        );
        loses_values(kind, &body, &[]);
    }
}

/// A number that takes the solver long to find an input for.
const HASH: &str = "
static unsigned long hash(void) {
  unsigned long sum = 14695981039346656037ul;
  for (int i = 0; i < 24; i++) sum = (sum ^ in[i % 8]) * 1099511628211ul, sum ^= sum >> 29;
  return sum;
}
";

#[test]
fn what_another_process_writes() {
    let pipe = r#"
int main(void) {
  int ends[2];
  char letter;
  begin();
  if (in[0] != 3 || pipe(ends) || fork() == 0) return 0;
  close(ends[1]);
  return (int)read(ends[0], &letter, 1); /* HERE */
}
"#;
    loses_values("kernel", pipe, &[]);
    let command = r#"
int main(void) {
  begin();
  return in[0] == 3 && system("touch file") == 0; /* HERE */
}
"#;
    loses_values("kernel", command, &[]);
    let output = r#"
#include <stdio.h>
int main(void) {
  begin();
  return in[0] == 3 && getc(popen("echo", "r")) == 'a'; /* HERE */
}
"#;
    loses_values("kernel", output, &[]);
}

#[test]
fn a_side_that_the_solver_gave_up_on() {
    let body = format!(
        "{HASH}\nint main(void) {{
  begin();
  if (hash() == 0x1234567890abcdef) return 1; // HERE
  return 0;
}}
"
    );
    loses_values("unknown", &body, &["--max-solver-time", "20ms"]);
}

#[test]
fn paths_that_end_before_the_program_does() {
    let assumed = format!(
        "{HASH}\nint main(void) {{
  begin();
  klee_assume(hash() == 0x1234567890abcdef); // HERE
  return 0;
}}
"
    );
    loses_paths("solver", &assumed, &["--max-solver-time", "20ms"]);
    loses_paths(
        "unsupported",
        "int nowhere(int); int main(void) { begin(); return in[0] > 3 ? nowhere(1) : 0; } // HERE\n",
        &[],
    );
    loses_paths(
        "depth",
        "
int main(void) {
  int count = 0;
  begin();
  for (int i = 0; i < 8; i++)
    if (in[i] > 9) count++; // HERE
  return count;
}
",
        &["--max-depth", "3"],
    );
    loses_paths(
        "frames",
        "
static int down(int n) {
  volatile int own = n;
  return own == 0 ? 0 : down(own - 1) + 1; // HERE
}
int main(void) { begin(); return down(in[0] > 3 ? 100 : 3) == 3; }
",
        &["--max-stack-frames", "50"],
    );
}

/// Both classes are named where paths were lost.
#[test]
fn a_run_that_dropped_paths_also_lists_concretized_values() {
    let source = format!(
        "{HEAD}int nowhere(int);
int main(void) {{
  begin();
  if (in[0] == 1) return nowhere(2); // GAP
  return klee_get_value_i32(in[1]); // VALUE
}}
"
    );
    let (_, found, said) = run(&source, &[]);
    assert_eq!(found["stop_reason"], "no-states-left");
    let at = |mark| format!("program.c:{}", line_of(&source, mark));
    let verdict = format!(
        "paths were dropped at 1 location: {} (an unsupported feature); and values were \
         concretized at 1 location: {} (a value given by klee_get_value among 256 values)",
        at("GAP"),
        at("VALUE")
    );
    assert!(said.contains(&verdict), "{said}");
}

/// Without debug information the place is a function and an instruction of it.
#[test]
fn places_without_lines_are_named_by_function() {
    let place = TestDir::new();
    let file = place.path("bare.c");
    let source = format!("{HEAD}int main(void) {{ begin(); return klee_get_value_i32(in[0]); }}\n");
    fs::write(&file, source).expect("write the source");
    support::bitcode(&["-O0", "-Xclang", "-disable-O0-optnone"], &file);
    let found = place.run(&["bare.bc", "--quiet"]);
    let places = underapproximations(&found);
    assert_eq!(places.len(), 1, "{found}");
    assert!(places[0].1.starts_with("main, instruction "), "{found}");
}

#[test]
fn complete_exploration_is_not_under_approximated() {
    // A value that can only be one.
    loses_nothing(
        "
#include <sys/random.h>
int main(void) {
  begin();
  char bytes[8];
  if (in[0] != 4) return 1;
  return getrandom(bytes, in[0], 0) == 4;
}
",
        &[],
    );
    // A fork over all objects, and over all values of a size.
    let found = loses_nothing(
        "
int main(void) {
  begin();
  char *blocks[3] = {malloc(1), malloc(2), malloc(3)};
  unsigned char at = in[0] % 3;
  blocks[at][0] = 5;
  free(blocks[at]);
  char *sized = malloc(in[1] % 4 + 1);
  klee_make_symbolic(sized, in[1] % 4 + 1, \"sized\");
  return 0;
}
",
        &[],
    );
    assert_eq!(found["paths"]["completed"], 12, "{found}");
    // No symbolic input at all.
    loses_nothing("int main(void) { return getpid() == 3; }\n", &[]);
}

#[test]
fn threads_and_campaigns_report_the_same() {
    let source = format!(
        "{HEAD}
int main(void) {{
  int count = 0;
  begin();
  for (int i = 0; i < 6; i++) if (in[i] > 100) count++;
  if (count == 3) return klee_get_value_i32(in[7]); // HERE
  return count;
}}
"
    );
    let here = format!("program.c:{}", line_of(&source, "HERE"));
    let expected = [("given-value".to_string(), here)];
    for arguments in [
        vec!["--prune", "none"],
        vec!["--prune", "none", "--threads", "3"],
        vec!["--prune", "homi", "--max-time", "40000000i"],
        vec![
            "--prune",
            "homi",
            "--max-time",
            "40000000i",
            "--tuning run-time-max",
            "5000i",
        ],
    ] {
        let (_, found, said) = run(&source, &arguments);
        assert_eq!(
            underapproximations(&found),
            expected,
            "{arguments:?}: {found}"
        );
        assert_eq!(
            found["stop_reason"], "exhausted-underapproximated",
            "{arguments:?}: {said}"
        );
    }
}

/// A campaign that goes on knows the under-approximations of its earlier sessions.
#[test]
fn a_resumed_campaign_adds_to_earlier_under_approximations() {
    let place = TestDir::new();
    let source = format!(
        "{HEAD}
int main(void) {{
  begin();
  unsigned sum = klee_get_value_i32(in[0]);
  for (unsigned n = 0;; n++) {{
    unsigned char more;
    klee_make_symbolic(&more, 1, \"more\");
    if (more == n % 256) sum += 3;
  }}
}}
"
    );
    place.compile("program", &source);
    let count = |summary: &Value| support::underapproximations(summary, "given-value");
    let budget = ["--quiet", "--prune", "homi", "--max-time", "400000i"];
    let first = place.run_into("out", &[&budget[..], &["program.bc"]].concat());
    assert_eq!(first["stop_reason"], "max-time", "{first}");
    assert!(count(&first) > 0, "{first}");
    let resume = ["run", "--quiet", "--resume", "out", "--max-time", "400000i"];
    place.succeeds(&resume);
    let second = summary(&place.path("out"));
    assert!(count(&second) > count(&first), "{first} {second}");
}

#[test]
fn limits_of_the_model_are_named_where_they_applied() {
    let limits = |body: &str| {
        let (_, found, said) = run(&format!("{HEAD}{body}"), &[]);
        let list = found["model_limitations"]
            .as_array()
            .expect("a list")
            .clone();
        let line = said.contains("homi: done: model limitations = ");
        assert_eq!(line, !list.is_empty(), "{said}");
        let names = list
            .iter()
            .map(|name| name.as_str().expect("a name").to_string());
        names.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(
        limits("int main(void) { begin(); return in[0] > 3 ? 1 : 0; }\n"),
        ""
    );
    let threads = "
#include <pthread.h>
static void *work(void *p) { return p; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return pthread_join(thread, 0);
}
";
    assert!(limits(threads).contains("thread-order"));
    assert!(limits("int main(void) { return fork() == 0; }\n").contains("one-process"));
    let clock = "#include <time.h>\nint main(void) { return time(0) == 3; }\n";
    assert_eq!(limits(clock), "clock");
    let unused = "#include <time.h>\nint main(int n, char **v) { return n > 9 && time(0) == 3; }\n";
    assert_eq!(limits(unused), "");
    assert_eq!(
        limits("int main(void) { return !malloc(8); }\n"),
        "allocation"
    );
    let handler = "
#include <signal.h>
static void handle(int number) { (void)number; }
int main(void) { signal(SIGUSR1, handle); return raise(SIGUSR1); }
";
    assert!(limits(handler).contains("signals"));
    let random =
        "#include <sys/random.h>\nint main(void) { char b[2]; return getrandom(b, 2, 0) != 2; }\n";
    assert_eq!(limits(random), "random-numbers");
    let name = "
#include <fcntl.h>
int main(void) { begin(); in[3] = 0; return open((char *)in, O_RDONLY) < 0; }
";
    assert_eq!(limits(name), "file-names");
    let lacking = "
#include <unistd.h>
int main(void) { return syscall(437, -1, 0, 0, 0) != -1; }
";
    assert_eq!(limits(lacking), "missing-calls");
    let hidden = "
#include <unistd.h>
int main(void) { return access(\"/usr/bin/env\", F_OK) == 0 || access(\"/no/such\", F_OK) == 0; }
";
    assert_eq!(limits(hidden), "host-files");
    let absent =
        "#include <unistd.h>\nint main(void) { return access(\"/no/such\", F_OK) == 0; }\n";
    assert_eq!(limits(absent), "");
}

/// Callers that concretize must handle a query without an answer.
#[test]
fn paths_grow_in_one_place_and_few_ask_the_oracle() {
    let places = [
        // The later ones are of a proof about any round of a loop, which is no path of the run.
        (
            "path.add(",
            &["concretize.rs", "proof.rs", "reduction.rs"][..],
        ),
        (
            "oracle.check(",
            &["context.rs", "proof.rs", "reduction.rs", "size.rs"][..],
        ),
    ];
    for (call, expected) in places {
        let mut found: Vec<String> = Vec::new();
        for entry in walk(&root().join("src/machine/exec")) {
            let text = fs::read_to_string(&entry).expect("a source");
            let plain: String = text.split_whitespace().collect();
            let name = entry.file_name().expect("a name").to_string_lossy();
            if plain.contains(call) && name != "tests.rs" {
                found.push(name.into_owned());
            }
        }
        found.sort();
        assert_eq!(found, expected, "{call}");
    }
}

/// All files at or below a folder.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
