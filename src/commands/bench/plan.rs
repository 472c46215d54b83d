//! Contents of a study file: programs x configurations x seeds, equal budgets, limits of a job.

use super::built_in::KnownBuilds;
use super::configurations::{self, Configuration, Engine};
use super::error::{Result, StudyError, failed};
use super::source::{Numbers, Section, Source, plain_name};
use super::subjects::{self, StudyPaths, Subject};
use homi_app::options::units;
use homi_config::Budget;
use std::path::Path;
use std::time::Duration;

/// Study, as its file describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Study {
    pub name: String,
    /// Question that the study answers.
    pub question: Option<String>,
    pub seeds: Vec<u64>,
    /// Budget of each job.
    pub budget: Budget,
    /// Number of parallel jobs; `None` for the number of CPUs.
    pub jobs: Option<usize>,
    /// Memory of a job in bytes.
    pub memory: u64,
    /// Wall time after which a job is killed.
    pub timeout: Duration,
    /// Options of homi for all jobs.
    pub options: Vec<String>,
    /// Share of the union of branches whose time tables report.
    pub share: f64,
    /// True if tests are replayed on the programs that have a build for gcov.
    pub replay: bool,
    pub subjects: Vec<Subject>,
    /// Configurations; the first one is the baseline.
    pub configurations: Vec<Configuration>,
}

const SECTIONS: [&str; 3] = ["study", "subjects", "configs"];
const KEYS: [&str; 12] = [
    "name",
    "question",
    "seeds",
    "budget",
    "jobs",
    "memory",
    "timeout",
    "options",
    "share",
    "replay",
    "subjects",
    "arguments",
];

const DEFAULT_MEMORY: u64 = 2 << 30;
const DEFAULT_SEEDS: u64 = 3;
const DEFAULT_SHARE: &str = "0.9";
/// Timeout of a job whose budget is not a time.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(3600);
/// Extra time for a job whose budget is a time: writing many tests takes longer.
const TIMEOUT_BEYOND: Duration = Duration::from_secs(120);

impl Study {
    /// Reads a study file; `subjects` locates the programs that are known by name.
    pub fn read(file: &Path, base: &Path, subjects: Option<&KnownBuilds>) -> Result<Study> {
        let text = std::fs::read_to_string(file).map_err(|error| failed("read", file, &error))?;
        Self::parse(&text, file, StudyPaths { base, subjects })
    }

    /// Reduces the study to one run.
    ///
    /// # Errors
    /// Fails if it has no such run.
    pub fn only(mut self, subject: &str, configuration: &str, seed: u64) -> Result<Study> {
        self.subjects.retain(|one| one.name == subject);
        self.configurations.retain(|one| one.name == configuration);
        self.seeds.retain(|one| *one == seed);
        match self.study_runs() {
            0 => Err(StudyError::Request(format!(
                "the study has no run with program {subject}, configuration {configuration} and \
                 seed {seed}"
            ))),
            _ => Ok(self),
        }
    }

    fn study_runs(&self) -> usize {
        self.subjects.len() * self.configurations.len() * self.seeds.len()
    }

    pub(super) fn parse(text: &str, file: &Path, places: StudyPaths<'_>) -> Result<Study> {
        let source = Source { file, text };
        let table = source.parse()?;
        let whole = source.whole(&table);
        whole.only(&SECTIONS)?;
        let Some(study) = whole.section("study")? else {
            let text = "[study] is missing; add it with at least `name` and `budget`";
            return Err(source.wrong(0, text));
        };
        study.only(&KEYS)?;
        let name = study
            .text("name")?
            .ok_or_else(|| study.wrong("name", "`name` is missing in [study]"))?;
        plain_name(name).map_err(|error| study.wrong("name", &error.to_string()))?;
        let budget = budget(&study)?;
        let options = study.arguments("options")?.unwrap_or_default();
        configurations::check_options(options.iter(), budget)
            .map_err(|text| study.wrong("options", &format!("`options`: {text}")))?;
        let configurations = configurations::read(&whole, &options, budget)?;
        let study = Study {
            name: name.to_string(),
            question: study.text("question")?.map(str::to_string),
            seeds: seeds(&study)?,
            budget,
            jobs: jobs(&study)?,
            memory: read_as(&study, "memory", units::size)?.unwrap_or(DEFAULT_MEMORY),
            timeout: timeout(&study, budget)?,
            options,
            share: share(&study)?,
            replay: study.flag("replay")?.unwrap_or(true),
            subjects: subjects::read(&whole, &study, places)?,
            configurations,
        };
        Ok(study)
    }

