//! `homi svcomp`: one verification task, as the tool-info module of BenchExec calls it.

use super::status::Exit;
use super::test;
use std::ffi::OsString;
use std::path::PathBuf;

/// Verify a task of SV-COMP or generate tests for a task of Test-Comp
///
/// homi compiles the task, explores it, runs the tests natively, and ends with a line that begins
/// with `verdict:`. It is `homi test --property` with the compiler flags of the data model and the
/// limits of the competition. It writes a witness of TRUE and FALSE. With --validate it ends with
/// FALSE if the inputs of a witness violate the property natively, else with UNKNOWN.
#[derive(clap::Args, Debug)]
pub(super) struct SvcompArgs {
    /// C file, also preprocessed
    #[arg(value_name = "TASK", required = true)]
    tasks: Vec<OsString>,
    /// Verify this property: a property file, or a name
    #[arg(long, value_name = "FILE")]
    property: OsString,
    /// Use types of this size
    #[arg(long, value_name = "MODEL", default_value = "LP64")]
    data_model: DataModel,
    /// Write the witness to this file
    #[arg(long, value_name = "FILE", default_value = "witness.yml")]
    witness: PathBuf,
    /// Run the inputs of this violation witness natively instead of exploring
    ///
    /// homi reads witnesses of format 2 whose waypoints name the results of all calls of
    /// `__VERIFIER_nondet_` functions in their order, as its own do.
    #[arg(long, value_name = "WITNESS")]
    validate: Option<PathBuf>,
    /// Explore for this time
    #[arg(long, value_name = "TIME", default_value = "850s")]
    max_time: OsString,
    /// Limit the memory
    #[arg(long, value_name = "SIZE", default_value = "14GiB")]
    max_memory: OsString,
    /// Write to this directory, which must not exist
    #[arg(long, value_name = "DIR")]
    output_dir: Option<OsString>,
}

/// Sizes of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum DataModel {
    /// 32-bit `int`, `long` and pointers
    #[value(name = "ILP32")]
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers
    #[value(name = "LP64")]
    Lp64,
}

/// Executes the command as `homi test`.
pub(super) fn execute(args: &SvcompArgs) -> anyhow::Result<Exit> {
    let line = test_line(args);
    let line_of_test = test::line(line.clone())?;
    let typed = test::parse(line)?;
    let Some(witness) = &args.validate else {
        return test::execute(&typed, &line_of_test);
    };
    let is_shown = test::validate(&typed, &line_of_test, witness)?;
    let (verdict, said) = if is_shown {
        ("FALSE", "shows")
    } else {
        ("UNKNOWN", "does not show")
    };
    let property = args.property.to_string_lossy();
    super::print(&format!(
        "verdict: {verdict} ({property}): the native program {said} the violation of {}\n",
        witness.display()
    ))?;
    Ok(Exit::Done)
}

/// Returns the arguments of `homi test`.
fn test_line(args: &SvcompArgs) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec!["--quiet".into()];
    let mut give = |name: &str, value: &OsString| line.extend([name.into(), value.clone()]);
    give("--property", &args.property);
    if args.validate.is_none() {
        give("--witness", &args.witness.clone().into());
    }
    give("--max-time", &args.max_time);
    give("--max-memory", &args.max_memory);
    if args.data_model == DataModel::Ilp32 {
        give("--cflags", &"-m32".into());
    }
    if let Some(directory) = &args.output_dir {
        give("--output-dir", directory);
    }
    line.extend(args.tasks.iter().cloned());
    line
}
