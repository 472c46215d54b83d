//! `homi explain`: what a test gives to the program, what it covers or breaks, and how to run it by
//! hand and with `homi replay`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::sandbox::{Node, Stream};
use super::shell;
use crate::testcase::ktest::{KTest, Object};
use crate::testcase::{PredictedEnd, read_branches, read_coverage, read_outcomes};

/// Options of `homi explain`.
#[derive(Clone, Debug)]
pub struct ExplainOptions {
    pub test: PathBuf,
    /// The native program, for the commands; `None` prints a placeholder.
    pub exe: Option<PathBuf>,
    /// List every branch, not only the first ones.
    pub all: bool,
}

/// Number of bytes and branches that are shown without `--all`.
const SHOWN_BYTES: usize = 512;
const SHOWN_BRANCHES: usize = 20;

/// The explanation of a test, for people.
pub fn run(options: &ExplainOptions) -> anyhow::Result<String> {
    let test = KTest::read(&options.test)?;
    let inputs = Inputs::of(&test)?;
    let mut out = String::new();
    explain(&mut out, options, &test, &inputs)?;
    Ok(out)
}

fn explain(
    out: &mut String,
    options: &ExplainOptions,
    test: &KTest,
    inputs: &Inputs,
) -> std::fmt::Result {
    let quoted_line = |arguments: &[Vec<u8>]| {
        let quoted: Vec<String> = arguments
            .iter()
            .map(|argument| shell::quote(argument))
            .collect();
        quoted.join(" ")
    };
    writeln!(out, "Test     {}", options.test.display())?;
    writeln!(out, "Made by  {}", quoted_line(&test.args))?;
    outcome(out, &options.test)?;
    prediction(out, &options.test)?;
    coverage(out, &options.test, options.all)?;
    writeln!(out, "\nInputs")?;
    writeln!(out, "  arguments  {}", quoted_line(&inputs.arguments))?;
    for (name, value) in &inputs.environment {
        writeln!(
            out,
            "  variable   {}={}",
            shell::quote(name),
            shell::quote(value)
        )?;
    }
    stream(out, "stdin", &inputs.stdin, options.all)?;
    if !matches!(inputs.stdout, Stream::Plain) {
        writeln!(out, "  stdout     {}", stream_kind(&inputs.stdout))?;
    }
    for file in &inputs.files {
        let name = shell::quote(&file.path);
        let mode = format!("mode {:03o}", file.mode);
        match &file.node {
            Node::File(content) => {
                writeln!(
                    out,
                    "  file {name}, {mode}, {}",
                    counted(content.len(), "byte")
                )?;
                bytes(out, content, options.all)?;
            }
            Node::Directory => writeln!(out, "  directory {name}, {mode}")?,
            Node::Fifo => writeln!(out, "  named pipe {name}, {mode}")?,
            Node::Link(target) => writeln!(out, "  link {name} to {}", shell::quote(target))?,
        }
    }
    for object in &inputs.harness {
        let name = object.name_text();
        let size = counted(object.bytes.len(), "byte");
        writeln!(out, "  object {name}, {size}")?;
        bytes(out, &object.bytes, options.all)?;
    }
    for object in &test.objects {
        if let Some(words) = unset_value(object) {
            writeln!(out, "  {words}")?;
        }
    }
    for note in &inputs.notes {
        writeln!(out, "  note: {note}")?;
    }
    let exe = match &options.exe {
        Some(exe) => {
            let path = std::path::absolute(exe).unwrap_or_else(|_| exe.clone());
            shell::quote(path.as_os_str().as_encoded_bytes())
        }
        None => "\"$EXE\"".to_string(),
    };
    writeln!(out, "\nBy hand, in bash")?;
    if options.exe.is_none() {
        writeln!(out, "  EXE=/path/to/{}", program_name(test))?;
    }
    for line in shell::commands(inputs, &exe, &options.test).lines() {
        writeln!(out, "  {line}")?;
    }
    let file = shell::quote(options.test.as_os_str().as_encoded_bytes());
    writeln!(out, "\nIn a sandbox\n  homi replay {exe} {file}")
}

/// The value of memory that was never set, in words, if the object has one.
fn unset_value(object: &Object) -> Option<String> {
    let name = object.name_text();
    let (name, line) = name.strip_prefix("undef:")?.rsplit_once(':')?;
    let bytes = &object.bytes;
    let number = match *bytes.as_slice() {
        [a] => i64::from(i8::from_le_bytes([a])),
        [a, b] => i64::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => i64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => {
            let size = counted(bytes.len(), "byte");
            return Some(format!(
                "value of '{name}' (never set, read in line {line}): {size}"
            ));
        }
    };
    Some(format!(
        "value of '{name}' (never set, read in line {line}) is {number}"
    ))
}

/// The bitcode's name without its directory and `.bc`.
fn program_name(test: &KTest) -> String {
    let name = test.args.first().map(Vec::as_slice).unwrap_or_default();
    let name = String::from_utf8_lossy(name).into_owned();
    let file = Path::new(&name).file_stem().unwrap_or_default();
    file.to_string_lossy().into_owned()
}

