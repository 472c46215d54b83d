//! `learning-data.jsonl`: D on disk, so that a stopped campaign can resume.
//!
//! A header line identifies the campaign; then one line follows per finished run. Invariant: one
//! call writes a line after its run. The file holds complete runs and at most one truncated line at
//! its end, which a resumed campaign drops.

use super::test_features::LearnedTest;
use homi_config::{CampaignConfig, CommandLine};
use homi_explore::prune::learn::{Condition, Event, FeatureId};
use homi_machine::exec::Underapproximations;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Name of the file within an output directory.
const FILE: &str = "learning-data.jsonl";
const FORMAT: &str = "homi learning data";
/// Version of the format.
const VERSION: u32 = 1;

/// Reason why learning data cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot read {}: {source} (is it the output directory of a campaign?)", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is corrupt or not learning data: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("{} was written by homi {theirs}, format {format}, but this is homi {ours}, format \
         {VERSION}; start a new campaign", path.display())]
    Version {
        path: PathBuf,
        theirs: String,
        ours: String,
        format: u32,
    },
    #[error("cannot resume {}: different {what}: `{theirs}` in the first session, `{ours}` now; \
         repeat the options of the first session, or start a new campaign", path.display())]
    Different {
        path: PathBuf,
        what: &'static str,
        theirs: String,
        ours: String,
    },
}

/// Header of the learning data, which identifies the campaign.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    format: String,
    version: u32,
    homi: String,
    /// Name of the program; `program_hash` is the hash of its lowered form with libc.
    pub program: String,
    pub program_hash: String,
    pub arguments: Vec<String>,
    pub search: Vec<String>,
    pub seed: u64,
    /// Source of B(t): `engine`, or `gcov=EXE`.
    pub coverage: String,
    pub campaign: CampaignConfig,
    /// Command line of the first session, for sessions that resume it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<CommandLine>,
}

impl Header {
    pub fn new(
        program: (String, String),
        arguments: Vec<String>,
        search: Vec<String>,
        seed: u64,
        coverage: String,
        campaign: CampaignConfig,
        session: Option<CommandLine>,
    ) -> Self {
        Self {
            format: FORMAT.to_string(),
            version: VERSION,
            homi: env!("CARGO_PKG_VERSION").to_string(),
            program: program.0,
            program_hash: program.1,
            arguments,
            search,
            seed,
            coverage,
            campaign,
            session,
        }
    }

    /// Checks if a campaign with this header can continue with the data of `theirs`.
    pub fn check(&self, theirs: &Header, path: &Path) -> Result<(), StoreError> {
        let different = |what, theirs: String, ours: String| StoreError::Different {
            path: path.to_path_buf(),
            what,
            theirs,
            ours,
        };
        if theirs.program_hash != self.program_hash {
            let text = |header: &Header| {
                let hash = header.program_hash.get(..12).unwrap_or_default();
                format!("{} ({hash})", header.program)
            };
            return Err(different("program", text(theirs), text(self)));
        }
        let pairs = [
            (
                "program arguments",
                theirs.arguments.join(" "),
                self.arguments.join(" "),
            ),
            ("search", theirs.search.join(","), self.search.join(",")),
            ("seed", theirs.seed.to_string(), self.seed.to_string()),
            ("--coverage", theirs.coverage.clone(), self.coverage.clone()),
        ];
        for (what, theirs, ours) in pairs {
            if theirs != ours {
                return Err(different(what, theirs, ours));
            }
        }
        Ok(())
    }
}

/// Stored test of D.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredTest {
    /// Number of the prune event.
    pub event: Option<usize>,
    pub features: Vec<FeatureId>,
    pub sides: Vec<u32>,
    /// Branches of a native replay, if those count; `sides` is then only the coverage of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<Vec<u32>>,
    /// Segments that its run covered first, if the test became a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// True if the test became a file and its path did not end.
    #[serde(default, skip_serializing_if = "is_false")]
    pub endless: bool,
    /// True if fuzzing found the test, which is not in D.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fuzzing_run: bool,
}

