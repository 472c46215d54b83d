//! Files that only KLEE's output directory has, written by listeners of the run's events.

use super::info::Info;
use super::request::{Asked, Request};
use super::tests_as_xml::XmlTests;
use homi_report::{EventStream, Summary};
use std::io;
use std::path::Path;

/// Adds the writers of these files as listeners of the run.
pub fn attach(request: &Request, events: &EventStream) {
    events.add("info", Box::new(Info::new()));
    if request.asked.writes_xml {
        let tests = XmlTests::new(&request.asked);
        events.add("the tests as XML", Box::new(tests));
    }
}

/// Removes the files of tests that the options exclude. Tests that are excluded entirely leave the
/// count.
pub fn remove_unwanted(asked: &Asked, directory: &Path, run: &mut Summary) -> io::Result<()> {
    if asked.keeps_tests && asked.keeps_test_files {
        return Ok(());
    }
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy());
        let is_test = name.is_some_and(|name| {
            let number = name
                .strip_prefix("test")
                .and_then(|rest| rest.split('.').next());
            number.is_some_and(|number| number.parse::<u64>().is_ok())
        });
        let is_ktest = path
            .extension()
            .is_some_and(|extension| extension == "ktest");
        if is_test && (is_ktest || !asked.keeps_test_files) {
            std::fs::remove_file(path)?;
        }
    }
    if !asked.keeps_test_files {
        run.tests = 0;
    }
    Ok(())
}
