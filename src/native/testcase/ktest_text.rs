//! Tests as text, in the layout that KLEE's `ktest-tool` prints, so that scripts written for it
//! keep working: strings and bytes appear as Python literals. Also `homi ktest`, which prints or
//! extracts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::ktest::{KTest, KTestError};

/// Options of `homi ktest`.
#[derive(Clone, Debug, Default)]
pub struct KTestOptions {
    /// The tests, printed in this order.
    pub files: Vec<PathBuf>,
    /// Write the object of that name to `FILE.NAME` instead of printing.
    pub extract: Option<String>,
    /// Leave out the zero bytes at an object's end.
    pub trim_zeros: bool,
}

/// Runs `homi ktest`; gives the text for stdout.
pub fn run(options: &KTestOptions) -> anyhow::Result<String> {
    let mut out = String::new();
    for file in &options.files {
        let test = KTest::read(file)?;
        match &options.extract {
            Some(name) => extract(&test, file, name, options.trim_zeros)?,
            None => out.push_str(&print(&test, file, options.trim_zeros)),
        }
    }
    Ok(out)
}

fn extract(test: &KTest, file: &Path, name: &str, trim: bool) -> anyhow::Result<()> {
    let Some(object) = test.object(name) else {
        let names: Vec<_> = test.objects.iter().map(|o| o.name_text()).collect();
        anyhow::bail!(
            "{}: no object {name:?}; it has: {}",
            file.display(),
            names.join(", ")
        );
    };
    // A name is any byte string; a slash would leave the test's directory.
    let mut target = file.as_os_str().to_owned();
    target.push(format!(".{}", name.replace('/', "_")));
    let path = PathBuf::from(target);
    let bytes = trimmed(&object.bytes, trim);
    std::fs::write(&path, bytes).map_err(|source| KTestError::Write { path, source })?;
    Ok(())
}

/// The text `ktest-tool` prints for a test.
pub fn print(test: &KTest, file: &Path, trim: bool) -> String {
    let mut out = String::new();
    let args: Vec<String> = test.args.iter().map(|a| python_string(a)).collect();
    let file = python_string(file.as_os_str().as_encoded_bytes());
    // Writing to a String cannot fail.
    let _ = writeln!(out, "ktest file : {file}");
    let _ = writeln!(out, "args       : [{}]", args.join(", "));
    let _ = writeln!(out, "num objects: {}", test.objects.len());
    let width = test.objects.len().saturating_sub(1).to_string().len();
    for (i, object) in test.objects.iter().enumerate() {
        let data = trimmed(&object.bytes, trim);
        let mut line = |key: &str, value: String| {
            let _ = writeln!(out, "object {i:>width$}: {key:<4}: {value}");
        };
        line("name", python_string(&object.name));
        line("size", object.bytes.len().to_string());
        line("data", python_bytes(data));
        line("hex", hexadecimal(data));
        if let Some((signed, unsigned)) = integers(&object.bytes) {
            line("int", signed.to_string());
            line("uint", unsigned.to_string());
        }
        line("text", data.iter().map(|b| printable(*b)).collect());
    }
    out
}

/// `bytes` without the zeros at its end, if asked.
fn trimmed(bytes: &[u8], trim: bool) -> &[u8] {
    let zeros = bytes.iter().rev().take_while(|b| **b == 0).count();
    &bytes[..bytes.len() - if trim { zeros } else { 0 }]
}

/// Little-endian value of 1, 2, 4 or 8 bytes, signed and unsigned.
fn integers(bytes: &[u8]) -> Option<(i64, u64)> {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return None;
    }
    let value = bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b));
    let unused = 64 - 8 * bytes.len() as u32;
    Some((((value << unused) as i64) >> unused, value))
}

fn printable(byte: u8) -> char {
    if (b' '..=b'~').contains(&byte) {
        byte as char
    } else {
        '.'
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut out = String::from("0x");
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A Python `bytes` literal, as `repr` writes it.
pub fn python_bytes(bytes: &[u8]) -> String {
    format!("b{}", python_literal(bytes.iter().map(|b| (*b, None))))
}

/// A Python string literal for UTF-8 text, as `repr` writes it; other bytes are escaped.
pub fn python_string(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.chars().any(|c| c == char::REPLACEMENT_CHARACTER) {
        return python_literal(bytes.iter().map(|b| (*b, None)));
    }
    python_literal(text.chars().map(|c| match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => (byte, None),
        _ => (0, Some(c)),
    }))
}

fn python_literal(items: impl Iterator<Item = (u8, Option<char>)> + Clone) -> String {
    let has = |quote| items.clone().any(|(b, c)| c.is_none() && b == quote);
    let quote = if has(b'\'') && !has(b'"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for item in items {
        let byte = match item {
            (_, Some(character)) => {
                out.push(character);
                continue;
            }
            (byte, None) => byte,
        };
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ if byte as char == quote => {
                out.push('\\');
                out.push(quote);
            }
            b' '..=b'~' => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> KTest {
        let mut test = KTest::new(["a.bc", "--sym-arg", "it's"]);
        test.push("arg00", b"a'\"\n\0\0".to_vec());
        test.push("n_args", (-2i32).to_le_bytes());
        test
    }

    #[test]
    fn prints_as_ktest_tool() {
        let text = print(&sample(), Path::new("d/test000001.ktest"), false);
        let expected = "ktest file : 'd/test000001.ktest'\n\
            args       : ['a.bc', '--sym-arg', \"it's\"]\n\
            num objects: 2\n\
            object 0: name: 'arg00'\n\
            object 0: size: 6\n\
            object 0: data: b'a\\'\"\\n\\x00\\x00'\n\
            object 0: hex : 0x6127220a0000\n\
            object 0: text: a'\"...\n\
            object 1: name: 'n_args'\n\
            object 1: size: 4\n\
            object 1: data: b'\\xfe\\xff\\xff\\xff'\n\
            object 1: hex : 0xfeffffff\n\
            object 1: int : -2\n\
            object 1: uint: 4294967294\n\
            object 1: text: ....\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn trims_zeros_but_says_the_size() {
        let text = print(&sample(), Path::new("t"), true);
        assert!(text.contains("object 0: size: 6\nobject 0: data: b'a\\'\"\\n'\n"));
    }

    #[test]
    fn extracts_next_to_the_test() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("t.ktest");
        sample().write(&file).unwrap();
        let mut options = KTestOptions {
            files: vec![file],
            extract: Some("arg00".into()),
            trim_zeros: true,
        };
        run(&options).unwrap();
        let written = std::fs::read(directory.path().join("t.ktest.arg00")).unwrap();
        assert_eq!(written, b"a'\"\n");
        options.extract = Some("nope".into());
        let error = run(&options).unwrap_err().to_string();
        assert!(error.ends_with("no object \"nope\"; it has: arg00, n_args"));
    }
}
