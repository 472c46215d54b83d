//! Token mutations of small languages: calls, statements, blocks and assignments made of the
//! program's own tokens, put into a text that the program reads.
//!
//! Idea: an interpreter (awk, bc, jq, Lua, m4, a shell) executes only texts that its grammar
//! accepts, and character-level mutations seldom produce one. The texts of this module are well
//! formed in many of these languages; the program's constants give the tokens with a meaning.
//! LangFuzz (Holler et al., USENIX Security 2012) uses pieces of known programs. Which forms,
//! operands and tables of tokens lead to something is learned on the way.

use super::arms::Arms;
use super::dictionary::Dictionary;
use super::input::{Input, Part};
use super::texts::{boundary, choose_text, token_at, write, written};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// In a form: one of the program's tokens.
const TOKEN: u8 = b'W';
/// In a form: an operand.
const OPERAND: u8 = b'X';

/// Forms of token mutations about operands and tokens.
const FORMS: &[&str] = &[
    "W(X)",
    "W(X,X)",
    "W(X,X,X)",
    "W()",
    "W X",
    "W X X",
    "W{X}",
    "{X}",
    "{W X}",
    "W{W X}",
    "X;X",
    "if(X)X",
    "if(X)X;else X",
    "while(X)X",
    "for(;X;)X",
    "for(X in X)X",
    "do X;while(X)",
    "X\nX",
    "if X then X end",
    "X as $a|X",
    "function f(a){X}",
    "define f(a){X}",
    "def f:X;X",
    "return X",
    "X=X",
    "X+=X",
    "X++",
    "--X",
    "X+X",
    "X-X",
    "X*X",
    "X/X",
    "X%X",
    "X^X",
    "X<X",
    "X==X",
    "X~X",
    "X&&X",
    "X||X",
    "!X",
    "-X",
    "X?X:X",
    "X,X",
    "X|X",
    "X>X",
    "X X",
    "(X)",
    "[X]",
    "X[X]",
    "$X",
    "{X:X}",
    "\"X\"",
    "X.W",
    ".W",
    "X:W(X)",
    "W=X",
    "W",
];
const OPERANDS: &[&str] = &[
    "a", "b", "x", "0", "1", "2", "-1", "1.5", "10", "\"a\"", "\"b,a\"", "\"%d\"", "\"\"", "/a/",
    "/b|a/", "$1", "$0", ".", ".[]", ".a", "a[1]", "f(1)", "'a'", "{}",
];
/// An operand is a form itself, or a token, with these probabilities, unless it stands that deep.
const NESTED: f64 = 0.2;
const NAMED: f64 = 0.15;
const DEEPEST: u32 = 2;
/// A token is one of a table with this probability.
const TABLED: f64 = 0.8;

/// A further edit follows with this probability.
const MORE: f64 = 0.3;
/// Inputs kept in which a token mutation led to something; the oldest leave.
const MOST_KEPT: usize = 256;
/// A token mutation goes into one of them, at the same place, with this probability.
const AT_KEPT: f64 = 0.6;

/// An input, and the name of the object whose text had a token mutation.
#[derive(Clone, Debug)]
struct Kept {
    input: Input,
    text: Arc<str>,
}

/// Makes token mutations, and learns of what.
#[derive(Debug)]
pub(super) struct TokenMutations {
    kept: Vec<Kept>,
    forms: Arms,
    operands: Arms,
    tables: Arms,
    /// Parts of the latest input.
    used: Used,
}

#[derive(Debug, Default)]
struct Used {
    forms: Vec<usize>,
    operands: Vec<usize>,
    tables: Vec<usize>,
    /// Destination of the latest input's parts.
    text: Option<Arc<str>>,
}

impl TokenMutations {
    pub(super) fn new(dictionary: &Dictionary) -> Self {
        Self {
            kept: Vec::new(),
            forms: Arms::new(FORMS.len()),
            operands: Arms::new(OPERANDS.len()),
            tables: Arms::new(dictionary.tables().len()),
            used: Used::default(),
        }
    }

    /// The latest input, with all that its path asked for, if it covered something first.
    pub(super) fn note(&mut self, found: Option<&Input>) {
        let used = std::mem::take(&mut self.used);
        if let (Some(input), Some(text)) = (found, used.text) {
            if self.kept.len() == MOST_KEPT {
                self.kept.drain(..MOST_KEPT / 2);
            }
            let input = input.clone();
            self.kept.push(Kept { input, text });
        }
        let found = found.is_some();
        let all = [
            (&mut self.forms, used.forms),
            (&mut self.operands, used.operands),
            (&mut self.tables, used.tables),
        ];
        for (arms, used) in all {
            used.into_iter().for_each(|one| arms.note(one, found));
        }
    }

    /// Writes token mutations into one text of the input, or parts of another input's text; false
    /// if it has none.
    pub(super) fn apply(
        &mut self,
        dictionary: &Dictionary,
        input: &mut Input,
        donor: Option<&Input>,
        generator: &mut Pcg64,
    ) -> bool {
        self.used = Used::default();
        let Some(name) = self.begin(input, generator) else {
            return false;
        };
        let Some(chosen) = input.part_named(&name) else {
            return false;
        };
        let foreign = donor.and_then(|donor| {
            let chosen = choose_text(donor, generator)?;
            Some(written(&donor.parts[chosen]))
        });
        loop {
            self.edit(dictionary, &mut input.parts[chosen], foreign, generator);
            if !generator.random_bool(MORE) {
                break;
            }
        }
        self.used.text = Some(name);
        true
    }

