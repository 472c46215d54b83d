//! A test as commands for bash: what a person types to see the same thing without homi.
//!
//! Bytes are written in octal, three digits, which `printf` and `$'...'` read alike.

use std::fmt::Write as _;
use std::path::Path;

use super::inputs::Inputs;
use super::sandbox::{InputFile, Node, Stream};

/// An argument quoted for bash.
pub fn quote(argument: &[u8]) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(b);
    if !argument.is_empty() && argument.iter().all(plain) {
        return String::from_utf8_lossy(argument).into_owned();
    }
    if argument.iter().all(|b| (b' '..=b'~').contains(b)) {
        let text = String::from_utf8_lossy(argument);
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    format!("$'{}'", octal(argument, b"'\\"))
}

/// Printable bytes as they are, all others and those in `special` in octal.
fn octal(bytes: &[u8], special: &[u8]) -> String {
    let mut out = String::new();
    for byte in bytes {
        if (b' '..=b'~').contains(byte) && !special.contains(byte) {
            out.push(*byte as char);
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\{byte:03o}");
        }
    }
    out
}

/// A `printf` command that prints exactly these bytes.
fn printf(bytes: &[u8]) -> String {
    let text = octal(bytes, b"'\\%");
    // A leading minus sign would be an option.
    match text.strip_prefix('-') {
        Some(rest) => format!("printf '\\055{rest}'"),
        None => format!("printf '{text}'"),
    }
}

/// Returns the commands, one per line, for an empty directory. `test` is for harnesses, which read
/// their objects from the file.
pub fn commands(inputs: &Inputs, exe: &str, test: &Path) -> String {
    let mut lines = vec!["cd \"$(mktemp -d)\" && mkdir work && cd work".to_string()];
    for file in &inputs.files {
        lines.push(make_file(file));
    }
    let mut parts = vec!["env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/".to_string()];
    for (name, value) in &inputs.environment {
        parts.push(quote(&[name.as_slice(), b"=", value].concat()));
    }
    if !inputs.harness.is_empty() {
        let path = std::path::absolute(test).unwrap_or_else(|_| test.to_path_buf());
        parts.push(quote(format!("KTEST_FILE={}", path.display()).as_bytes()));
    }
    parts.push(exe.to_string());
    parts.extend(inputs.arguments.iter().map(|argument| quote(argument)));
    let mut command = parts.join(" ");
    match &inputs.stdin {
        Stream::Plain => command.push_str(" < /dev/null"),
        Stream::File { content, mode } => {
            lines.push(format!(
                "{} > ../stdin && chmod {mode:03o} ../stdin",
                printf(content)
            ));
            command.push_str(" < ../stdin");
        }
        Stream::Pipe { content } => command = format!("{} | {command}", printf(content)),
        Stream::Terminal { content } => {
            let typed = printf(content);
            lines.push(format!(
                "# standard input is a terminal: type what this prints: {typed}"
            ));
        }
    }
    match &inputs.stdout {
        Stream::Plain | Stream::Pipe { .. } => command.push_str(" | cat"),
        Stream::File { .. } => {
            command.push_str(" > ../stdout; status=$?; cat ../stdout; (exit $status)")
        }
        Stream::Terminal { .. } => {}
    }
    lines.push(command);
    lines.join("\n")
}

/// Returns the inputs as one shell line, with a temporary directory if there are files; `None` if
/// one line cannot express them. A harness reads its objects from `test`.
pub fn one_line(inputs: &Inputs, exe: &Path, test: &Path) -> Option<String> {
    if !matches!(inputs.stdout, Stream::Plain) {
        return None;
    }
    let files: Vec<&InputFile> = inputs
        .files
        .iter()
        .filter(|file| counts(file, inputs))
        .collect();
    let (exe, test) = if files.is_empty() {
        (exe.to_path_buf(), test.to_path_buf())
    } else {
        (
            std::path::absolute(exe).ok()?,
            std::path::absolute(test).ok()?,
        )
    };
    let variables = inputs.environment.iter();
    let variables = variables.map(|(name, value)| quote(&[name, b"=".as_slice(), value].concat()));
    let mut parts: Vec<String> = variables.collect();
    if !inputs.harness.is_empty() {
        let path = test.as_os_str().as_encoded_bytes();
        parts.push(quote(&[b"KTEST_FILE=", path].concat()));
    }
    if !parts.is_empty() {
        parts.insert(0, "env".to_string());
    }
    parts.push(command_name(&exe));
    parts.extend(inputs.arguments.iter().map(|argument| quote(argument)));
    let mut command = parts.join(" ");
    if !files.is_empty() {
        let made: Vec<String> = files.into_iter().map(make_file).collect();
        let made = made.join(" && ");
        command = format!("(cd \"$(mktemp -d)\" && {made} && {command})");
    }
    match &inputs.stdin {
        Stream::Plain => Some(format!("{command} < /dev/null")),
        Stream::Pipe { content } | Stream::File { content, .. } => {
            Some(format!("{} | {command}", printf(content)))
        }
        Stream::Terminal { .. } => None,
    }
}

