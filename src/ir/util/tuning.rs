//! Tables of tuning constants: each row a number with a name, a default, a range and a meaning.
//!
//! Invariant: a value is always within its row's range, so users need no check.

use std::fmt::Display;
use std::str::FromStr;
use thiserror::Error;

/// A row of a table, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuningRow {
    pub name: &'static str,
    pub default: String,
    /// The least and the greatest value.
    pub range: (String, String),
    pub unit: &'static str,
    /// Meaning of the number.
    pub meaning: &'static str,
}

/// Reason why a tuning constant cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TuningError {
    #[error("there is no tuning constant {name}")]
    Unknown { name: String },
    #[error("tuning constant {name}: {value} is no number from {least} to {most}")]
    Value {
        name: &'static str,
        value: String,
        least: String,
        most: String,
    },
}

/// The number that a text says, if it is within the range.
pub fn parse<T: FromStr + PartialOrd + Display>(
    name: &'static str,
    value: &str,
    (least, most): (T, T),
) -> Result<T, TuningError> {
    match value.parse::<T>() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(TuningError::Value {
            name,
            value: value.to_string(),
            least: least.to_string(),
            most: most.to_string(),
        }),
    }
}

/// Declares a table: a struct with a public field for each row, `Default`, `rows` and `set`. A row
/// is its meaning as a doc comment, then `name: type = default, least to most, "unit";`.
#[macro_export]
macro_rules! tuning_table {
    ($(#[$outer:meta])* $table:ident {
        $(#[doc = $meaning:literal]
        $name:ident: $type:ty = $default:expr, $least:literal to $most:expr, $unit:literal;)+
    }) => {
        $(#[$outer])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $table {
            $(#[doc = $meaning] pub $name: $type,)+
        }

        impl Default for $table {
            fn default() -> $table {
                $table { $($name: $default,)+ }
            }
        }

        impl $table {
            /// All rows in the order of the table.
            pub fn rows() -> Vec<$crate::util::tuning::TuningRow> {
                let default = $table::default();
                vec![$($crate::util::tuning::TuningRow {
                    name: stringify!($name),
                    default: default.$name.to_string(),
                    range: (<$type>::to_string(&$least), <$type>::to_string(&$most)),
                    unit: $unit,
                    meaning: $meaning.trim_ascii(),
                },)+]
            }

            /// Sets the constant of this name to the number that a text says.
            pub fn set(
                &mut self,
                name: &str,
                value: &str,
            ) -> Result<(), $crate::util::tuning::TuningError> {
                match name {
                    $(stringify!($name) => {
                        let range = ($least, $most);
                        let name = stringify!($name);
                        self.$name = $crate::util::tuning::parse(name, value, range)?;
                    })+
                    _ => {
                        let name = name.to_string();
                        return Err($crate::util::tuning::TuningError::Unknown { name });
                    }
                }
                Ok(())
            }
        }
    };
}
pub use tuning_table;

#[cfg(test)]
mod tests {
    use super::*;

    tuning_table! {
        /// A table for tests.
        Small {
            /// Number of turns.
            turns: u32 = 5, 1 to 100, "turns";
            /// Share of a run.
            share: f64 = 0.25, 0.0 to 1.0, "share of the run";
        }
    }

    #[test]
    fn a_value_is_set_by_name_within_its_range() {
        let mut table = Small::default();
        assert_eq!(table.set("turns", "100"), Ok(()));
        assert_eq!(table.set("share", "0.5"), Ok(()));
        assert_eq!((table.turns, table.share), (100, 0.5));
        let unknown = table.set("turn", "1").unwrap_err();
        assert_eq!(unknown.to_string(), "there is no tuning constant turn");
        let said = "tuning constant turns: 0 is no number from 1 to 100";
        assert_eq!(table.set("turns", "0").unwrap_err().to_string(), said);
        for wrong in ["", "-1", "nan", "1e99", "1.0"] {
            assert!(table.set("turns", wrong).is_err(), "{wrong}");
        }
        for wrong in ["NaN", "inf", "-0.1"] {
            assert!(table.set("share", wrong).is_err(), "{wrong}");
        }
        assert_eq!((table.turns, table.share), (100, 0.5));
    }

    #[test]
    fn rows_say_what_there_is() {
        let rows = Small::rows();
        let share = TuningRow {
            name: "share",
            default: "0.25".to_string(),
            range: ("0".to_string(), "1".to_string()),
            unit: "share of the run",
            meaning: "Share of a run.",
        };
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1], share);
    }
}
