//! Pieces of the small languages that command lines and text files are written in: patterns,
//! formats, numbers, modes, ranges. A program reads them character by character, so its constants
//! do not spell them.

use rand::RngExt;
use rand_pcg::Pcg64;

/// One list for each language, so a language with few pieces is drawn as often as one with many.
const LANGUAGES: &[&[&str]] = &[
    // Regular expressions and file name patterns.
    &[
        "\\(",
        "\\)",
        "\\(a\\)",
        "\\(.\\)\\1",
        "\\1",
        "\\2",
        "\\{1,2\\}",
        "\\{2\\}",
        "{1,2}",
        "{2,}",
        "[a-c]",
        "[^a]",
        "[[:alpha:]]",
        "[:digit:]",
        "[:space:]",
        "[=a=]",
        "[.-.]",
        "[]a]",
        "a*",
        ".*",
        "a\\?",
        "a\\+",
        "\\w",
        "\\W",
        "\\s",
        "\\b",
        "\\B",
        "\\<",
        "\\>",
        "\\`",
        "\\'",
        "\\|",
        "a|b",
        "(a)",
        "()",
        "^a",
        "a$",
        "?",
        "*.",
        "!(a)",
    ],
    // Formats of printf and strftime.
    &[
        "%d", "%s", "%c", "%x", "%o", "%u", "%g", "%e", "%5.3f", "%-3s", "%08d", "%+d", "%#x",
        "%*d", "%.2s", "%%", "%ld", "%b", "%q", "%1$s", "+%Y", "%H:%M", "%a", "%b", "%e", "%j",
        "%N", "%s", "%p", "%Z", "%z", "%:z", "%-d", "%_5S", "%^B", "%#Z", "%010d", "%Ey", "%Od",
    ],
    // Escapes.
    &[
        "\\n", "\\t", "\\a", "\\c", "\\e", "\\\\", "\\0", "\\101", "\\x41", "\\u00e9", "\\N", "\\*",
    ],
    // Numbers and sizes.
    &[
        "0",
        "1",
        "2",
        "10",
        "-1",
        "+1",
        "007",
        "0x1f",
        "1.5",
        "1e9",
        ".5",
        "1K",
        "1kB",
        "2M",
        "1b",
        "65535",
        "65536",
        "99999",
        "2147483647",
        "2147483648",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        "inf",
        "nan",
        "1,2",
        "1-3",
        "-3",
        "2-",
        "1:2",
        "+1:2",
        "1/2",
        "1~2",
        "@1",
        "2000-01-01",
    ],
    // Modes, owners, assignments, paths, shells.
    &[
        "u+x", "a=rw", "go-w", "u=g", "+X", "o+t", "u+s", "0644", "4755", "=", "a:b", ":b", "a=b",
        "x=1", "/", ".", "..", "./", "../", "//", "-", "--", "--a", "$x", "${x}", "$(x)", "\"a\"",
        "'a'", "#a", "a;b", "a&b", "a-z", "z-a", "a,b", "<a>", "/a/", "s/a/b/",
    ],
];

/// An argument: dashes, a token, and perhaps a value behind a sign of equality, which the token may
/// end with.
pub(super) fn argument(dashes: usize, token: &[u8], value: Option<&[u8]>) -> Vec<u8> {
    let mut text = b"--"[..dashes].to_vec();
    text.extend_from_slice(token);
    if let Some(value) = value {
        if text.last() != Some(&b'=') {
            text.push(b'=');
        }
        text.extend_from_slice(value);
    }
    text
}

/// Signs that stand around something.
const PAIRS: &[(&str, &str)] = &[
    ("\\(", "\\)"),
    ("(", ")"),
    ("[", "]"),
    ("[^", "]"),
    ("[:", ":]"),
    ("{", "}"),
    ("\\{", "\\}"),
    ("\"", "\""),
    ("'", "'"),
    ("/", "/"),
    ("<", ">"),
];

/// A piece of one of the languages, at random.
pub(super) fn piece(generator: &mut Pcg64) -> &'static [u8] {
    let language = LANGUAGES[generator.random_range(0..LANGUAGES.len())];
    language[generator.random_range(0..language.len())].as_bytes()
}

/// Returns an opening and a closing bracket.
pub(super) fn pair(generator: &mut Pcg64) -> (&'static [u8], &'static [u8]) {
    let (open, close) = PAIRS[generator.random_range(0..PAIRS.len())];
    (open.as_bytes(), close.as_bytes())
}
