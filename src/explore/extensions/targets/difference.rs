//! Lines that a diff in git's format adds or changes.

use homi_config::TargetLine;
use std::path::{Path, PathBuf};

/// Returns each line that a diff without context (`git diff -U0`) adds to C sources and headers.
/// Deleted files have none.
pub fn changed_lines(difference: &str) -> Vec<TargetLine> {
    let mut lines = Vec::new();
    let mut file: Option<PathBuf> = None;
    for text in difference.lines() {
        if let Some(path) = text.strip_prefix("+++ ") {
            let path = path.trim_end_matches('\t').trim_matches('"');
            file = path
                .strip_prefix("b/")
                .map(PathBuf::from)
                .filter(|path| is_c(path));
        } else if let Some(hunk) = text.strip_prefix("@@ ")
            && let (Some(file), Some((first, count))) = (&file, new_side(hunk))
        {
            lines.extend((first..first.saturating_add(count)).map(|line| TargetLine {
                file: file.clone(),
                line,
            }));
        }
    }
    lines
}

fn is_c(path: &Path) -> bool {
    let endings = ["c", "h", "i"];
    path.extension()
        .is_some_and(|ending| endings.iter().any(|one| ending == *one))
}

/// Returns the first line and the number of lines of the new side of a hunk: `-3,2 +5,4 @@`.
fn new_side(hunk: &str) -> Option<(u32, u32)> {
    let range = hunk.split(' ').find_map(|word| word.strip_prefix('+'))?;
    match range.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((range.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_lines_of_c_files_are_targets() {
        let difference = "diff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n+++ b/src/a.c\n\
            @@ -3 +3,2 @@ int main(void)\n-old\n+new\n+more\n@@ -9,2 +10,0 @@\n-gone\n-gone\n\
            @@ -20,0 +20 @@\n+one\n\
            --- a/README\n+++ b/README\n@@ -1 +1 @@\n-x\n+y\n\
            --- a/b.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let lines: Vec<String> = changed_lines(difference)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(lines, ["src/a.c:3", "src/a.c:4", "src/a.c:20"]);
    }
}
