//! Hands events to those who listen.
//!
//! Invariant: listeners hear all events in one order, one at a time, whichever thread tells them. A
//! listener that fails hears nothing more and disturbs neither the run nor the others; that it
//! failed is kept for who ends the run, with what follows from it.

use super::{CoverageGrew, Event};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A listener of events.
pub trait Listener: Send {
    /// Takes an event. After an error the listener is dropped. It must not tell events itself.
    fn on_event(&mut self, event: &Event) -> io::Result<()>;
}

/// A function that cannot fail.
impl<F: FnMut(&Event) + Send> Listener for F {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        self(event);
        Ok(())
    }
}

/// Effect on a run whose listener failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFailure {
    /// The run stops: without the listener's output it could not be resumed.
    StopsRun,
    /// The run continues, and fails at its end.
    FailsRun,
    /// The run continues, and the user is warned.
    IsWarnedOf,
}

/// A listener that failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {output}: {error}")]
pub struct IncompleteOutput {
    /// Name of the output.
    pub output: String,
    #[source]
    pub error: io::Error,
    /// Effect on the run.
    pub on_failure: OutputFailure,
}

struct Open {
    output: String,
    on_failure: OutputFailure,
    listener: Box<dyn Listener>,
}

#[derive(Default)]
struct Listeners {
    open: Vec<Open>,
    incomplete: Vec<IncompleteOutput>,
    /// The first one that failed and stops the run.
    missing: Option<IncompleteOutput>,
    /// Largest number of branch sides that was emitted.
    branches: u64,
}

impl Listeners {
    fn on_event(&mut self, event: &Event) {
        let (incomplete, missing) = (&mut self.incomplete, &mut self.missing);
        self.open.retain_mut(|open| {
            let Err(error) = open.listener.on_event(event) else {
                return true;
            };
            let output = std::mem::take(&mut open.output);
            let on_failure = open.on_failure;
            let failed = IncompleteOutput {
                output,
                error,
                on_failure,
            };
            match (on_failure, &missing) {
                (OutputFailure::StopsRun, None) => *missing = Some(failed),
                _ => incomplete.push(failed),
            }
            false
        });
    }
}

#[derive(Default)]
struct Shared {
    /// True if there are listeners: asked where making an event is expensive.
    has_listeners: AtomicBool,
    listeners: Mutex<Listeners>,
}

/// A stream of events; clones are the same stream.
#[derive(Clone, Default)]
pub struct EventStream(Arc<Shared>);

impl EventStream {
    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        // A listener that panicked may be inconsistent; the list of listeners is not.
        let listeners = self.0.listeners.lock();
        listeners.unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the listener hears all events; `output` names what it writes. A run without it
    /// fails when it is over.
    pub fn add(&self, output: impl Into<String>, listener: Box<dyn Listener>) {
        self.add_with(output, OutputFailure::FailsRun, listener);
    }

    /// Adds a listener with the effect of its failure.
    pub fn add_with(
        &self,
        output: impl Into<String>,
        on_failure: OutputFailure,
        listener: Box<dyn Listener>,
    ) {
        self.listeners().open.push(Open {
            output: output.into(),
            on_failure,
            listener,
        });
        self.0.has_listeners.store(true, Ordering::Relaxed);
    }

    /// True if anyone listens.
    pub fn has_listeners(&self) -> bool {
        self.0.has_listeners.load(Ordering::Relaxed)
    }

    /// Emits the event that `make` returns, if there is a listener.
    pub fn emit(&self, make: impl FnOnce() -> Event) {
        if !self.has_listeners() {
            return;
        }
        let event = make();
        self.listeners().on_event(&event);
    }

    /// Emits the number of covered branch sides if it has grown: threads see one another's coverage
    /// a little later.
    pub fn report_coverage(&self, branches: u64, branches_total: u64) {
        if !self.has_listeners() {
            return;
        }
        let mut listeners = self.listeners();
        if listeners.branches < branches {
            listeners.branches = branches;
            listeners.on_event(&Event::CoverageGrew(CoverageGrew {
                branches,
                branches_total,
            }));
        }
    }

    /// The first listener that has failed since the last call and stops the run.
    pub fn take_missing(&self) -> Option<IncompleteOutput> {
        self.listeners().missing.take()
    }

    /// The other listeners that have failed since the last call.
    pub fn take_incomplete(&self) -> Vec<IncompleteOutput> {
        std::mem::take(&mut self.listeners().incomplete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn growth_is_reported_once_and_in_order() {
        let stream = EventStream::default();
        stream.report_coverage(3, 9);
        let received: Arc<Mutex<Vec<u64>>> = Arc::default();
        let keep = Arc::clone(&received);
        let listener = move |event: &Event| {
            if let Event::CoverageGrew(coverage) = event {
                keep.lock().unwrap().push(coverage.branches);
            }
        };
        stream.add("a list", Box::new(listener));
        for branches in [1, 4, 2, 4, 5] {
            stream.report_coverage(branches, 9);
        }
        assert_eq!(*received.lock().unwrap(), [1, 4, 5]);
    }

    struct Full;

    impl Listener for Full {
        fn on_event(&mut self, _: &Event) -> io::Result<()> {
            Err(io::Error::other("no space"))
        }
    }

    #[test]
    fn a_listener_that_fails_gets_no_more_events() {
        let stream = EventStream::default();
        let count: Arc<AtomicU64> = Arc::default();
        let counter = Arc::clone(&count);
        stream.add("page", Box::new(Full));
        stream.add_with("log", OutputFailure::StopsRun, Box::new(Full));
        let listener = move |_: &Event| {
            counter.fetch_add(1, Ordering::Relaxed);
        };
        stream.add("count", Box::new(listener));
        stream.report_coverage(1, 2);
        stream.report_coverage(2, 2);
        let incomplete: Vec<String> = stream
            .take_incomplete()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(incomplete, ["cannot write page: no space"]);
        assert!(stream.take_incomplete().is_empty());
        let missing = stream.take_missing().map(|missing| missing.output);
        assert_eq!(missing.as_deref(), Some("log"));
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }
}
