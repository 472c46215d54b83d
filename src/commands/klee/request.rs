//! Conversion of KLEE's options to the configuration of a run, with KLEE's defaults.
//!
//! Invariant: every given option is used, reported as ignored, or refused; none is dropped
//! silently.

use super::error::KleeError;
use super::line::KleeLine;
use super::option::{Becomes, KleeOption, Setting, Value};
use super::table::options;
use super::texts::without_meaning;
use homi_app::options::parse_for_klee;
use homi_config::{Dialect, LEAST_MEMORY, RunConfig};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Effects of KLEE's options outside the run's configuration.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// True if an error that ended the run makes the command fail.
    pub exits_on_error: bool,
    pub writes_assembly: bool,
    pub writes_module: bool,
    /// True if the `.ktest` files are kept.
    pub keeps_tests: bool,
    /// True if all files of tests are kept.
    pub keeps_test_files: bool,
    pub writes_xml: bool,
    pub xml_program: Option<String>,
    pub xml_hash: Option<String>,
    pub entry: String,
}

/// Run in KLEE's compatibility mode.
#[derive(Clone, Debug)]
pub struct Request {
    pub config: RunConfig,
    pub asked: Asked,
    /// Warnings about the user's options.
    pub warnings: Vec<String>,
}

/// Builds the request of a command line; `program` is its bitcode file.
pub fn request(line: &KleeLine, program: &Path) -> Result<Request, KleeError> {
    let mut reader = Reader::new(line);
    for option in options() {
        reader.take(option)?;
    }
    reader.search();
    reader.seed_sizes();
    reader.into_request(program)
}

/// Timeout of a solver query where KLEE has none: homi's solver process always has a limit.
const LONG_QUERY: &str = "60s";

struct Reader<'l> {
    line: &'l KleeLine,
    arguments: Vec<OsString>,
    files: Vec<PathBuf>,
    warnings: Vec<String>,
    asked: Asked,
    /// True if merges are logged.
    logs_merges: bool,
}

impl<'l> Reader<'l> {
    fn new(line: &'l KleeLine) -> Self {
        let fixed = ["--profile=klee", "--show-output", "--write-callgrind"];
        Self {
            line,
            arguments: fixed.iter().map(OsString::from).collect(),
            files: Vec::new(),
            warnings: Vec::new(),
            asked: Asked {
                writes_assembly: true,
                keeps_tests: true,
                keeps_test_files: true,
                entry: "main".to_string(),
                ..Asked::default()
            },
            logs_merges: false,
        }
    }

    fn given(&self, name: &str) -> &'l [String] {
        self.line.given.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the value of an option, or its default.
    fn value(&self, option: &KleeOption) -> String {
        let given = self.given(option.name).last();
        given.map_or_else(|| option.default.to_string(), Clone::clone)
    }

    fn is_on(&self, name: &str) -> bool {
        self.given(name).last().is_some_and(|value| value == "true")
    }

    fn say(&mut self, name: &str, value: &str) {
        self.arguments.push(format!("--{name}={value}").into());
    }

    /// Adds a flag once: several options of KLEE may map to the same flag.
    fn flag(&mut self, name: &str) {
        let argument = OsString::from(format!("--{name}"));
        if !self.arguments.contains(&argument) {
            self.arguments.push(argument);
        }
    }

