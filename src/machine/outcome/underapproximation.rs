//! Under-approximations of a path or a run: concretized values and dropped paths.
//!
//! Invariant: a record counts every loss once, by its kind and by the instruction of user code that
//! caused it; only an empty record returns a `Complete`, without which no run may claim that every
//! path was followed to its end.

use homi_ir::program::{Callee, FuncId, Inst, LocId, Mark, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reason why fewer values or paths are followed than the program allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Underapproximation {
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
    /// An answer that a real kernel might give and the modeled one does not.
    Kernel,
    /// A left shift that overflows if it is signed, which bitcode does not tell.
    Shift,
    /// The input of a library call that a path leaves with its native result.
    NativeResult,
    /// A path that needed what homi cannot do.
    Unsupported,
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
    /// A decision that matters where a verdict is asked for.
    Mark(Mark),
}

/// Kind of loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// One value represents several, or a side was omitted: the path continues.
    Values,
    /// A path is over before the program is, or its test is not there.
    Paths,
}

impl Underapproximation {
    /// All kinds but marks.
    const ALL: [Underapproximation; 22] = [
        Underapproximation::Address,
        Underapproximation::Size,
        Underapproximation::FilePosition,
        Underapproximation::Argument,
        Underapproximation::Text,
        Underapproximation::Float,
        Underapproximation::Operation,
        Underapproximation::ExitStatus,
        Underapproximation::GivenValue,
        Underapproximation::Forking,
        Underapproximation::Unknown,
        Underapproximation::Stub,
        Underapproximation::Kernel,
        Underapproximation::Shift,
        Underapproximation::NativeResult,
        Underapproximation::Unsupported,
        Underapproximation::SolverLimit,
        Underapproximation::Depth,
        Underapproximation::Frames,
        Underapproximation::Memory,
        Underapproximation::Pruned,
        Underapproximation::Test,
    ];

    /// The kind with a name.
    pub fn named(name: &str) -> Option<Underapproximation> {
        let marks = Mark::ALL.iter().copied().map(Underapproximation::Mark);
        let mut kinds = Self::ALL.into_iter().chain(marks);
        kinds.find(|kind| kind.name() == name)
    }

    /// The name in `summary.json`.
    pub fn name(self) -> &'static str {
        match self {
            Underapproximation::Address => "address",
            Underapproximation::Size => "size",
            Underapproximation::FilePosition => "file-position",
            Underapproximation::Argument => "argument",
            Underapproximation::Text => "text",
            Underapproximation::Float => "float",
            Underapproximation::Operation => "operation",
            Underapproximation::ExitStatus => "exit-status",
            Underapproximation::GivenValue => "given-value",
            Underapproximation::Forking => "forking",
            Underapproximation::Unknown => "unknown",
            Underapproximation::Stub => "stub",
            Underapproximation::Kernel => "kernel",
            Underapproximation::Shift => "shift",
            Underapproximation::NativeResult => "native-result",
            Underapproximation::Unsupported => "unsupported",
            Underapproximation::SolverLimit => "solver",
            Underapproximation::Depth => "depth",
            Underapproximation::Frames => "frames",
            Underapproximation::Memory => "memory",
            Underapproximation::Pruned => "pruned",
            Underapproximation::Test => "test",
            Underapproximation::Mark(mark) => mark.name(),
        }
    }

    /// Returns the kind of loss.
    pub fn lost(self) -> Dropped {
        match self {
            Underapproximation::Address
            | Underapproximation::Size
            | Underapproximation::FilePosition
            | Underapproximation::Argument
            | Underapproximation::Text
            | Underapproximation::Float
            | Underapproximation::Operation
            | Underapproximation::ExitStatus
            | Underapproximation::GivenValue
            | Underapproximation::Forking
            | Underapproximation::Unknown
            | Underapproximation::Stub
            | Underapproximation::Kernel
            | Underapproximation::Shift
            | Underapproximation::NativeResult
            | Underapproximation::Mark(_) => Dropped::Values,
            Underapproximation::Unsupported
            | Underapproximation::SolverLimit
            | Underapproximation::Depth
            | Underapproximation::Frames
            | Underapproximation::Memory
            | Underapproximation::Pruned
            | Underapproximation::Test => Dropped::Paths,
        }
    }

    /// Returns the description for people.
    fn words(self) -> &'static str {
        match self {
            Underapproximation::Address => "an address",
            Underapproximation::Size => "a size",
            Underapproximation::FilePosition => "a position in a file",
            Underapproximation::Argument => "an argument",
            Underapproximation::Text => "a byte of a string",
            Underapproximation::Float => "a floating-point number",
            Underapproximation::Operation => "an operand",
            Underapproximation::ExitStatus => "an exit status",
            Underapproximation::GivenValue => "a value given by klee_get_value",
            Underapproximation::Forking => "a condition where forking is off",
            Underapproximation::Unknown => "a query that timed out",
            Underapproximation::Stub => "a stub",
            Underapproximation::Kernel => "the modelled kernel",
            Underapproximation::Shift => "a left shift that overflows if it is signed",
            Underapproximation::NativeResult => "native result",
            Underapproximation::Unsupported => "an unsupported feature",
            Underapproximation::SolverLimit => "a path whose query timed out",
            Underapproximation::Depth => "a path beyond --max-depth",
            Underapproximation::Frames => "a path beyond --max-stack-frames",
            Underapproximation::Memory => "a path dropped at the memory limit",
            Underapproximation::Pruned => "a path that was pruned",
            Underapproximation::Test => "a test that was not written",
            Underapproximation::Mark(mark) => mark.words(),
        }
    }

    /// Returns the noun for the alternatives.
    fn alternatives(self) -> &'static str {
        match self {
            Underapproximation::Address => "objects",
            _ => "values",
        }
    }
}

