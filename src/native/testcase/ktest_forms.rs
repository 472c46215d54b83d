//! A test as JSON and as a hexdump: `homi ktest show`.
//!
//! Invariant: both forms hold every byte of the test.

use super::ktest::KTest;
use super::ktest_text::python_string;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// The version of the JSON's layout.
pub const KTEST_JSON_SCHEMA: u32 = 1;

#[derive(Serialize)]
struct JsonTest {
    schema: u32,
    file: String,
    version: u32,
    args: Vec<String>,
    objects: Vec<JsonObject>,
}

#[derive(Serialize)]
struct JsonObject {
    name: String,
    size: usize,
    /// Two digits per byte.
    hex: String,
    /// The bytes as text, others than printable ones as `\x00`.
    text: String,
}

/// Tests as a JSON array, each with its file.
pub fn json(tests: &[(&Path, KTest)]) -> serde_json::Result<String> {
    let tests: Vec<JsonTest> = tests.iter().map(|(file, test)| of(file, test)).collect();
    Ok(serde_json::to_string_pretty(&tests)? + "\n")
}

fn of(file: &Path, test: &KTest) -> JsonTest {
    let objects = test.objects.iter().map(|object| JsonObject {
        name: object.name_text(),
        size: object.bytes.len(),
        hex: hexadecimal(&object.bytes),
        text: object.bytes.escape_ascii().to_string(),
    });
    let args = test.args.iter();
    JsonTest {
        schema: KTEST_JSON_SCHEMA,
        file: file.display().to_string(),
        version: test.version,
        args: args
            .map(|arg| String::from_utf8_lossy(arg).into_owned())
            .collect(),
        objects: objects.collect(),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Bytes in a line of a hexdump.
const LINE: usize = 16;

/// A test's objects in the form of `hexdump -C`, each with its name and size.
pub fn hexdump(test: &KTest, file: &Path) -> String {
    let arguments: Vec<String> = test
        .args
        .iter()
        .map(|argument| python_string(argument))
        .collect();
    let mut out = format!("{}: {}\n", file.display(), arguments.join(" "));
    for object in &test.objects {
        let (name, size) = (python_string(&object.name), object.bytes.len());
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{name}, {size} bytes");
        for (number, line) in object.bytes.chunks(LINE).enumerate() {
            let _ = writeln!(out, "  {}", hexdump_line(number * LINE, line));
        }
    }
    out
}

fn hexdump_line(offset: usize, bytes: &[u8]) -> String {
    let mut out = format!("{offset:08x} ");
    for column in 0..LINE {
        if column == LINE / 2 {
            out.push(' ');
        }
        // Writing to a String cannot fail.
        let _ = match bytes.get(column) {
            Some(byte) => write!(out, " {byte:02x}"),
            None => write!(out, "   "),
        };
    }
    let text = bytes.iter().map(|byte| match byte {
        b' '..=b'~' => *byte as char,
        _ => '.',
    });
    format!("{out}  |{}|", text.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> KTest {
        let mut test = KTest::new(["a.bc", "--sym-arg", "2"]);
        test.push("arg00", b"a\xff\0".to_vec());
        test.push("long", (b'0'..b'0' + 18).collect::<Vec<u8>>());
        test
    }

    #[test]
    fn json_has_every_byte() {
        let text = json(&[(Path::new("t.ktest"), sample())]).unwrap();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read[0]["schema"], 1);
        assert_eq!(read[0]["args"][2], "2");
        let object = &read[0]["objects"][0];
        assert_eq!(object["hex"], "61ff00");
        assert_eq!(object["text"], "a\\xff\\x00");
    }

    #[test]
    fn a_hexdump_is_that_of_hexdump() {
        let expected = "t.ktest: 'a.bc' '--sym-arg' '2'\n\
            'arg00', 3 bytes\n\
            \x20 00000000  61 ff 00                                          |a..|\n\
            'long', 18 bytes\n\
            \x20 00000000  30 31 32 33 34 35 36 37  38 39 3a 3b 3c 3d 3e 3f  |0123456789:;<=>?|\n\
            \x20 00000010  40 41                                             |@A|\n";
        assert_eq!(hexdump(&sample(), Path::new("t.ktest")), expected);
    }
}
