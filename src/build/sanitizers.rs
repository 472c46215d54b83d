//! Flags about sanitizers: the flags for the bitcode, and the flags that gcc knows.
//!
//! Invariant: only words of flags about sanitizers are removed or replaced; other flags stay.

/// Receiver of flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// clang, for bitcode that homi runs.
    Bitcode,
    /// gcc, for the native program.
    Gcc,
}

/// Sanitizers whose checks need a runtime that homi does not run.
const NOT_IN_BITCODE: [&str; 18] = [
    "address",
    "dataflow",
    "fuzzer",
    "fuzzer-no-link",
    "hwaddress",
    "kcfi",
    "kernel-address",
    "kernel-hwaddress",
    "kernel-memory",
    "leak",
    "memory",
    "numerical",
    "pointer-compare",
    "pointer-subtract",
    "realtime",
    "safe-stack",
    "shadow-call-stack",
    "thread",
];

/// Prefixes of the words that clang has and gcc has not.
const NOT_IN_GCC: [&str; 14] = [
    "cfi",
    "dataflow",
    "function",
    "fuzzer",
    "implicit-",
    "local-bounds",
    "kcfi",
    "memory",
    "memtag",
    "nullability",
    "numerical",
    "realtime",
    "safe-stack",
    "unsigned-",
];

/// Words and the words that a receiver has for them.
const REPLACED: [(Receiver, &str, &str); 4] = [
    // clang's `bounds` also traps where homi reports the access.
    (Receiver::Bitcode, "bounds", "array-bounds"),
    (Receiver::Bitcode, "bounds-strict", "array-bounds"),
    (Receiver::Gcc, "array-bounds", "bounds"),
    (
        Receiver::Gcc,
        "integer",
        "implicit-conversion,integer-divide-by-zero,shift,signed-integer-overflow,\
         unsigned-integer-overflow",
    ),
];

/// Options with a list of sanitizers behind `=`.
const LISTS: [&str; 7] = [
    "-fsanitize=",
    "-fno-sanitize=",
    "-fsanitize-recover=",
    "-fno-sanitize-recover=",
    "-fsanitize-trap=",
    "-fno-sanitize-trap=",
    "-fsanitize-merge=",
];

/// Options without a list that decide what happens after a report.
const OTHERS: [&str; 6] = [
    "-fsanitize-recover",
    "-fno-sanitize-recover",
    "-fsanitize-trap",
    "-fno-sanitize-trap",
    "-fsanitize-undefined-trap-on-error",
    "-fsanitize-minimal-runtime",
];

/// Flags of gcc for a flag that only clang has.
const TRAPS_IN_GCC: &str = "-fsanitize-undefined-trap-on-error";

/// The parts of a flag about sanitizers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Parts {
    /// The flag for the receiver; `None` if no word of it remains.
    pub kept: Option<String>,
    /// Words of `-fsanitize=` that were removed.
    pub left_out: Vec<String>,
}

/// Splits a flag about sanitizers; `None` if it is about something else.
pub fn split(flag: &str, receiver: Receiver) -> Option<Parts> {
    let list = LISTS
        .iter()
        .find_map(|list| Some((*list, flag.strip_prefix(list)?)));
    let Some((option, words)) = list else {
        return OTHERS.contains(&flag).then(|| Parts {
            kept: without_list(flag, receiver),
            left_out: Vec::new(),
        });
    };
    if receiver == Receiver::Gcc && option.contains("-trap=") {
        let kept = (option == "-fsanitize-trap=").then(|| TRAPS_IN_GCC.to_string());
        return Some(Parts {
            kept,
            ..Parts::default()
        });
    }
    let words = words
        .split(',')
        .flat_map(|word| replaced(receiver, word).split(','));
    let (kept, removed): (Vec<&str>, Vec<&str>) = words.partition(|word| has(receiver, word));
    let is_sanitize = option == "-fsanitize=";
    let left_out = removed.into_iter().filter(|_| is_sanitize);
    Some(Parts {
        kept: (!kept.is_empty()).then(|| format!("{option}{}", kept.join(","))),
        left_out: left_out.map(str::to_string).collect(),
    })
}

fn without_list(flag: &str, receiver: Receiver) -> Option<String> {
    match (receiver, flag) {
        (Receiver::Gcc, "-fsanitize-trap") => Some(TRAPS_IN_GCC.to_string()),
        (Receiver::Gcc, "-fno-sanitize-trap" | "-fsanitize-minimal-runtime") => None,
        _ => Some(flag.to_string()),
    }
}

