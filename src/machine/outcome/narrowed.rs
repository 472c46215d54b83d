//! Under-approximations of a path or a run: concretized values and dropped paths.
//!
//! Invariant: a record counts every loss once, by its kind and by the instruction of user code that
//! caused it; only an empty record returns a `Complete`, without which no run may claim that every
//! path was followed to its end.

use crate::ir::program::{Callee, FuncId, Inst, LocId, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reason why fewer values or paths are followed than the program allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Narrowing {
    /// An address with more objects or offsets than are followed one by one.
    Address,
    /// The size of an allocation, of an object, of a copied or filled piece of memory.
    Size,
    /// A position in a file.
    FilePosition,
    /// An argument of a built-in function or a system call that needs a number.
    Argument,
    /// A byte of a text that a built-in function must know.
    Text,
    /// An operand of a floating-point operation.
    Float,
    /// An operand of an operation that has no symbolic form.
    Operation,
    /// An exit status.
    ExitStatus,
    /// The value that `klee_get_value` gave.
    GivenValue,
    /// A side of a condition, where forking is off (`klee_set_forking`, `--max-forks`).
    Forking,
    /// A side of a condition, or a value, that the solver gave up on.
    Unknown,
    /// Behavior of a function that was not linked and has a stub.
    Stub,
    /// An answer that a real kernel might give and the modelled one does not.
    Kernel,
    /// A left shift that overflows if it is signed, which bitcode does not tell.
    Shift,
    /// A path that needed what homi cannot do.
    Gap,
    /// A path whose only side the solver gave up on.
    SolverLimit,
    /// A path with more forks than `--max-depth`.
    Depth,
    /// A path with more nested calls than `--max-stack-frames`.
    Frames,
    /// A path for which there was no memory.
    Memory,
    /// A path that was pruned.
    Pruned,
    /// A test that was not written.
    Test,
}

/// Kind of loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// One value stands for several, or a side was left out: the path goes on.
    Values,
    /// A path is over before the program is, or its test is not there.
    Paths,
}

impl Narrowing {
    /// All kinds.
    const ALL: [Narrowing; 21] = [
        Narrowing::Address,
        Narrowing::Size,
        Narrowing::FilePosition,
        Narrowing::Argument,
        Narrowing::Text,
        Narrowing::Float,
        Narrowing::Operation,
        Narrowing::ExitStatus,
        Narrowing::GivenValue,
        Narrowing::Forking,
        Narrowing::Unknown,
        Narrowing::Stub,
        Narrowing::Kernel,
        Narrowing::Shift,
        Narrowing::Gap,
        Narrowing::SolverLimit,
        Narrowing::Depth,
        Narrowing::Frames,
        Narrowing::Memory,
        Narrowing::Pruned,
        Narrowing::Test,
    ];

