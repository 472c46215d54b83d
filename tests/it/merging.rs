//! `--use-merge`: a merged run finds what native runs of all inputs do, and no
//! path is lost.
//!
//! A random program computes a number from ten bits of input, with marks around its choices. It
//! runs natively on all inputs. homi runs it with that table in it: a merged path on which the
//! number is another for any input ends in an error.

use crate::support::{TestDir, run};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// The input of a program.
const INPUTS: usize = 1 << 10;

/// Makes the body of a program, statement by statement.
struct Writer {
    random: Pcg64Mcg,
    text: String,
    names: u32,
}

impl Writer {
    fn pick<'w>(&mut self, choices: &[&'w str]) -> &'w str {
        choices[self.random.random_range(0..choices.len())]
    }

    fn number(&mut self, most: u32) -> u32 {
        self.random.random_range(0..=most)
    }

    /// A number that a program computes with.
    fn value(&mut self) -> String {
        match self.number(6) {
            0 => format!("{}", self.number(300)),
            1 => "x".to_string(),
            2 => format!("(x >> {})", self.number(9)),
            3 => format!("array[{} & 7]", self.pick(&["a", "b", "x"])),
            4 => "*pointer".to_string(),
            5 => format!("block[{}]", self.number(3)),
            _ => self.pick(&["a", "b", "c", "global"]).to_string(),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.value(), self.value());
        match self.number(3) {
            0 => format!("x >> {} & 1", self.number(9)),
            1 => format!("x % {} == {}", 2 + self.number(9), self.number(2)),
            2 => format!("{left} > {right}"),
            _ => format!("({left} & {}) == 0", 1 + self.number(20)),
        }
    }

    fn assignment(&mut self) {
        let place = match self.number(7) {
            0 => format!("array[{}]", self.number(7)),
            1 => "array[a & 7]".to_string(),
            2 => "*pointer".to_string(),
            3 => format!("block[{}]", self.number(3)),
            4 => {
                let to = self.pick(&["&a", "&b", "&array[2]", "block", "&global"]);
                let _ = writeln!(self.text, "pointer = {to};");
                return;
            }
            _ => self.pick(&["a", "b", "c", "global"]).to_string(),
        };
        let (left, right) = (self.value(), self.value());
        let operator = self.pick(&["+", "-", "*", "^", "|", "&"]);
        let _ = writeln!(self.text, "{place} = {left} {operator} {right};");
    }

    fn statement(&mut self, depth: u32) {
        match self.number(if depth == 0 { 1 } else { 6 }) {
            0 | 1 => self.assignment(),
            2 => self.choice(depth - 1),
            3 => {
                self.text += "klee_open_merge();\n";
                self.choice(depth - 1);
                self.text += "klee_close_merge();\n";
            }
            4 => {
                let value = self.value();
                let _ = writeln!(self.text, "switch ({value} & 3) {{");
                for case in 0..3 {
                    let _ = writeln!(self.text, "case {case}:");
                    self.assignment();
                    self.text += if case == 1 { "" } else { "break;\n" };
                }
                self.text += "}\n";
            }
            5 => {
                self.names += 1;
                let (name, value) = (format!("n{}", self.names), self.value());
                let _ = writeln!(
                    self.text,
                    "for (unsigned {name} = 0; {name} < ({value} & 3); {name}++) {{"
                );
                self.assignment();
                self.text += "}\n";
            }
            _ => {
                let (place, value) = (self.pick(&["a", "b", "c"]), self.value());
                let _ = writeln!(self.text, "{place} = helper({value}, &array[1]);");
            }
        }
    }

    fn choice(&mut self, depth: u32) {
        let condition = self.condition();
        let _ = writeln!(self.text, "if ({condition}) {{");
        self.statement(depth);
        if self.number(1) == 0 {
            self.text += "} else {\n";
            self.statement(depth);
        }
        self.text += "}\n";
    }
}

/// The function that a program computes, and whatever else is the same natively and in homi.
fn function(seed: u64) -> String {
    let mut writer = Writer {
        random: Pcg64Mcg::seed_from_u64(seed),
        text: String::new(),
        names: 0,
    };
    for _ in 0..3 + writer.number(2) {
        writer.text += "klee_open_merge();\n";
        writer.choice(2);
        writer.text += "klee_close_merge();\n";
        writer.assignment();
    }
    format!(
        "static unsigned global = 5;\n\
         static unsigned helper(unsigned v, unsigned *p) {{\n\
         unsigned r = v + 1; if (v % 3 == 1) {{ *p += 2; r = v * 2; }} return r; }}\n\
         static unsigned compute(unsigned x, unsigned *block) {{\n\
         unsigned a = 1, b = x, c = 7, array[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};\n\
         unsigned *pointer = &c;\n\
         global = 5;\n\
         {}\n\
         unsigned r = a ^ b * 3 ^ c * 5 ^ global * 7 ^ *pointer;\n\
         for (int i = 0; i < 8; i++) r = r * 31 + array[i];\n\
         return (r ^ r >> 8 ^ r >> 16 ^ block[0] ^ block[1] ^ block[2] ^ block[3]) & 255;\n}}\n",
        writer.text
    )
}

