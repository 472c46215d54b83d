//! All queries of a run in a file, as KLEE logs its queries.
//!
//! A query is the path's part that belongs to the condition, and the condition. A comment before it
//! has its number and the instructions so far, comments behind it the answer, its time and the
//! bytes of a solution. A condition that was decided without the path is not a query.

use super::oracle::Check;
use super::path::PathCondition;
use super::statistics::Layer;
use crate::term::{Byte, Model, Term, Terms, kquery, smtlib};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// Format of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryLogForm {
    /// Only queries that a SAT or SMT solver decided.
    pub only_back_ends: bool,
    /// KQuery; else SMT-LIB.
    pub as_kquery: bool,
    /// Queries that took less are left out.
    pub least: Duration,
}

/// A file of queries.
pub(super) struct QueryLog {
    form: QueryLogForm,
    file: BufWriter<File>,
    /// Number of queries so far, including omitted queries.
    count: u64,
    failed: Option<io::Error>,
}

/// A query with what became of it.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub path: &'a PathCondition,
    pub condition: Term,
    pub layer: Layer,
    pub answer: &'a Check,
    pub time: Duration,
    /// Instructions of the run so far.
    pub instructions: u64,
}

impl QueryLog {
    pub(super) fn create(path: &Path, form: QueryLogForm) -> io::Result<Self> {
        Ok(Self {
            form,
            file: BufWriter::new(File::create(path)?),
            count: 0,
            failed: None,
        })
    }

    pub(super) fn note(&mut self, terms: &Terms, asked: Asked<'_>) {
        let is_of_back_end = matches!(asked.layer, Layer::Sat | Layer::Smt);
        let is_wanted = is_of_back_end || !self.form.only_back_ends;
        if asked.layer == Layer::Rewrite || !is_wanted || self.failed.is_some() {
            return;
        }
        let number = self.count;
        self.count += 1;
        if asked.time < self.form.least {
            return;
        }
        let text = entry(terms, number, self.form.as_kquery, asked);
        self.failed = self.file.write_all(text.as_bytes()).err();
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.failed.map_or_else(|| self.file.flush(), Err)
    }
}

fn entry(terms: &Terms, number: u64, as_kquery: bool, asked: Asked<'_>) -> String {
    let mut constraints = asked.path.related(terms, asked.condition);
    constraints.push(asked.condition);
    let (mark, body) = if as_kquery {
        ('#', kquery::print(terms, &constraints))
    } else {
        (';', smtlib::print(terms, &constraints))
    };
    let seconds = asked.time.as_secs_f64();
    let mut text = format!(
        "{mark} Query {number} -- Type: InitialValues, Instructions: {}\n{body}",
        asked.instructions
    );
    // Writing to a string cannot fail.
    let _ = match asked.answer {
        Check::Unknown(reason) => {
            writeln!(
                text,
                "{mark}   FAIL -- Elapsed: {seconds:.6}s\n{mark}   Failure reason: {reason}"
            )
        }
        _ => writeln!(text, "{mark}   OK -- Elapsed: {seconds:.6}s"),
    };
    match asked.answer {
        Check::Sat(model) => {
            let _ = writeln!(text, "{mark}   Solvable: true");
            for (name, bytes) in solution(terms, &constraints, model) {
                let _ = writeln!(text, "{mark}     {name} = [{}]", bytes.join(","));
            }
        }
        Check::Unsat => {
            let _ = writeln!(text, "{mark}   Solvable: false");
        }
        Check::Unknown(_) => {}
    }
    text.push('\n');
    text
}

/// The bytes of the objects that the constraints are about, by name.
fn solution(terms: &Terms, constraints: &[Term], model: &Model) -> Vec<(String, Vec<String>)> {
    let mut arrays = BTreeMap::new();
    for constraint in constraints {
        for byte in terms.support(*constraint).iter() {
            let name = || smtlib::object_name(terms, byte.array);
            arrays.entry(byte.array).or_insert_with(name);
        }
    }
    let shown = |(array, name)| {
        let size = terms.array_info(array).size;
        let bytes = (0..size).map(|index| model.get(Byte { array, index }).to_string());
        (name, bytes.collect())
    };
    arrays.into_iter().map(shown).collect()
}
