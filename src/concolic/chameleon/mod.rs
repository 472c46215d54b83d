//! `chameleon`: weights are learned while they are used: vectors take turns within one run, and new
//! ones are made from those that covered most.
//!
//! A vector of weights chooses branches, as `param` does, for some executions. What sides their
//! paths took is kept with it: the knowledge. After a round of vectors those whose children brought
//! nothing new leave (refine), the best and the worst are chosen (select), and the next round is
//! made of them (switch). Cha and Oh, *Concolic Testing with Adaptively Changing Search Heuristics*
//! (FSE 2019). There every vector has 4,000 executions from the start; here all share one run, so a
//! vector is judged by fewer and the rounds are smaller.

mod knowledge;
mod switch;

use super::code::BranchCode;
use super::history::Answer;
use super::param::Ranking;
use super::path::BranchRef;
use super::registry::{Argument, ArgumentKind, BranchWeights, StrategyRow};
use super::seen::Seen;
use super::strategy::{Choice, Strategy};
use crate::features::BRANCH;
use knowledge::{Knowledge, Known};
use rand_pcg::Pcg64;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;
use switch::{Child, Round};

/// Executions of a vector before the next one's turn if nothing else is said.
const EXECUTIONS: u64 = 10;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "chameleon",
    aliases: &[],
    help: "as param, with weights that are learned while it runs; chameleon:N changes them every N \
           executions",
    argument: ArgumentKind::Number,
    make: |start| {
        let mut generator = start.generator();
        let code = Arc::new(BranchCode::of(start.program));
        let mut round: VecDeque<Child> = switch::first_round(&mut generator).into();
        let current = round.pop_front().unwrap_or_default();
        Box::new(Chameleon {
            ranking: Ranking::new(weights_of(&current), Arc::clone(&code), start.generator()),
            code,
            generator,
            executions: start.argument.number().unwrap_or(EXECUTIONS),
            argument: start.argument.clone(),
            left: start.argument.number().unwrap_or(EXECUTIONS),
            current,
            sides: FxHashSet::default(),
            round,
            done: Vec::new(),
            parents: Vec::new(),
            knowledge: Knowledge::default(),
        })
    },
};

#[derive(Debug)]
struct Chameleon {
    ranking: Ranking,
    code: Arc<BranchCode>,
    generator: Pcg64,
    /// How many a vector has, and how many the current one has left.
    executions: u64,
    left: u64,
    argument: Argument,
    current: Child,
    /// Sides of the user's own code that the current vector's paths took.
    sides: FxHashSet<u32>,
    /// Vectors of this round whose turn is to come, and those that had it.
    round: VecDeque<Child>,
    done: Vec<Known>,
    /// The vectors that this round's children come from, by number.
    parents: Vec<u64>,
    knowledge: Knowledge,
}

fn weights_of(child: &Child) -> Arc<BranchWeights> {
    let weights = BranchWeights::new(&BRANCH, child.values.clone());
    Arc::new(weights.unwrap_or_else(|_| BranchWeights::zeros(&BRANCH)))
}

impl Chameleon {
    /// Notes what the last run's path took.
    fn note(&mut self, seen: &Seen) {
        let Some(last) = &seen.last else {
            return;
        };
        let taken = seen
            .last_branches()
            .iter()
            .filter_map(|branch| branch.taken);
        let functions = self.code.functions();
        let own = taken.filter(|side| functions.of_side(*side).is_some());
        self.sides.extend(own.chain(last.news.iter().copied()));
    }

    /// The current vector has had its turn.
    fn end_turn(&mut self) {
        self.left = self.executions;
        let current = std::mem::take(&mut self.current);
        self.done.push(Known {
            number: 0,
            parent: current.parent,
            values: current.values,
            sides: std::mem::take(&mut self.sides),
        });
        if self.round.is_empty() {
            let done = std::mem::take(&mut self.done);
            self.knowledge.refine(&self.parents, done);
            let Round { parents, children } =
                switch::next_round(&self.knowledge, &mut self.generator);
            self.parents = parents;
            self.round = children.into();
        }
        self.current = self.round.pop_front().unwrap_or_default();
        self.ranking.change_weights(weights_of(&self.current));
    }
}

impl Strategy for Chameleon {
    fn path_ended(&mut self, seen: &Seen) {
        self.note(seen);
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.end_turn();
        }
        self.ranking.path_ended(seen);
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        self.ranking.choose(seen)
    }

    fn answered(&mut self, branch: BranchRef, answer: Answer) {
        self.ranking.answered(branch, answer);
    }

    fn describe(&self) -> String {
        ROW.with(&self.argument)
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategy::Start;
    use super::super::testing::{Engine, Tree};
    use super::*;
    use crate::program::Program;
    use crate::program::testing::{branch, function, program, ret};

    #[test]
    fn vectors_take_turns_until_a_round_is_over_and_then_come_from_the_best() {
        let chain = || -> Program {
            let blocks = (0..9).map(|site| vec![branch(site, site + 1, site + 1)]);
            program(vec![function(
                "main",
                blocks.chain([vec![ret()]]).collect(),
            )])
        };
        // More paths than two rounds of one execution each.
        let mut engine = Engine::new("chameleon:1", &chain(), Tree::complete(8, &[]), 1, &[]);
        let order = engine.exhaust();
        assert_eq!(order.len(), 256);
        let again = Engine::new("chameleon:1", &chain(), Tree::complete(8, &[]), 1, &[]).exhaust();
        assert_eq!(order, again);
        let other = Engine::new("chameleon:1", &chain(), Tree::complete(8, &[]), 2, &[]).exhaust();
        assert_ne!(order, other);
    }

    #[test]
    fn a_turn_has_as_many_executions_as_were_asked_for() {
        let empty = Program::empty("tree.bc");
        let argument = Argument::Number(3);
        let start = Start {
            program: &empty,
            seed: 1,
            argument: &argument,
            weights: None,
        };
        let mut strategy = (ROW.make)(&start);
        assert_eq!(strategy.describe(), "chameleon:3");
        for _ in 0..7 {
            strategy.path_ended(&Seen::default());
        }
        let mut round: VecDeque<Child> = switch::first_round(&mut start.generator()).into();
        let first = round.pop_front().unwrap();
        assert_ne!(first, round[0]);
        assert_eq!(first.values.len(), 40);
    }
}
