//! Kinds of conditions of an entry. A test can disable each kind and must then miss a bug, which
//! shows that each kind is necessary and tested.
//!
//! Invariant: outside of tests no kind is disabled. A cause that makes a subpath fail, such as a
//! path that did not end, needs no kind, because then there is no entry.

use std::cell::Cell;

/// Kind of condition without which an entry might subsume a state that does something new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Answer of a solver query, of a cheap solver layer, or of a fact of the path.
    Query,
    /// Value that was concrete where a concrete value is used: a size, a length, an argument.
    Number,
    /// Value, in a register or in memory, that was an address, or one of several.
    Address,
    /// Offset from a relocatable address.
    Distance,
    /// Bytes that were concrete where built-in functions read them.
    Contents,
    /// One of the explored sides is taken, such as an object to which a pointer led.
    FollowedSides,
    /// Size, kind and liveness of an object.
    ObjectShape,
    /// Address without an object.
    Absence,
    /// Freed block to which a pointer still leads.
    Freed,
    /// Address of an object whose address is used as a number.
    FixedAddress,
    /// Different blocks stay different.
    OneToOne,
    /// Symbolic or concrete value, where the program tests it.
    Symbolic,
    /// Rounding, exception flags, forking, jump targets.
    Modes,
    /// Frames around the innermost one.
    Callers,
    /// Bytes that are terms over inputs (the form `core`).
    Bound,
    /// Constraints on the inputs of such terms (the form `core`).
    Kept,
}

impl Reason {
    /// Every kind, in the order above.
    pub const ALL: [Reason; 16] = [
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

thread_local! {
    static DISABLED: Cell<Option<Reason>> = const { Cell::new(None) };
}

impl Reason {
    /// True unless a test disables this kind on this thread.
    #[inline]
    pub(super) fn counts(self) -> bool {
        DISABLED.get() != Some(self)
    }

    /// Disables a kind on this thread, for a test; `None` enables all.
    #[doc(hidden)]
    pub fn disable(reason: Option<Self>) {
        DISABLED.set(reason);
    }
}