    /// True if a configuration runs KLEE.
    pub fn wants_klee(&self) -> bool {
        self.configurations
            .iter()
            .any(|configuration| configuration.engine == Engine::Klee)
    }
}

/// Returns the name of the study in a text; ignores all other contents.
pub(super) fn name_of(text: &str, file: &Path) -> Result<String> {
    let source = Source { file, text };
    let table = source.parse()?;
    let whole = source.whole(&table);
    let name = match whole.section("study")? {
        Some(study) => study.text("name")?,
        None => None,
    };
    Ok(name.unwrap_or_default().to_string())
}

/// Reads a text of a key with a parser of units.
fn read_as<T>(
    study: &Section<'_, '_>,
    key: &str,
    parse: impl Fn(&str) -> std::result::Result<T, String>,
) -> Result<Option<T>> {
    let Some(text) = study.literal(key)? else {
        return Ok(None);
    };
    parse(&text)
        .map(Some)
        .map_err(|error| study.wrong(key, &format!("`{key}`: {error}")))
}

fn budget(study: &Section<'_, '_>) -> Result<Budget> {
    let Some(budget) = read_as(study, "budget", units::budget)? else {
        let text = "`budget` is missing in [study]; set it, such as \"60s\", \"500000i\" (instructions) \
             or \"5000000w\" (work)";
        return Err(study.wrong("budget", text));
    };
    if budget.is_zero() {
        Err(study.wrong(
            "budget",
            "`budget` is 0, but a job must end; set it above 0",
        ))
    } else {
        Ok(budget)
    }
}

fn seeds(study: &Section<'_, '_>) -> Result<Vec<u64>> {
    let seeds = match study.numbers("seeds")? {
        None => (1..=DEFAULT_SEEDS).collect(),
        Some(Numbers::Count(count)) if count <= 10_000 => (1..=count).collect(),
        Some(Numbers::Count(_)) => {
            return Err(study.wrong(
                "seeds",
                "`seeds` is too large; use at \
             most 10000",
            ));
        }
        Some(Numbers::List(seeds)) => seeds,
    };
    let mut sorted = seeds.clone();
    sorted.sort_unstable();
    sorted.dedup();
    match (seeds.is_empty(), sorted.len() == seeds.len()) {
        (true, _) => Err(study.wrong("seeds", "`seeds` is empty; list at least one seed")),
        (_, false) => Err(study.wrong("seeds", "`seeds` lists a seed twice; remove one")),
        _ => Ok(seeds),
    }
}

fn jobs(study: &Section<'_, '_>) -> Result<Option<usize>> {
    match study.number("jobs")? {
        Some(0) => Err(study.wrong("jobs", "`jobs` must be at least 1")),
        jobs => Ok(jobs.and_then(|jobs| usize::try_from(jobs).ok())),
    }
}

fn timeout(study: &Section<'_, '_>, budget: Budget) -> Result<Duration> {
    let least = match budget {
        Budget::Time(time) => time,
        Budget::Instructions(_) | Budget::Work(_) => Duration::ZERO,
    };
    let usual = if least.is_zero() {
        DEFAULT_TIMEOUT
    } else {
        2 * least + TIMEOUT_BEYOND
    };
    let timeout = read_as(study, "timeout", units::duration)?.unwrap_or(usual);
    if timeout <= least {
        Err(study.wrong(
            "timeout",
            "`timeout` must be longer than `budget`, since it kills jobs that hang",
        ))
    } else {
        Ok(timeout)
    }
}

