//! Probes: inputs near those of the states that the search chooses, run from the program's start to
//! its end as concrete code.
//!
//! A probe that covers something first becomes a test, and what it covered counts as covered for
//! the search too. Its path is no path of the run: it is in no count of paths, instructions or
//! states.
//!
//! Invariant: how much is probed depends on instructions only, those of the search and of the
//! probes, so equal seeds give equal runs where the budget is one of instructions.

use super::launch::Launch;
use super::paths::Departure;
use super::run::Engine;
use super::tail::OneModel;
use crate::exec::{EarlyReason, MutedConsole, Observer, Step, Termination, World};
use crate::probe::{Corpus, Input, Mutator, Sweep, Tokens};
use crate::program::Program;
use crate::report::ProbeSummary;
use crate::state::State;
use crate::testcase::WriteError;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::atomic::Ordering;

/// Instructions of the search before the first probe: a program that is explored by then needs
/// none.
const FIRST_AFTER: u64 = 2_000_000;
/// Instructions of one probe; one that has not ended by then is dropped unless it covered
/// something.
const LONGEST: u64 = 1_000_000;
/// After so many instructions of probes that covered nothing first, their share is halved.
const HALF_LIFE: f64 = 50e6;
/// The share never falls below this part of what was asked for.
const LEAST_PART: f64 = 1.0 / 16.0;
/// So many of ten probes start from the state that the search chose last, the others from the
/// corpus.
const FROM_SEARCH: u32 = 5;
/// So many of ten probes try the program's words in turn, until each was tried in each form, and
/// from then on.
const WORDS_FIRST: u32 = 3;
const WORDS_LATER: u32 = 1;

/// What probing needs from one probe to the next, in a campaign from one run to the next too.
pub struct Probing {
    /// Of the program, with inputs to be given.
    start: State,
    /// Of the probes only.
    observer: Observer,
    corpus: Corpus,
    mutator: Mutator,
    sweep: Sweep,
    generator: Pcg64,
    /// Instructions of probes for each one of the search.
    share: f64,
    /// Instructions of probes allowed so far, and instructions of the search when they were
    /// reckoned.
    allowed: f64,
    reckoned: u64,
    /// Instructions of probes since one covered something first; halved when one does.
    fruitless: f64,
    /// An earlier run of the campaign had these probes, too.
    carried: bool,
    done: ProbeSummary,
}

impl Probing {
    /// `thread` is the number of the thread among those that explore together.
    pub(super) fn new(
        program: &Program,
        launch: &Launch,
        (share, seed): (f64, u64),
        thread: usize,
    ) -> Self {
        let mut start = launch.state.clone();
        start.inputs_given = true;
        Self {
            start,
            observer: launch.observer.clone(),
            corpus: Corpus::default(),
            mutator: Mutator::new(Tokens::of(program)),
            sweep: Sweep::of_thread(thread),
            generator: Pcg64::new(u128::from(seed), 0x9e37_79b9_7f4a_7c15),
            share,
            allowed: 0.0,
            reckoned: launch.instructions(),
            fruitless: 0.0,
            carried: false,
            done: ProbeSummary::default(),
        }
    }

    /// What was done so far, in earlier runs of the campaign too.
    pub fn done(&self) -> ProbeSummary {
        self.done
    }

    /// Another run of the campaign begins, with so many instructions behind it.
    fn begin_run(&mut self, instructions: u64) {
        self.reckoned = instructions;
        self.carried = true;
    }

    /// Whether the search is so far ahead that a probe is due. The share falls while probes cover
    /// nothing.
    fn is_due(&mut self, searched: u64) -> bool {
        let part = (-self.fruitless / HALF_LIFE).exp2().max(LEAST_PART);
        self.allowed += (searched - self.reckoned) as f64 * self.share * part;
        self.reckoned = searched;
        let begun = searched >= FIRST_AFTER || self.done.runs > 0;
        begun && (self.done.instructions as f64) < self.allowed
    }

    /// A test that the search found is worth changing.
    pub(super) fn learn(&mut self, state: &State) {
        self.corpus.add(Input::new(&state.symbolics, &state.model));
    }

    /// The input of a seed. Later runs of a campaign follow its own tests, which the corpus has had
    /// since they were found.
    pub(super) fn learn_seed(&mut self, input: Input) {
        if !self.carried {
            self.corpus.add(input);
        }
    }

    /// The state that every probe begins with; it must survive sweeps.
    pub(super) fn start(&self) -> &State {
        &self.start
    }

    /// The input of the next probe: an edited neighbour of the given one or of one in the corpus.
    fn next_input(&mut self, searched: Option<Input>) -> Option<Input> {
        let generator = &mut self.generator;
        let words = match self.sweep.is_through(self.mutator.tokens()) {
            false => WORDS_FIRST,
            true => WORDS_LATER,
        };
        if generator.random_range(0..10) < words {
            let known = match generator.random_bool(0.5) {
                true => self.corpus.simplest(),
                false => self.corpus.draw(generator),
            };
            let mut input = known.cloned().unwrap_or_default();
            if (self.sweep).apply(self.mutator.tokens(), &mut input, generator) {
                return Some(input);
            }
        }
        let from_search = generator.random_range(0..10) < FROM_SEARCH;
        let known = self.corpus.draw(generator).cloned();
        let mut input = match searched {
            Some(input) if from_search || known.is_none() => input,
            _ => known?,
        };
        let donor = self.corpus.draw(generator);
        self.mutator.mutate(&mut input, donor, generator);
        Some(input)
    }
}

