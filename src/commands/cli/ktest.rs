//! `homi ktest`: what was typed.

use super::status::{Exit, UsageError};
use crate::native::testcase::ktest::KTest;
use crate::native::testcase::ktest_edit::{Assignment, EditError, make, remove, set};
use crate::native::testcase::ktest_forms::{hexdump, json};
use crate::native::testcase::ktest_text;
use crate::native::testcase::ktest_text::{KTestOptions, print};
use crate::native::testcase::{Layout, Target, raw_inputs};
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Print .ktest files as KLEE's ktest-tool does, take an object out of them, make, change or import
/// them.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct KtestArgs {
    #[command(subcommand)]
    command: Option<KtestCommand>,
    /// The tests
    #[arg(value_name = "KTEST", required = true)]
    files: Vec<PathBuf>,
    /// Write the object of this name to KTEST.NAME instead of printing
    #[arg(long, value_name = "NAME")]
    extract: Option<String>,
    /// Leave out the zero bytes at an object's end
    #[arg(long)]
    trim_zeros: bool,
}

#[derive(Subcommand, Debug)]
enum KtestCommand {
    Show(ShowArgs),
    Make(MakeArgs),
    Edit(EditArgs),
    Import(ImportArgs),
}

/// Print tests as text, JSON or a hexdump
#[derive(Args, Debug)]
struct ShowArgs {
    /// The tests
    #[arg(value_name = "KTEST", required = true)]
    files: Vec<PathBuf>,
    /// In which form
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Form,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// As KLEE's ktest-tool
    Text,
    /// An array with an object for each test
    Json,
    /// As hexdump -C, object by object
    Hexdump,
}

/// Make a test for a program's arguments
///
/// All objects that the arguments ask for are made, zero where nothing is said. A VALUE is text
/// with \n, \0 and \xHH, or 0x and hexadecimal digits, or @FILE.
#[derive(Args, Debug)]
struct MakeArgs {
    /// The file to write
    #[arg(long, short, value_name = "KTEST")]
    output: PathBuf,
    /// Bytes of an object; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    assignments: Vec<String>,
    /// Name of the bitcode's file, and the arguments as homi run has them
    #[arg(value_name = "PROGRAM ARGUMENT", required = true, last = true)]
    words: Vec<std::ffi::OsString>,
}

/// Change objects of a test
///
/// They keep their sizes: what is missing is zero.
#[derive(Args, Debug)]
struct EditArgs {
    /// The test
    #[arg(value_name = "KTEST")]
    file: PathBuf,
    /// Other bytes for an object; repeatable. VALUE is as for `homi ktest make`
    #[arg(long = "set", value_name = "NAME=VALUE")]
    assignments: Vec<String>,
    /// A further object; repeatable
    #[arg(long = "add", value_name = "NAME=VALUE")]
    added: Vec<String>,
    /// Take an object out; repeatable
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// The file to write; the test itself if it is not given
    #[arg(long, short, value_name = "KTEST")]
    output: Option<PathBuf>,
}

/// Make tests of raw files, such as a fuzzer's queue
///
/// The bytes go to the symbolic standard input, else to the first symbolic file, else to the
/// arguments (the program's name and each argument end in a zero byte). What does not fit is left
/// out with a warning.
#[derive(Args, Debug)]
struct ImportArgs {
    /// Raw files, directories of them, or a fuzzer's output directory
    #[arg(value_name = "RAW", required = true)]
    inputs: Vec<PathBuf>,
    /// The directory to write test000001.ktest, ... into; must not exist
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Where the bytes go: stdin, arguments, or the path of a symbolic file
    #[arg(long = "to", value_name = "INPUT")]
    target: Option<String>,
    /// Name of the bitcode's file, and the arguments as homi run has them
    #[arg(value_name = "PROGRAM ARGUMENT", required = true, last = true)]
    words: Vec<std::ffi::OsString>,
}

pub(super) fn execute(args: KtestArgs) -> anyhow::Result<Exit> {
    match args.command {
        Some(KtestCommand::Show(args)) => show(&args)?,
        Some(KtestCommand::Make(args)) => {
            let test = make(&bytes(args.words), &assignments(&args.assignments)?).map_err(usage)?;
            test.write(&args.output)?;
        }
        Some(KtestCommand::Edit(args)) => edit(&args)?,
        Some(KtestCommand::Import(args)) => import(args)?,
        None => {
            let text = ktest_text::run(&KTestOptions {
                files: args.files,
                extract: args.extract,
                trim_zeros: args.trim_zeros,
            })?;
            super::print(&text)?;
        }
    }
    Ok(Exit::Done)
}

fn usage(error: EditError) -> UsageError {
    UsageError(error.to_string())
}

fn assignments(typed: &[String]) -> Result<Vec<Assignment>, UsageError> {
    let parsed = typed.iter().map(|text| text.parse().map_err(usage));
    parsed.collect()
}

fn bytes(words: Vec<std::ffi::OsString>) -> Vec<Vec<u8>> {
    words.into_iter().map(OsStringExt::into_vec).collect()
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let mut tests: Vec<(&Path, KTest)> = Vec::with_capacity(args.files.len());
    for file in &args.files {
        tests.push((file, KTest::read(file)?));
    }
    let text = match args.format {
        Form::Json => json(&tests)?,
        Form::Text => tests
            .iter()
            .map(|(file, test)| print(test, file, false))
            .collect(),
        Form::Hexdump => tests
            .iter()
            .map(|(file, test)| hexdump(test, file))
            .collect(),
    };
    super::print(&text)
}

fn edit(args: &EditArgs) -> anyhow::Result<()> {
    let mut test = KTest::read(&args.file)?;
    for name in &args.remove {
        remove(&mut test, name).map_err(usage)?;
    }
    for assignment in assignments(&args.added)? {
        test.push(assignment.name, assignment.bytes);
    }
    for assignment in assignments(&args.assignments)? {
        set(&mut test, &assignment).map_err(usage)?;
    }
    test.write(args.output.as_ref().unwrap_or(&args.file))?;
    Ok(())
}

fn import(args: ImportArgs) -> anyhow::Result<()> {
    let words = bytes(args.words);
    let refused = |error: crate::native::testcase::LayoutError| UsageError(error.to_string());
    let layout = Layout::of(words.get(1..).unwrap_or_default()).map_err(refused)?;
    let target = args.target.as_deref().map(Target::named);
    let mut files = Vec::new();
    for input in &args.inputs {
        if input.is_dir() {
            files.extend(
                raw_inputs(input).with_context(|| format!("cannot read {}", input.display()))?,
            )
        } else {
            files.push(input.clone())
        }
    }
    if files.is_empty() {
        return Err(UsageError("there is no raw file to import".to_string()).into());
    }
    let mut tests = Vec::with_capacity(files.len());
    for file in &files {
        let shown = file.display();
        let raw = std::fs::read(file).with_context(|| format!("cannot read {shown}"))?;
        let made = layout
            .test(&words, &raw, target.as_ref())
            .map_err(refused)?;
        if made.cut > 0 {
            eprintln!(
                "homi: WARNING: {shown}: {} bytes do not fit and are left out",
                made.cut
            );
        }
        tests.push(made.test);
    }
    std::fs::create_dir(&args.output)
        .with_context(|| format!("cannot make {}", args.output.display()))?;
    for (number, test) in (1..).zip(&tests) {
        test.write(&args.output.join(format!("test{number:06}.ktest")))?;
    }
    super::print(&format!(
        "{} tests in {}\n",
        tests.len(),
        args.output.display()
    ))
}
