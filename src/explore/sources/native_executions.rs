//! Executions of inputs in the program's native image, beside the search.
//!
//! An execution takes microseconds where the engine needs milliseconds, so the image tries inputs,
//! and the engine repeats only inputs that take sides of branches which no path has taken.
//!
//! The share of the time is what it pays: new sides a second here, compared with the new sides of
//! the search, both with a half-life.

use homi_ir::util::clock::Moment;
use homi_machine::exec::Host;
use homi_native::image::{Comparison, Ended, Image, ImageProcess, Readiness};
use homi_report::FuzzingSummary;
use std::sync::Arc;
use std::time::Duration;

use super::Tuning;
use super::fuzz::Input;
use super::native_failures::{Failures, signal_name};

/// Time between two looks at a build that the run waits for.
const BUILD_POLL: Duration = Duration::from_millis(20);

/// New coverage of an input's execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct NativeNews {
    /// Sides that were taken a number of times that is new in its order of magnitude, with the bit
    /// of that.
    pub new: Vec<(u32, u8)>,
    /// The execution ended by a signal or a failed check, and no other one that took the same sides
    /// did: how it ended.
    pub failed: Option<String>,
    /// Calls and rounds of loops.
    pub work: u64,
    /// Symbolic objects that the input had no bytes for.
    pub unknown_objects: u32,
}

/// The image's process and what its executions have taken.
pub(super) struct NativeExecutions {
    image: Arc<Image>,
    process: Option<ImageProcess>,
    /// There is no image, or its process does not start.
    absent: bool,
    /// For each side, the orders of magnitude of its counts in one execution, one bit for each.
    seen: Vec<u8>,
    failures: Failures,
    /// When the run was asked first.
    begun: Option<Moment>,
    shares: Shares,
    /// Work that executions may take.
    longest: u64,
}

/// The order of magnitude of a count, as one bit: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
fn magnitude(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        128.. => 128,
    }
}

impl NativeExecutions {
    pub(super) fn new(image: Arc<Image>, tuning: &Tuning) -> Self {
        Self {
            image,
            process: None,
            absent: false,
            seen: Vec::new(),
            failures: Failures::default(),
            begun: None,
            shares: Shares::new(tuning),
            longest: tuning.native_longest,
        }
    }

    /// True if the image can execute an input now. Its build begins after the search has had some
    /// time. A message is returned once if there is no image.
    pub(super) fn is_ready(&mut self, tuning: &Tuning) -> Result<bool, String> {
        if self.process.is_some() || self.absent {
            return Ok(self.process.is_some());
        }
        let begun = *self.begun.get_or_insert_with(Moment::now);
        if begun.elapsed() < Duration::from_secs_f64(tuning.native_after) {
            return Ok(false);
        }
        let mut readiness = self.image.readiness();
        while readiness == Readiness::Building && tuning.native_after == 0.0 {
            std::thread::sleep(BUILD_POLL);
            readiness = self.image.readiness();
        }
        match readiness {
            Readiness::Building => Ok(false),
            Readiness::Ready => match self.image.start() {
                Ok(process) => {
                    self.process = Some(process);
                    self.shares.begin();
                    Ok(true)
                }
                Err(error) => self.give_up(&error.to_string()),
            },
            Readiness::Absent(reason) => {
                self.absent = true;
                match reason {
                    Some(reason) => self.give_up(&reason),
                    None => Ok(false),
                }
            }
        }
    }

    fn give_up(&mut self, reason: &str) -> Result<bool, String> {
        self.absent = true;
        self.process = None;
        Err(format!(
            "no native fuzzing: {reason}; fuzzing runs are interpreted"
        ))
    }

    /// The arguments of the run's program.
    pub(super) fn arguments(&self) -> &[Vec<u8>] {
        self.image.arguments()
    }

    /// True if native executions have had less time than their share.
    pub(super) fn is_due(&self) -> bool {
        self.process.is_some() && self.shares.is_due()
    }

    /// Executes an input with these arguments, or with the run's, and counts it. The error says why
    /// there is no image any more.
    pub(super) fn execute(
        &mut self,
        arguments: Option<&[Vec<u8>]>,
        input: &Input,
        host: &dyn Host,
        done: &mut FuzzingSummary,
    ) -> Result<NativeNews, String> {
        let Some(process) = &mut self.process else {
            return Ok(NativeNews::default());
        };
        let arguments = arguments.unwrap_or_else(|| self.image.arguments());
        let execution = match process.execute(arguments, input.objects(), self.longest, host) {
            Ok(execution) => execution,
            Err(error) => {
                let gone = self.give_up(&error.to_string());
                return gone.map(|_| NativeNews::default());
            }
        };
        done.native_executions += 1;
        let mut news = NativeNews {
            work: execution.work,
            unknown_objects: execution.unknown_objects,
            ..NativeNews::default()
        };
        let mut failed = None;
        match execution.ended {
            Ended::Silent => return Ok(news),
            Ended::Hung => {
                done.native_hangs += 1;
                return Ok(news);
            }
            Ended::Refused(_) => done.native_refused += 1,
            Ended::Exit(_) => {}
            Ended::Failed(what) => failed = Some(what),
            Ended::Signal(number) => failed = Some(signal_name(number)),
        }
        let sides = process.sides();
        self.seen.resize(sides.len(), 0);
        for (side, count) in sides.iter().enumerate() {
            if *count == 0 {
                continue;
            }
            let bit = magnitude(*count);
            if bit & !self.seen[side] != 0 {
                news.new.push((side as u32, bit));
            }
        }
        news.failed = failed.filter(|_| self.failures.is_new(sides));
        Ok(news)
    }

