//! Sets of kinds of checks, and the flags of compilers for them.

use super::check_kinds::{CHECK_KINDS, CheckGroup, CheckKind, CheckRow};

/// A set of kinds of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindSet(u64);

impl KindSet {
    pub const NONE: KindSet = KindSet(0);

    /// Returns the kinds of a group.
    pub const fn of_group(group: CheckGroup) -> Self {
        let mut set = Self::NONE;
        let mut row = 0;
        while row < CHECK_KINDS.len() {
            let groups = CHECK_KINDS[row].groups;
            let mut at = 0;
            let mut belongs = matches!(group, CheckGroup::All);
            while at < groups.len() {
                belongs |= groups[at] as u8 == group as u8;
                at += 1;
            }
            if belongs {
                set = set.with(CHECK_KINDS[row].kind);
            }
            row += 1;
        }
        set
    }

    #[must_use]
    pub const fn with(self, kind: CheckKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    #[must_use]
    pub const fn union(self, other: KindSet) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn without(self, other: KindSet) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn has(self, kind: CheckKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns the rows of the kinds, in the order of the table.
    pub fn rows(self) -> impl Iterator<Item = &'static CheckRow> {
        CHECK_KINDS.iter().filter(move |row| self.has(row.kind))
    }

    /// Returns the values of clang's `-fsanitize=` that compile the kinds.
    pub fn clang(self) -> Vec<&'static str> {
        words(self.rows().map(|row| row.clang))
    }

    /// Returns the values of gcc's `-fsanitize=` for the kinds that gcc has.
    pub fn gcc(self) -> Vec<&'static str> {
        words(self.rows().map(|row| row.gcc))
    }

    /// Returns the names, separated by commas.
    pub fn names(self) -> String {
        self.rows()
            .map(|row| row.name)
            .collect::<Vec<_>>()
            .join(",")
    }
}

/// Splits lists at commas.
fn words(lists: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let words = lists.flat_map(|list| list.split(','));
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_those_of_their_groups() {
        let default = KindSet::of_group(CheckGroup::Default);
        assert_eq!(default.names(), "integer-divide-by-zero,shift");
        let all = KindSet::of_group(CheckGroup::All);
        assert_eq!(all.rows().count(), CHECK_KINDS.len());
        let both = KindSet::NONE.with(CheckKind::Nonnull).with(CheckKind::Leak);
        let words = ["nonnull-attribute", "returns-nonnull-attribute"];
        assert_eq!((both.clang(), both.gcc()), (words.to_vec(), words.to_vec()));
        assert_eq!(all.without(all), KindSet::NONE);
    }
}
