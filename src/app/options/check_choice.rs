//! The values of `--checks`: the kinds, groups of kinds, and their removal.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use homi_config::{CHECK_KINDS, CheckGroup, KindSet};
use std::sync::LazyLock;

/// A value of `--checks`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CheckChoice {
    name: &'static str,
    /// Help; `None` for a value that help does not list.
    about: Option<&'static str>,
    aliases: &'static [(&'static str, &'static str)],
    pub(super) kinds: KindSet,
    /// True if the kinds are turned on, false if they are removed.
    pub(super) adds: bool,
}

static CHOICES: LazyLock<Vec<CheckChoice>> = LazyLock::new(|| {
    let kinds = CHECK_KINDS.iter().flat_map(|row| {
        let choice = CheckChoice {
            name: row.name,
            about: Some(row.about),
            aliases: row.aliases,
            kinds: KindSet::NONE.with(row.kind),
            adds: true,
        };
        [choice, removal(choice, row.removal)]
    });
    let groups = CheckGroup::ALL
        .iter()
        .map(|(group, name, about)| CheckChoice {
            name,
            about: Some(about),
            aliases: &[],
            kinds: KindSet::of_group(*group),
            adds: true,
        });
    let groups: Vec<CheckChoice> = groups.collect();
    let none = groups.last().map(|all| removal(*all, "none"));
    kinds.chain(groups).chain(none).collect()
});

/// Returns the value that removes the kinds of another one.
fn removal(choice: CheckChoice, name: &'static str) -> CheckChoice {
    CheckChoice {
        name,
        about: None,
        adds: false,
        ..choice
    }
}

impl ValueEnum for CheckChoice {
    fn value_variants<'a>() -> &'a [Self] {
        &CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.name);
        let aliases = self.aliases.iter();
        let value =
            value.aliases(aliases.map(|(name, removal)| if self.adds { *name } else { *removal }));
        Some(match self.about {
            Some(about) => value.help(about),
            None => value.hide(true),
        })
    }
}
