//! Properties of verification tasks: the property files of SV-COMP and Test-Comp.

use super::check_kinds::CheckKind;

/// One thing that is asked of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Goal {
    UnreachCall,
    NoOverflow,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    ValidMemcleanup,
    Termination,
    NoDataRace,
    CoverBranches,
    CoverError,
}

/// The texts of a property file without blanks, and what they ask.
const FORMULAS: [(&str, Goal); 15] = [
    ("LTL(G!call(reach_error()))", Goal::UnreachCall),
    ("LTL(G!call(__VERIFIER_error()))", Goal::UnreachCall),
    ("LTL(G!overflow)", Goal::NoOverflow),
    ("LTL(Gvalid-deref)", Goal::ValidDeref),
    ("LTL(Gvalid-free)", Goal::ValidFree),
    ("LTL(Gvalid-memtrack)", Goal::ValidMemtrack),
    ("LTL(Gvalid-memcleanup)", Goal::ValidMemcleanup),
    ("LTL(Fend)", Goal::Termination),
    ("LTL(G!data-race)", Goal::NoDataRace),
    ("FQL(COVEREDGES(@DECISIONEDGE))", Goal::CoverBranches),
    ("FQL(COVEREDGES(@CONDITIONEDGE))", Goal::CoverBranches),
    ("FQL(COVEREDGES(@BASICBLOCKENTRY))", Goal::CoverBranches),
    ("FQL(COVEREDGES(@CALL(reach_error)))", Goal::CoverError),
    ("FQL(COVEREDGES(@CALL(__VERIFIER_error)))", Goal::CoverError),
    ("FQL(COVEREDGES(@STATEMENT))", Goal::CoverBranches),
];

/// Names of predefined properties, which replace a file.
const NAMES: [(&str, &[Goal]); 8] = [
    ("unreach-call", &[Goal::UnreachCall]),
    ("no-overflow", &[Goal::NoOverflow]),
    (
        "valid-memsafety",
        &[Goal::ValidDeref, Goal::ValidFree, Goal::ValidMemtrack],
    ),
    ("valid-memcleanup", &[Goal::ValidMemcleanup]),
    ("termination", &[Goal::Termination]),
    ("no-data-race", &[Goal::NoDataRace]),
    ("coverage-branches", &[Goal::CoverBranches]),
    ("coverage-error-call", &[Goal::CoverError]),
];

/// Meaning of a goal in a run.
#[derive(Clone, Copy, Debug)]
pub struct GoalMeaning {
    /// Name in verdicts.
    pub name: &'static str,
    /// The bugs that violate it.
    pub kinds: &'static [&'static str],
    /// Checks that find them, and checks of values that clang computes while it compiles.
    pub checks: &'static [CheckKind],
}

impl GoalMeaning {
    const fn new(name: &'static str, kinds: &'static [&'static str]) -> Self {
        Self {
            name,
            kinds,
            checks: &[],
        }
    }

    const fn with(self, checks: &'static [CheckKind]) -> Self {
        Self { checks, ..self }
    }
}

impl Goal {
    /// The one place that says what a goal needs and when it is violated.
    pub const fn meaning(self) -> GoalMeaning {
        match self {
            Goal::UnreachCall => GoalMeaning::new("unreach-call", &["reach_error"]),
            Goal::NoOverflow => GoalMeaning::new("no-overflow", &["overflow"])
                .with(&[CheckKind::SignedIntegerOverflow, CheckKind::Shift]),
            Goal::ValidDeref => {
                GoalMeaning::new("valid-deref", &["ptr", "read_only"]).with(&[CheckKind::VlaBound])
            }
            Goal::ValidFree => GoalMeaning::new("valid-free", &["free"]),
            Goal::ValidMemtrack => {
                GoalMeaning::new("valid-memtrack", &["leak"]).with(&[CheckKind::Leak])
            }
            Goal::ValidMemcleanup => {
                GoalMeaning::new("valid-memcleanup", &["leak"]).with(&[CheckKind::Leak])
            }
            Goal::Termination => GoalMeaning::new("termination", &["endless"]),
            Goal::NoDataRace => {
                GoalMeaning::new("no-data-race", &["race"]).with(&[CheckKind::Race])
            }
            Goal::CoverBranches => GoalMeaning::new("coverage-branches", &[]),
            Goal::CoverError => GoalMeaning::new("coverage-error-call", &["reach_error"]),
        }
    }

    /// Returns the line of a property file that asks for this goal.
    fn specification(self) -> String {
        let formula = match self {
            Goal::UnreachCall => "G ! call(reach_error())",
            Goal::NoOverflow => "G ! overflow",
            Goal::ValidDeref => "G valid-deref",
            Goal::ValidFree => "G valid-free",
            Goal::ValidMemtrack => "G valid-memtrack",
            Goal::ValidMemcleanup => "G valid-memcleanup",
            Goal::Termination => "F end",
            Goal::NoDataRace => "G ! data-race",
            Goal::CoverBranches => {
                return "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_string();
            }
            Goal::CoverError => {
                return "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )".to_string();
            }
        };
        format!("CHECK( init(main()), LTL({formula}) )")
    }

