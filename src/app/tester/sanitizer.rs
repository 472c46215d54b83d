//! Reads reports of sanitizers and failed assertions into one line.

use super::verifier;
use homi_build::harness;
use std::path::Path;

/// A report of AddressSanitizer or UndefinedBehaviorSanitizer, or a failed assertion.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SanitizerReport {
    /// Description, such as `AddressSanitizer: stack-buffer-overflow`.
    pub what: String,
    /// `FILE:LINE` in a source file that is there; `None` if the report names none.
    pub location: Option<String>,
}

impl SanitizerReport {
    /// Equal for two tests that show one fault: the place, and what is wrong without its values.
    pub(super) fn key(&self) -> String {
        let kind = self
            .what
            .splitn(3, ':')
            .take(2)
            .collect::<Vec<_>>()
            .join(":");
        format!("{kind} {}", self.location.as_deref().unwrap_or_default())
    }
}

const ADDRESS: &str = "ERROR: AddressSanitizer: ";
const UNDEFINED: &str = ": runtime error: ";

/// The first report in what a program wrote to its standard error.
pub(super) fn sanitizer_report(text: &str) -> Option<SanitizerReport> {
    for (number, line) in text.lines().enumerate() {
        if let Some((_, what)) = line.split_once(ADDRESS) {
            let frames = text.lines().skip(number);
            return Some(SanitizerReport {
                what: format!("AddressSanitizer: {}", shortened(what)),
                location: frames.filter_map(frame_place).next(),
            });
        }
        if let Some((place, what)) = line.split_once(UNDEFINED) {
            // The column is of little use to people.
            let place = place.rsplit_once(':').map_or(place, |(line, _)| line);
            return Some(SanitizerReport {
                what: format!("UndefinedBehaviorSanitizer: {what}"),
                location: Some(relative(place)),
            });
        }
        if let Some(report) = failed_assertion(line) {
            return Some(report);
        }
    }
    None
}

/// Reads the message of glibc: `PROGRAM: FILE:LINE: FUNCTION: Assertion `CONDITION' failed.`
fn failed_assertion(line: &str) -> Option<SanitizerReport> {
    let (before, what) = line.split_once(": Assertion `")?;
    let condition = what.strip_suffix("' failed.")?;
    let mut parts = before.split(": ").skip(1);
    let location = parts.next()?;
    let (_, number) = location.rsplit_once(':')?;
    number.parse::<u32>().is_ok().then(|| SanitizerReport {
        what: format!("assertion `{condition}` failed"),
        location: Some(relative(location)),
    })
}

/// Returns the description without addresses, which differ between runs.
fn shortened(what: &str) -> &str {
    let ends = [" on address", " on 0x", " 0x", " (pc"];
    let end = ends.iter().filter_map(|end| what.find(end)).min();
    what[..end.unwrap_or(what.len())].trim_end_matches(':')
}

/// `FILE:LINE` of a line of a stack, `#1 0x55 in main /path/a.c:6`, if the file is there
/// and homi did not add it.
fn frame_place(line: &str) -> Option<String> {
    let frame = line.trim_start().strip_prefix('#')?;
    let place = frame.rsplit(' ').next()?;
    let (file, number) = place.split_once(':')?;
    let number = number.split(':').next()?;
    let is_added = file.ends_with(verifier::FILE) || file.ends_with(harness::FILE);
    let is_place = number.parse::<u32>().is_ok() && !is_added && Path::new(file).is_file();
    is_place.then(|| relative(&format!("{file}:{number}")))
}

/// A place below the current directory without that directory.
fn relative(place: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(place);
    path.strip_prefix(&here)
        .unwrap_or(path)
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_report_has_a_location_in_the_program() {
        let directory = tempfile::tempdir().expect("a directory");
        let source = directory.path().join("a.c");
        std::fs::write(&source, "").expect("writable");
        let shown = source.display();
        let text = format!(
            "==2==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ff at pc 0x5 bp 0x1\n\
             WRITE of size 5 at 0x7ff thread T0\n    \
             #0 0x7fc in __interceptor_strcpy ../../src/libsanitizer/asan_interceptors.cpp:425\n    \
             #1 0x55 in main {shown}:6\n"
        );
        let report = sanitizer_report(&text).expect("a report");
        assert_eq!(report.what, "AddressSanitizer: stack-buffer-overflow");
        assert_eq!(report.location, Some(format!("{shown}:6")));
    }

    #[test]
    fn undefined_behaviour_names_its_place() {
        let text = "noise\nx/a.c:7:62: runtime error: signed integer overflow: 1 + 2\n";
        let report = sanitizer_report(text).expect("a report");
        let what = "UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2";
        assert_eq!(report.what, what);
        assert_eq!(report.location.as_deref(), Some("x/a.c:7"));
        assert_eq!(sanitizer_report("nothing is wrong\n"), None);
        let text = "stack: s/stack.c:5: push: Assertion `top < MAX' failed.\n";
        let report = sanitizer_report(text).expect("a report");
        assert_eq!(report.what, "assertion `top < MAX` failed");
        assert_eq!(report.location.as_deref(), Some("s/stack.c:5"));
    }

    #[test]
    fn addresses_are_left_out() {
        for (what, short) in [
            (
                "SEGV on unknown address 0x000 (pc 0x1 bp 0x2)",
                "SEGV on unknown address",
            ),
            (
                "attempting double-free on 0x602 in thread T0:",
                "attempting double-free",
            ),
            ("stack-overflow on address 0x7ff (pc 0x1)", "stack-overflow"),
            (
                "requested allocation size 0xffff exceeds",
                "requested allocation size",
            ),
        ] {
            assert_eq!(shortened(what), short);
        }
    }
}