    /// The kind with a name.
    pub fn named(name: &str) -> Option<Narrowing> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name in `summary.json`.
    pub fn name(self) -> &'static str {
        match self {
            Narrowing::Address => "address",
            Narrowing::Size => "size",
            Narrowing::FilePosition => "file-position",
            Narrowing::Argument => "argument",
            Narrowing::Text => "text",
            Narrowing::Float => "float",
            Narrowing::Operation => "operation",
            Narrowing::ExitStatus => "exit-status",
            Narrowing::GivenValue => "given-value",
            Narrowing::Forking => "forking",
            Narrowing::Unknown => "unknown",
            Narrowing::Stub => "stub",
            Narrowing::Kernel => "kernel",
            Narrowing::Shift => "shift",
            Narrowing::Gap => "gap",
            Narrowing::SolverLimit => "solver",
            Narrowing::Depth => "depth",
            Narrowing::Frames => "frames",
            Narrowing::Memory => "memory",
            Narrowing::Pruned => "pruned",
            Narrowing::Test => "test",
        }
    }

    /// Returns the kind of loss.
    pub fn lost(self) -> Lost {
        match self {
            Narrowing::Address
            | Narrowing::Size
            | Narrowing::FilePosition
            | Narrowing::Argument
            | Narrowing::Text
            | Narrowing::Float
            | Narrowing::Operation
            | Narrowing::ExitStatus
            | Narrowing::GivenValue
            | Narrowing::Forking
            | Narrowing::Unknown
            | Narrowing::Stub
            | Narrowing::Kernel
            | Narrowing::Shift => Lost::Values,
            Narrowing::Gap
            | Narrowing::SolverLimit
            | Narrowing::Depth
            | Narrowing::Frames
            | Narrowing::Memory
            | Narrowing::Pruned
            | Narrowing::Test => Lost::Paths,
        }
    }

    /// Returns the description for people.
    fn words(self) -> &'static str {
        match self {
            Narrowing::Address => "an address",
            Narrowing::Size => "a size",
            Narrowing::FilePosition => "a position in a file",
            Narrowing::Argument => "an argument",
            Narrowing::Text => "a byte of a string",
            Narrowing::Float => "a floating-point number",
            Narrowing::Operation => "an operand",
            Narrowing::ExitStatus => "an exit status",
            Narrowing::GivenValue => "a value given by klee_get_value",
            Narrowing::Forking => "a condition where forking is off",
            Narrowing::Unknown => "a query that timed out",
            Narrowing::Stub => "a stub",
            Narrowing::Kernel => "the modelled kernel",
            Narrowing::Shift => "a left shift that overflows if it is signed",
            Narrowing::Gap => "an unsupported feature",
            Narrowing::SolverLimit => "a path whose query timed out",
            Narrowing::Depth => "a path beyond --max-depth",
            Narrowing::Frames => "a path beyond --max-stack-frames",
            Narrowing::Memory => "a path dropped at the memory limit",
            Narrowing::Pruned => "a path that was pruned",
            Narrowing::Test => "a test that was not written",
        }
    }

    /// Returns the noun for the alternatives.
    fn alternatives(self) -> &'static str {
        match self {
            Narrowing::Address => "objects",
            _ => "values",
        }
    }
}

/// Example of a concretized value or a dropped path.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Example {
    /// The value that was taken.
    pub value: Option<u128>,
    /// How many there were to take, at most, where that is known.
    pub among: Option<u128>,
    /// Text instead of a value.
    pub note: String,
}

impl Example {
    /// Returns an example of a value that was chosen among this many, if their number is known.
    pub fn taken(value: u128, among: Option<u128>) -> Self {
        Self {
            value: Some(value),
            among,
            note: String::new(),
        }
    }

    /// Words about what was lost.
    pub fn note(text: impl Into<String>) -> Self {
        Self {
            note: text.into(),
            ..Self::default()
        }
    }
}

/// Kind, function and code index of a loss.
pub type NarrowedAt = (Narrowing, FuncId, u32);

/// How often something was lost at a place, and what it was the first time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Losses {
    count: u64,
    example: Example,
}

/// Losses of a path or a run so far. Copies share them until one of them loses more.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Stored>", into = "Vec<Stored>")]
pub struct Narrowed {
    places: Option<Arc<BTreeMap<NarrowedAt, Losses>>>,
}

/// Kind, function, code index and losses of a place in a file.
type Stored = (Narrowing, u32, u32, Losses);

impl From<Vec<Stored>> for Narrowed {
    fn from(stored: Vec<Stored>) -> Self {
        let places: BTreeMap<NarrowedAt, Losses> = stored
            .into_iter()
            .map(|(kind, function, pc, losses)| ((kind, FuncId(function), pc), losses))
            .collect();
        Narrowed {
            places: (!places.is_empty()).then(|| Arc::new(places)),
        }
    }
}

impl From<Narrowed> for Vec<Stored> {
    fn from(record: Narrowed) -> Self {
        let places = record.places.iter().flat_map(|places| places.iter());
        places
            .map(|(at, losses)| (at.0, at.1.0, at.2, losses.clone()))
            .collect()
    }
}

