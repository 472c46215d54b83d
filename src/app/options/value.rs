//! The kinds of values that options have: how each is typed, checked and shown.

use super::declare::{Kept, Single};
use super::row::Form;
use super::units;
use super::uses::{Flag, List};
use clap::ValueEnum;
use clap::builder::{BoolishValueParser, ValueParser};
use homi_config::Budget;
use std::path::PathBuf;
use std::time::Duration;

/// `--name`.
pub(super) fn flag(long: &'static str) -> Flag {
    Flag::new(long)
}

/// `--name`, or `--name=true|false`.
pub(super) fn switch(long: &'static str) -> Single<bool> {
    Single::new(long, Form::Switch, ValueParser::bool(), bool::to_string)
}

/// `--name true|false`.
pub(super) fn boolean(long: &'static str) -> Single<bool> {
    let form = Form::Value("BOOL".to_string());
    Single::new(long, form, ValueParser::bool(), bool::to_string)
}

/// `--name on|off`.
pub(super) fn on_or_off(long: &'static str) -> Single<bool> {
    let parser = BoolishValueParser::new();
    Single::new(
        long,
        Form::Value("on|off".to_string()),
        parser.into(),
        |is_on| if *is_on { "on" } else { "off" }.to_string(),
    )
}

/// A time, with suffix `i` a number of instructions, with suffix `w` an amount of work.
pub(super) fn budget(long: &'static str) -> Single<Budget> {
    let form = Form::Value("TIME".to_string());
    Single::new(long, form, ValueParser::new(units::budget), |budget| {
        units::show_budget(*budget)
    })
}

/// A time, or with suffix `w` an amount of work.
pub(super) fn time_or_work(long: &'static str) -> Single<Budget> {
    let form = Form::Value("TIME".to_string());
    Single::new(
        long,
        form,
        ValueParser::new(units::time_or_work),
        |budget| units::show_budget(*budget),
    )
}

/// A span that is not 0.
pub(super) fn budget_above_zero(long: &'static str) -> Single<Budget> {
    let parser = |text: &str| match units::budget(text)? {
        budget if budget.is_zero() => Err("it cannot be 0".to_string()),
        budget => Ok(budget),
    };
    let form = Form::Value("TIME".to_string());
    Single::new(long, form, ValueParser::new(parser), |budget| {
        units::show_budget(*budget)
    })
}

/// A time.
pub(super) fn duration(long: &'static str) -> Single<Duration> {
    let form = Form::Value("TIME".to_string());
    Single::new(long, form, ValueParser::new(units::duration), |time| {
        units::show_budget(Budget::Time(*time))
    })
}

/// A number of bytes.
pub(super) fn size(long: &'static str) -> Single<u64> {
    let form = Form::Value("SIZE".to_string());
    Single::new(long, form, ValueParser::new(units::size), |size| {
        units::show_size(*size)
    })
}

/// A whole number that may be as large as its type.
pub(super) fn number<T>(long: &'static str, name: &str) -> Single<T>
where
    T: Kept + std::str::FromStr + std::fmt::Display,
{
    let parser = |text: &str| {
        text.parse::<T>()
            .map_err(|_| "expected a whole number".to_string())
    };
    let form = Form::Value(name.to_string());
    Single::new(long, form, ValueParser::new(parser), T::to_string)
}

/// A whole number from `least` to `most`.
pub(super) fn number_within<T>(long: &'static str, name: &str, least: T, most: T) -> Single<T>
where
    T: Kept + PartialOrd + std::str::FromStr + std::fmt::Display,
{
    let parser = move |text: &str| match text.parse::<T>() {
        Ok(value) if value < least => Err(format!("it must be at least {least}")),
        Ok(value) if value > most => Err(format!("it can be at most {most}")),
        Ok(value) => Ok(value),
        Err(_) => Err(format!("expected a whole number from {least} to {most}")),
    };
    let form = Form::Value(name.to_string());
    Single::new(long, form, ValueParser::new(parser), T::to_string)
}

/// A share of the states, between 0 and 1.
pub(super) fn share(long: &'static str) -> Single<f64> {
    let parser = |text: &str| match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a ratio between 0 and 1, both excluded".to_string()),
    };
    let form = Form::Value("RATIO".to_string());
    Single::new(long, form, ValueParser::new(parser), f64::to_string)
}

/// A ratio of two amounts, up to `most`.
pub(super) fn ratio(long: &'static str, most: f64) -> Single<f64> {
    let parser = move |text: &str| match text.parse::<f64>() {
        Ok(ratio) if (0.0..=most).contains(&ratio) => Ok(ratio),
        _ => Err(format!("expected a ratio from 0 to {most}")),
    };
    let form = Form::Value("RATIO".to_string());
    Single::new(long, form, ValueParser::new(parser), f64::to_string)
}

/// Declares an option whose value is one of a list; the help shows all of them instead of a name.
pub(super) fn choice<T: Kept + ValueEnum>(long: &'static str) -> Single<T> {
    let values: Vec<String> = T::value_variants().iter().map(choice_text).collect();
    let parser = clap::builder::EnumValueParser::<T>::new();
    Single::new(
        long,
        Form::Value(values.join("|")),
        parser.into(),
        choice_text,
    )
}

/// Returns the text of a choice on the command line.
pub(super) fn choice_text<T: ValueEnum>(choice: &T) -> String {
    let shown = choice.to_possible_value();
    shown.map_or_else(String::new, |value| value.get_name().to_string())
}

/// A path, under the name that tells what of.
pub(super) fn path(long: &'static str, name: &str) -> Single<PathBuf> {
    let form = Form::Value(name.to_string());
    Single::new(long, form, ValueParser::path_buf(), |path| {
        path.display().to_string()
    })
}

/// Any text.
pub(super) fn text(long: &'static str, name: &str) -> Single<String> {
    let form = Form::Value(name.to_string());
    Single::new(long, form, ValueParser::string(), String::clone)
}

/// Texts, one for each use.
pub(super) fn texts(long: &'static str, name: &str) -> List<String, String> {
    let form = Form::List(name.to_string(), None);
    List::new(long, form, ValueParser::string(), |text| vec![text.clone()])
}

/// Paths, one for each use.
pub(super) fn paths(long: &'static str, name: &str) -> List<PathBuf, PathBuf> {
    let form = Form::List(name.to_string(), None);
    List::new(long, form, ValueParser::path_buf(), |path| {
        vec![path.clone()]
    })
}
