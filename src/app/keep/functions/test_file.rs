//! A file of tests in C: cases between marks, each with the digest of its text.
//!
//! Invariant: what is between the marks of a case is kept byte by byte, unless its text is homi's
//! and the case is written again. The table at the end is homi's.

use sha2::{Digest, Sha256};

const BEGIN: &str = "/* homi:case ";
const END: &str = "/* homi:end */";
const TABLE: &str = "static const struct homi_case cases[] = {";

/// A case in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseText {
    pub(super) name: String,
    /// Digest of the inputs.
    pub(super) id: String,
    /// `bug: ...` or `covers: ...`.
    pub(super) about: String,
    /// Digest of the text when homi wrote it.
    pub(super) text: String,
    pub(super) body: String,
}

/// A file of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestFile {
    /// Text before the first case.
    pub(super) head: String,
    pub(super) cases: Vec<CaseText>,
}

/// Returns the digest of a text.
pub(super) fn digest(text: &[u8]) -> String {
    let bytes = Sha256::digest(text);
    bytes[..4]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl CaseText {
    /// Makes a case whose text is homi's.
    pub(super) fn new(name: String, id: String, about: String, body: String) -> Self {
        let text = digest(body.as_bytes());
        Self {
            name,
            id,
            about,
            text,
            body,
        }
    }

    /// True if the case is as homi wrote it.
    pub(super) fn is_ours(&self) -> bool {
        self.text == digest(self.body.as_bytes())
    }

    /// The known bug that the case shows.
    pub(super) fn bug(&self) -> Option<&str> {
        self.about
            .strip_prefix("bug: ")
            .or_else(|| self.about.strip_prefix(SANITIZER_BUG))
    }

    /// The row of the case in the table.
    fn row(&self, function: &str) -> String {
        let name = &self.name;
        let kind = match self.bug() {
            None => "HOMI_PASSES, NULL".to_string(),
            Some(bug) => {
                let kind = if self.about.starts_with(SANITIZER_BUG) {
                    "HOMI_SANITIZER_BUG"
                } else {
                    "HOMI_BUG"
                };
                format!("{kind}, {}", serde_json::Value::from(bug))
            }
        };
        format!("  {{ \"{function}/{name}\", {name}, {kind} }},\n")
    }
}

/// Beginning of the words about a bug that only a sanitizer shows.
pub(super) const SANITIZER_BUG: &str = "bug with a sanitizer: ";

impl TestFile {
    /// Reads a file.
    pub(super) fn parse(text: &str) -> Self {
        let before_table = text.split(TABLE).next().unwrap_or_default();
        let mut parts = before_table.split(BEGIN);
        let head = parts.next().unwrap_or_default().to_string();
        let cases = parts.filter_map(|part| {
            let (mark, rest) = part.split_once(" */\n")?;
            let (body, _) = rest.split_once(END)?;
            let (start, text) = mark.rsplit_once("  text: ")?;
            let (name, rest) = start.split_once(' ')?;
            let (id, about) = rest.split_once("  ")?;
            Some(CaseText {
                name: name.to_string(),
                id: id.to_string(),
                about: about.to_string(),
                text: text.to_string(),
                body: body.to_string(),
            })
        });
        Self {
            head,
            cases: cases.collect(),
        }
    }

    /// Replaces the case with the same inputs.
    pub(super) fn replace(&mut self, new: CaseText) {
        if let Some(place) = self.cases.iter_mut().find(|one| one.id == new.id) {
            *place = new;
        }
    }

    /// Returns the text of the file, with its cases by name.
    pub(super) fn render(&self, function: &str) -> String {
        let mut cases: Vec<&CaseText> = self.cases.iter().collect();
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        let mut text = self.head.clone();
        for case in &cases {
            let CaseText {
                name,
                id,
                about,
                text: digest,
                body,
            } = case;
            text += &format!("{BEGIN}{name} {id}  {about}  text: {digest} */\n{body}{END}\n\n");
        }
        let rows: String = cases.iter().map(|case| case.row(function)).collect();
        text + &format!("{TABLE}\n{rows}}};\n\nHOMI_MAIN(cases)\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_edits_are_noticed() {
        let case = |name: &str, about: &str| {
            let body = format!("static void {name}(void) {{\n}}\n");
            CaseText::new(
                name.to_string(),
                "4f1c0000".to_string(),
                about.to_string(),
                body,
            )
        };
        let file = TestFile {
            head: "#include \"x.c\"\n\n".to_string(),
            cases: vec![
                case("a", "covers: x.c:3 \"a < 1\" true"),
                case("b", "bug: null \"p\""),
            ],
        };
        let text = file.render("f");
        assert!(
            text.contains("{ \"f/b\", b, HOMI_BUG, \"null \\\"p\\\"\" },"),
            "{text}"
        );
        assert_eq!(TestFile::parse(&text), file);
        let edited =
            TestFile::parse(&text.replace("void a(void) {\n", "void a(void) {\n  /* */\n"));
        assert!(!edited.cases[0].is_ours() && edited.cases[1].is_ours());
        assert_eq!(TestFile::parse(&edited.render("f")), edited);
    }
}