/// Proof that nothing was lost. Only `Narrowed::complete` makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Complete(());

impl Narrowed {
    /// Counts a loss. The example is asked for where it is the first at its place.
    pub fn note(&mut self, at: NarrowedAt, example: impl FnOnce() -> Example) {
        let places = Arc::make_mut(self.places.get_or_insert_default());
        let losses = places.entry(at).or_insert_with(|| Losses {
            count: 0,
            example: example(),
        });
        losses.count += 1;
    }

    /// Returns whether the record has a location.
    pub fn knows(&self, at: NarrowedAt) -> bool {
        let places = self.places.as_ref();
        places.is_some_and(|places| places.contains_key(&at))
    }

    /// Among how many a value was taken the first time at a place, if the place is known.
    pub fn among(&self, at: NarrowedAt) -> Option<Option<u128>> {
        let losses = self.places.as_ref()?.get(&at)?;
        Some(losses.example.among)
    }

    /// Adds what another path or run lost.
    pub fn add(&mut self, other: &Narrowed) {
        let Some(others) = &other.places else {
            return;
        };
        let places = Arc::make_mut(self.places.get_or_insert_default());
        for (at, losses) in others.iter() {
            match places.get_mut(at) {
                Some(own) => own.count += losses.count,
                None => {
                    places.insert(*at, losses.clone());
                }
            }
        }
    }

    /// Adds the places of another path or run that are not known yet.
    pub fn learn(&mut self, other: &Narrowed) {
        for (at, losses) in other.places.iter().flat_map(|places| places.iter()) {
            if !self.knows(*at) {
                let places = Arc::make_mut(self.places.get_or_insert_default());
                places.insert(*at, losses.clone());
            }
        }
    }

    /// Returns the losses since an earlier copy of the record.
    pub fn since(&self, earlier: &Narrowed) -> Narrowed {
        let before = |at: &NarrowedAt| {
            let losses = earlier.places.as_ref().and_then(|places| places.get(at));
            losses.map_or(0, |losses| losses.count)
        };
        let places = self.places.iter().flat_map(|places| places.iter());
        let later: BTreeMap<NarrowedAt, Losses> = places
            .filter_map(|(at, losses)| {
                let count = losses
                    .count
                    .checked_sub(before(at))
                    .filter(|count| *count > 0)?;
                let example = losses.example.clone();
                Some((*at, Losses { count, example }))
            })
            .collect();
        Narrowed {
            places: (!later.is_empty()).then(|| Arc::new(later)),
        }
    }

    fn kinds(&self) -> impl Iterator<Item = Narrowing> {
        let places = self.places.iter().flat_map(|places| places.keys());
        places.map(|at| at.0)
    }

    /// Returns whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.complete().is_some()
    }

    /// Returns the proof that nothing was lost, if so.
    pub fn complete(&self) -> Option<Complete> {
        self.kinds().next().is_none().then_some(Complete(()))
    }

    /// Returns whether a path was dropped, and not only values.
    pub fn lost_paths(&self) -> bool {
        self.kinds().any(|kind| kind.lost() == Lost::Paths)
    }

    /// Returns whether there was a loss of this kind.
    pub fn has(&self, kind: Narrowing) -> bool {
        self.kinds().any(|known| known == kind)
    }

    /// The losses by kind and source line, most frequent first.
    pub fn places(&self, program: &Program) -> Vec<NarrowedPlace> {
        let mut lines: BTreeMap<(Narrowing, String, String), NarrowedPlace> = BTreeMap::new();
        for (at, losses) in self.places.iter().flat_map(|places| places.iter()) {
            let place = NarrowedPlace::of(program, *at, losses);
            let key = (at.0, place.location.clone(), place.what.clone());
            match lines.get_mut(&key) {
                Some(known) => known.count += place.count,
                None => {
                    lines.insert(key, place);
                }
            }
        }
        let mut places: Vec<NarrowedPlace> = lines.into_values().collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.count));
        places
    }
}