/// Results of native runs of all inputs.
fn native(place: &TestDir, function: &str) -> Vec<u8> {
    let source = format!(
        "#include <stdio.h>\n\
         static void klee_open_merge(void) {{}}\n\
         static void klee_close_merge(void) {{}}\n\
         {function}\n\
         int main(void) {{ for (unsigned x = 0; x < {INPUTS}; x++) {{\n\
         unsigned block[4] = {{9, 8, 7, 6}};\n\
         putchar(compute(x, block)); }} return 0; }}\n"
    );
    let (file, executable) = (place.path("native.c"), place.path("native"));
    fs::write(&file, source).expect("the source");
    run(Command::new("clang-19")
        .arg("-w")
        .arg("-o")
        .arg(&executable)
        .arg(&file));
    let output = Command::new(&executable).output().expect("it runs");
    assert_eq!(output.stdout.len(), INPUTS);
    output.stdout
}

/// The program for homi: an error wherever it computes something else, and a path for each of
/// sixteen classes of results.
fn checked(function: &str, expected: &[u8]) -> String {
    let table: Vec<String> = expected.iter().map(u8::to_string).collect();
    format!(
        "#include <klee/klee.h>\n#include <stdlib.h>\n\
         {function}\n\
         static const unsigned char expected[{INPUTS}] = {{{}}};\n\
         int main(void) {{ unsigned char in[2]; klee_make_symbolic(in, sizeof in, \"in\");\n\
         unsigned x = in[0] | (in[1] & 3) << 8;\n\
         unsigned *block = malloc(16);\n\
         block[0] = 9; block[1] = 8; block[2] = 7; block[3] = 6;\n\
         unsigned r = compute(x, block);\n\
         if (r != expected[x]) klee_abort();\n\
         switch (r & 15) {{ case 0: return 0; case 1: return 1; case 2: return 2; case 3: return 3;\n\
         case 4: return 4; case 5: return 5; case 6: return 6; case 7: return 7; }}\n\
         return 8; }}\n",
        table.join(",")
    )
}

/// The exit statuses that some path of a run has.
fn statuses(summary: &Value) -> BTreeSet<u8> {
    let counts = summary["exit_statuses"].as_object().expect("statuses");
    counts
        .keys()
        .map(|status| status.parse().expect("a number"))
        .collect()
}

/// Compares merged runs of a program with native runs; returns the number of merged paths.
fn compare(seed: u64) -> u64 {
    let place = TestDir::new();
    let function = function(seed);
    let expected = native(&place, &function);
    place.compile("program", &checked(&function, &expected));
    let outcomes: BTreeSet<u8> = expected.iter().map(|result| (result & 15).min(8)).collect();
    let mut merged = 0;
    for (number, arguments) in [
        &["--use-merge", "--search", "random-state"][..],
        &["--use-merge", "--search", "dfs", "--use-incomplete-merge"],
    ]
    .iter()
    .enumerate()
    {
        let arguments = [&["program.bc", "--all-tests"], *arguments].concat();
        let summary = place.run_into(&format!("out{number}"), &arguments);
        let context = || format!("seed {seed} {arguments:?}\n{function}\n{summary}");
        assert_eq!(summary["stop_reason"], "exhausted", "{}", context());
        assert_eq!(
            summary["errors"].as_array().map(Vec::len),
            Some(0),
            "{}",
            context()
        );
        assert_eq!(statuses(&summary), outcomes, "{}", context());
        merged += summary["merged"].as_u64().expect("a count");
    }
    merged
}

/// Other programs by `HOMI_MERGING_SEEDS=100..400`.
#[test]
fn merged_paths_compute_what_native_runs_compute() {
    let range = std::env::var("HOMI_MERGING_SEEDS").unwrap_or_else(|_| "0..12".to_string());
    let (first, last) = range.split_once("..").expect("FIRST..LAST");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let seeds = number(first)..number(last);
    let least = (seeds.end - seeds.start) * 4;
    let merged: u64 = seeds.map(compare).sum();
    assert!(merged > least, "{merged} paths were merged");
}

