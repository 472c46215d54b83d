//! Reason why a branch side was not taken.
//!
//! Idea: the results of the queries about a side tell most. If a side was never queried, the reason
//! depends on whether its branch was reached: if so, the condition was constant.

use super::data::RunData;
use homi_native::testcase::{SideAnswersLine, TestCoverage, read_side_answers};
use homi_report::Summary;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

type SideSet = BTreeSet<(u32, u32)>;

/// Data about sides other than tests, over all sessions of a directory.
#[derive(Debug, Default)]
pub(super) struct Untaken {
    taken: SideSet,
    infeasible: SideSet,
    underapproximations: SideSet,
    unknown: SideSet,
    pending: SideSet,
    /// True if a session has reported the sides; a current or killed session has not.
    is_reported: bool,
}

/// Result for a branch side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fate {
    Taken,
    NeverReached,
    Infeasible,
    Constant,
    OtherInput,
    Underapproximations,
    GaveUp,
    Unchecked,
    NoTest,
    Unknown,
}

/// Name and meaning of a result.
struct Words {
    fate: Fate,
    name: &'static str,
    meaning: &'static str,
}

/// Every result except `Taken`, in the order of the columns of tables.
const WORDS: [Words; 9] = [
    Words {
        fate: Fate::NeverReached,
        name: "not reached",
        meaning: "no path reached the branch",
    },
    Words {
        fate: Fate::Infeasible,
        name: "infeasible",
        meaning: "infeasible on every path that reached the branch; another path may take it",
    },
    Words {
        fate: Fate::Constant,
        name: "constant condition",
        meaning: "the condition was concrete on every path that reached the branch; another path \
             may take it",
    },
    Words {
        fate: Fate::OtherInput,
        name: "needs another input",
        meaning: "no input of this layout takes it; longer or more arguments, other files or \
             variables may (--input-layouts auto)",
    },
    Words {
        fate: Fate::Underapproximations,
        name: "under-approximation",
        meaning: "infeasible under the concretizations of its path, or forking was off; other \
             values may take it",
    },
    Words {
        fate: Fate::GaveUp,
        name: "query timed out",
        meaning: "the solver timed out; raise --max-solver-time",
    },
    Words {
        fate: Fate::Unchecked,
        name: "unchecked",
        meaning: "the run ended before the query",
    },
    Words {
        fate: Fate::NoTest,
        name: "no test",
        meaning: "a path took it but was pruned or dropped before its test was written",
    },
    Words {
        fate: Fate::Unknown,
        name: "not taken",
        meaning: "a path reached the branch; the reason is known when the run ends",
    },
];

impl Fate {
    /// Returns the results that occur, which get a column in tables.
    pub(super) fn columns(occurs: impl Fn(Fate) -> bool) -> Vec<Fate> {
        let fates = WORDS.iter().map(|words| words.fate);
        fates.filter(|fate| occurs(*fate)).collect()
    }

    fn words(self) -> Option<&'static Words> {
        WORDS.iter().find(|words| words.fate == self)
    }

    /// Returns the name of a result.
    pub(super) fn name(self) -> &'static str {
        self.words().map_or("taken", |words| words.name)
    }

    /// Returns the meaning of a result.
    pub(super) fn meaning(self) -> &'static str {
        self.words()
            .map_or("a test takes it", |words| words.meaning)
    }
}

/// Reads the data of a directory's sessions; a directory without the file has none.
pub(super) fn read_untaken(directory: &Path) -> io::Result<Untaken> {
    let mut untaken = Untaken::default();
    for line in read_side_answers(directory)? {
        untaken.add(line);
    }
    Ok(untaken)
}

impl Untaken {
    fn add(&mut self, line: SideAnswersLine) {
        self.is_reported = true;
        self.taken.extend(line.taken);
        self.infeasible.extend(line.infeasible);
        self.underapproximations
            .extend(line.infeasible_underapproximated);
        self.underapproximations.extend(line.not_followed);
        self.unknown.extend(line.unknown);
        self.pending.extend(line.pending);
    }
}

/// Results for all branch sides of a run.
pub(super) struct Fates<'d> {
    by_tests: SideSet,
    reached: BTreeSet<u32>,
    untaken: &'d Untaken,
    /// True if nothing was left unchecked.
    is_exhausted: bool,
    /// True if homi explored every path of this input layout.
    is_whole: bool,
}