impl StoredTest {
    /// Converts a test; `native` is B(t) by a native replay, if those count.
    pub(super) fn of(test: &LearnedTest, native: Option<Vec<u32>>) -> Self {
        let written = test.file.is_some();
        Self {
            event: test.event,
            features: test.features.to_vec(),
            sides: test.sides.to_vec(),
            native,
            segments: if written {
                test.segments.clone()
            } else {
                Vec::new()
            },
            endless: test.endless && written,
            fuzzing_run: test.fuzzing_run,
            file: test.file.clone(),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Stored prune event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredEvent {
    /// Index of r in S_ratio.
    pub ratio: usize,
    pub weights: Vec<f64>,
}

impl StoredEvent {
    pub(super) fn of(event: &Event) -> Self {
        Self {
            ratio: event.ratio,
            weights: event.weights.clone(),
        }
    }

    pub(super) fn to_event(&self) -> Event {
        Event {
            weights: self.weights.clone(),
            ratio: self.ratio,
        }
    }
}

/// Stored run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredRun {
    /// Index of N' in S_time; `None` for slices of the unpruned run.
    pub budget: Option<usize>,
    pub features: Vec<FeatureId>,
    pub events: Vec<StoredEvent>,
    /// Core conditions seen for the first time; their numbers continue the numbers of earlier runs.
    pub conditions: Vec<Condition>,
    pub tests: Vec<StoredTest>,
    /// Branch sides covered for the first time in the campaign; `new_segments` are the segments.
    pub new_sides: Vec<u32>,
    pub new_segments: Vec<u32>,
    /// Under-approximations of the run.
    #[serde(default, skip_serializing_if = "Underapproximations::is_empty")]
    pub underapproximations: Underapproximations,
}

impl StoredRun {
    /// Returns the coverage of its files: sides, and segments first covered in the run.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let written = self.tests.iter().filter(|test| test.file.is_some());
        written.map(|test| (test.sides.as_slice(), test.segments.as_slice()))
    }
}

/// Learning data of a directory.
#[derive(Debug)]
pub struct Stored {
    pub header: Header,
    pub runs: Vec<StoredRun>,
    /// Length in bytes of the complete lines.
    length: u64,
    path: PathBuf,
}

impl Stored {
    /// Returns the path of the file, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads the data of an output directory.
pub fn read(directory: &Path) -> Result<Stored, StoreError> {
    let path = directory.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|source| cannot_read(&path, source))?;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let header = parse_header(first, &path)?;
    let mut length = first.len() as u64;
    let mut runs = Vec::new();
    for line in lines {
        if !line.ends_with('\n') {
            break;
        }
        runs.push(serde_json::from_str(line).map_err(|error| damaged(&path, error))?);
        length += line.len() as u64;
    }
    Ok(Stored {
        header,
        runs,
        length,
        path,
    })
}

/// Reads the header of the data in an output directory, without its runs.
pub fn read_header(directory: &Path) -> Result<Header, StoreError> {
    let path = directory.join(FILE);
    let mut first = String::new();
    File::open(&path)
        .and_then(|file| BufReader::new(file).read_line(&mut first))
        .map_err(|source| cannot_read(&path, source))?;
    parse_header(&first, &path)
}

fn cannot_read(path: &Path, source: io::Error) -> StoreError {
    let path = path.to_path_buf();
    StoreError::Read { path, source }
}

fn damaged(path: &Path, reason: impl ToString) -> StoreError {
    StoreError::Damaged {
        path: path.to_path_buf(),
        reason: reason.to_string(),
    }
}

/// Parses the header. The version is checked first: another version may have another header.
fn parse_header(line: &str, path: &Path) -> Result<Header, StoreError> {
    let versions: serde_json::Value =
        serde_json::from_str(line).map_err(|error| damaged(path, error))?;
    if versions["format"] != FORMAT {
        return Err(damaged(path, "the header is missing"));
    }
    let ours = env!("CARGO_PKG_VERSION");
    if versions["version"] != VERSION || versions["homi"] != ours {
        return Err(StoreError::Version {
            theirs: versions["homi"].as_str().unwrap_or("?").to_string(),
            ours: ours.to_string(),
            format: versions["version"].as_u64().unwrap_or(0) as u32,
            path: path.to_path_buf(),
        });
    }
    serde_json::from_str(line).map_err(|error| damaged(path, error))
}

/// File of learning data that is being written.
#[derive(Debug)]
pub struct Store {
    file: File,
    path: PathBuf,
}

impl Store {
    /// Creates the file with this header.
    pub fn create(directory: &Path, header: &Header) -> Result<Self, StoreError> {
        let path = directory.join(FILE);
        let write = |source| StoreError::Write {
            path: path.clone(),
            source,
        };
        let file = File::create_new(&path).map_err(write)?;
        let mut store = Self {
            file,
            path: path.clone(),
        };
        store.append_line(header).map_err(write)?;
        Ok(store)
    }

