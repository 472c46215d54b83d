//! Checks of the installed parts: the libc and kernel bitcode, and a trial of the whole.

use super::finding::Finding;
use homi_ir::util::installation;
use std::path::Path;

/// Result of testing a small program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    pub tests: u64,
    /// Number of branches that the exploration covered, and of all branches.
    pub branches: (u64, u64),
    /// Number of branches that the tests took natively, and of all branches; `None` if not counted.
    pub native: Option<(usize, usize)>,
    /// True if the solver process answered a query.
    pub solver: bool,
}

/// Returns the finding about the runtime's bitcode: its directory, or why it was not found.
pub fn runtime(place: Result<&Path, &str>) -> Finding {
    match place {
        Ok(place) => {
            let whole = place.canonicalize();
            let place = whole.as_deref().unwrap_or(place);
            Finding::fine("libc, kernel", place.display().to_string())
        }
        Err(why) => Finding::missing("libc, kernel", why, installation::remedy()),
    }
}

/// Returns the findings that the trial of a small program showed.
pub fn trial(trial: Result<&Trial, &str>) -> Vec<Finding> {
    let done = match trial {
        Ok(done) => done,
        Err(why) => {
            let what = format!("cannot test a small program: {why}");
            return vec![Finding::missing(
                "trial",
                what,
                "install the missing parts above",
            )];
        }
    };
    let (covered, total) = done.branches;
    let tests = done.tests;
    let whole = if covered == total {
        Finding::fine(
            "trial",
            format!("explored a small program: {covered} of {total} branches, {tests} tests"),
        )
    } else {
        Finding::missing(
            "trial",
            format!("covered only {covered} of {total} branches of a small program"),
            "report a bug with the output of homi doctor",
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
            "report a bug with the output of homi doctor",
        ),
        None => Finding::less(
            "replay",
            "its tests do not run natively",
            "install the missing parts above",
        ),
    };
    let solver = if done.solver {
        Finding::fine("Z3", "answers")
    } else {
        Finding::less(
            "Z3",
            "does not answer: floating-point queries stay unsolved",
            installation::remedy(),
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
