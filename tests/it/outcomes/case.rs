//! A case as its header describes it, in lines `// key: words`.
//!
//! `input` is the number of bytes of standard input, `alphabet` bytes in base 16 that many random
//! inputs consist of, so that rare values meet. `sanitizer: address` builds the native side with
//! AddressSanitizer, where an access outside of an object passes natively. `flags` are further
//! flags of the compiler on both sides, `bitcode` on homi's alone. `run` are further arguments for
//! `homi run` after `--`, `options` before it. `statuses` are all exit statuses where nothing is
//! read from standard input. `report` is a text that one report of a bug must have.
//! `undefined` are kinds of bugs that have no native outcome of their own. `deviation` are kinds
//! of complaints that are known; the test fails as soon as they are gone. `replay: any` is for
//! programs whose outcome depends on the order of threads, which no replay controls: `statuses` are
//! all outcomes of all orders then, worked out by hand.

use std::fs;
use std::path::{Path, PathBuf};

pub(super) struct Case {
    pub(super) name: String,
    pub(super) source: PathBuf,
    /// Bytes of standard input; 0 if the native side is only replayed.
    pub(super) input: usize,
    pub(super) alphabet: Vec<u8>,
    pub(super) is_sanitized: bool,
    /// Flags of the compiler on both sides.
    pub(super) flags: Vec<String>,
    /// Flags of the bitcode's compiler alone.
    pub(super) bitcode: Vec<String>,
    pub(super) run: Vec<String>,
    pub(super) options: Vec<String>,
    /// A replay may end in another way.
    pub(super) replays_in_any_order: bool,
    /// All exit statuses of a case without input.
    pub(super) statuses: Vec<String>,
    pub(super) reports: Vec<String>,
    pub(super) undefined: Vec<String>,
    pub(super) deviations: Vec<String>,
}

impl Case {
    /// True if checks of the compiler trap.
    pub(super) fn has_traps(&self) -> bool {
        let mut flags = self.flags.iter();
        flags.any(|flag| flag.starts_with("-fsanitize-trap"))
    }

    pub(super) fn read(source: &Path) -> Self {
        let text = fs::read_to_string(source).expect("the source");
        let lines = |key: &str| -> Vec<String> {
            let prefix = format!("// {key}: ");
            let rests = text.lines().filter_map(|line| line.strip_prefix(&prefix));
            rests.map(String::from).collect()
        };
        let words = |key: &str| -> Vec<String> {
            let rests = lines(key);
            let words = rests.iter().flat_map(|rest| rest.split_whitespace());
            words.map(String::from).collect()
        };
        let input = words("input");
        let letters = words("alphabet");
        let letter = |word: &String| u8::from_str_radix(word, 16).expect("a byte in base 16");
        Self {
            name: source.file_stem().expect("a name").to_string_lossy().into(),
            source: source.to_path_buf(),
            input: input
                .first()
                .map_or(0, |word| word.parse().expect("a number")),
            alphabet: letters.iter().map(letter).collect(),
            is_sanitized: words("sanitizer") == ["address"],
            flags: words("flags"),
            bitcode: words("bitcode"),
            run: words("run"),
            options: words("options"),
            replays_in_any_order: words("replay") == ["any"],
            statuses: words("statuses"),
            reports: lines("report"),
            undefined: words("undefined"),
            deviations: words("deviation"),
        }
    }
}
