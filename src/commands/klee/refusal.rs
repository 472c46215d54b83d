//! Options of KLEE among the arguments of homi's other commands.

use super::help::is_option_of_run;
use super::option::{Becomes, KleeOption, Setting};
use super::table::options;
use std::ffi::OsString;

/// Returns why another command of homi cannot take the first option of KLEE that only `homi klee`
/// has; `None` if there is none before `--`.
pub fn refusal(arguments: &[OsString]) -> Option<String> {
    let before = arguments.iter().take_while(|argument| *argument != "--");
    before
        .filter_map(|argument| argument.to_str())
        .find_map(|argument| {
            let name = argument.strip_prefix("--")?.split('=').next()?;
            let option = options().find(|option| option.name == name)?;
            (!is_option_of_run(name)).then(|| {
            format!(
                "only `homi klee` takes `--{name}`; {}, or put `--` before the program's arguments",
                remedy(option)
            )
        })
        })
}

fn remedy(option: &KleeOption) -> String {
    match option.becomes {
        Becomes::Option("check-div-zero") => "use `--checks no-division`".to_string(),
        Becomes::Option("check-overshift") => "use `--checks no-shift`".to_string(),
        Becomes::Option(name) | Becomes::Flag(name) if is_option_of_run(name) => {
            format!("use `--{name}`")
        }
        Becomes::Option(_) | Becomes::Flag(_) => AS_KLEE.to_string(),
        Becomes::Code(setting) => remedy_of(setting).to_string(),
        Becomes::Already(why) | Becomes::Nothing(why) => format!("leave it out ({why})"),
    }
}

const AS_KLEE: &str = "run `homi klee` with KLEE's arguments";

/// Returns how to get the effect of a setting of KLEE from `homi run`.
fn remedy_of(setting: Setting) -> &'static str {
    match setting {
        Setting::CoveringNewOnly => {
            "leave it out (it is the default; `--all-tests` writes one test per path)"
        }
        Setting::NamedSeeds => {
            "leave it out (it is the default; `--seeds-by-position` matches by order)"
        }
        Setting::SeedSizes => "use `--seed-sizes`, whose default adapts every size",
        Setting::UseBatching => {
            "leave it out (homi always batches; `--batch-instructions` sets the size)"
        }
        Setting::SilentAssume => "use `--silent-assume`",
        Setting::LinkLibrary => "name the library with the program's files",
        _ => AS_KLEE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_only_klee_has_are_refused_with_a_remedy() {
        for (line, expected) in [
            ("--readable-posix-inputs a.bc", Some("run `homi klee`")),
            ("--max-static-fork-pct=0.5 a.bc", Some("run `homi klee`")),
            (
                "a.bc --posix-runtime",
                Some("leave it out (homi links libc"),
            ),
            ("--rng-initial-seed=3 a.bc", Some("use `--seed`")),
            (
                "--only-output-states-covering-new a.bc",
                Some("leave it out (it is the default; `--all-tests`"),
            ),
            ("--allow-seed-extension a.bc", Some("use `--seed-sizes`")),
            ("--max-depth 3 --search dfs a.bc -n", None),
            ("a.bc -- --posix-runtime", None),
        ] {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let text = refusal(&arguments);
            assert_eq!(text.is_some(), expected.is_some(), "{line}: {text:?}");
            let text = text.unwrap_or_default();
            assert!(
                text.contains(expected.unwrap_or_default()),
                "{line}: {text}"
            );
        }
    }
}