impl<'d> Fates<'d> {
    pub(super) fn of(data: &'d RunData) -> Self {
        let reason = data
            .summary
            .as_ref()
            .map(|summary| summary.stop_reason.as_str());
        let is_exhausted = reason.is_some_and(|reason| reason.starts_with("exhausted"));
        let mut fates = Self::new(&data.tests, &data.untaken, is_exhausted);
        fates.is_whole = data.summary.as_ref().is_some_and(follows_every_path);
        fates
    }

    fn new(tests: &[TestCoverage], untaken: &'d Untaken, is_exhausted: bool) -> Self {
        let sides = tests.iter().flat_map(|test| &test.sides);
        let by_tests: SideSet = sides.copied().collect();
        let told = [
            &untaken.taken,
            &untaken.infeasible,
            &untaken.underapproximations,
            &untaken.unknown,
            &untaken.pending,
        ];
        let sides = told.into_iter().flatten().chain(&by_tests);
        Self {
            reached: sides.map(|(branch, _)| *branch).collect(),
            by_tests,
            untaken,
            is_exhausted,
            is_whole: false,
        }
    }

    /// Returns the result for a side; the most promising reason wins.
    pub(super) fn of_side(&self, branch: u32, side: u32) -> Fate {
        let (at, told) = ((branch, side), self.untaken);
        match () {
            () if self.by_tests.contains(&at) => Fate::Taken,
            () if told.taken.contains(&at) => Fate::NoTest,
            () if told.unknown.contains(&at) => Fate::GaveUp,
            () if told.pending.contains(&at) && !self.is_exhausted => Fate::Unchecked,
            () if told.underapproximations.contains(&at) => Fate::Underapproximations,
            () if self.is_whole => Fate::OtherInput,
            () if told.infeasible.contains(&at) => Fate::Infeasible,
            () if !self.reached.contains(&branch) => Fate::NeverReached,
            () if told.is_reported => Fate::Constant,
            () => Fate::Unknown,
        }
    }
}

/// True if a run explored every path of its input layout, according to its summary.
fn follows_every_path(summary: &Summary) -> bool {
    let paths = &summary.paths;
    let is_over = summary.stop_reason == "exhausted" && summary.underapproximations.is_empty();
    is_over && paths.early + paths.pruned + paths.unsupported == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_the_most_optimistic_reason() {
        let test = TestCoverage {
            test: "test000001".to_string(),
            ended: true,
            sides: vec![(0, 0), (1, 1)],
            new: Vec::new(),
            found_by: String::new(),
            boundaries: Vec::new(),
            work: None,
            exit: None,
            underapproximations: Vec::new(),
        };
        let mut untaken = Untaken::default();
        let unfinished = Fates::new(std::slice::from_ref(&test), &untaken, false);
        assert_eq!(unfinished.of_side(0, 1), Fate::Unknown);
        untaken.add(SideAnswersLine {
            taken: vec![(0, 0), (3, 0)],
            infeasible: vec![(0, 1), (4, 0), (5, 0)],
            infeasible_underapproximated: vec![(4, 0)],
            unknown: vec![(4, 1)],
            not_followed: Vec::new(),
            pending: vec![(5, 0), (5, 1)],
        });
        let fates = Fates::new(std::slice::from_ref(&test), &untaken, false);
        let expected = [
            ((0, 0), Fate::Taken),
            ((0, 1), Fate::Infeasible),
            ((1, 0), Fate::Constant),
            ((2, 0), Fate::NeverReached),
            ((3, 0), Fate::NoTest),
            ((4, 0), Fate::Underapproximations),
            ((4, 1), Fate::GaveUp),
            ((5, 0), Fate::Unchecked),
        ];
        for ((branch, side), fate) in expected {
            assert_eq!(fates.of_side(branch, side), fate, "{branch} {side}");
        }
        let exhausted = Fates::new(std::slice::from_ref(&test), &untaken, true);
        assert_eq!(exhausted.of_side(5, 0), Fate::Infeasible);
        let mut whole = exhausted;
        whole.is_whole = true;
        let fates = [(0, 0), (2, 0), (5, 0)].map(|(branch, side)| whole.of_side(branch, side));
        let expected = [Fate::Taken, Fate::OtherInput, Fate::OtherInput];
        assert_eq!(fates, expected);
    }

    #[test]
    fn all_fates_have_words() {
        let all = Fate::columns(|_| true);
        assert_eq!(all.len(), Fate::Unknown as usize);
        assert_eq!(
            (Fate::Taken.name(), Fate::Unchecked.name()),
            ("taken", "unchecked")
        );
    }
}