fn has(receiver: Receiver, word: &str) -> bool {
    match receiver {
        Receiver::Bitcode => !NOT_IN_BITCODE.contains(&word),
        Receiver::Gcc => !NOT_IN_GCC.iter().any(|prefix| word.starts_with(prefix)),
    }
}

fn replaced(receiver: Receiver, word: &str) -> &str {
    let mut rows = REPLACED.iter();
    let row = rows.find(|(of, name, _)| *of == receiver && *name == word);
    row.map_or(word, |(_, _, theirs)| theirs)
}

/// Returns the flags for a receiver, and the sanitizers that were removed, each once.
pub fn for_receiver(flags: &[String], receiver: Receiver) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    for flag in flags {
        let parts = split(flag, receiver).unwrap_or_else(|| Parts {
            kept: Some(flag.clone()),
            ..Parts::default()
        });
        kept.extend(parts.kept);
        left_out.extend(parts.left_out);
    }
    left_out.sort();
    left_out.dedup();
    (kept, left_out)
}

/// Returns the sentence about sanitizers that were removed for a receiver; `None` without any.
pub fn sentence(left_out: &[String], receiver: Receiver) -> Option<String> {
    let words = left_out.join(",");
    (!left_out.is_empty()).then(|| match receiver {
        Receiver::Bitcode => format!(
            "-fsanitize={words} does not apply to the bitcode: homi checks memory accesses itself, \
             and leaks, races and undefined values with --checks leak,race,undef"
        ),
        Receiver::Gcc => format!(
            "gcc has no -fsanitize={words}: the native program is built without, so it confirms \
             none of these reports"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(flag: &str, receiver: Receiver) -> (String, String) {
        let parts = split(flag, receiver).expect("a flag about sanitizers");
        (parts.kept.unwrap_or_default(), parts.left_out.join(" "))
    }

    #[test]
    fn each_receiver_gets_the_words_that_it_has() {
        let flag = "-fsanitize=address,undefined,bounds,unsigned-integer-overflow";
        let (bitcode, left_out) = kept(flag, Receiver::Bitcode);
        assert_eq!(
            bitcode,
            "-fsanitize=undefined,array-bounds,unsigned-integer-overflow"
        );
        assert_eq!(left_out, "address");
        let (gcc, left_out) = kept(flag, Receiver::Gcc);
        assert_eq!(gcc, "-fsanitize=address,undefined,bounds");
        assert_eq!(left_out, "unsigned-integer-overflow");
        let (none, _) = kept("-fsanitize=thread", Receiver::Bitcode);
        assert_eq!(none, "");
    }

    #[test]
    fn flags_about_reports_follow() {
        for (flag, bitcode, gcc) in [
            (
                "-fno-sanitize-recover=all",
                "-fno-sanitize-recover=all",
                "-fno-sanitize-recover=all",
            ),
            (
                "-fno-sanitize=address,null",
                "-fno-sanitize=null",
                "-fno-sanitize=address,null",
            ),
            ("-fsanitize-trap=all", "-fsanitize-trap=all", TRAPS_IN_GCC),
            (
                "-fsanitize-minimal-runtime",
                "-fsanitize-minimal-runtime",
                "",
            ),
        ] {
            assert_eq!(
                kept(flag, Receiver::Bitcode),
                (bitcode.to_string(), String::new())
            );
            assert_eq!(kept(flag, Receiver::Gcc), (gcc.to_string(), String::new()));
        }
        assert_eq!(split("-fstack-protector", Receiver::Gcc), None);
        assert_eq!(
            split("-fsanitize-coverage=trace-pc", Receiver::Bitcode),
            None
        );
    }

    #[test]
    fn what_is_removed_is_said_in_one_sentence() {
        let flags = ["-O1", "-fsanitize=address", "-fsanitize=thread,null"];
        let flags = flags.map(str::to_string);
        let (kept, left_out) = for_receiver(&flags, Receiver::Bitcode);
        assert_eq!(kept, ["-O1", "-fsanitize=null"]);
        let text = sentence(&left_out, Receiver::Bitcode).expect("a sentence");
        assert!(text.starts_with("-fsanitize=address,thread does not apply"));
        assert_eq!(sentence(&[], Receiver::Gcc), None);
    }
}
