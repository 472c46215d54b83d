//! Configurations of a study: the configurations to compare, each a name and options.
//!
//! A configuration with lists of searches, prunings or strategies expands to each combination.
//! Invariant: homi has accepted the options of every configuration before the first job runs.

use super::error::Result;
use super::source::{Section, plain_name, suggestion};
use homi_app::options;
use homi_app::options::units;
use homi_config::Budget;
use homi_strategies::concolic::STRATEGIES;
use serde::{Deserialize, Serialize};

/// Engine that explores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    Homi,
    Klee,
}

/// Configuration that a study compares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Configuration {
    pub name: String,
    pub engine: Engine,
    /// Options of the configuration, without budget, seed and output directory.
    pub options: Vec<String>,
    /// True if KLEE also gets the options that its authors recommend.
    pub usual: bool,
}

const KEYS: [&str; 6] = ["engine", "options", "search", "prune", "strategy", "usual"];
/// Value that keeps the default of the engine.
const DEFAULT: &str = "default";
/// Options that the study sets itself, and the remedy that the error names.
const OF_THE_STUDY: [(&str, &str); 6] = [
    (
        "--output-dir",
        "every job writes into the study's directory",
    ),
    ("--seed", "set `seeds` in [study]"),
    (
        "--max-time",
        "set `budget` in [study], which is the same for all configurations",
    ),
    ("--max-memory", "set `memory` in [study]"),
    ("--resume", "every job starts a new run"),
    ("--events", "every job writes a log"),
];

/// Reads the configurations in the order of the file; the first one is the baseline.
pub(super) fn read(
    whole: &Section<'_, '_>,
    common: &[String],
    budget: Budget,
) -> Result<Vec<Configuration>> {
    let Some(table) = whole.section("configs")? else {
        let text = "no configuration; add what to compare, such as [configs.dfs] with options = \
             [\"--search\", \"dfs\"]";
        return Err(whole.wrong("configs", text));
    };
    let mut configurations: Vec<Configuration> = Vec::new();
    for (name, section) in table.sections()? {
        plain_name(name).map_err(|error| table.wrong(name, &error.to_string()))?;
        section.only(&KEYS)?;
        for configuration in crossed(name, &section)? {
            if configurations
                .iter()
                .any(|other| other.name == configuration.name)
            {
                return Err(table.wrong(
                    name,
                    &format!(
                        "two configurations have the name `{}`; rename one",
                        configuration.name
                    ),
                ));
            }
            if configuration.engine == Engine::Homi {
                check(&configuration, common, budget).map_err(|text| {
                    let key = if section.table.contains_key("options") {
                        "options"
                    } else {
                        name
                    };
                    let place = if key == name { &table } else { &section };
                    place.wrong(
                        key,
                        &format!("configuration `{}`: {text}", configuration.name),
                    )
                })?;
            }
            configurations.push(configuration);
        }
    }
    if configurations.is_empty() {
        Err(whole.wrong(
            "configs",
            "[configs] is empty; add a table such as [configs.dfs]",
        ))
    } else {
        Ok(configurations)
    }
}

fn engine(section: &Section<'_, '_>) -> Result<Engine> {
    match section.text("engine")? {
        None | Some("homi") => Ok(Engine::Homi),
        Some("klee") => Ok(Engine::Klee),
        Some(other) => {
            let text = format!(
                "unknown engine `{other}`{}",
                suggestion(other, ["homi", "klee"])
            );
            Err(section.wrong("engine", &text))
        }
    }
}