    /// Reopens the file of an earlier session and removes a truncated line at its end.
    pub fn reopen(stored: &Stored) -> Result<Self, StoreError> {
        let open = || {
            use std::io::Seek;
            let mut file = File::options().write(true).open(&stored.path)?;
            file.set_len(stored.length)?;
            file.seek(io::SeekFrom::End(0))?;
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(Self {
                file,
                path: stored.path.clone(),
            }),
            Err(source) => Err(StoreError::Write {
                path: stored.path.clone(),
                source,
            }),
        }
    }

    /// Appends a run.
    pub fn append(&mut self, run: &StoredRun) -> Result<(), io::Error> {
        self.append_line(run)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn append_line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_config::{Budget, CampaignKind, InputLayouts, SearchCoverage};
    use homi_explore::prune::learn::{Connective, Equation, LValue};

    fn header(seed: u64) -> Header {
        Header::new(
            ("a.bc".to_string(), "0123456789abcdef".to_string()),
            vec!["--sym-arg".to_string(), "3".to_string()],
            vec!["md2u".to_string()],
            seed,
            "engine".to_string(),
            CampaignConfig {
                kind: CampaignKind::Homi,
                interval: Budget::Instructions(100),
                run_max: Budget::Instructions(1000),
                run_steps: 4,
                ratio_max: 0.6,
                ratio_steps: 3,
                explorations: 10,
                draws: 100,
                completion_instructions: 10,
                keep_unpruned_run: false,
                unpruned_run: false,
                search_coverage: SearchCoverage::Run,
                growth: 0,
                kept: 0,
                seed_runs: false,
                concolic_ratio: 0.0,
                input_layouts: InputLayouts::Off,
            },
            None,
        )
    }

    fn run() -> StoredRun {
        let equation = Equation {
            lvalue: LValue {
                object: "n_args".into(),
                occurrence: 0,
                byte: None,
            },
            value: u128::MAX,
        };
        StoredRun {
            budget: Some(2),
            features: vec![FeatureId(0)],
            events: vec![StoredEvent {
                ratio: 1,
                weights: vec![0.1 + 0.2],
            }],
            conditions: Condition::new(Connective::And, vec![equation])
                .into_iter()
                .collect(),
            tests: vec![StoredTest {
                event: Some(0),
                features: vec![FeatureId(0)],
                sides: vec![1, 5],
                native: Some(vec![3]),
                segments: Vec::new(),
                file: Some("test000001".to_string()),
                endless: true,
                fuzzing_run: false,
            }],
            new_sides: vec![5],
            new_segments: vec![],
            underapproximations: Underapproximations::default(),
        }
    }

    #[test]
    fn runs_come_back_and_a_cut_off_line_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::create(directory.path(), &header(1)).unwrap();
        store.append(&run()).unwrap();
        store.file.write_all(b"{\"budget\":1").unwrap();
        let stored = read(directory.path()).unwrap();
        assert_eq!(stored.runs, [run()]);
        let mut store = Store::reopen(&stored).unwrap();
        store.append(&run()).unwrap();
        assert_eq!(read(directory.path()).unwrap().runs, [run(), run()]);
        assert!(Store::create(directory.path(), &header(1)).is_err());
    }

    #[test]
    fn other_campaigns_are_refused_with_the_difference() {
        let path = Path::new("x");
        header(1).check(&header(1), path).unwrap();
        let message = header(1).check(&header(2), path).unwrap_err().to_string();
        assert!(
            message.contains("different seed: `2` in the first session, `1` now"),
            "{message}"
        );
        let mut other = header(1);
        other.program_hash = "f".repeat(16);
        let message = header(1).check(&other, path).unwrap_err().to_string();
        assert!(message.contains("different program"), "{message}");
    }

    #[test]
    fn other_files_are_not_learning_data() {
        let directory = tempfile::tempdir().unwrap();
        let message = |text: Option<&str>| {
            if let Some(text) = text {
                std::fs::write(directory.path().join(FILE), text).unwrap();
            }
            read(directory.path()).unwrap_err().to_string()
        };
        assert!(message(None).contains("is it the output directory"));
        assert!(message(Some("")).contains("corrupt"));
        assert!(message(Some("{}\n")).contains("header is missing"));
        let old = r#"{"format":"homi learning data","version":0,"homi":"0.0.1"}"#;
        assert!(message(Some(old)).contains("written by homi 0.0.1, format 0"));
    }
}
