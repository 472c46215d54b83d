//! Optional checks, and allocations that may fail: the table of checks has them.

use super::declare::{Declared, Defaulted};
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::uses::Flag;
use super::value::{boolean, number};
use crate::config::{CheckConfig, check_table, check_type};

/// Reason why some checks exclude subsumption.
const NO_REASON: &str = "an interpolant does not cover it";

fn flag(option: &'static str, _: bool) -> Flag {
    super::value::flag(option)
}

fn switch(option: &'static str, default: bool) -> Defaulted<bool> {
    boolean(option).default(default)
}

fn count(option: &'static str, default: u32) -> Defaulted<u32> {
    number(option, "N").default(default).neutral("0")
}

macro_rules! declarations {
    ($(
        $(#[doc = $text:literal])+
        $name:ident: $form:ident($option:literal), finds [$($kind:ident),*]
            $(, help $common:ident)? $(, without $without:ident)?;
    )+) => {
        options! {
            /// The options of [`CheckConfig`].
            Checks fills CheckConfig;
            $(
                $(#[doc = $text])+
                $name: check_type!($form) = $form($option, CheckConfig::BASIC.$name)
                    $(.$common())?
                    $(.excludes(Fact::$without, NO_REASON))?
                    .heading(Heading::Program);
            )+
        }
    };
}
check_table!(declarations);
