//! One case: the input of a process, as files can hold it.

use super::outside::leads_outside;
use crate::replay::Inputs;
use crate::replay::sandbox::{InputFile, Node, Stream};
use sha2::{Digest, Sha256};

/// Permission bits of a file by default.
pub const USUAL_MODE: u32 = 0o644;

/// The input of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Arguments without the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// Variables beyond the usual ones, as NAME=VALUE.
    pub environment: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub files: Vec<CaseFile>,
}

/// A file that is there when the program starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// Relative path.
    pub path: Vec<u8>,
    pub content: Vec<u8>,
    /// Permission bits.
    pub mode: u32,
}

/// Beginning of the reasons why only the modeled kernel can run a test.
const NEEDS_REPLAY: &str = "it needs `homi replay`";

impl Case {
    /// Returns the case of a test's inputs.
    ///
    /// # Errors
    /// Returns why plain files cannot give the program this input, or why that is not safe.
    pub fn of(inputs: &Inputs) -> Result<Case, String> {
        if !inputs.harness.is_empty() {
            return Err(format!(
                "{NEEDS_REPLAY}: the program makes its inputs symbolic itself"
            ));
        }
        if let Some(note) = inputs.notes.iter().find(|note| !is_about_missing(note)) {
            return Err(format!("{NEEDS_REPLAY}: {note}"));
        }
        if matches!(inputs.stdout, Stream::Terminal { .. }) {
            return Err(format!("{NEEDS_REPLAY}: its standard output is a terminal"));
        }
        let stdin = match &inputs.stdin {
            Stream::Plain => Vec::new(),
            Stream::File { content, .. } | Stream::Pipe { content } => content.clone(),
            Stream::Terminal { .. } => {
                return Err(format!("{NEEDS_REPLAY}: its standard input is a terminal"));
            }
        };
        let assignment = |(name, value): &(Vec<u8>, Vec<u8>)| [name, &b"="[..], value].concat();
        let case = Case {
            arguments: inputs.arguments.clone(),
            environment: inputs.environment.iter().map(assignment).collect(),
            stdin,
            files: files_of(inputs)?,
        };
        case.check()?;
        Ok(case)
    }

    /// Checks that nothing in the case names a file outside of the directory that it runs in.
    pub fn check(&self) -> Result<(), String> {
        let outside = |what: &str, bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            Err(format!(
                "its {what} {text:?} may name a file outside of the test's directory"
            ))
        };
        if let Some(argument) = self.arguments.iter().find(|text| leads_outside(text)) {
            return outside("argument", argument);
        }
        if let Some(variable) = self.environment.iter().find(|text| leads_outside(text)) {
            return outside("variable", variable);
        }
        let is_odd = |file: &&CaseFile| {
            let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'\\';
            leads_outside(&file.path) || !file.path.iter().all(is_plain)
        };
        if let Some(file) = self.files.iter().find(is_odd) {
            return outside("file", &file.path);
        }
        Ok(())
    }

    /// Returns the identity of the case: a digest of its inputs.
    pub fn identity(&self) -> String {
        let mut digest = Sha256::new();
        let mut add = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        for list in [&self.arguments, &self.environment] {
            add(&(list.len() as u64).to_le_bytes());
            list.iter().for_each(|bytes| add(bytes));
        }
        add(&self.stdin);
        for file in &self.files {
            add(&file.path);
            add(&file.content);
            add(&file.mode.to_le_bytes());
        }
        let bytes = digest.finalize();
        bytes[..4]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Returns the number of bytes of the input.
    pub fn size(&self) -> usize {
        let lists = self.arguments.iter().chain(&self.environment);
        let texts: usize = lists.map(|text| text.len() + 1).sum();
        let files: usize = self.files.iter().map(|file| file.content.len() + 1).sum();
        texts + files + self.stdin.len()
    }
}

/// True for the note that a path ended before it made all of its inputs: the others are zero.
fn is_about_missing(note: &str) -> bool {
    note.starts_with("the path ended before")
}

/// Returns the files that are likely to matter.
fn files_of(inputs: &Inputs) -> Result<Vec<CaseFile>, String> {
    let named = |file: &&InputFile| {
        let is_blank =
            matches!(&file.node, Node::File(content) if content.iter().all(|byte| *byte == 0));
        inputs.arguments.contains(&file.path) || !is_blank
    };
    let files = inputs.files.iter().filter(named);
    let files = files.map(|file| match &file.node {
        // Its times are chosen, too, but only what native runs at several times show is expected.
        Node::File(content) => Ok(CaseFile {
            path: file.path.clone(),
            content: content.clone(),
            mode: file.mode,
        }),
        _ => Err(format!(
            "{NEEDS_REPLAY}: one of its files is not a regular one"
        )),
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_other_places_is_refused() {
        let with = |argument: &str| Case {
            arguments: vec![argument.into()],
            ..Case::default()
        };
        for good in ["", "a/b", "x..y", "-n", "3/4", "a=b", "5-/"] {
            assert_eq!(with(good).check(), Ok(()), "{good}");
        }
        for bad in [
            "/",
            "../a",
            "a/..",
            "of=/dev/sda",
            "-o/etc/x",
            "--file=../x",
            "a:/b",
            "..",
            "'/x",
        ] {
            assert!(with(bad).check().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_identity_is_of_the_inputs_and_their_borders() {
        let one = Case {
            arguments: vec![b"ab".to_vec(), b"c".to_vec()],
            ..Case::default()
        };
        let other = Case {
            arguments: vec![b"a".to_vec(), b"bc".to_vec()],
            ..Case::default()
        };
        assert_ne!(one.identity(), other.identity());
        assert_eq!(one.identity(), one.clone().identity());
        assert_eq!(one.identity().len(), 8);
    }
}
