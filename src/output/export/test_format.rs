//! The documents of Test-Comp's test format, version 1.1: a test, and what tests are of.
//! <https://gitlab.com/sosy-lab/test-comp/test-format>

use super::xml::escape;
use homi_report::utc_date;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Content of `metadata.xml`.
pub struct Metadata<'a> {
    /// Coverage goal, in FQL.
    pub specification: &'a str,
    /// Name and hash of the program.
    pub program: &'a str,
    pub hash: String,
    /// The function that a test begins in.
    pub entry: &'a str,
    pub is_of_32_bits: bool,
    pub started_unix_s: u64,
}

impl Metadata<'_> {
    /// The document.
    pub fn document(&self) -> String {
        let architecture = if self.is_of_32_bits { "32bit" } else { "64bit" };
        let fields = [
            ("sourcecodelang", "C"),
            ("producer", concat!("homi ", env!("CARGO_PKG_VERSION"))),
            ("specification", self.specification),
            ("programfile", self.program),
            ("programhash", &self.hash),
            ("entryfunction", self.entry),
            ("architecture", architecture),
            ("creationtime", &utc_date(self.started_unix_s)),
        ];
        let lines = fields.map(|(name, value)| format!("  <{name}>{}</{name}>\n", escape(value)));
        let lines = lines.concat();
        head("test-metadata") + &format!("<test-metadata>\n{lines}</test-metadata>\n")
    }
}

/// The SHA-256 of a file, of nothing if it cannot be read.
pub fn hash(file: &Path) -> String {
    let digest = Sha256::digest(fs::read(file).unwrap_or_default());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The document of a test: for each input the value of its attribute, and its own.
pub fn test_case(
    attribute: &str,
    inputs: impl Iterator<Item = (String, String)>,
    covers_error: bool,
) -> String {
    let covers = ["", " coversError=\"true\""][usize::from(covers_error)];
    let mut text = head("testcase") + &format!("<testcase{covers}>\n");
    for (of, value) in inputs {
        let of = escape(&of);
        text += &format!("  <input {attribute}=\"{of}\">{value}</input>\n");
    }
    text + "</testcase>\n"
}

fn head(of: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE {of} PUBLIC \
         \"+//IDN sosy-lab.org//DTD test-format {of} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{of}-1.1.dtd\">\n"
    )
}
