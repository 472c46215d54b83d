//! `homi keep` for functions: each test is a call in plain C.
//!
//! Owns: which tests of a function become cases, the file of tests and what becomes of the cases in
//! it. Never: the C of a call, which `build::harness` has.

mod body;
mod candidate;
mod heads;
mod recorded;
mod recording;
mod test_file;

use super::Kept;
use super::boundaries::{boundaries, is_side};
use super::bug_text::{BugText, without_numbers};
use super::condition_text::SourceTexts;
use super::suite_file::SuiteFile;
use crate::minimize::{Covering, Reports, choose};
use crate::tester::{TestedProgram, compile_bitcode};
use anyhow::Context;
use candidate::{Candidate, call_of};
use heads::{head, head_of_builds};
use homi_build::harness::Function;
use homi_llvm::{llvm_version, program_text};
use homi_native::replay::sandbox::{Limits, SandboxKind};
use homi_native::testcase::{BranchEntry, TestCoverage, read_branches, read_coverage, tests_in};
use recording::{CMOCKA, HEADER, Recording, Surroundings};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use test_file::{CaseText, SANITIZER_BUG, TestFile};

/// Framework that runs the kept tests of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framework {
    /// A `main` of homi's header, which prints TAP.
    None,
    Cmocka,
}

impl Framework {
    /// Returns the name of the header that a file of tests includes.
    fn header(self) -> &'static str {
        match self {
            Framework::None => CHECK_HEADER,
            Framework::Cmocka => CMOCKA_HEADER,
        }
    }
}

/// Name of the header with the checks.
const CHECK_HEADER: &str = "homi_check.h";
/// Name of the header that makes the tests a group of CMocka.
pub(super) const CMOCKA_HEADER: &str = "homi_cmocka.h";

/// Options of `homi keep` for a function.
pub struct FunctionOptions {
    /// Output directory of `homi test`.
    pub run: PathBuf,
    pub program: TestedProgram,
    pub framework: Framework,
    /// Directory of the kept tests.
    pub into: PathBuf,
    pub limits: Limits,
    pub sandbox: SandboxKind,
    pub interrupt: Arc<AtomicBool>,
}

/// Keeps the tests of a function.
///
/// # Errors
/// Fails if the sources cannot be compiled, or if a file cannot be read or written.
pub fn keep_function(options: &FunctionOptions) -> anyhow::Result<Kept> {
    let entry = &options.program.entry;
    let sources = super::program::sources(
        &options.program.sources,
        &options.program.compile,
        &options.program.link,
    );
    let bitcode = compile_bitcode(llvm_version(), &sources)?;
    let homi = std::env::current_exe().ok();
    let text = program_text(&bitcode.files(), entry, homi.as_deref())
        .with_context(|| format!("cannot read the types of {entry}"))?;
    let function = Function::read(&text, entry)
        .with_context(|| format!("the program does not define {entry}"))?;
    let function = function.map_err(anyhow::Error::msg)?;
    let mut keeping = Keeping::open(options, &function)?;
    keeping.read_tests(&function)?;
    keeping.review()?;
    keeping.add()?;
    keeping.finish()
}

struct Keeping<'a> {
    options: &'a FunctionOptions,
    /// The file that defines the function comes first.
    program: TestedProgram,
    path: PathBuf,
    file: TestFile,
    known: SuiteFile,
    candidates: Vec<Candidate>,
    branches: Vec<BranchEntry>,
    texts: SourceTexts,
    taken: BTreeSet<String>,
    covered: BTreeSet<u32>,
    kept: Kept,
    is_changed: bool,
    /// Texts of cases whose behavior changed.
    waiting: Vec<CaseText>,
}