/// 2^24 paths without merging.
const COUNT: &str = r#"
#include <klee/klee.h>
int main(void) {
  char text[24];
  int count = 0;
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 24; i++) {
    klee_open_merge();
    if (text[i] == 'a') count++;
    klee_close_merge();
  }
  return count == 24 ? 2 : count == 0;
}
"#;

#[test]
fn a_loop_of_merges_has_a_path_for_each_outcome() {
    let place = TestDir::new();
    place.compile("count", COUNT);
    for more in [&[][..], &["--use-incomplete-merge"], &["--search", "bfs"]] {
        let arguments = [&["count.bc", "--use-merge", "--all-tests"], more].concat();
        let summary = place.run_into(&format!("out{}", more.len()), &arguments);
        assert_eq!(summary["stop_reason"], "exhausted", "{more:?}");
        assert_eq!(
            (&summary["tests"], &summary["merged"]),
            (&3.into(), &24.into())
        );
        assert_eq!(statuses(&summary), [0, 1, 2].into());
        fs::remove_dir_all(place.path(&format!("out{}", more.len()))).expect("it goes");
    }
}

/// A merge in one side of a choice, within the merge of both sides, three deep.
const NESTED: &str = r#"
#include <klee/klee.h>
int main(void) {
  int x, y, z, sum = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_make_symbolic(&z, sizeof z, "z");
  klee_open_merge();
  if (x == 0) {
    klee_open_merge();
    if (y == 1) {
      klee_open_merge();
      if (z == 1) sum = 4; else if (z > 5) sum = 3; else sum = 2;
      klee_close_merge();
    } else if (y == 2) sum = 6;
    else sum = 7;
    klee_close_merge();
  }
  klee_close_merge();
  return sum == 40;
}
"#;

#[test]
fn a_merge_waits_for_states_that_exit_an_inner_one() {
    let place = TestDir::new();
    place.compile("nested", NESTED);
    for (number, more) in [
        &["--search", "dfs"][..],
        &["--search", "bfs"],
        &["--search", "random-path"],
        &["--search", "dfs", "--use-incomplete-merge"],
    ]
    .iter()
    .enumerate()
    {
        let arguments = [&["nested.bc", "--use-merge", "--all-tests"], *more].concat();
        let summary = place.run_into(&format!("out{number}"), &arguments);
        assert_eq!(summary["stop_reason"], "exhausted", "{more:?}");
        let found = (&summary["tests"], &summary["merged"]);
        assert_eq!(found, (&1.into(), &5.into()), "{more:?}");
    }
}

#[test]
fn without_the_option_one_warning_says_that_nothing_is_merged() {
    let place = TestDir::new();
    place.compile("count", &COUNT.replace("24", "2"));
    let said = place.succeeds(&["run", "count.bc", "--all-tests"]);
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert_eq!(said.matches("are ignored").count(), 1, "{said}");
}

#[test]
fn what_cannot_be_merged_with_is_refused() {
    let place = TestDir::new();
    place.compile("count", &COUNT.replace("24", "2"));
    for more in [
        &["--subsume"][..],
        &["--concolic"],
        &["--threads", "2"],
        &["--prune", "homi"],
    ] {
        let arguments = [&["run", "count.bc", "--use-merge"], more].concat();
        place.fails(&arguments, 2, &["--use-merge cannot be combined with"]);
    }
    let alone = ["run", "count.bc", "--use-incomplete-merge"];
    place.fails(&alone, 2, &["needs --use-merge"]);
}

#[test]
fn paths_that_differ_in_more_than_values_stay_apart() {
    let place = TestDir::new();
    let source = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char in;
  char *block = 0;
  klee_make_symbolic(&in, 1, "in");
  klee_open_merge();
  if (in & 1) block = malloc(in & 2 ? 3 : 4);
  klee_close_merge();
  klee_close_merge();
  return block ? 1 : 0;
}
"#;
    place.compile("apart", source);
    let said = place.succeeds(&["run", "apart.bc", "--use-merge", "--all-tests"]);
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("without a klee_open_merge"), "{said}");
    let arguments = ["klee", "--use-merge", "--debug-log-merge", "apart.bc"];
    let told = place.succeeds(&arguments);
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    for part in ["open merge: s", "an object exists in only one of them"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let found = crate::support::summary(&place.path("homi-last"));
    assert_eq!(found["stop_reason"], "exhausted");
    assert_eq!(statuses(&found), [0, 1].into());
}
