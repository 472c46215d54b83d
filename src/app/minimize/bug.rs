//! The fingerprint of the bug that a test shows, from the `.err` file beside the test.
//!
//! Invariant: numbers, lines and addresses are not in it, so that a moved line changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The reports beside tests, such as `test000001.ptr.err`. Each directory is read once.
#[derive(Default)]
pub struct Reports(BTreeMap<PathBuf, BTreeSet<String>>);

impl Reports {
    /// Returns the reports of a test, by name.
    pub fn of_test(&mut self, test: &Path) -> Vec<PathBuf> {
        let (Some(directory), Some(stem)) = (test.parent(), test.file_stem()) else {
            return Vec::new();
        };
        let names = self.0.entry(directory.to_path_buf());
        let names = names.or_insert_with(|| names_of(directory));
        let stem = format!("{}.", stem.to_string_lossy());
        let own = names
            .range(stem.clone()..)
            .take_while(|name| name.starts_with(&stem));
        own.map(|name| directory.join(name)).collect()
    }

    /// Kind, message and functions of the bug of a test; `None` if no report is there.
    pub(super) fn fingerprint(&mut self, test: &Path) -> Option<String> {
        fingerprint(self.of_test(test).first()?)
    }
}

/// Returns the names of the reports in a directory; none if it cannot be read.
fn names_of(directory: &Path) -> BTreeSet<String> {
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".err")).collect()
}

fn fingerprint(report: &Path) -> Option<String> {
    let kind = Path::new(report.file_stem()?).extension()?;
    let text = fs::read(report).ok()?;
    let text = String::from_utf8_lossy(&text);
    let message = text.lines().find_map(|line| line.strip_prefix("Error: "));
    let frames = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('#'));
    let functions = frames.filter_map(|frame| {
        let (_, after) = frame.split_once(" in ")?;
        after.split('(').next()
    });
    let functions: Vec<&str> = functions.collect();
    let message: String = message
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .collect();
    let kind = kind.to_string_lossy();
    Some(format!("{kind}: {message} in {}", functions.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lines_are_not_in_a_fingerprint() {
        let directory = tempfile::tempdir().expect("a directory");
        let write = |name: &str, line: u32| {
            let text = format!(
                "Error: memory error: out of bound pointer\nFile: a.c\nLine: {line}\nState: 7\n\
                 Stack: \n\t#0 00000000 in get(i=4) at a.c:{line}\n\t#1 00000000 in main() at \
                 a.c:9\nInfo: \n\taddress: {line}\n"
            );
            fs::write(directory.path().join(name), text).expect("written");
        };
        write("test000001.ptr.err", 3);
        write("test000002.ptr.err", 40);
        let mut reports = Reports::default();
        let mut of = |name: &str| reports.fingerprint(&directory.path().join(name));
        let first = of("test000001.ktest").expect("a fingerprint");
        assert_eq!(first, "ptr: memory error: out of bound pointer in get main");
        assert_eq!(of("test000002.ktest"), Some(first));
        assert_eq!(of("test000003.ktest"), None);
    }
}