/// How a probe ended.
struct Probed {
    state: State,
    termination: Termination,
}

impl Engine<'_, '_> {
    /// Goes on with the probes of the campaign, or begins with probes if there are to be any.
    pub(super) fn begin_probing(&mut self, launch: &Launch) {
        let search = &self.parts.config.search;
        if search.probe_share <= 0.0 {
            return;
        }
        let carried = self.parts.campaign.as_mut();
        let carried = carried.and_then(|campaign| campaign.probing.take());
        self.probing = Some(match carried {
            Some(mut probing) => {
                probing.begin_run(self.progress.observer.instructions);
                probing
            }
            None => {
                let thread = self.parts.team.map_or(0, |member| member.number);
                let drawing = (search.probe_share, search.seed);
                let program = self.bench.executor.program();
                Box::new(Probing::new(program, launch, drawing, thread))
            }
        });
    }

    /// Runs as many probes as are due.
    pub(super) fn probe(&mut self) -> Result<(), WriteError> {
        let Some(mut probing) = self.probing.take() else {
            return Ok(());
        };
        let mut result = Ok(());
        while result.is_ok() && probing.is_due(self.progress.observer.instructions) {
            let chosen = self.last.and_then(|id| self.progress.states.get(&id));
            let searched = chosen.map(|state| Input::new(&state.symbolics, &state.model));
            let searched = searched.filter(|input| !input.is_empty());
            let Some(input) = probing.next_input(searched) else {
                break;
            };
            let Some(probed) = self.run_probe(&mut probing, &input) else {
                break;
            };
            result = self.take_probe(&mut probing, probed);
        }
        self.probing = Some(probing);
        result
    }

    /// Nothing if the run was interrupted meanwhile.
    fn run_probe(&mut self, probing: &mut Probing, input: &Input) -> Option<Probed> {
        let mut state = probing.start.clone();
        state.model = input.model();
        let observer = &mut probing.observer;
        let before = observer.instructions;
        let mut termination = Termination::Early(EarlyReason::Interrupted);
        loop {
            let executed = observer.instructions - before;
            if executed >= LONGEST {
                break;
            }
            let left = LONGEST - executed;
            let executor = self.bench.executor;
            let world = World {
                host: self.bench.host,
                console: &mut MutedConsole,
            };
            match executor.run(&mut state, &mut OneModel, world, observer, left) {
                Step::Ended(ended) => {
                    termination = ended;
                    break;
                }
                // One model is all there is; the state itself goes on.
                Step::Forked(_) => {}
                Step::Continue if self.bench.signals.interrupt.load(Ordering::Relaxed) => {
                    return None;
                }
                Step::Continue => {}
            }
        }
        let executed = observer.instructions - before;
        probing.done.runs += 1;
        probing.done.instructions += executed;
        probing.fruitless = (probing.fruitless + executed as f64).min(HALF_LIFE * 4.0);
        Some(Probed { state, termination })
    }

    /// A test if it covered something first or shows a new bug.
    fn take_probe(&mut self, probing: &mut Probing, probed: Probed) -> Result<(), WriteError> {
        let Probed {
            mut state,
            termination,
        } = probed;
        if termination == Termination::Silent {
            // The program or the modelled kernel assumes something else of its input: no test shows
            // what was covered.
            probing.observer.forget_new();
            return Ok(());
        }
        let main = &mut self.progress.observer;
        // Each run of a campaign begins with nothing covered; a probe has found something only if
        // no run had.
        let known = self.parts.campaign.as_ref();
        let known = known.map(|campaign| (campaign.known_segments, campaign.known_sides));
        for segment in probing.observer.new_segments.drain(..) {
            if known.is_some_and(|(segments, _)| segments.contains(segment)) {
                continue;
            }
            let entries = &mut main.segment_entries[segment as usize];
            if *entries == 0 {
                *entries = 1;
                main.new_segments.push(segment);
                self.learned.push(segment);
            }
        }
        for side in probing.observer.new_sides.drain(..) {
            if !known.is_some_and(|(_, sides)| sides.contains(side)) {
                main.take_side(side);
            }
        }
        let others = self.parts.team.map(|member| &member.team.coverage);
        let fresh = self.progress.coverage.absorb(main, others);
        if fresh.is_empty() && !matches!(termination, Termination::Bug(_)) {
            return Ok(());
        }
        state.sequence = self.sequence(self.progress.next_id);
        self.progress.next_id += 1;
        state.metrics.covered_new = !fresh.is_empty();
        self.note_credit(state.sequence, &fresh);
        if !fresh.is_empty() {
            probing.learn(&state);
            probing.fruitless /= 2.0;
        }
        let before = self.parts.results.tests();
        let departure = Departure {
            hurry: true,
            probe: true,
            ..Departure::default()
        };
        self.finish(&state, &termination, departure)?;
        probing.done.tests += self.parts.results.tests() - before;
        Ok(())
    }
}
