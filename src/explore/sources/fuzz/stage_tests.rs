//! Each stage reaches in a toy program what plain edits do not reach with as many executions.
//!
//! The program reads a language of statements: `let NAME = SUM;`, `if (SUM) { ... }`,
//! `print SUM;`. Coverage are numbers of the places that its parser passed.

use super::corpus::Corpus;
use super::dictionary::Dictionary;
use super::gaps::generalize;
use super::input::Input;
use super::mutate::Mutator;
use super::stages::{Stage, Stages};
use super::trim::trim;
use homi_machine::state::SymbolicObject;
use homi_solver::term::{ArrayId, Model};
use rand_pcg::Pcg64;
use std::collections::BTreeSet;

/// Bytes of the text.
const ROOM: u32 = 96;

fn input(text: &[u8]) -> Input {
    let object = SymbolicObject {
        array: ArrayId::new(0),
        name: "stdin".into(),
        size: ROOM,
    };
    let mut input = Input::new(&[object], &Model::new());
    input.parts[0].write(text);
    input
}

fn text(input: &Input) -> String {
    String::from_utf8_lossy(input.parts[0].written()).to_string()
}

/// Places of the program.
const LET: u32 = 1;
const PRINT: u32 = 2;
const IF: u32 = 3;
const USED: u32 = 4;
/// A block within this many others is at this place plus its depth.
const DEPTH: u32 = 10;

/// A parser that notes where it was, and stops at the first error.
struct Parser<'t> {
    rest: &'t [u8],
    names: BTreeSet<&'t [u8]>,
    covered: BTreeSet<u32>,
}

impl<'t> Parser<'t> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn eat(&mut self, sign: &[u8]) -> Option<()> {
        self.blanks();
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    fn word(&mut self) -> Option<&'t [u8]> {
        self.blanks();
        let length = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric());
        let (word, rest) = self.rest.split_at(length.count());
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Terms with `+` between them: numbers, or names that were defined.
    fn sum(&mut self) -> Option<()> {
        loop {
            let word = self.word()?;
            if !word[0].is_ascii_digit() {
                self.names.get(word)?;
                self.covered.insert(USED);
            }
            if self.eat(b"+").is_none() {
                return Some(());
            }
        }
    }

    fn statement(&mut self, depth: u32) -> Option<()> {
        match self.word()? {
            b"let" => {
                let name = self.word().filter(|name| !name[0].is_ascii_digit())?;
                self.eat(b"=")?;
                self.sum()?;
                self.eat(b";")?;
                self.names.insert(name);
                self.covered.insert(LET);
            }
            b"print" => {
                self.sum()?;
                self.eat(b";")?;
                self.covered.insert(PRINT);
            }
            b"if" => {
                self.eat(b"(")?;
                self.sum()?;
                self.eat(b")")?;
                self.eat(b"{")?;
                while self.eat(b"}").is_none() {
                    self.statement(depth + 1)?;
                }
                self.covered.extend([IF, DEPTH + depth]);
            }
            _ => return None,
        }
        Some(())
    }
}

fn language(input: &Input) -> BTreeSet<u32> {
    let mut parser = Parser {
        rest: input.parts[0].written(),
        names: BTreeSet::new(),
        covered: BTreeSet::new(),
    };
    while parser.statement(0).is_some() {}
    parser.covered
}

/// A reader of records: a length in the byte order of networks at its limit, a checksum, a magic
/// number that constants do not spell.
fn records(input: &Input) -> BTreeSet<u32> {
    let bytes = &input.parts[0].bytes;
    let mut covered = BTreeSet::from([0]);
    if bytes[..4] == *b"RECD" {
        covered.insert(1);
        let length = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        if length == i32::MAX as u32 {
            covered.insert(2);
        }
    }
    if bytes[8..16] == 0x1122_3344_5566_7788u64.to_le_bytes() {
        covered.insert(3);
    }
    covered
}

/// A program, as the coverage of an input.
type Target = fn(&Input) -> BTreeSet<u32>;

/// A campaign of one stage.
struct Campaign {
    target: Target,
    corpus: Corpus,
    stages: Stages,
    mutator: Mutator,
    covered: BTreeSet<u32>,
}

impl Campaign {
    fn new(target: Target, seeds: &[&[u8]]) -> Self {
        let mut campaign = Self {
            target,
            corpus: Corpus::default(),
            stages: Stages::default(),
            mutator: Mutator::new(Dictionary::of_texts(&["if", "let", "print"])),
            covered: BTreeSet::new(),
        };
        for seed in seeds {
            campaign.take(input(seed));
        }
        campaign
    }

    /// Executes an input; true if it covered something first. Such an input is added, and a
    /// pattern of it.
    fn take(&mut self, input: Input) -> bool {
        let sides = (self.target)(&input);
        let new: Vec<u32> = sides.difference(&self.covered).copied().collect();
        if new.is_empty() {
            return false;
        }
        self.covered.extend(&new);
        let target = self.target;
        let mut still = |input: &Input| {
            let sides = target(input);
            new.iter().all(|side| sides.contains(side))
        };
        let pattern = generalize(&input, 500, &mut still).expect("it has a text");
        self.stages.add_pattern(pattern);
        let sides: Vec<u32> = sides.into_iter().collect();
        self.corpus.add_executed(input, &sides, 1);
        true
    }