impl<'a> Keeping<'a> {
    fn open(options: &'a FunctionOptions, function: &Function) -> anyhow::Result<Self> {
        let mut program = options.program.clone();
        let defines = |source: &PathBuf| function.file().is_some_and(|file| source.ends_with(file));
        if let Some(first) = program.sources.iter().position(defines) {
            program.sources.swap(0, first);
        }
        let name = format!("test_{}.c", program.entry);
        let path = options.into.join(&name);
        let file = match fs::read_to_string(&path) {
            Ok(text) => TestFile::parse(&text),
            Err(_) => TestFile {
                head: head(&program, &options.into, options.framework),
                cases: Vec::new(),
            },
        };
        Ok(Self {
            program,
            path,
            taken: file.cases.iter().map(|case| case.name.clone()).collect(),
            file,
            known: SuiteFile::read(&options.into)?,
            candidates: Vec::new(),
            branches: read_branches(&options.run).unwrap_or_default(),
            texts: SourceTexts::default(),
            covered: BTreeSet::new(),
            kept: Kept {
                name,
                ..Kept::default()
            },
            is_changed: false,
            waiting: Vec::new(),
            options,
        })
    }

    fn read_tests(&mut self, function: &Function) -> anyhow::Result<()> {
        let log = read_coverage(&self.options.run).unwrap_or_default();
        let log: BTreeMap<String, TestCoverage> = log
            .into_iter()
            .map(|line| (line.test.clone(), line))
            .collect();
        let mut first = Vec::new();
        let mut next = 0;
        for branch in &self.branches {
            first.push(next);
            next += branch.sides;
        }
        self.kept.sides.1 = next as usize;
        let run = &self.options.run;
        let mut reports = Reports::default();
        for test in tests_in(run).with_context(|| format!("cannot read {}", run.display()))? {
            let name = test
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let (call, id) = match call_of(&test, function) {
                Ok(found) => found,
                Err(why) => {
                    self.kept.left_out.push((name, why));
                    continue;
                }
            };
            let line = log.get(&name);
            let sides = line.iter().flat_map(|line| &line.sides);
            let sides =
                sides.filter_map(|(branch, side)| Some(first.get(*branch as usize)? + side));
            let sides = sides.chain(line.into_iter().flat_map(boundaries));
            self.candidates.push(Candidate {
                bug: BugText::of_report(&test, &mut reports, &mut self.texts),
                sides: sides.collect(),
                test,
                id,
                call,
            });
        }
        Ok(())
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            sandbox: self.options.sandbox,
            limits: &self.options.limits,
            interrupt: &self.options.interrupt,
        }
    }

    /// Runs the cases that are in the file.
    fn review(&mut self) -> anyhow::Result<()> {
        let ids: BTreeSet<String> = self.file.cases.iter().map(|case| case.id.clone()).collect();
        let known = self
            .known
            .programs
            .entry(self.kept.name.clone())
            .or_default();
        let gone: Vec<String> = known.cases.difference(&ids).cloned().collect();
        self.kept.removed = gone.len();
        known.never.extend(gone);
        if self.file.cases.is_empty() {
            return Ok(());
        }
        let head = head_of_builds(&self.program);
        let here = TestFile {
            head,
            cases: self.file.cases.clone(),
        };
        let text = here.render(&self.program.entry);
        let builds = Recording::build(&text, &[], &self.program, &self.around())?;
        for case in self.file.cases.clone() {
            let whole = format!("{}/{}", self.program.entry, case.name);
            let passes = builds.passes(&whole)?;
            let is_fixed = passes && case.bug().is_some() && !case.about.starts_with(SANITIZER_BUG);
            let found = self
                .candidates
                .iter()
                .find(|candidate| candidate.id == case.id);
            if let Some(candidate) = found.filter(|_| case.bug().is_none()) {
                self.covered.extend(&candidate.sides);
            }
            if is_fixed {
                let new = case.name.strip_prefix("bug_").unwrap_or(&case.name);
                let new = super::names::free(&format!("fixed_{new}"), &mut self.taken);
                self.kept.fixed.push((case.name.clone(), new));
            } else if passes || case.bug().is_some() {
                self.kept.same += 1;
                self.kept.bugs += usize::from(case.bug().is_some());
            } else if case.is_ours() && found.is_some() {
                self.kept.pending.push(case.name.clone());
            } else {
                self.kept.failing.push(case.name.clone());
            }
        }
        Ok(())
    }

    /// Adds cases for what the file does not cover, and records changed ones anew.
    fn add(&mut self) -> anyhow::Result<()> {
        let known = self.known.programs.get(&self.kept.name);
        let never = known.map(|known| known.never.clone()).unwrap_or_default();
        let ids: BTreeSet<String> = self.file.cases.iter().map(|case| case.id.clone()).collect();
        let bugs = self.file.cases.iter().filter_map(CaseText::bug);
        let bugs: BTreeSet<String> = bugs.map(without_numbers).collect();
        loop {
            let chosen = self.choose(&ids, &never, &bugs);
            let refused = self.record(&chosen)?;
            match refused {
                None => return Ok(()),
                Some(number) => drop(self.candidates.remove(number)),
            }
        }
    }

    fn choose(
        &self,
        ids: &BTreeSet<String>,
        never: &BTreeSet<String>,
        bugs: &BTreeSet<String>,
    ) -> Vec<usize> {
        let covering = self.candidates.iter().map(|candidate| {
            let is_out = ids.contains(&candidate.id) || never.contains(&candidate.id);
            let bug = candidate.bug.as_ref().map(|bug| without_numbers(&bug.line));
            Covering {
                path: candidate.test.clone(),
                size: candidate
                    .call
                    .lines
                    .iter()
                    .map(|line| line.len() as u64 + 20)
                    .sum(),
                sides: if is_out || bug.is_some() {
                    Vec::new()
                } else {
                    candidate.sides.clone()
                },
                bug: bug.filter(|bug| !is_out && !bugs.contains(bug)),
            }
        });
        choose(&covering.collect::<Vec<_>>(), self.covered.clone())
    }

    /// Writes the file with the changed cases, which waits; without any there is none.
    fn write_waiting(&self) -> anyhow::Result<()> {
        let path = self.path.with_extension("c.new");
        let failed = || format!("cannot write {}", path.display());
        if self.waiting.is_empty() {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(error).with_context(failed)
                }
                _ => Ok(()),
            };
        }
        let mut file = self.file.clone();
        for case in &self.waiting {
            file.replace(case.clone());
        }
        fs::write(&path, file.render(&self.program.entry)).with_context(failed)
    }

    fn finish(mut self) -> anyhow::Result<Kept> {
        let into = &self.options.into;
        let total = self.candidates.len();
        let known: BTreeSet<&String> = self.file.cases.iter().map(|case| &case.id).collect();
        let kept = self
            .candidates
            .iter()
            .filter(|one| known.contains(&one.id))
            .count();
        self.kept.superfluous = total - kept;
        if self.is_changed {
            fs::create_dir_all(into)
                .with_context(|| format!("cannot create {}", into.display()))?;
            let text = self.file.render(&self.program.entry);
            fs::write(&self.path, text)
                .with_context(|| format!("cannot write {}", self.path.display()))?;
            let mut headers = vec![(CHECK_HEADER, HEADER)];
            if self.file.head.contains(CMOCKA_HEADER) {
                headers.push((CMOCKA_HEADER, CMOCKA));
            }
            for (name, text) in headers {
                let header = into.join(name);
                if !header.exists() {
                    fs::write(&header, text)
                        .with_context(|| format!("cannot write {}", header.display()))?;
                }
            }
        }
        self.write_waiting()?;
        let listed = self
            .known
            .programs
            .entry(self.kept.name.clone())
            .or_default();
        listed.cases = self.file.cases.iter().map(|case| case.id.clone()).collect();
        if self.path.exists() {
            self.known.write()?;
        }
        self.kept.sides.0 = self.covered.iter().filter(|one| is_side(one)).count();
        self.kept.added.sort();
        Ok(self.kept)
    }
}
