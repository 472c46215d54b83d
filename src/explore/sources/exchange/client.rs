//! State that all runs of a session share about the fuzzers' directory: inputs that were read and
//! wait to be run.

use crate::sources::fuzz::Input;
use crate::sources::named_objects::Objects;
use homi_native::testcase::{Layout, QueueReader};
use homi_report::SharedLog;
use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Name of homi's own folder among the fuzzers.
pub const OWN_NAME: &str = "homi";
/// Time between two looks at the queues.
const PAUSE: Duration = Duration::from_secs(1);

/// Numbers of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExchangeStatistics {
    pub read: u64,
    /// Inputs that were run.
    pub run: u64,
    /// Inputs that covered something new or showed a new bug.
    pub kept: u64,
}

/// State that all runs of a session share.
pub struct Exchange {
    reader: QueueReader,
    layout: Layout,
    /// The program's name and arguments.
    arguments: Vec<Vec<u8>>,
    waiting: VecDeque<Objects>,
    /// Inputs of which the program's symbolic input takes the beginning only, in full length.
    longer: Vec<Input>,
    seen: Seen,
    last_look: Option<Instant>,
    log: Arc<SharedLog>,
    pub(super) statistics: ExchangeStatistics,
}

impl Exchange {
    /// Creates the state for a program with these arguments (its name first).
    pub fn new(
        directory: &Path,
        layout: Layout,
        arguments: Vec<Vec<u8>>,
        log: Arc<SharedLog>,
    ) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            reader: QueueReader::new(directory, OWN_NAME),
            layout,
            arguments,
            waiting: VecDeque::new(),
            longer: Vec::new(),
            seen: Seen::default(),
            last_look: None,
            log,
            statistics: ExchangeStatistics::default(),
        }))
    }

    pub fn statistics(&self) -> ExchangeStatistics {
        self.statistics
    }

    /// Returns the inputs that were read, also in the future.
    pub fn seen(&self) -> Seen {
        self.seen.clone()
    }

    /// Reads new inputs, at most once a second.
    pub(super) fn look(&mut self) {
        if self.last_look.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last_look = Some(Instant::now());
        let inputs = match self.reader.poll() {
            Ok(inputs) => inputs,
            Err(error) => {
                let text = format!("--sync: cannot read the fuzzers' directory: {error}");
                self.log.lock().warning_once("exchange", &text);
                return;
            }
        };
        for bytes in inputs {
            self.statistics.read += 1;
            if !self.seen.insert(&bytes) {
                continue;
            }
            // Arguments that take no input were refused before the run.
            if let Ok(made) = self.layout.test(&self.arguments, &bytes, None) {
                let input = made.test.object("stdin");
                if made.cut > 0 && input.is_some_and(|input| bytes.starts_with(&input.bytes)) {
                    self.longer.push(Input::of_test(&made.test, Some(&bytes)));
                }
                let objects = made.test.objects.into_iter();
                let objects = objects.map(|object| (object.name_text(), object.bytes));
                self.waiting.push_back(objects.collect());
            }
        }
    }

    /// The inputs that are longer than the program's symbolic input, each once.
    pub(super) fn take_longer(&mut self) -> Vec<Input> {
        std::mem::take(&mut self.longer)
    }

    /// The next input to run.
    pub(super) fn next(&mut self) -> Option<Objects> {
        self.waiting.pop_front()
    }

    /// Puts an input back that could not be run now.
    pub(super) fn put_back(&mut self, objects: Objects) {
        self.waiting.push_front(objects);
    }
}

/// Fingerprints of the inputs that were read, which need not be written.
///
/// Invariant: nothing else is locked while these are, so that every thread may ask at any time.
#[derive(Clone, Debug, Default)]
pub struct Seen(Arc<Mutex<BTreeSet<u64>>>);

impl Seen {
    /// True if some fuzzer's queue had these bytes.
    pub fn contains(&self, bytes: &[u8]) -> bool {
        self.lock().contains(&fingerprint(bytes))
    }

    /// Adds bytes; false if they were known.
    fn insert(&self, bytes: &[u8]) -> bool {
        self.lock().insert(fingerprint(bytes))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number that differs for different bytes, except for zeros at the end: a test fills its objects
/// up.
fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let last = bytes.iter().rposition(|byte| *byte != 0);
    bytes[..last.map_or(0, |last| last + 1)].hash(&mut hasher);
    hasher.finish()
}
