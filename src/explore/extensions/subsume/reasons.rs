//! The kinds of reasons and of what else an entry pins. Each can be left out in a test, which then
//! must lose a bug: so none of them is there in vain, and none is without a test.
//!
//! Invariant: outside of tests none is left out. What only makes a subpath fail, such as a path
//! that did not come to its end, needs none: then there is no entry.

/// Something without which a state might be taken for one that can do nothing new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// What a query to the solver, a cheap layer of it or a fact of the path answered.
    Query,
    /// A value that was a number where a number is used: a size, a length, an argument.
    Number,
    /// A value, or one in memory, that was one address, or one of those that it might be.
    Address,
    /// What is added to an address that other paths have elsewhere.
    Distance,
    /// Bytes that were numbers where functions of homi's own read them.
    Contents,
    /// One of the sides that were followed is taken, such as the objects that a pointer led to.
    FollowedSides,
    /// Size, kind and liveness of an object.
    ObjectShape,
    /// There is no object at an address.
    Absence,
    /// A block was freed that a pointer still leads to.
    Freed,
    /// An object whose address is used as a number is where it was.
    FixedAddress,
    /// Blocks that were several are several.
    OneToOne,
    /// Whether a value is symbolic, where the program asks.
    Symbolic,
    /// Rounding, exception flags, forking, jump targets.
    Modes,
    /// The frames around the innermost one.
    Callers,
    /// Bytes that are terms over inputs (the form `core`).
    Bound,
    /// The constraints on those inputs (the form `core`).
    Kept,
}

#[cfg(test)]
impl Reason {
    pub(crate) const ALL: [Reason; 16] = [
        Reason::Query,
        Reason::Number,
        Reason::Address,
        Reason::Distance,
        Reason::Contents,
        Reason::FollowedSides,
        Reason::ObjectShape,
        Reason::Absence,
        Reason::Freed,
        Reason::FixedAddress,
        Reason::OneToOne,
        Reason::Symbolic,
        Reason::Modes,
        Reason::Callers,
        Reason::Bound,
        Reason::Kept,
    ];
}

#[cfg(test)]
thread_local! {
    static LEFT_OUT: std::cell::Cell<Option<Reason>> = const { std::cell::Cell::new(None) };
}

impl Reason {
    /// Whether it counts; always, but in a test that leaves it out.
    #[cfg(not(test))]
    #[inline]
    pub(super) fn counts(self) -> bool {
        true
    }

    /// Whether it counts on this thread.
    #[cfg(test)]
    pub(super) fn counts(self) -> bool {
        LEFT_OUT.get() != Some(self)
    }

    /// Leaves a reason out on this thread, or none.
    #[cfg(test)]
    pub(crate) fn leave_out(reason: Option<Self>) {
        LEFT_OUT.set(reason);
    }
}
