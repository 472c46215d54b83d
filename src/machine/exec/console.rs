//! Whom execution talks to: what the program prints, and warnings to the user.
//!
//! Invariant: a console never affects the state that reports to it.

use std::collections::BTreeSet;

/// Receives the output of execution.
pub trait Console {
    /// Bytes the program wrote to standard output (1) or standard error (2).
    fn output(&mut self, stream: u32, bytes: &[u8]);
    /// A warning to the user.
    fn warning(&mut self, text: &str);
    /// A warning shown once per `key`.
    fn warning_once(&mut self, key: &str, text: &str);
}

/// Drops all output.
#[derive(Clone, Copy, Default, Debug)]
pub struct MutedConsole;

impl Console for MutedConsole {
    fn output(&mut self, _: u32, _: &[u8]) {}

    fn warning(&mut self, _: &str) {}

    fn warning_once(&mut self, _: &str, _: &str) {}
}

/// Keeps all output, in order: until it is known whether it counts, or for a test to read.
#[derive(Clone, Default, Debug)]
pub struct KeptConsole {
    emitted: Vec<Emitted>,
}

/// One call of a console.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Emitted {
    Output(u32, Vec<u8>),
    Warning(String),
    WarningOnce(String, String),
}

impl KeptConsole {
    /// Repeats all of its messages on another console.
    pub fn say(self, console: &mut dyn Console) {
        for emitted in self.emitted {
            match emitted {
                Emitted::Output(stream, bytes) => console.output(stream, &bytes),
                Emitted::Warning(text) => console.warning(&text),
                Emitted::WarningOnce(key, text) => console.warning_once(&key, &text),
            }
        }
    }

    /// Returns the standard output of the program.
    pub fn stdout(&self) -> Vec<u8> {
        self.printed(|stream| stream != 2)
    }

    /// Returns the standard error of the program.
    pub fn stderr(&self) -> Vec<u8> {
        self.printed(|stream| stream == 2)
    }

    fn printed(&self, wanted: impl Fn(u32) -> bool) -> Vec<u8> {
        let mut all = Vec::new();
        for emitted in &self.emitted {
            if let Emitted::Output(stream, bytes) = emitted
                && wanted(*stream)
            {
                all.extend_from_slice(bytes);
            }
        }
        all
    }

    /// The warnings in order. One that is shown once per key stands as `key: text`.
    pub fn warnings(&self) -> Vec<String> {
        let mut keys = BTreeSet::new();
        let lines = self.emitted.iter().filter_map(|emitted| match emitted {
            Emitted::Output(..) => None,
            Emitted::Warning(text) => Some(text.clone()),
            Emitted::WarningOnce(key, text) => keys.insert(key).then(|| format!("{key}: {text}")),
        });
        lines.collect()
    }
}

impl Console for KeptConsole {
    fn output(&mut self, stream: u32, bytes: &[u8]) {
        self.emitted.push(Emitted::Output(stream, bytes.to_vec()));
    }

    fn warning(&mut self, text: &str) {
        self.emitted.push(Emitted::Warning(text.to_string()));
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        self.emitted
            .push(Emitted::WarningOnce(key.to_string(), text.to_string()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_messages_are_printed_later_in_the_same_order() {
        let mut kept = KeptConsole::default();
        kept.output(1, b"a");
        kept.warning_once("key", "once");
        kept.output(2, b"b");
        kept.warning_once("key", "once");
        kept.output(1, b"c");
        kept.warning("each time");
        let mut later = KeptConsole::default();
        kept.clone().say(&mut later);
        assert_eq!(later.emitted, kept.emitted);
        assert_eq!(later.stdout(), b"ac");
        assert_eq!(later.stderr(), b"b");
        assert_eq!(later.warnings(), ["key: once", "each time"]);
    }
}
