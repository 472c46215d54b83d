//! `homi ktest`: arguments and dispatch.

use super::ktest_minimize::{self, MinimizeArgs};
use super::status::{Exit, UsageError};
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::ktest_edit::{Assignment, EditError, make, remove, set};
use homi_native::testcase::ktest_forms::{hexdump, json};
use homi_native::testcase::ktest_text;
use homi_native::testcase::ktest_text::{KTestOptions, print};
use homi_native::testcase::{Layout, Target, raw_inputs};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Print, make, edit, import or minimize .ktest files
///
/// Without a subcommand, prints tests as KLEE's ktest-tool does, or extracts an object.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct KtestArgs {
    #[command(subcommand)]
    command: Option<KtestCommand>,
    /// Tests to print
    #[arg(value_name = "KTEST", required = true)]
    files: Vec<PathBuf>,
    /// Write the object of this name to KTEST.NAME instead of printing
    #[arg(long, value_name = "NAME")]
    extract: Option<String>,
    /// Omit zero bytes at the end of an object
    #[arg(long)]
    trim_zeros: bool,
}

#[derive(Subcommand, Debug)]
enum KtestCommand {
    Show(ShowArgs),
    Make(MakeArgs),
    Edit(EditArgs),
    Import(ImportArgs),
    Minimize(MinimizeArgs),
}

/// Print tests as text, JSON or a hexdump
#[derive(Args, Debug)]
struct ShowArgs {
    /// Tests to print
    #[arg(value_name = "KTEST", required = true)]
    files: Vec<PathBuf>,
    /// Print in this format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// Text, as KLEE's ktest-tool prints it
    Text,
    /// JSON array with one object per test
    Json,
    /// Hexdump of each object, as hexdump -C prints it
    Hexdump,
}

/// Make a test for a program's arguments
///
/// The test contains all objects that the arguments request, filled with zeros unless --set is
/// given. A VALUE is text with \n, \0 and \xHH, or 0x and hexadecimal digits, or @FILE.
#[derive(Args, Debug)]
struct MakeArgs {
    /// Write the test to this file
    #[arg(long, short, value_name = "KTEST")]
    output: PathBuf,
    /// Set the bytes of an object; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    assignments: Vec<String>,
    /// Name of the bitcode file, and the arguments as for homi run
    #[arg(value_name = "PROGRAM ARGUMENT", required = true, last = true)]
    arguments: Vec<std::ffi::OsString>,
}

/// Change objects of a test
///
/// Objects keep their sizes; missing bytes become zero.
#[derive(Args, Debug)]
struct EditArgs {
    /// Test to change
    #[arg(value_name = "KTEST")]
    file: PathBuf,
    /// Set the bytes of an object; repeatable
    ///
    /// VALUE is as for `homi ktest make`.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    assignments: Vec<String>,
    /// Add an object; repeatable
    #[arg(long = "add", value_name = "NAME=VALUE")]
    added: Vec<String>,
    /// Remove an object; repeatable
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// Write the test to this file [default: the file itself]
    #[arg(long, short, value_name = "KTEST")]
    output: Option<PathBuf>,
}

/// Make tests from raw files, such as a fuzzer's queue
///
/// The bytes go to the symbolic standard input, else to the first symbolic file, else to the
/// arguments. In the arguments, a zero byte ends the program's name and each argument. homi drops
/// bytes that do not fit, with a warning.
#[derive(Args, Debug)]
struct ImportArgs {
    /// Raw files, directories of them, or a fuzzer's output directory
    #[arg(value_name = "RAW", required = true)]
    inputs: Vec<PathBuf>,
    /// Write test000001.ktest, ... into this new directory
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Assign the bytes to stdin, arguments, or the path of a symbolic file
    #[arg(long = "to", value_name = "INPUT")]
    target: Option<String>,
    /// Name of the bitcode file, and the arguments as for homi run
    #[arg(value_name = "PROGRAM ARGUMENT", required = true, last = true)]
    arguments: Vec<std::ffi::OsString>,
}

pub(super) fn execute(args: KtestArgs) -> anyhow::Result<Exit> {
    match args.command {
        Some(KtestCommand::Show(args)) => show(&args)?,
        Some(KtestCommand::Make(args)) => {
            let test =
                make(&bytes(args.arguments), &assignments(&args.assignments)?).map_err(usage)?;
            test.write(&args.output)?;
        }
        Some(KtestCommand::Edit(args)) => edit(&args)?,
        Some(KtestCommand::Import(args)) => import(args)?,
        Some(KtestCommand::Minimize(args)) => ktest_minimize::execute(args)?,
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

fn bytes(arguments: Vec<std::ffi::OsString>) -> Vec<Vec<u8>> {
    arguments.into_iter().map(OsStringExt::into_vec).collect()
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
    let arguments = bytes(args.arguments);
    let refused = |error: homi_native::testcase::LayoutError| UsageError(error.to_string());
    let layout = Layout::of(arguments.get(1..).unwrap_or_default()).map_err(refused)?;
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
        return Err(UsageError("no raw files to import".to_string()).into());
    }
    let mut tests = Vec::with_capacity(files.len());
    for file in &files {
        let shown = file.display();
        let raw = std::fs::read(file).with_context(|| format!("cannot read {shown}"))?;
        let made = layout
            .test(&arguments, &raw, target.as_ref())
            .map_err(refused)?;
        if made.cut > 0 {
            eprintln!(
                "homi: WARNING: {shown}: {} bytes do not fit and are dropped",
                made.cut
            );
        }
        tests.push(made.test);
    }
    std::fs::create_dir(&args.output)
        .with_context(|| format!("cannot create {}", args.output.display()))?;
    for (number, test) in (1..).zip(&tests) {
        test.write(&args.output.join(format!("test{number:06}.ktest")))?;
    }
    super::print(&format!(
        "{} tests in {}\n",
        tests.len(),
        args.output.display()
    ))
}
