//! What belongs to homi itself: the libc and kernel as bitcode, and whether the whole of it works.

use super::finding::Finding;
use crate::ir::util::own_parts;
use std::path::Path;

/// How a small program was tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    pub tests: u64,
    /// Branches that the exploration covered, and all that there are.
    pub branches: (u64, u64),
    /// Branches that the tests took natively, and all; `None` if nothing was counted.
    pub native: Option<(usize, usize)>,
    /// True if the solver process answered something.
    pub solver: bool,
}

/// Where the runtime's bitcode is, or why it is nowhere.
pub fn runtime(place: Result<&Path, &str>) -> Finding {
    match place {
        Ok(place) => {
            let whole = place.canonicalize();
            let place = whole.as_deref().unwrap_or(place);
            Finding::fine("libc, kernel", place.display().to_string())
        }
        Err(why) => Finding::missing("libc, kernel", why, own_parts::remedy()),
    }
}

/// What the trial of a small program showed.
pub fn trial(trial: Result<&Trial, &str>) -> Vec<Finding> {
    let done = match trial {
        Ok(done) => done,
        Err(why) => {
            let what = format!("a small program could not be tested: {why}");
            return vec![Finding::missing(
                "trial",
                what,
                "what is said to be missing above",
            )];
        }
    };
    let (covered, total) = done.branches;
    let tests = done.tests;
    let whole = if covered == total {
        Finding::fine(
            "trial",
            format!("a small program was explored: {covered} of {total} branches, {tests} tests"),
        )
    } else {
        Finding::missing(
            "trial",
            format!("of a small program only {covered} of {total} branches were covered"),
            "a bug report with the output of homi doctor",
        )
    };
    let native = match done.native {
        Some((taken, all)) if taken == all => Finding::fine(
            "replay",
            format!("its tests take {taken} of {all} branches natively"),
        ),
        Some((taken, all)) => Finding::less(
            "replay",
            format!("its tests take only {taken} of {all} branches natively"),
            "a bug report with the output of homi doctor",
        ),
        None => Finding::less(
            "replay",
            "its tests did not run natively",
            "what is said to be missing above",
        ),
    };
    let solver = if done.solver {
        Finding::fine("Z3", "answers")
    } else {
        Finding::less(
            "Z3",
            "does not answer: questions about floating-point numbers stay open",
            own_parts::remedy(),
        )
    };
    vec![solver, whole, native]
}

#[cfg(test)]
mod tests {
    use super::super::finding::State;
    use super::*;

    #[test]
    fn a_trial_tells_what_works() {
        let good = Trial {
            tests: 3,
            branches: (4, 4),
            native: Some((4, 4)),
            solver: true,
        };
        let states = |done: Result<&Trial, &str>| {
            trial(done)
                .iter()
                .map(|finding| finding.state)
                .collect::<Vec<_>>()
        };
        assert_eq!(states(Ok(&good)), [State::Fine; 3]);
        let weak = Trial {
            native: None,
            solver: false,
            ..good.clone()
        };
        assert_eq!(states(Ok(&weak)), [State::Less, State::Fine, State::Less]);
        let bad = Trial {
            branches: (1, 4),
            ..good
        };
        assert_eq!(states(Ok(&bad))[1], State::Missing);
        assert_eq!(states(Err("no clang")), [State::Missing]);
        assert_eq!(runtime(Err("nowhere")).state, State::Missing);
        assert_eq!(runtime(Ok(Path::new("/x"))).what, "/x");
    }
}
