//! Fuzzing in the program's native image: a corpus of inputs, their changes, and the choice of what
//! the engine repeats.
//!
//! Invariant: coverage and tests come from the engine's run of an input, never from the image.

use super::fuzz::{
    Corpus, EntryId, Input, Lengths, Mutator, Replacements, Stages, Sweep, Tried, generalize, trim,
};
use super::fuzzing_runs::FuzzingRuns;
use super::native_executions::{NativeExecutions, NativeNews};
use super::native_failures::{exit_status, is_early, report_dispute};
use super::{RunView, Tuning};
use homi_machine::state::InputChooser;
use homi_native::image::Image;
use homi_native::testcase::WriteError;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// Most executions to make a new input smaller, and to find its gaps.
const TRIMMING: usize = 128;
const GENERALIZING: usize = 256;
/// Most inputs of tests that wait for their first native execution.
const MOST_WAITING: usize = 1024;

/// Parts that native fuzzing shares with interpreted fuzzing.
pub(super) struct FuzzingTools<'t> {
    pub mutator: &'t mut Mutator,
    pub sweep: &'t mut Sweep,
    pub runs: &'t mut FuzzingRuns,
}

/// The corpus of native executions, and the image.
pub(super) struct NativeFuzzing {
    executions: NativeExecutions,
    /// Lengths of standard input.
    lengths: Option<Lengths>,
    corpus: Corpus,
    stages: Stages,
    replacements: Replacements,
    /// Inputs that are executed as they are, and who chose them.
    waiting: Vec<(Input, InputChooser)>,
    /// The input of the state that ran last, for this turn.
    searched: Option<Input>,
    generator: Pcg64,
    tuning: Tuning,
}

/// An input to execute.
struct NextInput {
    input: Input,
    tried: Option<Tried>,
    chosen_by: InputChooser,
}

impl NextInput {
    /// An input that native fuzzing made.
    fn made(input: Input) -> Self {
        Self {
            input,
            tried: None,
            chosen_by: InputChooser::NativeFuzzing,
        }
    }
}

impl NativeFuzzing {
    pub(super) fn new(image: &Arc<Image>, tuning: &Tuning, seed: u64) -> Self {
        Self {
            executions: NativeExecutions::new(Arc::clone(image), tuning),
            lengths: Lengths::of(image.arguments()),
            corpus: Corpus::default(),
            stages: Stages::default(),
            replacements: Replacements::default(),
            waiting: Vec::new(),
            searched: None,
            tuning: tuning.clone(),
            generator: Pcg64::new(u128::from(seed), 0x6a09_e667_f3bc_c908),
        }
    }

    /// True if inputs can be executed. The error says, once, why they cannot.
    pub(super) fn is_ready(&mut self, tuning: &Tuning) -> Result<bool, String> {
        self.executions.is_ready(tuning)
    }

    /// Adds the input of a test or of a seed.
    pub(super) fn note_input(&mut self, input: &Input, chosen_by: InputChooser) {
        if self.waiting.len() < MOST_WAITING && !input.is_empty() {
            self.waiting.push((input.clone(), chosen_by));
        }
    }

    /// Executes inputs for as long as is due.
    pub(super) fn take_turn(
        &mut self,
        tools: &mut FuzzingTools<'_>,
        run: &mut dyn RunView,
    ) -> Result<(), WriteError> {
        if !self.executions.is_due() {
            return Ok(());
        }
        let (begun, allowed) = self.executions.begin_turn();
        let searched = run.last_run();
        let searched = searched.map(|state| Input::new(&state.symbolics.objects, &state.model));
        self.searched = searched.filter(|input| !input.is_empty()).map(|mut input| {
            self.note_input(&input, InputChooser::Search);
            self.widen(&mut input);
            input
        });
        let mut found = 0;
        while begun.elapsed() < allowed && !run.is_interrupted() {
            let Some(next) = self.next_input(tools) else {
                break;
            };
            match self.try_input(next, tools, run)? {
                Ok(sides) => found += sides,
                Err(reason) => {
                    run.message(&reason);
                    break;
                }
            }
        }
        self.executions
            .end_turn(begun, found, run.branches_covered());
        Ok(())
    }

    /// The next input, and what it was made of.
    fn next_input(&mut self, tools: &mut FuzzingTools<'_>) -> Option<NextInput> {
        if let Some((input, chosen_by)) = self.waiting.pop() {
            return Some(NextInput {
                input,
                tried: None,
                chosen_by,
            });
        }
        if let Some(input) = self.next_of_sweep(tools) {
            return Some(NextInput::made(input));
        }
        let generator = &mut self.generator;
        if generator.random_range(0..10) < self.tuning.native_compared
            && let Some(input) = self.replacements.next(&self.corpus)
        {
            return Some(NextInput::made(input));
        }
        if let Some(searched) = &self.searched
            && generator.random_range(0..10) < self.tuning.native_from_search
        {
            let mut input = searched.clone();
            let donor = self.corpus.draw(generator);
            tools.mutator.mutate(&mut input, donor, generator);
            return Some(NextInput::made(input));
        }
        let tried = self
            .stages
            .next(&mut self.corpus, tools.mutator, generator)?;
        Some(NextInput {
            tried: Some(tried.clone()),
            ..NextInput::made(tried.input)
        })
    }