/// Example of a concretized value or a dropped path.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Example {
    /// The value that was taken.
    pub value: Option<u128>,
    /// Upper bound on the number of alternatives, if known.
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
pub type UnderapproximationAt = (Underapproximation, FuncId, u32);

/// Number of under-approximations at a code location, with the first example.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Occurrences {
    count: u64,
    example: Example,
}

/// Losses of a path or a run so far. Copies share them until one of them loses more.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Stored>", into = "Vec<Stored>")]
pub struct Underapproximations {
    places: Option<Arc<BTreeMap<UnderapproximationAt, Occurrences>>>,
}

/// Kind, function, code index and losses of a place in a file.
type Stored = (Underapproximation, u32, u32, Occurrences);

impl From<Vec<Stored>> for Underapproximations {
    fn from(stored: Vec<Stored>) -> Self {
        let places: BTreeMap<UnderapproximationAt, Occurrences> = stored
            .into_iter()
            .map(|(kind, function, pc, occurrences)| ((kind, FuncId(function), pc), occurrences))
            .collect();
        Underapproximations {
            places: (!places.is_empty()).then(|| Arc::new(places)),
        }
    }
}

impl From<Underapproximations> for Vec<Stored> {
    fn from(record: Underapproximations) -> Self {
        let places = record.places.iter().flat_map(|places| places.iter());
        places
            .map(|(at, occurrences)| (at.0, at.1.0, at.2, occurrences.clone()))
            .collect()
    }
}

/// Proof that nothing was lost. Only `Underapproximations::complete` makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Complete(());

impl Underapproximations {
    /// Counts a loss. The example is asked for where it is the first at its place.
    pub fn note(&mut self, at: UnderapproximationAt, example: impl FnOnce() -> Example) {
        let places = Arc::make_mut(self.places.get_or_insert_default());
        let occurrences = places.entry(at).or_insert_with(|| Occurrences {
            count: 0,
            example: example(),
        });
        occurrences.count += 1;
    }

    /// Returns true if the record has a location.
    pub fn knows(&self, at: UnderapproximationAt) -> bool {
        let places = self.places.as_ref();
        places.is_some_and(|places| places.contains_key(&at))
    }

    /// Among how many a value was taken the first time at a place, if the place is known.
    pub fn among(&self, at: UnderapproximationAt) -> Option<Option<u128>> {
        let occurrences = self.places.as_ref()?.get(&at)?;
        Some(occurrences.example.among)
    }

    /// Adds what another path or run lost.
    pub fn add(&mut self, other: &Underapproximations) {
        let Some(others) = &other.places else {
            return;
        };
        let places = Arc::make_mut(self.places.get_or_insert_default());
        for (at, occurrences) in others.iter() {
            match places.get_mut(at) {
                Some(own) => own.count += occurrences.count,
                None => {
                    places.insert(*at, occurrences.clone());
                }
            }
        }
    }

    /// Adds the places of another path or run that are not known yet.
    pub fn learn(&mut self, other: &Underapproximations) {
        for (at, occurrences) in other.places.iter().flat_map(|places| places.iter()) {
            if !self.knows(*at) {
                let places = Arc::make_mut(self.places.get_or_insert_default());
                places.insert(*at, occurrences.clone());
            }
        }
    }

    /// Returns the losses since an earlier copy of the record.
    pub fn since(&self, earlier: &Underapproximations) -> Underapproximations {
        let before = |at: &UnderapproximationAt| {
            let occurrences = earlier.places.as_ref().and_then(|places| places.get(at));
            occurrences.map_or(0, |occurrences| occurrences.count)
        };
        let places = self.places.iter().flat_map(|places| places.iter());
        let later: BTreeMap<UnderapproximationAt, Occurrences> = places
            .filter_map(|(at, occurrences)| {
                let count = occurrences
                    .count
                    .checked_sub(before(at))
                    .filter(|count| *count > 0)?;
                let example = occurrences.example.clone();
                Some((*at, Occurrences { count, example }))
            })
            .collect();
        Underapproximations {
            places: (!later.is_empty()).then(|| Arc::new(later)),
        }
    }

    fn kinds(&self) -> impl Iterator<Item = Underapproximation> {
        let places = self.places.iter().flat_map(|places| places.keys());
        places.map(|at| at.0)
    }

