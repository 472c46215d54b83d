//! Fuzzing runs: mutated inputs of the states that the searcher selects, run from the program's
//! entry to its end as concrete code.
//!
//! A run that covers something new becomes a test, and its coverage counts for the searcher too.
//! Its path is not a path of the exploration: it is in no count of paths, instructions or states,
//! but its execution is work.
//!
//! A budget in work ends the fuzzing run under way.
//!
//! Invariant: the amount of fuzzing depends only on the instructions of the search and of the
//! fuzzing runs, so equal seeds give equal runs if the budget is in instructions or work.

use super::fuzzing_runs::FuzzingRuns;
use super::native_fuzzing::{FuzzingTools, NativeFuzzing};
use super::{
    EntryState, FuzzingNews, Next, RunView, SeedTest, SourceStatistics, StateSource, Tuning,
};
use crate::sources::fuzz::{Corpus, Dictionary, Input, Mutator, Style, Styles, Sweep};
use homi_ir::program::Program;
use homi_machine::state::{InputChooser, State};
use homi_native::image::Image;
use homi_native::testcase::WriteError;
use homi_report::FuzzingSummary;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// The fuzzing runs of a run, and of the runs after it if they are lent to those, too.
pub struct Fuzzing {
    runs: FuzzingRuns,
    corpus: Corpus,
    mutator: Mutator,
    sweep: Sweep,
    styles: Styles,
    generator: Pcg64,
    /// Instructions of fuzzing runs for each one of the search.
    share: f64,
    /// Instructions of fuzzing runs allowed so far, and instructions of the search when they were
    /// reckoned.
    allowed: f64,
    reckoned: u64,
    /// Instructions of fuzzing runs since one covered something first; halved when one does.
    fruitless: f64,
    /// The run under way, and whether it is not the first with these fuzzing runs.
    begun: bool,
    carried: bool,
    /// Fuzzing in the image in which inputs are tried first, if there can be one.
    native: Option<NativeFuzzing>,
    tuning: Tuning,
}

impl Fuzzing {
    /// Creates the source. `share` is the number of fuzzing instructions per instruction of the
    /// search; `seed` is the seed of the random choices.
    pub fn new(
        tuning: &Tuning,
        program: &Program,
        entry_state: &EntryState,
        (share, seed): (f64, u64),
        image: Option<&Arc<Image>>,
    ) -> Self {
        let dictionary = Dictionary::of(program);
        Self {
            runs: FuzzingRuns::new(tuning, entry_state),
            corpus: Corpus::default(),
            styles: Styles::new(dictionary.reads_language()),
            mutator: Mutator::new(dictionary),
            sweep: Sweep::of_thread(0),
            generator: Pcg64::new(u128::from(seed), 0x9e37_79b9_7f4a_7c15),
            share,
            allowed: 0.0,
            reckoned: entry_state.instructions(),
            fruitless: 0.0,
            begun: false,
            carried: false,
            native: image.map(|image| NativeFuzzing::new(image, tuning, seed)),
            tuning: tuning.clone(),
        }
    }

    /// Adds tokens that the user gives to the program's.
    pub fn with_tokens(mut self, tokens: &[Vec<u8>]) -> Self {
        self.mutator.add_tokens(tokens);
        self
    }

    /// Gives native fuzzing the seeds that the user gave.
    pub fn note_seeds(&mut self, seeds: &[SeedTest]) {
        let given = seeds.iter().filter(|seed| seed.file.is_some());
        if let Some(native) = &mut self.native {
            for seed in given {
                let whole = seed.whole_input.as_deref();
                native.note_input(&Input::of_test(&seed.test, whole), InputChooser::Seed);
            }
        }
    }

    /// Returns the statistics of all runs so far.
    pub fn done(&self) -> FuzzingSummary {
        self.runs.done
    }

    /// True if the search is so far ahead that a fuzzing run is due. The share falls while fuzzing
    /// runs cover nothing.
    fn is_due(&mut self, searched: u64) -> bool {
        let part = (-self.fruitless / self.tuning.fuzz_half_life)
            .exp2()
            .max(self.tuning.fuzz_least_part);
        self.allowed += (searched - self.reckoned) as f64 * self.share * part;
        self.reckoned = searched;
        let begun = searched >= self.tuning.fuzz_first_after || self.runs.done.runs > 0;
        begun && (self.runs.done.instructions as f64) < self.allowed
    }

