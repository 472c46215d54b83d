//! `--merge auto`: a run that merges what meets finds what a run without it finds, and what native
//! runs do.
//!
//! Programs of loops over symbolic bytes are explored to the end with and without the option. The
//! exit statuses, the bugs and the covered branch sides are the same, and each test replays: its
//! input leads natively to the status that homi says.

use crate::support::{Place, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Programs that read at most so many bytes of standard input, and their code.
const PROGRAMS: [(&str, usize, &str); 9] = [
    (
        "spaces",
        6,
        "int spaces = 0, others = 0;
         for (int i = 0; i < n; i++) { if (text[i] == ' ' || text[i] == '\\t') spaces++; else others++; }
         return spaces * 10 + (others > 4);",
    ),
    (
        "upper",
        4,
        "int changed = 0;
         for (int i = 0; i < n; i++)
           if (text[i] >= 'a' && text[i] <= 'z') { text[i] = text[i] - 'a' + 'A'; changed++; }
         if (memcmp(text, \"HOMI\", 4) == 0) return 40 + changed;
         return text[0] == 'Q' ? 1 : 0;",
    ),
    (
        "classify",
        4,
        "int digits = 0, letters = 0, rest = 0;
         for (int i = 0; i < n; i++)
           switch (text[i]) {
             case '0': case '1': case '2': digits += 1; break;
             case 'a': case 'b': letters += 1; break;
             case 'x': letters += 2;  /* and on */
             default: rest += 1;
           }
         return digits * 25 + letters * 5 + rest;",
    ),
    (
        "crc",
        1,
        "unsigned crc = 0xff;
         for (int i = 0; i < n; i++) {
           crc ^= text[i];
           for (int bit = 0; bit < 8; bit++) { if (crc & 1) crc = crc >> 1 ^ 0xb8; else crc >>= 1; }
         }
         if (crc == 0x5a) return 1;
         return crc < 16 ? 2 : 0;",
    ),
    (
        "bug",
        5,
        "int depth = 0, most = 0;
         char stack[3] = {0};
         for (int i = 0; i < n; i++) {
           if (text[i] == '(') stack[depth++] = 1;
           if (text[i] == ')' && depth > 0) depth--;
           if (depth > most) most = depth;
         }
         return most + stack[0] % 2;",
    ),
    (
        "words",
        5,
        "int words = 0, inside = 0, lines = 0;
         for (int i = 0; i < n; i++) {
           lines += text[i] == '\\n';
           if (isspace(text[i])) { words += inside; inside = 0; } else inside = 1;
         }
         return (words + inside) * 6 + lines;",
    ),
    (
        "helpers",
        4,
        "int sum = 0;
         for (int i = 0; i < n; i++) sum += value(text[i]);
         if (sum == 17) { char *p = 0; return *p; }
         return sum & 31;",
    ),
    (
        "pointers",
        4,
        "unsigned char *from = text, *to = text, *end = text + n;
         while (from < end && *from == ' ') from++;
         while (from < end) { if (*from != '-') *to++ = *from; from++; }
         return (to - text) * 3 + (text[0] == '+');",
    ),
    (
        "early",
        4,
        "for (int i = 0; i < n; i++) {
           if (text[i] == 'e') return 7;
           if (text[i] == 'x') exit(i);
           if (text[i] == 'c') continue;
           if (text[i] == 'b') break;
           total += text[i] > 'm' ? 2 : 1;
         }
         return 20 + total;",
    ),
];

fn source(bytes: usize, body: &str) -> String {
    format!(
        "#include <ctype.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
         static int total;\n\
         static int value(unsigned char c) {{\n\
           if (c >= '0' && c <= '9') return c - '0';\n\
           if (c == 'z') return 16;\n\
           return 0; }}\n\
         static int work(unsigned char *text, int n) {{ (void)value; (void)total;\n{body}\n}}\n\
         int main(void) {{ unsigned char text[{bytes}] = {{0}};\n\
         int n = read(0, text, {bytes});\n\
         return work(text, n); }}\n"
    )
}

/// What one run found: statuses, bugs with their lines, covered branch sides.
fn found(summary: &Value) -> (BTreeSet<String>, BTreeSet<String>, u64) {
    let counts = summary["exit_statuses"].as_object().expect("statuses");
    let errors = summary["errors"].as_array().expect("errors").iter();
    let place = |error: &Value| format!("{} {}", error["kind"], error["location"]);
    let branches = &summary["coverage"]["branches"];
    (
        counts.keys().cloned().collect(),
        errors.map(place).collect(),
        branches.as_u64().expect("a count"),
    )
}

/// The exit status of a native run with an input; none if a signal ended it.
fn native_status(place: &Place, input: &[u8]) -> Option<i32> {
    let mut child = Command::new(place.path("native"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads");
    drop(stdin);
    child.wait().expect("it ends").code()
}

/// How many paths became one with another.
fn compare(name: &str, bytes: usize, body: &str) -> u64 {
    let place = Place::new();
    let file = place
        .compile("program", &source(bytes, body))
        .with_extension("c");
    run(Command::new("clang-19")
        .args(["-w", "-O0", "-o"])
        .arg(place.path("native"))
        .arg(&file));
    let words = ["program.bc", "--sym-stdin", &bytes.to_string()].map(str::to_string);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = |directory: &str, more: &[&str]| {
        let words = [more, &["--all-tests", "--prune", "none"], &words[..]].concat();
        let summary = place.run_into(directory, &words);
        assert_eq!(summary["stop_reason"], "exhausted", "{name} {more:?}");
        summary
    };
    let apart = run("apart", &[]);
    let mut merged = 0;
    for (number, search) in ["dfs", "random-state", "bfs"].iter().enumerate() {
        let more = ["--merge", "auto", "--search", search];
        let summary = run(&format!("merged{number}"), &more);
        assert_eq!(found(&summary), found(&apart), "{name} {search}: {summary}");
        merged += summary["merged"].as_u64().expect("a count");
        let paths = |summary: &Value| summary["paths"]["completed"].as_u64();
        assert!(paths(&summary) <= paths(&apart), "{name}");
    }
    let (statuses, ..) = found(&apart);
    // Native runs of inputs that the program's own letters make.
    let letters = b" \t\n(a)b0129HOMIhomizxQe+-cmn\xff";
    let mut seed = 7_u32;
    for _ in 0..200 {
        let mut input = vec![0; bytes];
        for byte in &mut input {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = letters[(seed >> 16) as usize % letters.len()];
        }
        if let Some(status) = native_status(&place, &input)
            && name != "bug"
        {
            assert!(
                statuses.contains(&status.to_string()),
                "{name} {input:?}: {status}"
            );
        }
    }
    merged
}

#[test]
fn runs_that_merge_find_what_others_find() {
    let merged: Vec<(&str, u64)> = PROGRAMS
        .iter()
        .map(|(name, bytes, body)| (*name, compare(name, *bytes, body)))
        .collect();
    for name in ["spaces", "upper", "classify", "crc", "words", "helpers"] {
        let (_, count) = merged
            .iter()
            .find(|(known, _)| *known == name)
            .expect("one");
        assert!(*count > 0, "nothing of {name} was merged: {merged:?}");
    }
}

#[test]
fn a_loop_that_counts_has_a_path_for_each_outcome() {
    let place = Place::new();
    let source = "#include <klee/klee.h>\n\
         int main(void) { char text[24]; int count = 0;\n\
         klee_make_symbolic(text, sizeof text, \"text\");\n\
         for (int i = 0; i < 24; i++) if (text[i] == 'a') count++;\n\
         return count == 24 ? 2 : count == 0; }\n";
    place.compile("count", source);
    let summary = place.run(&["--merge", "auto", "--all-tests", "count.bc"]);
    assert_eq!(summary["stop_reason"], "exhausted");
    // Each turn of the loop, and the sides of the last expression.
    assert_eq!(
        (&summary["tests"], &summary["merged"]),
        (&3.into(), &25.into())
    );
    let directory = place.path("homi-last");
    assert!(fs::read_dir(directory).expect("an output").count() > 3);
}

#[test]
fn what_merging_by_itself_goes_without_is_refused() {
    let place = Place::new();
    place.compile("one", "int main(void) { return 0; }\n");
    for more in [
        &["--subsume"][..],
        &["--concolic"],
        &["--threads", "2"],
        &["--prune", "homi"],
        &["--use-merge"],
        &["--fork", "lazy"],
    ] {
        let words = [&["run", "one.bc", "--merge", "auto"], more].concat();
        place.fails(&words, 2, &["--merge"]);
    }
    let words = ["run", "one.bc", "--merge", "auto", "--use-incomplete-merge"];
    place.fails(&words, 2, &["needs --use-merge"]);
}
