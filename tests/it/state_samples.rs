//! `--write-state-samples`: open states in the midst of a run, and what came of them.

use crate::support::{Place, json_lines, tests};
use serde_json::Value;

/// Few of its 4,096 paths have very many or no right bytes.
const PROGRAM: &str = "#include <klee/klee.h>
int g;
int main(void) {
  unsigned char text[12];
  int right = 0;
  klee_make_symbolic(text, sizeof text, \"text\");
  for (int i = 0; i < 12; i++)
    if (text[i] == 'a' + i) right++;
  switch (right) {
    case 0: g = 1; break;
    case 2: g = 2; break;
    case 10: g = 3; break;
    case 11: g = 4; break;
    case 12: g = 5; break;
  }
  return g;
}
";

const WORDS: [&str; 8] = [
    "gate.bc",
    "--quiet",
    "--prune=none",
    "--threads=1",
    "--seed=3",
    "--max-time=3000000w",
    "--search=bfs",
    "--probe-share=0",
];

fn number(row: &Value, name: &str) -> u64 {
    row[name]
        .as_u64()
        .unwrap_or_else(|| panic!("{name} in {row}"))
}

#[test]
fn drawn_states_are_credited_with_what_their_descendants_cover() {
    let place = Place::new();
    place.compile("gate", PROGRAM);
    let plain = place.run_into("plain", &WORDS);
    let words = [&WORDS[..], &["--write-state-samples"]].concat();
    let sampled = place.run_into("sampled", &words);
    assert_eq!(plain["instructions"], sampled["instructions"]);
    assert_eq!(tests(&place.path("plain")), tests(&place.path("sampled")));

    let rows = json_lines(&place.path("sampled/state-samples.jsonl"));
    assert!(rows.len() > 20, "{} rows", rows.len());
    let (mut credited, mut with_features) = (0, 0);
    for (index, row) in rows.iter().enumerate() {
        credited += u32::from(number(row, "credit") > 0);
        with_features += u32::from(
            row["features"]
                .as_array()
                .is_some_and(|all| !all.is_empty()),
        );
        assert!(number(row, "at_place") >= 1 && number(row, "at_place") <= number(row, "open"));
        if let Some(parent) = row["parent"].as_u64() {
            assert!((parent as usize) < index, "row {index}: {row}");
            let parent = &rows[parent as usize];
            assert!(number(parent, "draw") < number(row, "draw"));
            for counted in ["turns", "credit"] {
                assert!(
                    number(parent, counted) >= number(row, counted),
                    "{parent} {row}"
                );
            }
        }
    }
    assert!(credited > 0, "nothing was found after the first draw");
    assert!(with_features > 0, "text[i] == 'a' + i is a core condition");
}

#[test]
fn a_campaign_has_no_samples_of_states() {
    let place = Place::new();
    place.compile("gate", PROGRAM);
    let words = ["run", "gate.bc", "--prune=homi", "--write-state-samples"];
    place.fails(&words, 2, &["--write-state-samples", "--prune"]);
}
