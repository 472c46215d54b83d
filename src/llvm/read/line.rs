//! The linker's words as far as they decide which definition a reference gets.
//!
//! Invariant: an option that decides it and is not heeded is named. What the linker's output shows
//! (its records, its symbols, the shared objects that it needs) is taken from there: archives,
//! groups, `-u`, `--whole-archive`, `--as-needed`, version scripts.

use std::iter::Peekable;

/// References of a shared object that always reach its own definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symbolic {
    #[default]
    No,
    /// References to functions (`-Bsymbolic-functions`).
    Functions,
    /// All references (`-Bsymbolic`).
    All,
}

/// A symbol that the command defines (`--defsym`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    pub name: String,
    /// The symbol whose address it has; none for a number.
    pub base: Option<String>,
    /// Bytes behind the base, or the number.
    pub offset: i64,
}

/// Options of a link.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkOptions {
    /// Functions and variables whose undefined references go to `__wrap_` names (`--wrap`).
    pub wraps: Vec<String>,
    /// Symbols that the command defines, in order.
    pub definitions: Vec<Definition>,
    /// References of a shared object that nothing outside takes.
    pub symbolic: Symbolic,
    /// Options that decide which definition is taken and that homi does not heed.
    pub unheeded: Vec<String>,
}

/// Options with a value that change which definition is taken, or where the program begins.
const UNHEEDED: [&str; 16] = [
    "T",
    "script",
    "dT",
    "default-script",
    "just-symbols",
    "init",
    "fini",
    "e",
    "entry",
    "dynamic-list",
    "filter",
    "F",
    "auxiliary",
    "audit",
    "depaudit",
    "b",
];
/// Words of `-z` of the same kind.
const UNHEEDED_WORDS: [&str; 2] = ["interpose", "initfirst"];
/// Values that change nothing.
const USUAL: [&str; 3] = ["_start", "_init", "_fini"];

impl LinkOptions {
    /// Reads the linker's words.
    pub fn parse(line: &[String]) -> LinkOptions {
        let mut options = LinkOptions::default();
        let mut words = line.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            options.take(word, &mut words);
        }
        options
    }

    fn take<'w>(&mut self, word: &str, rest: &mut Peekable<impl Iterator<Item = &'w str>>) {
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else {
            return;
        };
        let (name, joined) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        let mut value = || joined.unwrap_or_else(|| rest.next().unwrap_or_default());
        match name {
            "wrap" => self.wraps.push(value().to_string()),
            "defsym" => self.define(value()),
            "Bsymbolic" | "symbolic" => self.symbolic = Symbolic::All,
            "Bsymbolic-functions" => self.symbolic = Symbolic::Functions,
            "Bno-symbolic" => self.symbolic = Symbolic::No,
            "Bsymbolic-non-weak" | "Bsymbolic-non-weak-functions" => {
                self.unheeded.push(word.to_string());
            }
            "z" => {
                let value = value();
                if UNHEEDED_WORDS.contains(&value) {
                    self.unheeded.push(format!("-z {value}"));
                }
            }
            // The next word is no option whatever it looks like.
            "u" | "undefined" | "o" | "soname" | "h" | "rpath" | "l" | "L" | "R" | "m" => {
                value();
            }
            _ if UNHEEDED.contains(&name) => {
                let value = value();
                if !USUAL.contains(&value) {
                    self.unheeded.push(format!("{word} {value}"));
                }
            }
            _ => {}
        }
    }

    /// Adds `name=base`, `name=base+8` or `name=0x10`.
    fn define(&mut self, text: &str) {
        match definition(text) {
            Some(definition) => self.definitions.push(definition),
            None => self.unheeded.push(format!("--defsym {text}")),
        }
    }
}

fn definition(text: &str) -> Option<Definition> {
    let (name, value) = text.split_once('=')?;
    let name = name.trim().to_string();
    let value = value.trim();
    if let Some(offset) = number(value) {
        return Some(Definition {
            name,
            base: None,
            offset,
        });
    }
    let (base, offset) = match value.rfind(['+', '-']) {
        Some(at) => {
            let offset = number(value[at + 1..].trim())?;
            let sign = if value[at..].starts_with('-') { -1 } else { 1 };
            (&value[..at], sign * offset)
        }
        None => (value, 0),
    };
    let base = base.trim();
    let symbol = |letter: char| letter.is_ascii_alphanumeric() || "_.$".contains(letter);
    let is_symbol = base != "." && !base.is_empty() && base.chars().all(symbol);
    is_symbol.then(|| Definition {
        name,
        base: Some(base.to_string()),
        offset,
    })
}

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16)
            .ok()
            .map(|number| number as i64),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> LinkOptions {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        LinkOptions::parse(&words)
    }

    #[test]
    fn options_have_one_or_two_dashes_and_values_behind_them_or_in_them() {
        let wraps = parse("--wrap=a -wrap b --wrap c a.o -wrap=d -u --wrap -lm").wraps;
        assert_eq!(wraps, ["a", "b", "c", "d"]);
        assert_eq!(parse("-Bsymbolic -Bno-symbolic").symbolic, Symbolic::No);
        assert_eq!(parse("-Bsymbolic-functions").symbolic, Symbolic::Functions);
    }

    #[test]
    fn symbols_are_other_symbols_places_behind_them_and_numbers() {
        let found = parse("--defsym=a=b --defsym c=d+8 --defsym=e=f-0x10 --defsym=g=0x20");
        let shown = found.definitions.iter().map(|one| {
            format!(
                "{} {} {}",
                one.name,
                one.base.as_deref().unwrap_or("-"),
                one.offset
            )
        });
        let shown: Vec<String> = shown.collect();
        assert_eq!(shown, ["a b 0", "c d 8", "e f -16", "g - 32"]);
        assert!(found.unheeded.is_empty());
    }

    #[test]
    fn what_is_not_heeded_is_named() {
        let found = parse("--defsym=a=b*2 -e start -e _start -T x.ld -z now -z interpose");
        assert_eq!(
            found.unheeded,
            ["--defsym a=b*2", "-e start", "-T x.ld", "-z interpose"]
        );
        assert!(found.definitions.is_empty());
    }
}
