//! The program's arguments where recorded seeds give them, and the consequences.

use super::line::{RunLine, option_name};
use homi_config::{InputLayouts, RunConfig};
use homi_native::testcase::recorded_arguments;
use std::path::PathBuf;

/// Adds the arguments that fit the first directory of recorded seeds (`homi record`) to a line
/// without arguments of the program, and adds a note that lists them.
pub fn with_recorded_arguments(mut line: RunLine) -> RunLine {
    if !line.arguments.is_empty() {
        return line;
    }
    let named = line
        .options
        .iter()
        .filter(|one| option_name(one) == "--seed-dir");
    let mut directories = named.filter_map(|option| match option.as_slice() {
        [_, value] => Some(PathBuf::from(value)),
        [both] => Some(PathBuf::from(both.to_string_lossy().split_once('=')?.1)),
        _ => None,
    });
    let found = directories.find_map(|path| Some((recorded_arguments(&path)?, path)));
    if let Some((arguments, path)) = found {
        let (shown, path) = (arguments.join(" "), path.display());
        line.notes
            .push(format!("arguments that fit the seeds in {path}: {shown}"));
        line.arguments = arguments.into_iter().map(Into::into).collect();
        line.arguments_recorded = true;
    }
    line
}

/// Lets a campaign try further input layouts if the arguments come from recorded seeds and the
/// layout options are absent: recorded arguments are not a choice of the user.
pub fn open_recorded_layouts(config: &mut RunConfig, line: &RunLine) {
    let campaign = config.campaign.as_mut();
    let undecided = campaign.filter(|campaign| campaign.input_layouts == InputLayouts::Unsaid);
    if let Some(campaign) = undecided.filter(|_| line.arguments_recorded) {
        campaign.input_layouts = InputLayouts::Auto;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{parse, sort};
    use std::ffi::OsString;

    #[test]
    fn recorded_seeds_give_missing_arguments() {
        let directory = tempfile::tempdir().expect("a directory");
        let text = r#"{"schema": 1, "arguments": ["--sym-args", "0", "2", "4"]}"#;
        std::fs::write(directory.path().join("recorded.json"), text).expect("written");
        let path = directory.path().display();
        let filled = |line: &str| {
            let arguments = line.split(' ').map(OsString::from).collect();
            with_recorded_arguments(sort(arguments).expect("a line"))
        };
        for line in [
            format!("--seed-dir={path} p.bc"),
            format!("p.bc --seed-dir / --seed-dir {path} --"),
        ] {
            let filled = filled(&line);
            assert_eq!(filled.arguments, ["--sym-args", "0", "2", "4"], "{line}");
            assert_eq!(filled.notes.len(), 1);
        }
        assert_eq!(
            filled(&format!("--seed-dir {path} p.bc -- x")).arguments,
            ["x"]
        );
        assert!(filled("--seed-dir /nonexistent p.bc").arguments.is_empty());
    }

    #[test]
    fn recorded_seeds_have_no_chosen_layout() {
        let directory = tempfile::tempdir().expect("a directory");
        let text = r#"{"schema": 1, "arguments": ["--sym-stdin", "4"]}"#;
        std::fs::write(directory.path().join("recorded.json"), text).expect("written");
        let path = directory.path().display();
        let input_layouts = |options: &str, arguments: &str| {
            let line = format!("--seed-dir={path} {options} p.bc{arguments}");
            let arguments = line.split_whitespace().map(OsString::from).collect();
            let line = with_recorded_arguments(sort(arguments).expect("a line"));
            let mut config = parse(line.all_arguments()).expect("options");
            open_recorded_layouts(&mut config, &line);
            config.campaign.map(|campaign| campaign.input_layouts)
        };
        assert_eq!(
            input_layouts("--max-time 60s", ""),
            Some(InputLayouts::Auto)
        );
        let refused = input_layouts("--max-time 60s --input-layouts off", "");
        assert_eq!(refused, Some(InputLayouts::Off));
        let chosen = input_layouts("--max-time 60s", " -- --sym-stdin 8");
        assert_eq!(chosen, Some(InputLayouts::Unsaid));
        let klees = input_layouts("--max-time 60s --profile klee --prune random", "");
        assert_eq!(klees, Some(InputLayouts::Off));
        assert_eq!(
            input_layouts("--max-time 10s --input-layouts off", ""),
            None
        );
    }
}
