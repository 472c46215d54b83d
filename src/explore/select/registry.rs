//! The selectors by name.

use super::{AddsCoverage, All, AllErrors, CoveringNew, EachBug, TestSelector};
use homi_config::{Dialect, TestConfig};

/// One selector.
#[derive(Clone, Copy)]
pub struct SelectorRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// A selector for one thread of a run.
    pub make: fn(&TestConfig) -> Box<dyn TestSelector>,
}

/// Every selector, the usual one first.
pub const SELECTORS: [SelectorRow; 5] = [
    SelectorRow {
        name: "covering-new",
        help: "paths that first cover user code, and new bugs",
        make: |_| Box::new(CoveringNew),
    },
    SelectorRow {
        name: "all-errors",
        help: "paths that first cover any code, and every path that ends in a bug",
        make: |_| Box::new(AllErrors),
    },
    SelectorRow {
        name: "all",
        help: "every path",
        make: |config| {
            Box::new(All {
                describes_all_bugs: config.all_errors,
            })
        },
    },
    SelectorRow {
        name: "each-bug",
        help: "every path without a bug, and the first path of each bug",
        make: |config| {
            Box::new(EachBug {
                repeats: config.all_errors,
                only_new: !config.all,
            })
        },
    },
    SelectorRow {
        name: "adds-coverage",
        help: "of the paths that cover something first, those whose tests show what no written \
               test shows, and new bugs",
        make: |_| Box::new(AddsCoverage::new(Box::new(CoveringNew), 0)),
    },
];

/// The selector that the options ask for in a dialect.
pub fn selector_of(config: &TestConfig, dialect: &Dialect) -> Box<dyn TestSelector> {
    let name = match (dialect.tests_each_path(), config.all, config.all_errors) {
        (true, _, _) => "each-bug",
        (false, true, _) => "all",
        (false, false, true) => "all-errors",
        (false, false, false) => "covering-new",
    };
    let row = SELECTORS.iter().find(|row| row.name == name);
    (row.unwrap_or(&SELECTORS[0]).make)(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different() {
        let names: std::collections::BTreeSet<_> = SELECTORS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), SELECTORS.len());
    }
}