/// The losses of one kind at one source line, for files and people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NarrowedPlace {
    /// `Narrowing::name`.
    pub kind: String,
    /// `file:line`; function and instruction where the line is not known.
    pub location: String,
    pub count: u64,
    /// The value that was taken the first time, or what was lost.
    pub example: String,
    /// `values` or `paths`.
    pub lost: String,
    /// Description: `an address among 40 objects`.
    pub what: String,
}

impl NarrowedPlace {
    fn of(program: &Program, at: NarrowedAt, losses: &Losses) -> Self {
        let (kind, function, pc) = at;
        let example = &losses.example;
        let mut what = kind.words().to_string();
        if let (Narrowing::Argument | Narrowing::Text | Narrowing::FilePosition, Some(callee)) =
            (kind, called(program, function, pc))
        {
            what += &format!(" in a call of {callee}");
        }
        if matches!(kind, Narrowing::Kernel | Narrowing::Stub) {
            what += &format!(": {}", example.note);
        }
        if let Some(among) = example.among {
            what += &format!(" among {among} {}", kind.alternatives());
        }
        let value = example.value.map(|value| match kind {
            Narrowing::Address => format!("{value:#x}"),
            _ => value.to_string(),
        });
        Self {
            kind: kind.name().to_string(),
            location: describe(program, function, pc),
            count: losses.count,
            example: value.unwrap_or_else(|| example.note.clone()),
            lost: match kind.lost() {
                Lost::Values => "values",
                Lost::Paths => "paths",
            }
            .to_string(),
            what,
        }
    }
}

/// The source line of an instruction, else its function and number.
fn describe(program: &Program, function: FuncId, pc: u32) -> String {
    let function = program.function(function);
    let known = |location: &LocId| program.location(*location).line != 0;
    match function
        .locations
        .get(pc as usize)
        .filter(|location| known(location))
    {
        Some(location) => program.describe_location(*location),
        None => format!("{}, instruction {pc}", function.name),
    }
}

/// The function that an instruction calls.
fn called(program: &Program, function: FuncId, pc: u32) -> Option<&str> {
    let function = program.function(function);
    let Inst::Call { site } = function.code.get(pc as usize)? else {
        return None;
    };
    match function.calls.get(*site as usize)?.callee {
        Callee::Direct(callee) => Some(&program.function(callee).name),
        Callee::Indirect(_) | Callee::Assembly { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: NarrowedAt = (Narrowing::Size, FuncId(0), 3);
    const GAP: NarrowedAt = (Narrowing::Gap, FuncId(0), 3);

    #[test]
    fn names_are_all_different_and_lead_back() {
        for kind in Narrowing::ALL {
            assert_eq!(Narrowing::named(kind.name()), Some(kind));
        }
        assert_eq!(Narrowing::named("nothing"), None);
    }

    #[test]
    fn only_what_lost_nothing_is_complete() {
        let mut record = Narrowed::default();
        assert!(record.complete().is_some() && !record.lost_paths());
        record.note(SIZE, Example::default);
        assert!(record.complete().is_none() && !record.lost_paths());
        record.note(GAP, Example::default);
        assert!(record.complete().is_none() && record.lost_paths());
    }

    #[test]
    fn copies_go_their_own_ways_and_add_up() {
        let mut first = Narrowed::default();
        first.note(SIZE, || Example::taken(7, None));
        let mut second = first.clone();
        first.note(SIZE, || Example::taken(8, None));
        second.note(GAP, || Example::note("a gap"));
        let later = second.since(&first);
        assert!(!later.knows(SIZE) && later.knows(GAP));
        let mut both = first.since(&second);
        assert_eq!(
            both.places.as_ref().map(|places| places[&SIZE].count),
            Some(1)
        );
        both.add(&second);
        let places = both.places.expect("places");
        assert_eq!((places[&SIZE].count, places[&GAP].count), (2, 1));
        assert_eq!(places[&SIZE].example, Example::taken(7, None));
    }
}
