//! Checks of clang, gcc, gcov, sanitizers and git.

use super::finding::Finding;
use homi_build::toolchain::{Compiler, OLDEST_CLANG, clangs, first_line_of, gcc, has_sanitizers};

/// Oldest major version of gcc whose counts homi reads.
const OLDEST_GCC: u32 = 12;

/// Returns the findings about compilers; `llvm` is the major version of the LLVM that homi uses.
pub fn compilers(llvm: u32) -> Vec<Finding> {
    let mut findings = vec![clang(llvm, &clangs())];
    let gcc = gcc();
    findings.push(native(gcc.as_ref()));
    if let Some(gcc) = &gcc {
        findings.push(sanitizers(has_sanitizers(gcc)));
    }
    findings.push(match first_line_of("git", &["--version"]) {
        Some(version) => Finding::fine("git", version),
        None => Finding::less(
            "git",
            "not found: --changed does not work",
            "apt-get install git",
        ),
    });
    findings
}

fn clang(llvm: u32, all: &[Compiler]) -> Finding {
    let is_read = |clang: &&Compiler| (OLDEST_CLANG..=llvm).contains(&clang.major);
    let listed = |clangs: Vec<&Compiler>| {
        let shown = clangs.iter().map(ToString::to_string);
        shown.collect::<Vec<_>>().join(", ")
    };
    let used: Vec<&Compiler> = all.iter().filter(is_read).collect();
    let others: Vec<&Compiler> = all.iter().filter(|clang| !is_read(clang)).collect();
    let mut what = match used.split_first() {
        Some((newest, [])) => format!("{newest}"),
        Some((newest, rest)) => format!("{newest}; also {}", listed(rest.to_vec())),
        None => {
            format!("no version from {OLDEST_CLANG} to {llvm} found: homi cannot compile C sources")
        }
    };
    if !others.is_empty() {
        what += &format!("; versions that homi does not support: {}", listed(others));
    }
    if used.is_empty() {
        Finding::missing("clang", what, &format!("apt-get install clang-{llvm}"))
    } else {
        Finding::fine("clang", what)
    }
}

fn native(gcc: Option<&Compiler>) -> Finding {
    let remedy = "apt-get install gcc libc6-dev";
    match gcc {
        Some(gcc) if gcc.major >= OLDEST_GCC => Finding::fine("gcc, gcov", gcc.to_string()),
        Some(gcc) => Finding::less(
            "gcc, gcov",
            format!(
                "{gcc} writes counts in an old format; homi reads those of {OLDEST_GCC} and newer"
            ),
            &format!("apt-get install gcc-{OLDEST_GCC}"),
        ),
        None => Finding::less("gcc, gcov", "not found: tests cannot run natively", remedy),
    }
}

fn sanitizers(there: bool) -> Finding {
    if there {
        Finding::fine(
            "sanitizers",
            "gcc links AddressSanitizer and UndefinedBehaviorSanitizer",
        )
    } else {
        Finding::less(
            "sanitizers",
            "gcc cannot link them: homi confirms fewer bugs",
            "apt-get install libasan8 libubsan1",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::State;
    use super::*;

    fn compiler(name: &str, major: u32) -> Compiler {
        Compiler {
            program: name.into(),
            major,
            version: format!("{major}.0"),
        }
    }

    #[test]
    fn the_newest_clang_that_is_read_is_named_first() {
        let all = [
            compiler("clang-21", 21),
            compiler("clang-19", 19),
            compiler("clang-14", 14),
        ];
        let found = clang(19, &all);
        assert_eq!(found.state, State::Fine);
        let expected = "clang-19 (19.0); also clang-14 (14.0); versions that homi does not support: \
                        clang-21 (21.0)";
        assert_eq!(found.what, expected);
        let none = clang(19, &all[..1]);
        assert_eq!(none.state, State::Missing);
        assert_eq!(none.remedy.as_deref(), Some("apt-get install clang-19"));
    }

    #[test]
    fn an_old_gcc_or_none_is_less() {
        assert_eq!(native(Some(&compiler("gcc", 12))).state, State::Fine);
        assert_eq!(native(Some(&compiler("gcc", 11))).state, State::Less);
        assert_eq!(native(None).state, State::Less);
        assert_eq!(sanitizers(false).state, State::Less);
    }
}