/// Returns the configurations that one table expands to.
fn crossed(name: &str, section: &Section<'_, '_>) -> Result<Vec<Configuration>> {
    let engine = engine(section)?;
    let options = section.arguments("options")?.unwrap_or_default();
    let usual = section.flag("usual")?;
    if usual.is_some() && engine == Engine::Homi {
        return Err(section.wrong("usual", "`usual` needs `engine = \"klee\"`; remove it"));
    }
    let mut configurations = vec![Configuration {
        name: name.to_string(),
        engine,
        options,
        usual: usual.unwrap_or(true),
    }];
    for (key, option) in [
        ("search", "--search"),
        ("prune", "--prune"),
        ("strategy", "--strategy"),
    ] {
        let Some(values) = section.list(key)? else {
            continue;
        };
        if engine == Engine::Klee && key != "search" {
            return Err(section.wrong(
                key,
                &format!(
                    "`{key}` is not for `engine = \"klee\"`; put \
                 KLEE's options in `options`"
                ),
            ));
        }
        for value in values.iter().filter(|_| engine == Engine::Homi) {
            known(section, key, value)?;
        }
        let with = |configuration: &Configuration, value: &String| {
            let mut configuration = configuration.clone();
            if values.len() > 1 {
                configuration.name = format!("{}-{}", configuration.name, as_name(value));
            }
            if key == "strategy"
                && !configuration
                    .options
                    .iter()
                    .any(|option| option == "--concolic")
            {
                configuration.options.push("--concolic".to_string());
            }
            if value != DEFAULT {
                configuration.options.extend(match engine {
                    Engine::Homi => vec![option.to_string(), value.clone()],
                    Engine::Klee => value
                        .split(',')
                        .map(|one| format!("--search={one}"))
                        .collect(),
                });
            }
            configuration
        };
        configurations = configurations
            .iter()
            .flat_map(|configuration| {
                values
                    .iter()
                    .map(move |value| with(configuration, value))
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    Ok(configurations)
}

/// Converts an argument to a part of a name.
fn as_name(value: &str) -> String {
    let kept = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let last = value.rsplit('/').next().unwrap_or(value);
    last.chars().map(kept).collect()
}

/// Returns the values of an option.
fn values_of(key: &str) -> Vec<String> {
    if key == "strategy" {
        let names = STRATEGIES.iter().flat_map(|row| {
            let aliases = row.aliases.iter().copied();
            std::iter::once(row.name).chain(aliases)
        });
        return names.map(str::to_string).collect();
    }
    let rows = options::rows();
    let row = rows.iter().find(|row| row.long == key);
    row.map(options::Row::all_values).unwrap_or_default()
}

/// Refuses a value that an option does not have, and suggests the nearest one.
fn known(section: &Section<'_, '_>, key: &str, value: &str) -> Result<()> {
    let values = values_of(key);
    // The part after a colon is an argument of the strategy or a file; homi checks it.
    let start = |value: &str| value.split(':').next().unwrap_or_default().to_string();
    let is_known = |one: &str| {
        let names = values.iter();
        one == DEFAULT
            || names
                .clone()
                .any(|known| known == one || start(known) == start(one))
    };
    let Some(one) = value.split(',').find(|one| !is_known(one)) else {
        return Ok(());
    };
    let names = values
        .iter()
        .map(String::as_str)
        .filter(|name| !name.contains(':'));
    let text = format!("unknown {key} `{one}`{}", suggestion(one, names));
    Err(section.wrong(key, &text))
}

/// Checks the options of a configuration with homi's parser.
fn check(
    configuration: &Configuration,
    common: &[String],
    budget: Budget,
) -> std::result::Result<(), String> {
    check_options(common.iter().chain(&configuration.options), budget)
}

/// Checks options with homi's parser.
pub(super) fn check_options<'w>(
    options: impl Iterator<Item = &'w String> + Clone,
    budget: Budget,
) -> std::result::Result<(), String> {
    for typed in options.clone() {
        let name = typed.split('=').next().unwrap_or_default();
        if let Some((name, instead)) = OF_THE_STUDY.iter().find(|(option, _)| *option == name) {
            return Err(format!("the study sets `{name}` itself; {instead}"));
        }
    }
    let mut line = vec!["--max-time".to_string(), units::show_budget(budget)];
    line.extend(options.cloned());
    // `--` prevents unknown options from becoming arguments of the program.
    line.extend(["program.bc", "--"].map(str::to_string));
    match options::parse(line) {
        Ok(_) => Ok(()),
        Err(error) => Err(in_short(&error.to_string())),
    }
}

/// Shortens an error of the command line to its text without usage.
fn in_short(error: &str) -> String {
    let lines = error.lines().map(str::trim).filter(|line| !line.is_empty());
    let kept =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let text = kept.collect::<Vec<_>>().join("; ");
    text.trim_start_matches("error: ").to_string()
}
