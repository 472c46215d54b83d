//! The program's words where only recorded seeds say what they are.

use super::line::{RunLine, option_name};
use crate::testcase::recorded_arguments;
use std::path::PathBuf;

/// Adds the words that fit the first directory of recorded seeds (`homi record`) to a line without
/// arguments of the program, and notes which these are.
pub fn with_recorded_arguments(mut line: RunLine) -> RunLine {
    if !line.arguments.is_empty() {
        return line;
    }
    let named = line
        .options
        .iter()
        .filter(|one| option_name(one) == "--seed-dir");
    let mut directories = named.filter_map(|option| match option.as_slice() {
        [_, value] => Some(PathBuf::from(value)),
        [both] => Some(PathBuf::from(both.to_string_lossy().split_once('=')?.1)),
        _ => None,
    });
    let found = directories.find_map(|path| Some((recorded_arguments(&path)?, path)));
    if let Some((words, path)) = found {
        let (shown, path) = (words.join(" "), path.display());
        line.notes
            .push(format!("arguments that fit the seeds in {path}: {shown}"));
        line.arguments = words.into_iter().map(Into::into).collect();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::sort;
    use std::ffi::OsString;

    #[test]
    fn recorded_seeds_say_the_words_that_are_missing() {
        let directory = tempfile::tempdir().expect("a directory");
        let text = r#"{"schema": 1, "arguments": ["--sym-args", "0", "2", "4"]}"#;
        std::fs::write(directory.path().join("recorded.json"), text).expect("written");
        let path = directory.path().display();
        let filled = |line: &str| {
            let words = line.split(' ').map(OsString::from).collect();
            with_recorded_arguments(sort(words).expect("a line"))
        };
        for line in [
            format!("--seed-dir={path} p.bc"),
            format!("p.bc --seed-dir / --seed-dir {path} --"),
        ] {
            let filled = filled(&line);
            assert_eq!(filled.arguments, ["--sym-args", "0", "2", "4"], "{line}");
            assert_eq!(filled.notes.len(), 1);
        }
        assert_eq!(
            filled(&format!("--seed-dir {path} p.bc -- x")).arguments,
            ["x"]
        );
        assert!(filled("--seed-dir /nonexistent p.bc").arguments.is_empty());
    }
}