    /// The input of the next fuzzing run, an edited neighbor of the given one or of one in the
    /// corpus, and how it was changed; no style if it is one of the program's tokens in turn.
    fn next_input(&mut self, searched: Option<Input>) -> Option<(Input, Option<Style>)> {
        let generator = &mut self.generator;
        let of_ten = if self.sweep.is_through(self.mutator.dictionary()) {
            self.tuning.fuzz_tokens_later
        } else {
            self.tuning.fuzz_tokens_first
        };
        if generator.random_range(0..10) < of_ten {
            let known = if generator.random_bool(0.5) {
                self.corpus.simplest()
            } else {
                self.corpus.draw(generator)
            };
            let mut input = known.cloned().unwrap_or_default();
            if (self.sweep).apply(self.mutator.dictionary(), &mut input, generator) {
                return Some((input, None));
            }
        }
        let from_search = generator.random_range(0..10) < self.tuning.fuzz_from_search;
        let known = self.corpus.draw(generator).cloned();
        let mut input = match searched {
            Some(input) if from_search || known.is_none() => input,
            _ => known?,
        };
        let donor = self.corpus.draw(generator);
        let style = self.styles.draw(generator);
        let has_text = style == Style::TokenMutations
            && self
                .mutator
                .apply_token_mutations(&mut input, donor, generator);
        if has_text {
            return Some((input, Some(Style::TokenMutations)));
        }
        self.mutator.mutate(&mut input, donor, generator);
        Some((input, Some(Style::Edits)))
    }

    /// Learns from a run of an input that was changed in this style.
    fn note(&mut self, style: Option<Style>, cost: u64, news: FuzzingNews) {
        if let Some(style) = style {
            self.styles.note(style, cost, news.branches);
            if style == Style::TokenMutations {
                self.mutator.note_token_mutations(news.covered_new.as_ref());
            }
        }
        // Where token mutations pay little, what they found is not a good basis for edits.
        let is_ground =
            style != Some(Style::TokenMutations) || self.styles.prefer_token_mutations();
        if let Some(input) = news.covered_new {
            self.fruitless /= 2.0;
            if is_ground {
                self.corpus.add(input);
            }
        }
    }

    /// True if inputs can be tried natively. If they cannot, the run says so once.
    fn has_image(&mut self, run: &mut dyn RunView) -> bool {
        let Some(native) = &mut self.native else {
            return false;
        };
        native.is_ready(&self.tuning).unwrap_or_else(|reason| {
            run.message(&reason);
            false
        })
    }
}

/// The input of the state that ran last.
fn searched_input(run: &dyn RunView) -> Option<Input> {
    let chosen = run.last_run();
    let searched = chosen.map(|state| Input::new(&state.symbolics.objects, &state.model));
    searched.filter(|input| !input.is_empty())
}

impl StateSource for Fuzzing {
    fn begin(&mut self, run: &mut dyn RunView) -> Vec<Box<State>> {
        if self.begun {
            self.reckoned = run.clock().instructions;
            // An earlier run's deficit does not carry over: fuzzing runs that catch up could take
            // all of this run, and its search would not begin.
            self.allowed = self.allowed.min(self.runs.done.instructions as f64);
            self.carried = true;
        }
        self.begun = true;
        Vec::new()
    }

    /// Runs as many fuzzing runs as are due.
    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        if self.has_image(run) {
            let mut tools = FuzzingTools {
                mutator: &mut self.mutator,
                sweep: &mut self.sweep,
                runs: &mut self.runs,
            };
            if let Some(native) = &mut self.native {
                native.take_turn(&mut tools, run)?;
            }
            return Ok(Next::Search);
        }
        while self.is_due(run.clock().instructions) && run.work_left() > 0 {
            let Some((input, style)) = self.next_input(searched_input(run)) else {
                break;
            };
            let before = self.runs.instructions();
            let Some(ended) = self.runs.run_input(&input, run) else {
                break;
            };
            let executed = self.runs.instructions() - before;
            let most = self.tuning.fuzz_half_life * 4.0;
            self.fruitless = (self.fruitless + executed as f64).min(most);
            let news = self.runs.take(ended, None, run)?;
            self.note(style, executed, news);
        }
        Ok(Next::Search)
    }

    /// Later runs of a campaign follow its own tests, which the corpus has had since they were
    /// found.
    fn note_input(&mut self, input: &Input, is_seed: bool) {
        if !(is_seed && self.carried) {
            self.corpus.add(input.clone());
            if let Some(native) = &mut self.native {
                native.note_input(input, InputChooser::Search);
            }
        }
    }

    fn note_longer_input(&mut self, input: &Input) {
        if let Some(native) = &mut self.native {
            native.note_input(input, InputChooser::Sync);
        }
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        visit(self.runs.start());
    }

    fn finish(&mut self, statistics: &mut SourceStatistics) {
        statistics.fuzzing = Some(self.runs.done);
    }
}
