//! The kept cases of one program: a review of the present ones, and new ones.

use super::boundaries::{at_boundary, boundaries_of, naming};
use super::bug_text::{BugText, without_numbers};
use super::candidates::{Candidate, Candidates, tests_of};
use super::condition_text::SourceTexts;
use super::covers::Covers;
use super::pending::NEW;
use super::suite_file::SuiteFile;
use super::{KeepOptions, Kept, names};
use anyhow::Context;
use homi_native::kept::{
    Bug, Case, End, Expectation, KeptCase, Recorder, Refusal, is_unchanged, kept_in, read, shrink,
    write,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The cases of one program, and what is found out about them.
pub(super) struct Suite {
    /// Directory of the cases.
    place: PathBuf,
    recorder: Recorder,
    covers: Covers,
    file: SuiteFile,
    /// Names in use.
    names: BTreeSet<String>,
    /// Identities of the cases.
    identities: BTreeSet<String>,
    /// Branch sides that the cases cover.
    sides: BTreeSet<u32>,
    /// Lines about the known bugs, without numbers.
    bugs: BTreeSet<String>,
    kept: Kept,
    /// Builds, which the recorder runs.
    _built: super::program::Built,
}

impl Suite {
    /// Builds the program and opens the directory.
    pub(super) fn open(options: &KeepOptions) -> anyhow::Result<Self> {
        let built = options.program.build(&options.clang)?;
        let recorder = Recorder::new(
            &built.builds,
            options.sandbox,
            options.limits.clone(),
            &options.interrupt,
        )?;
        let name = options.program.name();
        let kept = Kept {
            name: name.clone(),
            sides: (0, built.builds.counted.1),
            ..Kept::default()
        };
        Ok(Self {
            place: options.into.join(&name),
            recorder,
            covers: Covers::new(
                built.branches.clone(),
                SourceTexts::with_roots(options.program.roots()),
            ),
            file: SuiteFile::read(&options.into)?,
            names: BTreeSet::new(),
            identities: BTreeSet::new(),
            sides: BTreeSet::new(),
            bugs: BTreeSet::new(),
            kept,
            _built: built,
        })
    }

    /// Runs the cases that are there.
    pub(super) fn review(&mut self) -> anyhow::Result<()> {
        let names = kept_in(&self.place)?;
        self.names.extend(names.iter().cloned());
        for name in names.iter().filter(|name| !name.ends_with(NEW)) {
            self.review_case(name)?;
        }
        let known = self
            .file
            .programs
            .entry(self.kept.name.clone())
            .or_default();
        let gone: Vec<String> = known.cases.difference(&self.identities).cloned().collect();
        self.kept.removed = gone.len();
        known.never.extend(gone);
        Ok(())
    }

    fn review_case(&mut self, name: &str) -> anyhow::Result<()> {
        let directory = self.place.join(name);
        let case = match read(&directory) {
            Ok(case) => case,
            Err(error) => {
                self.kept
                    .left_out
                    .push((name.to_string(), format!("{error:#}")));
                return Ok(());
            }
        };
        self.identities.insert(case.case.identity());
        let is_ours = is_unchanged(&directory)?;
        let now = self.recorder.record(&case.case)?;
        if let Some(bug) = &case.bug {
            return self.review_bug(name, &case, bug, now);
        }
        self.sides.extend(self.recorder.measure(&case.case)?.sides);
        match now {
            Ok(now) if case.expected.holds_for(&now) => {
                self.kept.same += 1;
                self.forget_waiting(name)?;
            }
            _ if !is_ours => self.kept.failing.push(name.to_string()),
            Ok(now) => {
                let new = KeptCase {
                    expected: now,
                    ..case
                };
                write(&self.place.join(format!("{name}{NEW}")), &new)?;
                self.kept.pending.push(name.to_string());
            }
            Err(Refusal::Unsafe(why) | Refusal::Unsteady(why)) => {
                self.kept.left_out.push((name.to_string(), why));
            }
        }
        Ok(())
    }

    /// Looks at the case of a known bug: one that is fixed becomes an ordinary case.
    fn review_bug(
        &mut self,
        name: &str,
        case: &KeptCase,
        bug: &Bug,
        now: Result<Expectation, Refusal>,
    ) -> anyhow::Result<()> {
        match now {
            Ok(now) if !bug.only_sanitizer && matches!(now.end, End::Exit(_)) => {
                self.sides.extend(self.recorder.measure(&case.case)?.sides);
                let wanted = format!("fixed_{}", name.strip_prefix("bug_").unwrap_or(name));
                let new = names::free(&wanted, &mut self.names);
                let fixed = KeptCase {
                    expected: now,
                    bug: None,
                    about: case.about.clone(),
                    case: case.case.clone(),
                };
                write(&self.place.join(&new), &fixed)?;
                let old = self.place.join(name);
                fs::remove_dir_all(&old)
                    .with_context(|| format!("cannot remove {}", old.display()))?;
                self.kept.fixed.push((name.to_string(), new));
            }
            _ => {
                self.bugs.insert(without_numbers(&bug.text));
                self.kept.same += 1;
                self.kept.bugs += 1;
            }
        }
        Ok(())
    }

    /// Removes a waiting case whose change is gone.
    fn forget_waiting(&self, name: &str) -> anyhow::Result<()> {
        let waiting = self.place.join(format!("{name}{NEW}"));
        if waiting.exists() {
            fs::remove_dir_all(&waiting)
                .with_context(|| format!("cannot remove {}", waiting.display()))?;
        }
        Ok(())
    }

    /// Makes cases of tests that cover more, or show bugs that no case shows.
    pub(super) fn add(&mut self, tests: &[PathBuf]) -> anyhow::Result<()> {
        let known = self.file.programs.get(&self.kept.name);
        let never = known.map(|known| known.never.clone()).unwrap_or_default();
        let known = self.identities.union(&never).cloned().collect();
        let mut candidates = Candidates::without(known);
        let boundaries = boundaries_of(tests);
        for test in &tests_of(tests)? {
            let boundaries = boundaries.get(test).cloned().unwrap_or_default();
            candidates.add(test, boundaries, &self.recorder, self.covers.texts())?;
        }
        candidates.name_bugs();
        let chosen = self.record_chosen(&mut candidates)?;
        self.kept.left_out.append(&mut candidates.left_out);
        let added: Vec<&Candidate> = candidates.all.iter().collect();
        self.kept.superfluous = added.len() - chosen.len() + candidates.repeated;
        for (number, expected) in chosen {
            self.add_case(added[number], expected, &never)?;
        }
        Ok(())
    }

    /// Chooses candidates until something can be expected of each one that is chosen.
    fn record_chosen(
        &self,
        candidates: &mut Candidates,
    ) -> anyhow::Result<Vec<(usize, Option<Expectation>)>> {
        let mut recorded = std::collections::BTreeMap::new();
        loop {
            let chosen = candidates.choose(&self.sides, &self.bugs);
            let mut refused = None;
            for number in &chosen {
                let candidate = &candidates.all[*number];
                let path = candidate.test.clone();
                if recorded.contains_key(&path) {
                    continue;
                }
                match self.expect(&candidate.case, candidate.bug.is_some())? {
                    Ok(expected) => drop(recorded.insert(path, expected)),
                    Err(why) => {
                        refused = Some((*number, why));
                        break;
                    }
                }
            }
            let Some((number, why)) = refused else {
                let expected = |number: usize| {
                    let expected = recorded.remove(&candidates.all[number].test);
                    (number, expected.flatten())
                };
                return Ok(chosen.into_iter().map(expected).collect());
            };
            let candidate = candidates.all.remove(number);
            let name = candidate.test.file_stem().unwrap_or_default();
            candidates
                .left_out
                .push((name.to_string_lossy().into_owned(), why));
        }
    }

    /// Returns what can be expected of a case. Of a bug without a signal nothing can be, and it is
    /// kept.
    fn expect(
        &self,
        case: &Case,
        is_bug: bool,
    ) -> anyhow::Result<Result<Option<Expectation>, String>> {
        Ok(match self.recorder.record(case)? {
            Ok(expected) if !is_bug || matches!(expected.end, End::Signal(_)) => Ok(Some(expected)),
            Ok(_) => Ok(None),
            Err(Refusal::Unsteady(_)) if is_bug => Ok(None),
            Err(Refusal::Unsafe(why) | Refusal::Unsteady(why)) => Err(why),
        })
    }

    /// Writes a candidate as a case, smaller if it behaves alike.
    fn add_case(
        &mut self,
        candidate: &Candidate,
        expected: Option<Expectation>,
        never: &BTreeSet<String>,
    ) -> anyhow::Result<()> {
        let is_bug = candidate.bug.is_some();
        let (case, expected) = if is_bug && !candidate.crashes() {
            (candidate.case.clone(), expected)
        } else {
            let recorder = &self.recorder;
            let ran = &candidate.ran;
            let small = shrink(
                candidate.case.clone(),
                !candidate.boundaries.is_empty(),
                &mut |case| Ok(recorder.measure(case)? == *ran),
            )?;
            match self.expect(&small, is_bug)? {
                Ok(new) if new.is_some() == expected.is_some() => (small, new),
                _ => (candidate.case.clone(), expected),
            }
        };
        let identity = case.identity();
        if never.contains(&identity) || !self.identities.insert(identity) {
            self.kept.superfluous += 1;
            return Ok(());
        }
        let (new, is_at_boundary) = naming(&candidate.ran.sides, &self.sides);
        let (mut words, mut about) = self.covers.describe(&new);
        if is_at_boundary && let Some(line) = about.first_mut() {
            (words, *line) = at_boundary(&words, line);
        }
        let wanted = match &candidate.bug {
            Some(BugText { name, line }) => {
                about.clear();
                self.bugs.insert(without_numbers(line));
                self.kept.bugs += 1;
                name.clone()
            }
            None => {
                self.sides.extend(&candidate.ran.sides);
                words
            }
        };
        let name = names::free(&wanted, &mut self.names);
        let bug = candidate.bug.as_ref().map(|bug| Bug {
            text: bug.line.clone(),
            only_sanitizer: expected.is_none(),
        });
        let nothing = Expectation {
            end: End::Exit(0),
            stdout: None,
            stderr: None,
            files: None,
        };
        let kept = KeptCase {
            case,
            expected: expected.unwrap_or(nothing),
            bug,
            about,
        };
        write(&self.place.join(&name), &kept)?;
        self.kept.added.push(name);
        Ok(())
    }

    /// Writes down which cases there are.
    pub(super) fn finish(mut self) -> anyhow::Result<Kept> {
        let known = self
            .file
            .programs
            .entry(self.kept.name.clone())
            .or_default();
        known.cases.clone_from(&self.identities);
        if self.place.exists() {
            self.file.write()?;
        }
        self.kept.sides.0 = self.sides.len();
        self.kept.added.sort();
        Ok(self.kept)
    }
}