    /// An input with a token of the program, in turn, if it is time for one.
    fn next_of_sweep(&mut self, tools: &mut FuzzingTools<'_>) -> Option<Input> {
        let generator = &mut self.generator;
        let dictionary = tools.mutator.dictionary();
        let of_ten = if tools.sweep.is_through(dictionary) {
            self.tuning.fuzz_tokens_later
        } else {
            self.tuning.fuzz_tokens_first
        };
        if generator.random_range(0..10) >= of_ten {
            return None;
        }
        let known = if generator.random_bool(0.5) {
            self.corpus.simplest()
        } else {
            self.corpus.draw(generator)
        };
        let mut input = known?.clone();
        let is_made = tools.sweep.apply(dictionary, &mut input, generator);
        is_made.then_some(input)
    }

    /// Executes an input, and keeps it if it is new. Returns the number of sides that the engine's
    /// run of it took as the first, or why there is no image any more.
    fn try_input(
        &mut self,
        next: NextInput,
        tools: &mut FuzzingTools<'_>,
        run: &mut dyn RunView,
    ) -> Result<Result<usize, String>, WriteError> {
        let NextInput {
            mut input,
            tried,
            chosen_by,
        } = next;
        let news = match self.execute(&mut input, tools, run) {
            Ok(news) => news,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut found = 0;
        let mut kept = None;
        if news.new.is_empty() && news.failed.is_some() {
            found = self.repeat((&mut input, chosen_by), &news, tools, run)?;
        }
        if !news.new.is_empty() {
            let taken = self.executions.taken();
            let is_first = self.executions.note_seen(&news.new);
            if is_first {
                self.reduce(&mut input, &news, tools, run);
            }
            let is_wanted = news.new.iter().any(|(side, _)| run.is_side_new(*side));
            // The engine also adds the objects that the input lacks, for mutations to change.
            if is_wanted || news.failed.is_some() || news.unknown_objects > 0 {
                found = self.repeat((&mut input, chosen_by), &news, tools, run)?;
            }
            self.widen(&mut input);
            let work = news.work.max(1);
            let entry = self.corpus.add_executed(input.clone(), &taken, work);
            if let Some(entry) = entry {
                self.replace_operands(entry, &input, tools, run);
            }
            kept = Some(input);
        }
        if let Some(tried) = tried {
            let corpus = &mut self.corpus;
            self.stages
                .note(&tried, kept.as_ref(), corpus, tools.mutator);
        }
        Ok(Ok(found))
    }

    fn widen(&self, input: &mut Input) {
        if let Some(lengths) = &self.lengths {
            lengths.widen(input);
        }
    }

    /// The arguments of an input, whose standard input gets their length; `None` for the run's.
    fn fit(&self, input: &mut Input) -> Option<Vec<Vec<u8>>> {
        let arguments = self.lengths.as_ref()?.cut(input);
        (arguments != self.executions.arguments()).then_some(arguments)
    }

    fn execute(
        &mut self,
        input: &mut Input,
        tools: &mut FuzzingTools<'_>,
        run: &dyn RunView,
    ) -> Result<NativeNews, String> {
        let arguments = self.fit(input);
        let done = &mut tools.runs.done;
        self.executions
            .execute(arguments.as_deref(), input, run.host(), done)
    }

    /// Prepares inputs in which operands of the comparisons of an entry replace each other.
    fn replace_operands(
        &mut self,
        entry: EntryId,
        input: &Input,
        tools: &mut FuzzingTools<'_>,
        run: &dyn RunView,
    ) {
        let mut executed = input.clone();
        let arguments = self.fit(&mut executed);
        let (arguments, done) = (arguments.as_deref(), &mut tools.runs.done);
        let compared = self
            .executions
            .comparisons(arguments, &executed, run.host(), done);
        self.replacements
            .add(entry, input, &compared, tools.mutator);
    }

    /// Makes an input smaller that takes a side as the first, and finds its gaps.
    fn reduce(
        &mut self,
        input: &mut Input,
        news: &NativeNews,
        tools: &mut FuzzingTools<'_>,
        run: &dyn RunView,
    ) {
        let mut still_covers = |candidate: &Input| {
            let mut candidate = candidate.clone();
            let executed = self.execute(&mut candidate, tools, run);
            executed.is_ok() && self.executions.took(&news.new)
        };
        trim(input, TRIMMING, &mut still_covers);
        if let Some(pattern) = generalize(input, GENERALIZING, &mut still_covers) {
            self.stages.add_pattern(pattern);
        }
    }

    /// Runs an input in the engine, which makes a test of it. Returns the number of sides that it
    /// took as the first.
    fn repeat(
        &mut self,
        (input, chosen_by): (&mut Input, InputChooser),
        news: &NativeNews,
        tools: &mut FuzzingTools<'_>,
        run: &mut dyn RunView,
    ) -> Result<usize, WriteError> {
        let arguments = self.fit(input);
        let chosen = (&*input, chosen_by);
        let Some(mut ended) = tools.runs.run_with(arguments.as_deref(), chosen, run) else {
            return Ok(0);
        };
        let state = &ended.0;
        *input = Input::new(&state.symbolics.objects, &state.model);
        let disputed = news.failed.as_deref().zip(exit_status(&ended.1));
        ended.0.input.is_disputed = disputed.is_some() && is_early(&tools.runs.done);
        let news = tools.runs.take(ended, arguments, run)?;
        if let Some((failure, status)) = disputed {
            let done = &mut tools.runs.done;
            report_dispute(failure, status, &news, done, run);
        }
        Ok(news.branches)
    }
}