fn share(study: &Section<'_, '_>) -> Result<f64> {
    let parse = |text: &str| match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a number above 0 and at most 1".to_string()),
    };
    Ok(read_as(study, "share", parse)?
        .or(parse(DEFAULT_SHARE).ok())
        .unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> std::result::Result<Study, String> {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a.bc"), "").unwrap();
        let places = StudyPaths {
            base: place.path(),
            subjects: None,
        };
        Study::parse(text, Path::new("s.toml"), places).map_err(|error| error.to_string())
    }

    const SMALL: &str = "[study]\nname = \"n\"\nbudget = \"1000w\"\n[subjects.a]\nbitcode = \"a.bc\"\narguments = \"--sym-arg 2\"\n";

    fn with(configurations: &str) -> std::result::Result<Study, String> {
        parse(&format!("{SMALL}{configurations}"))
    }

    #[test]
    fn a_small_study_has_defaults() {
        let study =
            with("[configs.default]\n[configs.dfs]\noptions = [\"--search\", \"dfs\"]\n").unwrap();
        assert_eq!(study.seeds, [1, 2, 3]);
        assert_eq!(study.budget, Budget::Work(1000));
        assert_eq!(study.subjects[0].arguments, ["--sym-arg", "2"]);
        let names: Vec<_> = study
            .configurations
            .iter()
            .map(|configuration| configuration.name.as_str())
            .collect();
        assert_eq!(names, ["default", "dfs"]);
        assert_eq!(study.timeout, DEFAULT_TIMEOUT);
    }

    #[test]
    fn lists_are_crossed() {
        let study =
            with("[configs.z]\nsearch = [\"dfs\", \"bfs\"]\nprune = [\"none\", \"random\"]\n")
                .unwrap();
        let names: Vec<_> = study
            .configurations
            .iter()
            .map(|configuration| configuration.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["z-dfs-none", "z-dfs-random", "z-bfs-none", "z-bfs-random"]
        );
        assert_eq!(
            study.configurations[3].options.join(" "),
            "--search bfs --prune random"
        );
        let study = with("[configs.c]\nstrategy = [\"default\", \"cgs\"]\n").unwrap();
        assert_eq!(study.configurations[0].options.join(" "), "--concolic");
        assert_eq!(
            study.configurations[1].options.join(" "),
            "--concolic --strategy cgs"
        );
    }

    #[test]
    fn what_makes_no_sense_is_named_with_line_and_nearest_match() {
        for (text, parts) in [
            (
                "[configs.a]\nsearch = \"dsf\"\n",
                vec!["s.toml:8", "`dsf`", "did you mean `dfs`"],
            ),
            (
                "[configs.a]\nprune = [\"hommi\"]\n",
                vec!["s.toml:8", "did you mean `homi`"],
            ),
            (
                "[configs.a]\nstrategy = \"cgz\"\n",
                vec!["s.toml:8", "did you mean `cgs`"],
            ),
            (
                "[configs.a]\nserch = \"dfs\"\n",
                vec!["s.toml:8", "did you mean `search`"],
            ),
            (
                "[configs.a]\noptions = \"--serach dfs\"\n",
                vec!["s.toml:8", "--serach", "--search"],
            ),
            (
                "[configs.a]\noptions = \"--seed 4\"\n",
                vec!["s.toml:8", "`seeds`"],
            ),
            (
                "[configs.a]\nengine = \"kle\"\n",
                vec!["s.toml:8", "did you mean `klee`"],
            ),
            ("[config.a]\n", vec!["s.toml:7", "did you mean `configs`"]),
            ("", vec!["no configuration"]),
        ] {
            let error = with(text).expect_err(text);
            for part in parts {
                assert!(error.contains(part), "{text}: {error}");
            }
        }
        for (from, to, part) in [
            ("a.bc", "b.bc", "s.toml:5: `bitcode`: cannot read"),
            ("1000w", "soon", "s.toml:3: `budget`"),
            ("1000w", "0", "a job must end"),
            (
                "name = \"n\"",
                "name = \"n\"\nsubjects = [\"wcc\"]",
                "did you mean `wc`",
            ),
            (
                "name = \"n\"",
                "name = \"n\"\noptions = \"--sedd 3\"",
                "s.toml:3: `options`: ",
            ),
            (
                "name = \"n\"",
                "name = \"n\"\nshare = 1.5",
                "s.toml:3: `share`: expected a number",
            ),
            (
                "name = \"n\"",
                "name = \"n/m\"",
                "s.toml:2: `n/m` is not a valid name",
            ),
            ("name = \"n\"", "name = \"n\"\nseeds = [1, 1]", "twice"),
            ("name = \"n\"", "name = \"n\"\nmemory = \"3 cows\"", "cows"),
        ] {
            let text = format!("{SMALL}[configs.d]\n").replace(from, to);
            let error = parse(&text).expect_err(&text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