    /// Returns the name in verdicts.
    pub const fn name(self) -> &'static str {
        self.meaning().name
    }
}

/// Property of a verification task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Name of the property, or of its goals.
    pub name: String,
    pub goals: Vec<Goal>,
    /// The text of the file, or of the file that the name replaces.
    pub text: String,
}

impl Property {
    /// Reads what `--property` takes: the name of a property, or a file that has some.
    pub fn named(text: &str) -> Result<Self, String> {
        if let Some((name, goals)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(Self::of_goals(name, goals.to_vec(), None));
        }
        let text = std::fs::read_to_string(text).map_err(|error| {
            let names = known();
            match nearest(text) {
                Some(name) => format!(
                    "no file can be read there ({error}), and it is no property; the nearest one \
                     is {name}, of {names}"
                ),
                None => {
                    format!("no file can be read there ({error}), and it is not one of {names}")
                }
            }
        })?;
        Self::of_text(&text)
    }

    /// Reads a property file.
    pub fn of_text(text: &str) -> Result<Self, String> {
        let mut goals = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let texts: String = line.split_whitespace().collect();
            goals.push(goal(&texts).ok_or_else(|| {
                format!(
                    "`{}` is not a property that homi knows; use one of {}",
                    line.trim(),
                    known()
                )
            })?);
        }
        if goals.is_empty() {
            return Err(format!("the file has no property; use one of {}", known()));
        }
        let named = NAMES.iter().find(|(_, known)| {
            known.len() == goals.len() && known.iter().all(|goal| goals.contains(goal))
        });
        let listed: Vec<&str> = goals.iter().map(|goal| goal.name()).collect();
        let name = named.map_or_else(|| listed.join(", "), |(name, _)| (*name).to_string());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self::of_goals(&name, goals, Some(text)))
    }

    fn of_goals(name: &str, goals: Vec<Goal>, text: Option<String>) -> Self {
        let usual = || {
            let lines: Vec<String> = goals.iter().map(|goal| goal.specification()).collect();
            lines.join(" ")
        };
        Self {
            name: name.to_string(),
            text: text.unwrap_or_else(usual),
            goals,
        }
    }

    pub fn has(&self, goal: Goal) -> bool {
        self.goals.contains(&goal)
    }

    /// True if calls of `reach_error` are what it is about.
    pub fn is_about_error(&self) -> bool {
        self.has(Goal::UnreachCall) || self.has(Goal::CoverError)
    }

    /// True if it asks for tests, not for a verdict.
    pub fn asks_for_tests(&self) -> bool {
        self.has(Goal::CoverBranches) || self.has(Goal::CoverError)
    }
}

/// `CHECK(init(main()),FORMULA)`, without blanks.
fn goal(texts: &str) -> Option<Goal> {
    let inner = ["CHECK(", "COVER("]
        .into_iter()
        .find_map(|start| texts.strip_prefix(start))?;
    let formula = inner.strip_prefix("init(main()),")?.strip_suffix(')')?;
    let found = FORMULAS.iter().find(|(known, _)| *known == formula);
    found.map(|(_, goal)| *goal)
}

/// Least similarity of a name that a message suggests; 1 is equality.
const LIKELY_SLIP: f64 = 0.7;

/// The name that is meant, if it was misspelt.
fn nearest(text: &str) -> Option<&'static str> {
    let alike = |name: &str| strsim::normalized_damerau_levenshtein(text, name);
    let names = NAMES.iter().map(|(name, _)| *name);
    let nearest = names.max_by(|a, b| alike(a).total_cmp(&alike(b)))?;
    (alike(nearest) >= LIKELY_SLIP).then_some(nearest)
}

fn known() -> String {
    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let said = |text| Property::named(text).expect_err("no property");
        assert!(said("no-overflw").contains("the nearest one is no-overflow"));
        assert!(!said("tasks/sum.prp").contains("nearest"));
    }

    #[test]
    fn files_and_names_are_read() {
        let text = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G \
                    valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n\n";
        let property = Property::of_text(text).expect("a property");
        assert_eq!(property.name, "valid-memsafety");
        assert_eq!(property.goals.len(), 3);
        let text = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
        let property = Property::of_text(text).expect("a property");
        assert_eq!(
            (property.name.as_str(), property.text.as_str()),
            ("coverage-branches", text)
        );
        let property = Property::named("unreach-call").expect("a property");
        assert!(property.is_about_error() && !property.asks_for_tests());
        for (name, goals) in NAMES {
            let property = Property::named(name).expect("a property");
            let lines = goals.iter().map(|goal| goal.specification() + "\n");
            let read = Property::of_text(&lines.collect::<String>()).expect("a property");
            assert_eq!((read.name.as_str(), &read.text), (name, &property.text));
        }
    }

    #[test]
    fn an_unknown_property_is_reported_with_the_known_ones() {
        let error = Property::of_text("CHECK( init(main()), LTL(G nice) )").expect_err("unknown");
        assert!(
            error.contains("LTL(G nice)") && error.contains("no-overflow"),
            "{error}"
        );
        let error = Property::named("nice").expect_err("unknown");
        assert!(error.contains("unreach-call"), "{error}");
        assert!(Property::of_text("\n").is_err());
    }
}
