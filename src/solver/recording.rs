//! A sample of a run's real queries as SMT-LIB scripts in one file, and reading them back.
//!
//! A script asserts what the path says about the query's bytes and, last, the condition that was
//! asked. Infos name the answer (`status`), the layer that knew it (`layer`) and the state's model
//! (`model`). Scripts start with `(reset)`, so any SMT solver can be given the whole file. The
//! sample is deterministic: of each layer the first queries and then every second, fourth, eighth
//! one and so on, equal ones once, those above a MiB never.

use super::encode;
use super::oracle::Check;
use super::path::PathCondition;
use super::statistics::Layer;
use super::tuning::Tuning;
use crate::term::smtlib_reader;
use crate::term::smtlib_reader::{ReadError, Script};
use crate::term::{Byte, Model, Term, Terms, smtlib};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The file of a run.
pub(super) struct Recording {
    file: BufWriter<File>,
    /// For each layer: queries seen, queries written at the present stride, the stride.
    samples: [(u64, u64, u64); Layer::ALL.len()],
    written: FxHashSet<u128>,
    failed: Option<io::Error>,
    /// Queries of a layer that are written before only every second is, and so on.
    per_stride: u64,
    /// Bytes of a script above which a query is left out: large tables are printed element by
    /// element.
    longest: usize,
}

impl Recording {
    pub(super) fn create(path: &Path, tuning: &Tuning) -> io::Result<Recording> {
        Ok(Recording {
            file: BufWriter::new(File::create_new(path)?),
            samples: [(0, 0, 1); Layer::ALL.len()],
            written: FxHashSet::default(),
            failed: None,
            per_stride: tuning.recorded_queries,
            longest: tuning.recorded_length,
        })
    }

    /// Writes a query if it belongs to the sample.
    pub(super) fn note(
        &mut self,
        terms: &Terms,
        (path, model, condition): (&PathCondition, &Model, Term),
        layer: Layer,
        answer: &Check,
    ) {
        let sample = &mut self.samples[layer as usize];
        sample.0 += 1;
        if layer == Layer::Rewrite || self.failed.is_some() || sample.0 % sample.2 != 0 {
            return;
        }
        let text = script(terms, path, model, condition, layer, answer);
        if text.len() > self.longest {
            return;
        }
        let words: Vec<u32> = text.bytes().map(u32::from).collect();
        if !self.written.insert(encode::fingerprint(&words)) {
            return;
        }
        sample.1 += 1;
        if sample.1 == self.per_stride {
            (sample.1, sample.2) = (0, sample.2 * 2);
        }
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            self.failed = Some(error);
        }
    }

    /// Ends the file; how many queries it has.
    pub(super) fn finish(mut self) -> io::Result<usize> {
        match self.failed {
            Some(error) => Err(error),
            None => self.file.flush().map(|()| self.written.len()),
        }
    }
}

fn script(
    terms: &Terms,
    path: &PathCondition,
    model: &Model,
    condition: Term,
    layer: Layer,
    answer: &Check,
) -> String {
    let mut constraints = path.related(terms, condition);
    constraints.push(condition);
    let mut bytes: Vec<Byte> = Vec::new();
    for constraint in &constraints {
        bytes.extend(terms.support(*constraint).iter());
    }
    bytes.sort_unstable();
    bytes.dedup();
    let status = match answer {
        Check::Sat(_) => "sat",
        Check::Unsat => "unsat",
        Check::Unknown(_) => "unknown",
    };
    let mut text = format!("(reset)\n(set-info :status {status})\n");
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "(set-info :layer {})\n(set-info :model (",
        layer.name()
    );
    for (number, byte) in bytes.iter().enumerate() {
        let space = if number == 0 { "" } else { " " };
        let name = smtlib::object_name(terms, byte.array);
        let _ = write!(
            text,
            "{space}(|{name}| {} {})",
            byte.index,
            model.get(*byte)
        );
    }
    text += "))\n";
    let body = smtlib::print(terms, &constraints);
    text += body.strip_suffix("(exit)\n").unwrap_or(&body);
    text
}

/// A query read from a file.
pub struct RecordedQuery {
    pub path: PathCondition,
    /// Satisfies the path.
    pub model: Model,
    pub condition: Term,
    /// All assertions, the condition last.
    pub assertions: Vec<Term>,
    /// Satisfiability of the query; `None` if unknown.
    pub satisfiable: Option<bool>,
    /// The layer that answered it in the run.
    pub layer: String,
}

/// Reads recorded queries. Their terms are made in `terms`.
pub fn read_queries(terms: &Terms, text: &str) -> Result<Vec<RecordedQuery>, ReadError> {
    let scripts = smtlib_reader::read(terms, text)?;
    let queries = scripts
        .into_iter()
        .filter_map(|script| query(terms, script));
    Ok(queries.collect())
}

fn query(terms: &Terms, script: Script) -> Option<RecordedQuery> {
    let (condition, before) = script.assertions.split_last()?;
    let mut path = PathCondition::new();
    for constraint in before {
        path.add(terms, *constraint);
    }
    Some(RecordedQuery {
        path,
        model: model(&script),
        condition: *condition,
        satisfiable: match script.info("status") {
            Some("sat") => Some(true),
            Some("unsat") => Some(false),
            _ => None,
        },
        layer: script.info("layer").unwrap_or_default().to_string(),
        assertions: script.assertions,
    })
}

/// The model among a script's infos: a list of `(|object| index value)`.
fn model(script: &Script) -> Model {
    let mut model = Model::new();
    let text = script.info("model").unwrap_or_default();
    for entry in text.split('(') {
        // An object's name may hold spaces, so the numbers are taken from the end.
        let entry = entry.trim_end_matches([')', ' ']);
        let mut words = entry.rsplitn(3, ' ');
        if let (Some(value), Some(index), Some(name)) = (words.next(), words.next(), words.next())
            && let (Ok(value), Ok(index)) = (value.parse(), index.parse())
            && let Some(array) = script.arrays.get(name.trim_matches('|'))
        {
            let array = *array;
            model.set(Byte { array, index }, value);
        }
    }
    model
}
