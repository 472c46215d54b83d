//! The `homi` command: the files of a run, how it stops, and the errors of invalid input.
//!
//! Programs are small C sources compiled here by clang 19. No test depends on timing beyond
//! generous upper bounds, on root rights or on the network.

mod limits;
mod memory;
mod programs;
mod refusals;
mod repeated;
mod results;
mod verdicts;
mod work;

use std::fs;
use std::path::Path;

/// Names in a directory that end like this, sorted.
fn files(directory: &Path, ending: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .expect("the directory is readable")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.ends_with(ending))
        .collect();
    names.sort();
    names
}

/// Three symbolic bytes, eight paths, one assertion that fails on one of them.
const MAZE: &str = r#"
#include <klee/klee.h>
#include <assert.h>
int main(void) {
  unsigned char in[3];
  int found = 0;
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0] == 'a') found++;
  if (in[1] == 'b') found++;
  if (in[2] == 'c') found++;
  assert(found != 3);
  return found;
}
"#;
