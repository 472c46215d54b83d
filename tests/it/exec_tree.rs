//! `--write-exec-tree`: whatever explores, and in whatever order, the tree has each path once.

use crate::support::Place;
use serde_json::Value;
use std::fs;

const PROGRAM: &str = "#include \"klee/klee.h\"\n\
    int main(void) {\n\
      char text[4];\n\
      int sum = 0;\n\
      klee_make_symbolic(text, sizeof text, \"text\");\n\
      for (int i = 0; i < 4 && text[i]; i++) {\n\
        switch (text[i]) {\n\
        case 'a': sum += 1; break;\n\
        case 'b': sum += 2; break;\n\
        }\n\
        if (text[i] > 'b' && text[i] < 'a') return 9;\n\
      }\n\
      if (sum == 8) *(volatile int *)0 = 1;\n\
      return sum;\n\
    }\n";

/// A number behind a word that begins a line.
fn number(text: &str, word: &str) -> u64 {
    let found = text.lines().find_map(|line| line.strip_prefix(word));
    found.map_or(0, |rest| rest.trim().parse().expect("a number"))
}

#[test]
fn each_path_is_in_the_tree_once() {
    let place = Place::new();
    let program = place.compile("tree", PROGRAM);
    for (name, words) in [
        ("plain", "--search dfs"),
        ("lazy", "--fork lazy"),
        ("threads", "--threads 2"),
        ("lazily", "--fork lazy --threads 2"),
        ("subsumed", "--subsume"),
        ("concolic", "--concolic --re-execute"),
        ("stopped", "--max-instructions 4000"),
    ] {
        let mut homi = place.homi();
        homi.args(["run", "--quiet", "--write-exec-tree", "--output-dir", name]);
        homi.args(words.split(' ')).arg(&program);
        let output = homi.output().expect("homi runs");
        assert!(output.status.success(), "{words}");
        let shown = |view: &str| {
            let output = place.homi().args(["klee-exec-tree", view, name]).output();
            let output = output.expect("homi shows the tree");
            assert!(
                output.status.success() && output.stderr.is_empty(),
                "{words}"
            );
            String::from_utf8(output.stdout).expect("a text")
        };
        let (info, ends) = (shown("tree-info"), shown("terminations"));
        assert!(!info.contains("not a binary tree"), "{words}: {info}");
        let summary =
            fs::read_to_string(place.path(name).join("summary.json")).expect("it is there");
        let summary: Value = serde_json::from_str(&summary).expect("it is JSON");
        let paths = |kind: &str| summary["paths"][kind].as_u64().expect("a number");
        assert_eq!(
            number(&ends, "Exit,"),
            paths("completed"),
            "{words}: {ends}"
        );
        assert_eq!(number(&ends, "Ptr,"), paths("error"), "{words}: {ends}");
        let open = number(&ends, "Interrupted,");
        assert_eq!(open > 0, name == "stopped", "{words}: {ends}");
        if !["subsumed", "stopped"].contains(&name) {
            assert_eq!(number(&info, "leaf nodes:"), 341, "{words}: {info}");
        }
    }
}
