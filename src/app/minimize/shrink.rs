//! Tests made smaller: text and numbers that the behavior does not need are removed. Objects keep
//! their sizes, which the program's arguments say.
//!
//! Invariant: the smaller test was run; it covers the same sides and ends the same way.

use super::Covering;
use super::measured::Program;
use homi_explore::sources::fuzz::{Input, trim};
use homi_native::testcase::ktest::KTest;

/// Most executions for one test.
const MOST: usize = 400;

/// A smaller test.
pub(super) struct Smaller {
    pub(super) test: KTest,
    /// Bytes that are not zero, before and after.
    pub(super) before: usize,
    pub(super) after: usize,
}

/// Makes a test smaller, if it can be.
pub(super) fn shrink(test: &Covering, program: &Program) -> anyhow::Result<Smaller> {
    let original = KTest::read(&test.path)?;
    let wanted = program.try_one(&original)?;
    let with = |input: &Input| {
        let mut test = original.clone();
        for (object, (_, bytes)) in test.objects.iter_mut().zip(input.objects()) {
            object.bytes = bytes.to_vec();
        }
        test
    };
    let objects = original.objects.iter();
    let mut input =
        Input::of_objects(objects.map(|object| (object.name_text(), object.bytes.clone())));
    let mut failed = None;
    trim(
        &mut input,
        MOST,
        &mut |input| match program.try_one(&with(input)) {
            Ok(behavior) => behavior.is_some() && behavior == wanted,
            Err(error) => {
                failed.get_or_insert(error);
                false
            }
        },
    );
    if let Some(error) = failed {
        return Err(error);
    }
    let count = |test: &KTest| {
        let bytes = test.objects.iter().flat_map(|object| &object.bytes);
        bytes.filter(|byte| **byte != 0).count()
    };
    let smaller = with(&input);
    Ok(Smaller {
        before: count(&original),
        after: count(&smaller),
        test: smaller,
    })
}
