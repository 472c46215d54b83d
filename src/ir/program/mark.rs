//! Marks: what homi decides in place of the program, of its environment or of a compiler, where a
//! verdict is asked for.
//!
//! Invariant: the table is the only list. A path with a mark cannot be part of a proof, so a run
//! with a mark never says TRUE. Lowering calls `homi_mark` with a mark's number where code of the
//! program or of the C library asks for such a decision; without a property there are no calls.

use serde::{Deserialize, Serialize};

macro_rules! marks {
    ($($(#[doc = $doc:literal])+ $mark:ident: $name:literal, $words:literal;)+) => {
        /// A decision that homi took in place of another.
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize,
        )]
        pub enum Mark {
            $($(#[doc = $doc])+ $mark,)+
        }

        impl Mark {
            /// All marks; a mark's number is its position.
            pub const ALL: &[Mark] = &[$(Mark::$mark),+];

            /// Returns the name in `summary.json`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Mark::$mark => $name,)+
                }
            }

            /// Returns the description for people.
            pub const fn words(self) -> &'static str {
                match self {
                    $(Mark::$mark => $words,)+
                }
            }
        }
    };
}

// Mark: name, description.
marks! {
    /// Input that is not symbolic, or symbolic within bounds: arguments, files, answers of the
    /// machine and of the user.
    Environment: "environment", "input or an answer of the machine that is one of many";
    /// The result of an output function, which never fails.
    Output: "output", "the result of output, which may fail";
    /// A number, an order or a distance of addresses.
    Addresses: "addresses", "an address, which is one of many";
    /// An allocation that failed because the model has no room.
    Room: "allocation-failed", "an allocation that the model has no room for";
    /// Sums of constants that the compiler computed before a check saw them.
    Folded: "folded", "constants that the compiler computed unchecked";
    /// The order of operands whose evaluations change what the others read.
    Order: "order", "the order in which operands are evaluated";
    /// A local that changed between `setjmp` and `longjmp`.
    Jump: "jump", "a local that was changed after setjmp";
    /// Bytes that may never have been written, where undefined values are not tracked.
    Unset: "unset", "a value that may never have been set";
    /// The end of a block whose local a pointer may lead to, where it is not followed.
    Block: "block", "a pointer to a local, whose block may have ended";
    /// An access of a thread at one of many places, which is not compared with other threads'.
    RaceByIndex: "race-by-index", "an access of a thread at one of many places";
}

impl Mark {
    /// True if native programs may decide otherwise in all runs, so that what follows may be seen
    /// in none.
    pub const fn may_be_homis_alone(self) -> bool {
        matches!(self, Mark::Addresses | Mark::Room)
    }

    /// Returns the mark with a number.
    pub fn numbered(number: u64) -> Option<Mark> {
        let number = usize::try_from(number).ok()?;
        Self::ALL.get(number).copied()
    }
}