/// True if a file of the test is likely to matter: an argument names it, or it has bytes other than
/// zero.
fn counts(file: &InputFile, inputs: &Inputs) -> bool {
    let is_named = inputs.arguments.contains(&file.path);
    let is_blank =
        matches!(&file.node, Node::File(content) if content.iter().all(|byte| *byte == 0));
    is_named || !is_blank
}

/// A program as the command of a line for bash, which looks for a bare name on the PATH.
pub fn command_name(path: &Path) -> String {
    let argument = quote(path.as_os_str().as_encoded_bytes());
    if argument.contains('/') {
        argument
    } else {
        format!("./{argument}")
    }
}

fn make_file(file: &InputFile) -> String {
    let path = quote(&file.path);
    // A path that starts with a minus sign is not an option.
    let path = if path.starts_with('-') {
        format!("./{path}")
    } else {
        path
    };
    let mut line = String::new();
    if file.path.contains(&b'/') {
        let _ = write!(line, "mkdir -p \"$(dirname {path})\" && ");
    }
    line.push_str(&match &file.node {
        Node::File(content) => format!("{} > {path}", printf(content)),
        Node::Directory => format!("mkdir {path}"),
        Node::Fifo => format!("mkfifo {path}"),
        Node::Link(target) => return format!("{line}ln -s {} {path}", quote(target)),
    });
    if let Some((access, modification)) = file.times {
        let _ = write!(
            line,
            " && touch -a -d @{access} {path} && touch -m -d @{modification} {path}"
        );
    }
    let _ = write!(line, " && chmod {:03o} {path}", file.mode);
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    fn bash(script: &str) -> Vec<u8> {
        let output = Command::new("bash").args(["-c", script]).output().unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
        output.stdout
    }

    #[test]
    fn simple_arguments_stay_simple() {
        assert_eq!(quote(b"--sym=a.b"), "--sym=a.b");
        assert_eq!(quote(b""), "''");
        assert_eq!(quote(b"it's"), "'it'\\''s'");
        assert_eq!(quote(b"a\nb\xff1"), "$'a\\012b\\3771'");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn bash_sees_the_same_bytes(argument in proptest::collection::vec(1..=255u8, 0..12)) {
            prop_assert_eq!(bash(&format!("printf %s {}", quote(&argument))), argument.clone());
            prop_assert_eq!(bash(&printf(&argument)), argument);
        }
    }

    #[test]
    fn a_line_brings_the_files_that_matter() {
        let file = |path: &[u8], content: &[u8]| InputFile {
            path: path.to_vec(),
            node: Node::File(content.to_vec()),
            mode: 0o644,
            times: None,
        };
        let mut inputs = Inputs {
            arguments: vec![b"-c".to_vec(), b"cat A; wc -c < /dev/stdin".to_vec()],
            stdin: Stream::Pipe {
                content: b"xyz".to_vec(),
            },
            files: vec![file(b"A", b"q\0"), file(b"B", &[0; 4])],
            ..Inputs::default()
        };
        let line =
            |inputs: &Inputs| one_line(inputs, Path::new("/bin/sh"), Path::new("t")).unwrap();
        assert_eq!(bash(&line(&inputs)), b"q\x003\n");
        assert!(!line(&inputs).contains(" > B"), "nobody looked at it");
        inputs.arguments.push(b"B".to_vec());
        assert!(line(&inputs).contains(" > B"), "it is named");
        inputs.files.clear();
        assert!(line(&inputs).starts_with("printf 'xyz' | /bin/sh -c "));
    }

    #[test]
    fn zero_bytes_and_leading_minus_reach_files() {
        for content in [&b"a\0b"[..], b"-n x", b"%s\\n'", b""] {
            assert_eq!(bash(&printf(content)), content);
        }
    }
}
