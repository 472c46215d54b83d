//! AFL++: the tests as raw inputs in the layout of its queue, for `afl-fuzz -i`.
//! <https://github.com/AFLplusplus/AFLplusplus/blob/stable/docs/afl-fuzz_approach.md>
//!
//! Invariant: one file per test, with the bytes of the one input that fuzzers feed. It is the same
//! input for all tests of a run: the standard input, else the first symbolic file, else
//! the arguments, else what the harness made symbolic.

use super::row::{ExporterRow, Occasion};
use homi_native::replay::Inputs;
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{Layout, Target, argv_input};
use homi_report::{Event, Listener, OutputFailure};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "afl",
    help: "raw inputs in the layout of AFL++'s queue, for afl-fuzz -i and other fuzzers",
    output: "afl/queue",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(Queue {
            tests: place.directory.to_path_buf(),
            queue: place.join(ROW.output),
            target: None,
            written: 0,
        })
    },
};

/// Writes an input for each test as it comes.
struct Queue {
    /// Directory of the tests.
    tests: PathBuf,
    queue: PathBuf,
    /// The input that is taken; `None` is the harness's objects.
    target: Option<Target>,
    written: u64,
}

impl Listener for Queue {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                let arguments = started.arguments.iter();
                let arguments: Vec<Vec<u8>> = arguments
                    .map(|argument| argument.as_bytes().to_vec())
                    .collect();
                // Arguments that the program refuses give no tests.
                let layout = Layout::of(&arguments).unwrap_or_default();
                self.target = layout.usual_target();
                fs::create_dir_all(&self.queue)
            }
            Event::TestWritten(test) => {
                let name = format!("id:{:06},time:0,execs:0,orig:{}", self.written, test.test);
                self.written += 1;
                let file = self.tests.join(format!("{}.ktest", test.test));
                fs::write(
                    self.queue.join(name),
                    fuzzer_input(&file, self.target.as_ref())?,
                )
            }
            _ => Ok(()),
        }
    }
}

/// Returns the bytes of a test's input that fuzzers feed.
pub fn fuzzer_input(file: &Path, target: Option<&Target>) -> io::Result<Vec<u8>> {
    let test = KTest::read(file).map_err(io::Error::other)?;
    let content = |name: &[u8]| {
        let mut objects = test.objects.iter();
        let found = objects.find(|object| object.name == name);
        // The path stopped before the input came into being: it can be anything.
        found.map_or(Vec::new(), |object| object.bytes.clone())
    };
    Ok(match target {
        Some(Target::Stdin) => content(b"stdin"),
        Some(Target::File(path)) => content(&[path, b"_data".as_slice()].concat()),
        Some(Target::Arguments) => {
            let inputs = Inputs::of(&test).map_err(io::Error::other)?;
            let name = test.args.first().map(Vec::as_slice).unwrap_or_default();
            let name = name.strip_suffix(b".bc").unwrap_or(name);
            argv_input(name, &inputs.arguments)
        }
        None => {
            let objects = test.objects.iter();
            objects.flat_map(|object| object.bytes.clone()).collect()
        }
    })
}
