//! Declaration of statistics of runs: once, each with its type, its unit, how several runs,
//! sessions or threads are aggregated, and its meaning.
//!
//! Invariant: fields, sums and the guide's page of statistics all come from the declarations.

use std::collections::BTreeMap;

/// Unit of a statistic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Things, as the meaning says.
    Count,
    /// One count for each name.
    CountsByName,
    /// A list of counts.
    Counts,
    /// Two values.
    Pair,
    /// A list of pairs.
    Pairs,
    /// A position or an identifier.
    Number,
    /// A list of numbers.
    Numbers,
    Seconds,
    Microseconds,
    Bytes,
    Instructions,
    /// Units of work (docs/research/work.md).
    Work,
    /// A part of a whole, 0 to 1.
    Ratio,
    /// True or false.
    Boolean,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// Statistics that are declared in a separate group.
    Group,
    /// A list of such groups.
    Groups,
}

impl Unit {
    /// Name on the page of statistics.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Count => "count",
            Unit::CountsByName => "counts by name",
            Unit::Counts => "list of counts",
            Unit::Pair => "pair",
            Unit::Pairs => "list of pairs",
            Unit::Number => "number",
            Unit::Numbers => "list of numbers",
            Unit::Seconds => "s",
            Unit::Microseconds => "µs",
            Unit::Bytes => "bytes",
            Unit::Instructions => "instructions",
            Unit::Work => "work",
            Unit::Ratio => "0 to 1",
            Unit::Boolean => "boolean",
            Unit::Text => "text",
            Unit::Texts => "list of texts",
            Unit::Group => "record",
            Unit::Groups => "list of records",
        }
    }
}

/// Combination of a statistic over several runs, sessions or threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aggregation {
    Sum,
    /// The maximum.
    Most,
    /// The last value.
    Last,
    /// No combination: the statistic belongs to one run.
    Own,
}

impl Aggregation {
    /// Name on the page of statistics.
    pub fn name(self) -> &'static str {
        match self {
            Aggregation::Sum => "sum",
            Aggregation::Most => "max",
            Aggregation::Last => "last",
            Aggregation::Own => "",
        }
    }
}

/// One statistic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistic {
    /// Its name wherever it is written.
    pub name: &'static str,
    pub unit: Unit,
    pub aggregation: Aggregation,
    /// The lines of its meaning.
    pub meaning: &'static [&'static str],
}

/// Statistics that stand together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatisticGroup {
    /// Files with the statistics, as text.
    pub place: &'static str,
    pub statistics: &'static [Statistic],
}

/// Statistics that can be summed.
pub trait AddUp {
    /// Adds the statistics of another run, session or thread.
    fn add_up(&mut self, other: &Self);
}

impl AddUp for u64 {
    fn add_up(&mut self, other: &Self) {
        *self += other;
    }
}

impl AddUp for f64 {
    fn add_up(&mut self, other: &Self) {
        *self += other;
    }
}

/// Counts by name.
impl AddUp for BTreeMap<String, u64> {
    fn add_up(&mut self, other: &Self) {
        for (name, count) in other {
            *self.entry(name.clone()).or_insert(0) += count;
        }
    }
}

impl<T: AddUp + Clone> AddUp for Option<T> {
    fn add_up(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Some(sum), Some(other)) => sum.add_up(other),
            (None, Some(_)) => self.clone_from(other),
            (_, None) => {}
        }
    }
}

/// Replaces a statistic by another one if that is greater.
pub(super) fn raise<T: PartialOrd + Clone>(statistic: &mut T, other: &T) {
    if *other > *statistic {
        statistic.clone_from(other);
    }
}

/// Declares a group of statistics: a record that is written as JSON. A field has its meaning as a
/// comment, its serde attributes, its type, its unit (`Unit`) and its aggregation (`Aggregation`).
macro_rules! statistics {
    (
        $(#[$outer:meta])*
        $group:ident in $place:literal {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($($serde:tt)+)])?
                $field:ident: $type:ty, $unit:ident, $aggregation:ident;
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
        pub struct $group {
            $(
                $(#[doc = $meaning])+
                $(#[serde($($serde)+)])?
                pub $field: $type,
            )*
        }

        impl $group {
            /// The declarations.
            pub const STATISTICS: $crate::StatisticGroup = $crate::StatisticGroup {
                place: $place,
                statistics: &[$($crate::Statistic {
                    name: stringify!($field),
                    unit: $crate::Unit::$unit,
                    aggregation: $crate::Aggregation::$aggregation,
                    meaning: &[$($meaning),+],
                },)*],
            };

            /// Adds the statistics of another run, session or thread.
            pub fn add(&mut self, other: &Self) {
                // A group may have no field that adds up.
                let _ = other;
                $(statistics!(@aggregation $aggregation self other $field);)*
            }
        }

        impl $crate::schema::Described for $group {
            fn schema() -> serde_json::Value {
                let mut record = $crate::schema::Record::default();
                $(record.field::<$type>(
                    stringify!($field),
                    &[$($meaning),+],
                    stringify!($($($serde)+)?),
                );)*
                record.finish()
            }
        }

        impl $crate::AddUp for $group {
            fn add_up(&mut self, other: &Self) {
                self.add(other);
            }
        }
    };
    (@aggregation Sum $self:ident $other:ident $field:ident) => {
        $crate::AddUp::add_up(&mut $self.$field, &$other.$field)
    };
    (@aggregation Most $self:ident $other:ident $field:ident) => {
        $crate::statistics::raise(&mut $self.$field, &$other.$field)
    };
    (@aggregation Last $self:ident $other:ident $field:ident) => {
        $self.$field.clone_from(&$other.$field)
    };
    (@aggregation Own $self:ident $other:ident $field:ident) => {};
}

pub(super) use statistics;