    /// A token mutation as the whole text, between two tokens or for a token.
    fn edit(
        &mut self,
        dictionary: &Dictionary,
        part: &mut Part,
        foreign: Option<&[u8]>,
        generator: &mut Pcg64,
    ) {
        let mut text = written(part).to_vec();
        let place = boundary(&text, generator);
        let mut new = Vec::new();
        let old = match (generator.random_range(0..10), foreign) {
            (0..3, _) => {
                self.fill(dictionary, 0, &mut new, generator);
                0..text.len()
            }
            (6 | 7, Some(foreign)) => {
                let (one, other) = (boundary(foreign, generator), boundary(foreign, generator));
                new.extend_from_slice(&foreign[one.min(other)..one.max(other)]);
                place..place
            }
            (8 | 9, _) => {
                self.operand(dictionary, 0, &mut new, generator);
                token_at(&text, place)
            }
            _ => {
                self.fill(dictionary, 0, &mut new, generator);
                place..place
            }
        };
        text.splice(old, new);
        write(part, text);
    }

    /// The name of the text that gets token mutations, in this input or in one that is kept, which
    /// takes its place.
    fn begin(&self, input: &mut Input, generator: &mut Pcg64) -> Option<Arc<str>> {
        if !self.kept.is_empty() && generator.random_bool(AT_KEPT) {
            let kept = &self.kept[generator.random_range(0..self.kept.len())];
            *input = kept.input.clone();
            return Some(Arc::clone(&kept.text));
        }
        let chosen = choose_text(input, generator)?;
        Some(Arc::clone(&input.parts[chosen].name))
    }

    /// A form with its tokens and operands filled in.
    fn fill(
        &mut self,
        dictionary: &Dictionary,
        depth: u32,
        text: &mut Vec<u8>,
        generator: &mut Pcg64,
    ) {
        let form = self.forms.draw(generator).unwrap_or_default();
        self.used.forms.push(form);
        for byte in FORMS[form].bytes() {
            match byte {
                TOKEN => self.token(dictionary, text, generator),
                OPERAND => self.operand(dictionary, depth, text, generator),
                _ => text.push(byte),
            }
        }
    }

    fn operand(
        &mut self,
        dictionary: &Dictionary,
        depth: u32,
        text: &mut Vec<u8>,
        generator: &mut Pcg64,
    ) {
        if depth < DEEPEST && generator.random_bool(NESTED) {
            self.fill(dictionary, depth + 1, text, generator);
        } else if generator.random_bool(NAMED) {
            self.token(dictionary, text, generator);
        } else {
            let fixed = self.operands.draw(generator).unwrap_or_default();
            self.used.operands.push(fixed);
            text.extend_from_slice(OPERANDS[fixed].as_bytes());
        }
    }

    fn token(&mut self, dictionary: &Dictionary, text: &mut Vec<u8>, generator: &mut Pcg64) {
        let table = self.tables.draw(generator);
        let Some(number) = table.filter(|_| generator.random_bool(TABLED)) else {
            text.extend_from_slice(dictionary.draw(generator).unwrap_or(b"a"));
            return;
        };
        self.used.tables.push(number);
        let table = &dictionary.tables()[number];
        text.extend_from_slice(&table[generator.random_range(0..table.len())]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::SymbolicObject;
    use homi_solver::term::{ArrayId, Model};

    fn input(sizes: &[(&str, u32)]) -> Input {
        let objects: Vec<SymbolicObject> = sizes
            .iter()
            .enumerate()
            .map(|(number, (name, size))| SymbolicObject {
                array: ArrayId::new(number),
                name: (*name).into(),
                size: *size,
            })
            .collect();
        Input::new(&objects, &Model::new())
    }

    #[test]
    fn texts_hold_token_mutations_and_keep_their_sizes() {
        let dictionary = Dictionary::of_texts(&["substr", "print"]);
        let mut token_mutations = TokenMutations::new(&dictionary);
        let mut generator = Pcg64::new(1, 2);
        let original = input(&[
            ("n_args", 4),
            ("arg00", 17),
            ("stdin", 8),
            ("stdin-stat", 144),
        ]);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..20_000 {
            let mut input = original.clone();
            assert!(token_mutations.apply(
                &dictionary,
                &mut input,
                Some(&original),
                &mut generator
            ));
            token_mutations.note(None);
            assert_eq!(input.parts[0], original.parts[0]);
            assert_eq!(input.parts[3], original.parts[3]);
            let argument = &input.parts[1].bytes;
            assert_eq!((argument.len(), argument[16]), (17, 0));
            assert_eq!(input.parts[2].bytes.len(), 8);
            seen.insert(written(&input.parts[1]).to_vec());
        }
        for beginning in ["substr(", "print ", "print{", "if(", "{substr"] {
            let begins = |text: &Vec<u8>| text.starts_with(beginning.as_bytes());
            assert!(seen.iter().any(begins), "{beginning}");
        }
        let mut without = input(&[("n_args", 4)]);
        assert!(!token_mutations.apply(&dictionary, &mut without, None, &mut generator));
    }

    #[test]
    fn productive_mutations_are_chosen_more_often() {
        let mut generator = Pcg64::new(1, 2);
        let dictionary = Dictionary::default();
        let mut token_mutations = TokenMutations::new(&dictionary);
        let calls = |token_mutations: &mut TokenMutations, generator: &mut Pcg64| {
            let mut count = 0;
            for _ in 0..2_000 {
                let mut input = input(&[("arg00", 40)]);
                token_mutations.apply(&dictionary, &mut input, None, generator);
                let text = written(&input.parts[0]).to_vec();
                let is_call = text.windows(2).any(|two| two == b"a(");
                token_mutations.note(is_call.then_some(&input));
                count += usize::from(is_call);
            }
            count
        };
        let first = calls(&mut token_mutations, &mut generator);
        let later = calls(&mut token_mutations, &mut generator);
        assert!(later > first, "{first} and {later}");
    }
}