    /// Executions of inputs of one stage, or of the stages that the finds choose, until something
    /// is covered; `None` if that takes more than `most`.
    fn reach(
        &mut self,
        stage: impl Into<Option<Stage>>,
        wanted: u32,
        seed: u128,
        most: u32,
    ) -> Option<u32> {
        let mut generator = Pcg64::new(seed, 1);
        let stage = stage.into();
        for execution in 0..most {
            let (corpus, mutator) = (&mut self.corpus, &mut self.mutator);
            let made = match stage {
                Some(stage) => self.stages.make(stage, corpus, mutator, &mut generator),
                None => self.stages.next(corpus, mutator, &mut generator),
            };
            let tried = made.expect("the corpus has inputs");
            let found = self.take(tried.input.clone());
            let found = found.then_some(&tried.input);
            self.stages
                .note(&tried, found, &mut self.corpus, &mut self.mutator);
            if self.covered.contains(&wanted) {
                return Some(execution);
            }
        }
        None
    }
}

/// Campaigns of ten seeds that reach something.
fn successes(target: Target, seeds: &[&[u8]], stage: Stage, wanted: u32, most: u32) -> usize {
    let campaigns =
        (0..10).map(|seed| Campaign::new(target, seeds).reach(stage, wanted, seed, most));
    campaigns.flatten().count()
}

#[test]
fn token_edits_use_names_where_plain_edits_seldom_do() {
    let seeds: &[&[u8]] = &[
        b"let count = 1; let size = 22;",
        b"print 3 + 4;",
        b"if (5) { }",
    ];
    let reached = |stage| successes(language, seeds, stage, USED, 3_000);
    assert!(reached(Stage::Tokens) > 7);
    assert!(reached(Stage::Edits) < 5, "{}", reached(Stage::Edits));
}

#[test]
fn filled_gaps_nest_what_was_flat() {
    let seeds: &[&[u8]] = &[b"let count = 1;", b"if (5) { print 3 + 4; } print 1;"];
    let reached = |stage| successes(language, seeds, stage, DEPTH + 4, 3_000);
    assert_eq!(reached(Stage::Gaps), 10);
    assert_eq!(reached(Stage::Edits), 0);
}

#[test]
fn the_stages_together_find_both() {
    let seeds: &[&[u8]] = &[
        b"let count = 1; let size = 22;",
        b"if (5) { print 3 + 4; } print 1;",
    ];
    for wanted in [DEPTH + 3, USED] {
        let mut campaign = Campaign::new(language, seeds);
        assert!(
            campaign.reach(None, wanted, 1, 50_000).is_some(),
            "{wanted}"
        );
    }
}

#[test]
fn havoc_writes_numbers_in_any_byte_order() {
    let seeds: &[&[u8]] = &[b"RECD\0\0\0\x10\0\0\0\0abc"];
    let reached = |stage| successes(records, seeds, stage, 2, 100_000);
    assert!(reached(Stage::Havoc) > 7, "{}", reached(Stage::Havoc));
    assert_eq!(reached(Stage::Edits), 0);
}

#[test]
fn compared_values_are_tokens_once_they_are_learned() {
    let seeds: &[&[u8]] = &[b"RECD\0\0\0\x10\0\0\0\0abc"];
    assert_eq!(successes(records, seeds, Stage::Havoc, 3, 20_000), 0);
    let mut campaign = Campaign::new(records, seeds);
    assert!(
        campaign
            .mutator
            .learn_token(&0x1122_3344_5566_7788u64.to_le_bytes())
    );
    assert!(campaign.reach(Stage::Havoc, 3, 1, 20_000).is_some());
}

#[test]
fn a_splice_joins_what_two_inputs_have() {
    let seeds: &[&[u8]] = &[
        b"let abcdefg = 1; let hijklmn = 2;",
        b"if (1) { if (2) { let abc = 3; if (4) { } } }",
    ];
    let both: Target = |input| {
        let mut covered = language(input);
        // A long name in a text that has nested blocks.
        let depth = covered.contains(&(DEPTH + 1));
        if depth && text(input).contains("hijklmn") {
            covered.insert(100);
        }
        covered
    };
    let reached = |stage| successes(both, seeds, stage, 100, 10_000);
    assert_eq!(reached(Stage::Splice), 10);
    assert!(reached(Stage::Edits) < reached(Stage::Splice));
}

#[test]
fn trimming_leaves_what_coverage_needs() {
    let mut input = input(b"  let unused = 1 + 2 + 3;   if (12345) { print 3 + 4; } print 7;");
    let mut executions = 0;
    let mut still = |input: &Input| {
        executions += 1;
        language(input).contains(&IF)
    };
    assert!(trim(&mut input, 1_000, &mut still));
    let written = text(&input);
    assert!(
        language(&input).contains(&IF) && written.len() <= 9,
        "{written}"
    );
    let before = executions;
    assert!(before < 300, "{before}");
    let mut none = |_: &Input| -> bool { panic!("no execution is left") };
    assert!(!trim(&mut input, 0, &mut none));
}