    /// Applies one option of the table.
    fn take(&mut self, option: &KleeOption) -> Result<(), KleeError> {
        match option.becomes {
            Becomes::Option(name) => match option.value {
                Value::Many => {
                    for value in self.given(option.name) {
                        self.say(name, value);
                    }
                }
                _ => {
                    let value = self.value(option);
                    let value = match (name, value.as_str()) {
                        ("max-solver-time", "0" | "0s") => LONG_QUERY,
                        (_, value) => value,
                    };
                    if !value.is_empty() {
                        self.say(name, value);
                    }
                }
            },
            Becomes::Flag(name) => {
                if self.is_on(option.name) {
                    self.flag(name);
                }
            }
            Becomes::Code(setting) => self.set(setting, option)?,
            Becomes::Already(_) => {}
            Becomes::Nothing(why) => {
                if !self.given(option.name).is_empty() {
                    self.warnings.push(without_meaning(option.name, why));
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, setting: Setting, option: &KleeOption) -> Result<(), KleeError> {
        let value = self.value(option);
        let (is_on, given) = (value == "true", self.given(option.name));
        match setting {
            // These options depend on each other: see `search` and `seed_sizes`.
            Setting::Search
            | Setting::UseBatching
            | Setting::BatchInstructions
            | Setting::SeedSizes
            | Setting::BatchTime => {}
            Setting::AllocationsInMemory => {
                let least = LEAST_MEMORY >> 20;
                let wanted: u64 = value.parse().unwrap_or(0);
                if wanted != 0 && wanted <= least {
                    let text = format!(
                        "--max-memory={wanted}: homi needs more than {least} MB; the limit is {} MB",
                        least + 1
                    );
                    self.warnings.push(text);
                }
                let limit = if wanted == 0 {
                    0
                } else {
                    wanted.max(least + 1)
                };
                self.say("max-memory", &limit.to_string());
            }
            Setting::MaxForks => {
                if let Some(forks) = value.parse::<u64>().ok().filter(|forks| *forks > 0) {
                    self.say("max-forks", &forks.to_string());
                } else if value == "0" {
                    let why =
                        "0 is no limit in homi; --max-depth=1 or klee_set_forking avoids forks";
                    self.warnings.push(without_meaning(option.name, why));
                }
            }
            Setting::MaxInstructions => self.say("max-instructions", &value),
            Setting::NamedSeeds => {
                if !is_on {
                    self.flag("seeds-by-position");
                }
            }
            Setting::CoveringNewOnly => {
                if !is_on {
                    self.flag("all-tests");
                }
            }
            Setting::ExitOnErrorType => {
                for kind in given {
                    self.say("exit-on-error-type", kind_of(kind));
                }
            }
            Setting::Merge => {
                if is_on && !self.is_on("use-merge") {
                    let why = "no paths are merged without --use-merge";
                    self.warnings.push(without_meaning(option.name, why));
                } else if is_on && option.name == "use-incomplete-merge" {
                    self.flag(option.name);
                } else if is_on {
                    self.logs_merges = true;
                }
            }
            Setting::LinkLibrary => self.files.extend(given.iter().map(PathBuf::from)),
            Setting::FunctionAlias => {
                for alias in given {
                    self.say("function-alias", alias);
                }
            }
            Setting::OutputSource => self.asked.writes_assembly = is_on,
            Setting::OutputModule => self.asked.writes_module = is_on,
            Setting::WriteTests => self.asked.keeps_tests = is_on,
            Setting::WriteNoTests => self.asked.keeps_test_files = !is_on,
            Setting::WriteXml => self.asked.writes_xml = is_on,
            Setting::WritesOneFile => {
                let value = (!value.is_empty()).then_some(value);
                match option.name {
                    "xml-metadata-programfile" => self.asked.xml_program = value,
                    _ => self.asked.xml_hash = value,
                }
            }
            Setting::SwitchType => match value.as_str() {
                "simple" => self.flag("simple-switches"),
                "llvm" => {
                    let why = "homi forks for all targets of a switch at once (internal), or tests \
                               one case after the other (simple)";
                    self.warnings.push(without_meaning(option.name, why));
                }
                _ => {}
            },
            Setting::SameFlag => {
                if is_on {
                    self.flag(option.name);
                }
            }
            Setting::SilentAssume => {
                if is_on {
                    self.flag("silent-assume");
                }
            }
        }
        Ok(())
    }

    /// Sets the searcher and the batch limits.
    fn search(&mut self) {
        let searches = match self.given("search") {
            [] if self.is_on("use-merge") => "nurs:covnew".to_string(),
            [] => "roundrobin".to_string(),
            given => given.join(","),
        };
        self.say("search", &searches);
        let value = |name: &str, default: &str| {
            let given = self.line.given.get(name).and_then(|given| given.last());
            given.cloned().unwrap_or_else(|| default.to_string())
        };
        let (instructions, time) = if self.is_on("use-batching-search") {
            (
                value("batch-instructions", "10000"),
                value("batch-time", "5s"),
            )
        } else {
            // KLEE selects a state after each instruction.
            ("1".to_string(), "0".to_string())
        };
        self.say("batch-instructions", &instructions);
        self.say("tuning batch-time", &time);
    }

    /// Sets whether seeds may be truncated and extended.
    fn seed_sizes(&mut self) {
        let extends = self.is_on("allow-seed-extension") || self.is_on("zero-seed-extension");
        let sizes = match (extends, self.is_on("allow-seed-truncation")) {
            (true, true) => "resize",
            (true, false) => "extend",
            (false, true) => "truncate",
            (false, false) => "exact",
        };
        self.say("seed-sizes", sizes);
    }

    fn into_request(mut self, program: &Path) -> Result<Request, KleeError> {
        self.asked.exits_on_error = self.is_on("exit-on-error");
        if let Some(entry) = self.given("entry-point").last() {
            if entry.is_empty() {
                return Err(KleeError::Ends("entry-point cannot be empty"));
            }
            self.asked.entry.clone_from(entry);
        }
        let files = std::iter::once(program.to_path_buf()).chain(self.files);
        self.arguments.extend(files.map(PathBuf::into_os_string));
        self.arguments.push("--".into());
        self.arguments.extend(self.line.arguments.iter().cloned());
        let parsed = parse_for_klee(self.arguments);
        let mut config = parsed.map_err(|error| KleeError::refused(&error.to_string()))?;
        config.dialect = Dialect::klee();
        if let Some(merge) = &mut config.merge {
            merge.logs = self.logs_merges;
        }
        Ok(Request {
            config,
            asked: self.asked,
            warnings: self.warnings,
        })
    }
}

/// Returns homi's name of a kind of error.
fn kind_of(klees: &str) -> &str {
    match klees {
        "ReadOnly" => "read_only",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::read;
    use super::*;
    use homi_config::{Budget, Heuristic};
    use std::time::Duration;

    fn asked(text: &str) -> Request {
        let line = read(text.split(' ').map(OsString::from).collect()).unwrap();
        request(&line, Path::new("a.bc")).unwrap()
    }

    #[test]
    fn defaults_are_klees() {
        let request = asked("a.bc --sym-arg 3");
        let config = &request.config;
        assert_eq!(config.program.arguments, ["--sym-arg", "3"]);
        assert_eq!(
            config.search.heuristics,
            [Heuristic::RandomPath, Heuristic::CovNew]
        );
        assert_eq!((config.search.batch_instructions, config.threads), (1, 1));
        assert_eq!(
            config.search.distance_interval,
            Budget::Time(Duration::from_secs(30))
        );
        assert_eq!(
            (config.budget.memory, config.budget.stack_frames),
            (2000 << 20, 8192)
        );
        assert!(config.tests.all && config.tests.dump_open);
        assert_eq!(config.dialect, Dialect::klee());
        assert!(config.campaign.is_none() && request.warnings.is_empty());
    }

    #[test]
    fn options_become_homis_or_a_warning() {
        let request = asked(
            "--search=dfs --use-batching-search --max-time=2min --max-memory=10 --kdalloc=0 \
             --only-output-states-covering-new --exit-on-error-type=Ptr,User --libc=uclibc a.bc",
        );
        let config = &request.config;
        assert_eq!(config.search.heuristics, [Heuristic::Dfs]);
        assert_eq!(config.search.batch_instructions, 10_000);
        assert_eq!(config.budget.time, Budget::Time(Duration::from_secs(120)));
        assert_eq!(config.budget.exit_on_kinds, ["Ptr", "User"]);
        assert!(!config.tests.all);
        let shown = request.warnings.join("\n");
        assert_eq!(request.warnings.len(), 2, "{shown}");
        assert!(shown.contains("--max-memory=10") && shown.contains("--kdalloc changes nothing"));
    }
}
