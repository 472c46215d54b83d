//! State that all runs of a session share about the external command: requests and latest
//! responses.

use super::branch_context::{BranchPositions, Sources};
use super::candidate::Candidate;
use super::known::Known;
use super::process::{Process, warn};
use super::request::{input_of, line};
use super::source::Asked;
use crate::sources::named_objects::Objects;
use crate::sources::{SourceStart, StateSource};
use homi_ir::program::{BranchId, Program};
use homi_machine::exec::Segments;
use homi_native::testcase::Layout;
use homi_report::SharedLog;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Lines that are not an input, one after the other, after which the command is ended.
const MOST_REFUSED: u64 = 1000;
/// Time between two requests.
const PAUSE: Duration = Duration::from_millis(20);

/// Numbers of requests and responses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GeneratorStatistics {
    pub requests: u64,
    /// Inputs that were returned and run.
    pub inputs: u64,
    /// Inputs that covered something new or showed a new bug.
    pub kept: u64,
    /// Lines that were none.
    pub refused: u64,
}

/// State that all runs of a session share.
pub struct GeneratorClient {
    pub(super) process: Process,
    log: Arc<SharedLog>,
    /// The program's name and arguments.
    arguments: Vec<Vec<u8>>,
    pub(super) known: Known,
    /// Requests by number: the branch, the side, the input.
    requests: BTreeMap<u64, (BranchId, u32, usize)>,
    last_request: Option<Instant>,
    /// A response that waits for its batch.
    pub(super) candidate: Option<(Candidate, Objects)>,
    pub(super) waited: Duration,
    sources: Sources,
    pub(super) statistics: GeneratorStatistics,
    /// Lines since the last input that were none.
    refused_in_a_row: u64,
    end_is_reported: bool,
}

impl GeneratorClient {
    /// Starts the command, for a program with these arguments (its name first).
    pub fn start(
        command: &str,
        arguments: Vec<Vec<u8>>,
        log: Arc<SharedLog>,
    ) -> std::io::Result<Arc<Mutex<Self>>> {
        Ok(Arc::new(Mutex::new(Self {
            process: Process::start(command)?,
            log,
            arguments,
            known: Known::default(),
            requests: BTreeMap::new(),
            last_request: None,
            candidate: None,
            waited: Duration::ZERO,
            sources: Sources::default(),
            statistics: GeneratorStatistics::default(),
            refused_in_a_row: 0,
            end_is_reported: false,
        })))
    }

    pub fn statistics(&self) -> GeneratorStatistics {
        self.statistics
    }

    /// A source for one run.
    pub fn source(client: &Arc<Mutex<Self>>, start: &SourceStart<'_>) -> Box<dyn StateSource> {
        Box::new(Asked::new(Arc::clone(client), start))
    }

    /// Takes what the command said last, if it is an input.
    pub(super) fn on_event(&mut self, wait: Duration) {
        while self.candidate.is_none()
            && self.refused_in_a_row < MOST_REFUSED
            && let Some(line) = self.process.on_event(wait)
        {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            match self.read(line) {
                Ok(found) => {
                    self.candidate = Some(found);
                    self.refused_in_a_row = 0;
                }
                Err(why) => {
                    self.statistics.refused += 1;
                    self.refused_in_a_row += 1;
                    let shown: String = line.chars().take(80).collect();
                    let text = format!(
                        "the command of --input-generator printed an invalid line \
                         ({why}): {shown}"
                    );
                    warn(&self.log, "line", &text);
                }
            }
        }
        let is_flood = self.refused_in_a_row >= MOST_REFUSED;
        let is_over = self.process.is_over() && self.candidate.is_none();
        if !self.end_is_reported && (is_flood || is_over) {
            self.end_is_reported = true;
            if is_flood {
                self.end_flood()
            } else {
                self.report_end()
            }
        }
    }

    fn end_flood(&mut self) {
        self.process.end();
        let text = format!(
            "stopping the command of --input-generator after {MOST_REFUSED} invalid \
             lines in a row"
        );
        warn(&self.log, "end", &text);
    }

    fn report_end(&mut self) {
        let how = match self.process.ended_soon() {
            Some(status) if status.success() => return,
            Some(status) => status.to_string(),
            None => "it has closed its output".to_string(),
        };
        let text = format!(
            "the command of --input-generator ended: {how}; the run continues \
             without it"
        );
        warn(&self.log, "end", &text);
    }

    /// Returns the objects of the input in a line.
    fn read(&self, line: &str) -> Result<(Candidate, Objects), String> {
        let candidate = Candidate::read(line)?;
        let asked = candidate
            .request
            .and_then(|number| self.requests.get(&number));
        let before = match asked {
            Some((_, _, input)) => input_of(&self.arguments, self.known.input(*input)),
            None => Default::default(),
        };
        let input = candidate.complete(before)?;
        let layout = Layout::of(self.arguments.get(1..).unwrap_or_default());
        let layout = layout.unwrap_or_default();
        let objects = if layout.is_symbolic() {
            layout.convert(&self.arguments, &input).test.objects
        } else {
            input.others
        };
        let objects = objects.into_iter();
        let named = objects.map(|object| (object.name_text(), object.bytes));
        Ok((candidate, named.collect()))
    }

    /// Asks about the next side, if the command takes it.
    pub(super) fn ask(&mut self, program: &Program, places: &BranchPositions, segments: &Segments) {
        let is_early = self.last_request.is_some_and(|last| last.elapsed() < PAUSE);
        if is_early || self.process.is_over() {
            return;
        }
        while let Some(stuck) = self.known.next_stuck(program, segments) {
            let Some(place) = places.place(program, stuck.branch) else {
                self.known.asked(segments, stuck);
                continue;
            };
            let number = self.statistics.requests + 1;
            let input = input_of(&self.arguments, self.known.input(stuck.input));
            let source = self.sources.line(&place.file, place.line);
            let text = line(number, (&place, stuck.side), source, &input);
            if self.process.say(text) {
                self.known.asked(segments, stuck);
                self.statistics.requests = number;
                let asked = (stuck.branch, stuck.side, stuck.input);
                self.requests.insert(number, asked);
            }
            self.last_request = Some(Instant::now());
            return;
        }
    }
}