    /// Executes an input as `execute` does, for its comparisons. The sides stay the execution's.
    pub(super) fn comparisons(
        &mut self,
        arguments: Option<&[Vec<u8>]>,
        input: &Input,
        host: &dyn Host,
        done: &mut FuzzingSummary,
    ) -> Vec<Comparison> {
        let Some(process) = &mut self.process else {
            return Vec::new();
        };
        let arguments = arguments.unwrap_or_else(|| self.image.arguments());
        let objects = input.objects();
        // A process that cannot go on tells it to the next execution, too.
        let Ok((_, compared)) = process.execute_recording(arguments, objects, self.longest, host)
        else {
            return Vec::new();
        };
        done.native_executions += 1;
        compared
    }

    /// True if the last execution took these sides as often, in orders of magnitude.
    pub(super) fn took(&self, wanted: &[(u32, u8)]) -> bool {
        let Some(process) = &self.process else {
            return false;
        };
        let sides = process.sides();
        let mut wanted = wanted.iter();
        wanted.all(|(side, bit)| magnitude(sides[*side as usize]) == *bit)
    }

    /// The sides that the last execution took.
    pub(super) fn taken(&self) -> Vec<u32> {
        let sides = self.process.iter().flat_map(|process| process.sides());
        let taken = sides.enumerate().filter(|(_, count)| **count > 0);
        taken.map(|(side, _)| side as u32).collect()
    }

    /// Counts the news of an execution as seen. Returns true if a side was never taken before.
    pub(super) fn note_seen(&mut self, new: &[(u32, u8)]) -> bool {
        let mut is_first = false;
        for (side, bit) in new {
            is_first |= self.seen[*side as usize] == 0;
            self.seen[*side as usize] |= bit;
        }
        is_first
    }

    /// Begins to count time for native executions. Returns the moment, and the time that they may
    /// take.
    pub(super) fn begin_turn(&mut self) -> (Moment, Duration) {
        self.shares.note_search();
        (Moment::now(), self.shares.owed())
    }

    /// Ends a turn that began at `begun`: its inputs took `found` sides as the first, and `covered`
    /// sides are covered in all.
    pub(super) fn end_turn(&mut self, begun: Moment, found: usize, covered: usize) {
        self.shares.note_native(begun.elapsed(), found, covered);
    }
}

/// The time of native executions and of the search, and what each found.
#[derive(Debug)]
struct Shares {
    native: Yield,
    search: Yield,
    /// End of the last native turn, and sides covered then.
    since: Moment,
    covered: usize,
    least: f64,
    most: f64,
    half_life: f64,
    longest_turn: f64,
}

/// Seconds and new sides, both halved with time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Yield {
    seconds: f64,
    sides: f64,
    /// Seconds of the whole run.
    spent: f64,
}

impl Yield {
    fn add(&mut self, seconds: f64, sides: f64, half_life: f64) {
        let fade = (-seconds / half_life).exp2();
        self.seconds = self.seconds * fade + seconds;
        self.sides = self.sides * fade + sides;
        self.spent += seconds;
    }

    /// New sides a second; one is assumed so that nothing found does not mean nothing to find.
    fn rate(&self) -> f64 {
        (self.sides + 1.0) / (self.seconds + 1.0)
    }
}

impl Shares {
    fn new(tuning: &Tuning) -> Self {
        Self {
            native: Yield::default(),
            search: Yield::default(),
            since: Moment::now(),
            covered: 0,
            least: tuning.native_least,
            most: tuning.native_most,
            half_life: tuning.native_half_life,
            longest_turn: tuning.native_turn,
        }
    }

    /// The search's time counts from here on.
    fn begin(&mut self) {
        self.since = Moment::now();
    }

    fn share(&self) -> f64 {
        let (native, search) = (self.native.rate(), self.search.rate());
        (native / (native + search)).clamp(self.least, self.most)
    }

    fn is_due(&self) -> bool {
        let search = self.search.spent + self.since.elapsed().as_secs_f64();
        let share = self.share();
        self.native.spent * (1.0 - share) < search * share
    }

    /// The time that is missing in native executions for their share.
    fn owed(&self) -> Duration {
        let share = self.share();
        let owed = self.search.spent * share / (1.0 - share) - self.native.spent;
        Duration::from_secs_f64(owed.clamp(0.0, self.longest_turn))
    }

    fn note_search(&mut self) {
        let seconds = self.since.elapsed().as_secs_f64();
        self.search.add(seconds, 0.0, self.half_life);
    }

    fn note_native(&mut self, time: Duration, found: usize, covered: usize) {
        let by_search = covered.saturating_sub(self.covered + found);
        self.search.sides += by_search as f64;
        self.covered = covered;
        self.native
            .add(time.as_secs_f64(), found as f64, self.half_life);
        self.since = Moment::now();
    }
}