/// Returns the directory of a test, and its name without suffix.
fn directory_and_name(test: &Path) -> (&Path, String) {
    let directory = match test.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let stem = test.file_stem().unwrap_or_default();
    (directory, stem.to_string_lossy().into_owned())
}

/// Writes the predicted exit of the program and the size of its output.
fn prediction(out: &mut String, test: &Path) -> std::fmt::Result {
    let (directory, stem) = directory_and_name(test);
    let outcomes = read_outcomes(directory).unwrap_or_default();
    let Some(outcome) = outcomes.get(&stem) else {
        return Ok(());
    };
    let PredictedEnd::Exit(status) = outcome.end else {
        return Ok(());
    };
    let (stdout, stderr) = (outcome.stdout.bytes, outcome.stderr.bytes);
    writeln!(
        out,
        "Predicts exit {status}; {stdout} bytes on stdout, {stderr} bytes on stderr"
    )
}

/// Writes the errors and early ends that files with the test's stem describe.
fn outcome(out: &mut String, test: &Path) -> std::fmt::Result {
    let (directory, stem) = directory_and_name(test);
    let mut beside: Vec<PathBuf> = std::fs::read_dir(directory)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    beside.sort();
    for path in beside {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Some(kind) = name.strip_prefix(&format!("{stem}.")) else {
            continue;
        };
        if !kind.ends_with("err") && kind != "early" {
            continue;
        }
        let text = std::fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let heading = if kind == "early" { "Stopped" } else { "Breaks" };
        writeln!(out, "{heading:<8} {kind}")?;
        for line in text.lines() {
            writeln!(out, "         {line}")?;
        }
    }
    Ok(())
}

/// Writes what the coverage log says about the test, if there is a log.
fn coverage(out: &mut String, test: &Path, all: bool) -> std::fmt::Result {
    let directory = test.parent().unwrap_or(Path::new("."));
    let stem = test
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let entries = read_coverage(directory).unwrap_or_default();
    let Some(entry) = entries.into_iter().find(|entry| entry.test == stem) else {
        return Ok(());
    };
    let table = read_branches(directory).unwrap_or_default();
    let more = if entry.ended {
        ""
    } else {
        " (the path was not followed to its end)"
    };
    let new: BTreeSet<(u32, u32)> = entry.new.into_iter().collect();
    // New sides are covered, whichever version wrote the log.
    let sides = new.union(&entry.sides.into_iter().collect()).count();
    writeln!(
        out,
        "Covers   {}, {} for the first time{more}",
        counted(sides, "branch side"),
        new.len()
    )?;
    let limit = if all { usize::MAX } else { SHOWN_BRANCHES };
    for (branch, side) in new.iter().take(limit) {
        match table.get(*branch as usize) {
            Some(entry) if entry.line != 0 => writeln!(
                out,
                "         {}:{} in {}, side {side} of {}",
                entry.file, entry.line, entry.function, entry.sides
            )?,
            Some(entry) => writeln!(out, "         in {}, side {side}", entry.function)?,
            None => writeln!(out, "         branch {branch}, side {side}")?,
        }
    }
    if new.len() > limit {
        writeln!(out, "         and {} more (--all)", new.len() - limit)?;
    }
    for one in &entry.underapproximations {
        let link = match one.lost.as_str() {
            "values" => ", taken as ",
            _ => ": ",
        };
        let (what, example) = (&one.what, &one.example);
        writeln!(
            out,
            "Under-approximation at {}: {what}{link}{example}",
            one.location
        )?;
    }
    Ok(())
}

/// A number with its noun, in the plural where it has to be.
fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

fn stream_kind(stream: &Stream) -> &'static str {
    match stream {
        Stream::Plain => "empty",
        Stream::File { .. } => "a file",
        Stream::Pipe { .. } => "a pipe",
        Stream::Terminal { .. } => "a terminal",
    }
}

fn stream(out: &mut String, name: &str, stream: &Stream, all: bool) -> std::fmt::Result {
    let kind = stream_kind(stream);
    match stream {
        Stream::Plain => writeln!(out, "  {name}      {kind}"),
        Stream::File { content, .. } | Stream::Pipe { content } | Stream::Terminal { content } => {
            writeln!(
                out,
                "  {name}      {kind}, {}",
                counted(content.len(), "byte")
            )?;
            bytes(out, content, all)
        }
    }
}

/// Text with escapes, and hexadecimal where the text does not tell it all.
fn bytes(out: &mut String, content: &[u8], all: bool) -> std::fmt::Result {
    let limit = if all { usize::MAX } else { SHOWN_BYTES };
    let shown = &content[..content.len().min(limit)];
    writeln!(out, "    \"{}\"", shown.escape_ascii())?;
    let readable = |b: &u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    if !shown.iter().all(readable) {
        let mut line = String::new();
        for byte in shown {
            write!(line, " {byte:02x}")?;
        }
        writeln!(out, "   {line}")?;
    }
    if content.len() > limit {
        let more = counted(content.len() - limit, "more byte");
        writeln!(out, "    and {more} (--all)")?;
    }
    Ok(())
}