    /// Returns true if nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.complete().is_some()
    }

    /// Returns the proof that nothing was lost, if so.
    pub fn complete(&self) -> Option<Complete> {
        self.kinds().next().is_none().then_some(Complete(()))
    }

    /// Returns true if a path was dropped, and not only values.
    pub fn dropped_paths(&self) -> bool {
        self.kinds().any(|kind| kind.lost() == Dropped::Paths)
    }

    /// Returns true if there was a loss of this kind.
    pub fn has(&self, kind: Underapproximation) -> bool {
        self.kinds().any(|known| known == kind)
    }

    /// Returns the first mark whose decision native programs need not share.
    pub fn mark_of_homis_alone(&self) -> Option<Mark> {
        self.kinds().find_map(|kind| match kind {
            Underapproximation::Mark(mark) => mark.may_be_homis_alone().then_some(mark),
            _ => None,
        })
    }

    /// The losses by kind and source line, most frequent first.
    pub fn places(&self, program: &Program) -> Vec<UnderapproximationSite> {
        let mut lines: BTreeMap<(Underapproximation, String, String), UnderapproximationSite> =
            BTreeMap::new();
        for (at, occurrences) in self.places.iter().flat_map(|places| places.iter()) {
            let place = UnderapproximationSite::of(program, *at, occurrences);
            let key = (at.0, place.location.clone(), place.what.clone());
            match lines.get_mut(&key) {
                Some(known) => known.count += place.count,
                None => {
                    lines.insert(key, place);
                }
            }
        }
        let mut places: Vec<UnderapproximationSite> = lines.into_values().collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.count));
        places
    }
}

/// The losses of one kind at one source line, for files and people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnderapproximationSite {
    /// `Underapproximation::name`.
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

impl UnderapproximationSite {
    fn of(program: &Program, at: UnderapproximationAt, occurrences: &Occurrences) -> Self {
        let (kind, function, pc) = at;
        let example = &occurrences.example;
        let mut what = kind.words().to_string();
        if let (
            Underapproximation::Argument
            | Underapproximation::Text
            | Underapproximation::FilePosition,
            Some(callee),
        ) = (kind, called(program, function, pc))
        {
            what += &format!(" in a call of {callee}");
        }
        if kind == Underapproximation::NativeResult {
            what = format!("{}: {what}", example.note);
        }
        if matches!(kind, Underapproximation::Kernel | Underapproximation::Stub) {
            what += &format!(": {}", example.note);
        }
        if let Some(among) = example.among {
            what += &format!(" among {among} {}", kind.alternatives());
        }
        let value = example.value.map(|value| match kind {
            Underapproximation::Address => format!("{value:#x}"),
            _ => value.to_string(),
        });
        Self {
            kind: kind.name().to_string(),
            location: describe(program, function, pc),
            count: occurrences.count,
            example: value.unwrap_or_else(|| example.note.clone()),
            lost: match kind.lost() {
                Dropped::Values => "values",
                Dropped::Paths => "paths",
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

    const SIZE: UnderapproximationAt = (Underapproximation::Size, FuncId(0), 3);
    const UNSUPPORTED: UnderapproximationAt = (Underapproximation::Unsupported, FuncId(0), 3);

    #[test]
    fn names_are_all_different_and_lead_back() {
        for kind in Underapproximation::ALL {
            assert_eq!(Underapproximation::named(kind.name()), Some(kind));
        }
        for (number, mark) in Mark::ALL.iter().enumerate() {
            let kind = Underapproximation::Mark(*mark);
            assert_eq!(Underapproximation::named(kind.name()), Some(kind));
            assert_eq!(Mark::numbered(number as u64), Some(*mark));
        }
        assert_eq!(Underapproximation::named("nothing"), None);
    }

    #[test]
    fn only_runs_without_drops_are_complete() {
        let mut record = Underapproximations::default();
        assert!(record.complete().is_some() && !record.dropped_paths());
        record.note(SIZE, Example::default);
        assert!(record.complete().is_none() && !record.dropped_paths());
        record.note(UNSUPPORTED, Example::default);
        assert!(record.complete().is_none() && record.dropped_paths());
    }

    #[test]
    fn copies_go_their_own_ways_and_add_up() {
        let mut first = Underapproximations::default();
        first.note(SIZE, || Example::taken(7, None));
        let mut second = first.clone();
        first.note(SIZE, || Example::taken(8, None));
        second.note(UNSUPPORTED, || Example::note("an unsupported feature"));
        let later = second.since(&first);
        assert!(!later.knows(SIZE) && later.knows(UNSUPPORTED));
        let mut both = first.since(&second);
        assert_eq!(
            both.places.as_ref().map(|places| places[&SIZE].count),
            Some(1)
        );
        both.add(&second);
        let places = both.places.expect("places");
        assert_eq!((places[&SIZE].count, places[&UNSUPPORTED].count), (2, 1));
        assert_eq!(places[&SIZE].example, Example::taken(7, None));
    }
}
