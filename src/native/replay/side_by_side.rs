//! Tests that run at the same time, and whose results come in the order of the tests.
//!
//! The branches that a test is the first to take depend on the order, so a result waits for the
//! results before it. Invariant: no test is running when `side_by_side` returns.

use super::session::{Replayer, TestResult};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::scope;

/// Result for a test.
pub(super) enum Ran {
    /// The test ran; the directory has its counts, if it made any.
    Over(Box<TestResult>, Option<PathBuf>),
    /// The time for all tests was over before.
    Late,
    /// The user stopped it.
    Interrupted,
}

/// A test's number and what became of it, or why no further one can be run.
type Message = (usize, anyhow::Result<Ran>);

/// Runs the tests, as many at a time as the replayer says, and gives the results to `take` in the
/// order of the tests, until it says `false` or fails, or a test cannot be run at all.
pub(super) fn side_by_side(
    replayer: &Replayer<'_>,
    tests: &[PathBuf],
    take: &mut dyn FnMut(Ran) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let jobs = replayer.jobs().min(tests.len());
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<Message>(jobs);
    scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, over) = (sender.clone(), &next, &over);
            scope.spawn(move || work(replayer, tests, &sender, (next, over)));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        let mut all = || -> anyhow::Result<()> {
            for (number, ran) in &receiver {
                waiting.insert(number, ran);
                while let Some(ran) = waiting.remove(&wanted) {
                    wanted += 1;
                    if !take(ran?)? {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let done = all();
        over.store(true, Ordering::Relaxed);
        // Workers that still wait to report stop when the receiver is dropped.
        drop(receiver);
        done
    })
}

/// Runs one test after the other until none is left or wanted.
fn work(
    replayer: &Replayer<'_>,
    tests: &[PathBuf],
    sender: &SyncSender<Message>,
    (next, over): (&AtomicUsize, &AtomicBool),
) {
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(test) = tests.get(number) else {
            return;
        };
        if sender
            .send((number, replayer.replay(test, number)))
            .is_err()
        {
            return;
        }
    }
}
