//! New and changed cases: their values are recorded natively, and they become text.

use super::super::boundaries::{at_boundary, naming};
use super::super::covers::of_lines;
use super::super::names;
use super::recording::{Ended, Recording};
use super::test_file::{CaseText, SANITIZER_BUG};
use super::{Keeping, body, heads};

impl Keeping<'_> {
    /// Records candidates and adds them to the file. Returns the number of the first of which
    /// nothing can be expected; nothing is added then.
    pub(super) fn record(&mut self, chosen: &[usize]) -> anyhow::Result<Option<usize>> {
        let changed = self.file.cases.iter().filter(|case| {
            let is_fixed = self.kept.fixed.iter().any(|(old, _)| *old == case.name);
            is_fixed || self.kept.pending.contains(&case.name)
        });
        let changed = changed.filter_map(|case| {
            let number = self.candidates.iter().position(|one| one.id == case.id)?;
            Some((number, case.clone()))
        });
        let changed: Vec<(usize, CaseText)> = changed.collect();
        let all: Vec<usize> = chosen
            .iter()
            .copied()
            .chain(changed.iter().map(|one| one.0))
            .collect();
        if all.is_empty() {
            return Ok(None);
        }
        let (text, starts) = self.recording_text(&all);
        let builds = Recording::build(&text, &["-DHOMI_RECORD"], &self.program, &self.around())?;
        let mut ended = Vec::new();
        for (at, number) in all.iter().enumerate() {
            let mut end = builds.record(&format!("case{at}"))?;
            let is_bug = self.candidates[*number].bug.is_some();
            if let Ended::Returned(values) = &mut end {
                let inside = values.iter().filter_map(|(line, value)| {
                    Some((line.checked_sub(starts[at])?, value.clone()))
                });
                *values = inside.collect();
            }
            let why = match &end {
                Ended::Signal(signal) if !is_bug => format!("natively, signal {signal} ends it"),
                Ended::Refused(why) if !is_bug => why.clone(),
                _ => {
                    ended.push(end);
                    continue;
                }
            };
            let name = self.candidates[*number]
                .test
                .file_stem()
                .unwrap_or_default();
            self.kept
                .left_out
                .push((name.to_string_lossy().into_owned(), why));
            return Ok(Some(*number));
        }
        let mut ended = ended.into_iter();
        for (number, end) in chosen.iter().zip(ended.by_ref()) {
            self.add_case(*number, &end);
        }
        for ((number, case), end) in changed.into_iter().zip(ended) {
            self.renew(number, &case, &end);
        }
        Ok(None)
    }

    /// The file that writes down what some candidates do, and the line before each one's function.
    fn recording_text(&self, all: &[usize]) -> (String, Vec<usize>) {
        let mut text = heads::head_of_builds(&self.program) + body::WHERE;
        let mut starts = Vec::new();
        let mut rows = String::new();
        for (at, number) in all.iter().enumerate() {
            starts.push(text.lines().count() + 1);
            text += &body::recording(&format!("case{at}"), &self.candidates[*number].call);
            rows += &format!("  {{ \"case{at}\", case{at}, HOMI_PASSES, NULL }},\n");
        }
        text +=
            &format!("static const struct homi_case cases[] = {{\n{rows}}};\nHOMI_MAIN(cases)\n");
        (text, starts)
    }

    fn add_case(&mut self, number: usize, end: &Ended) {
        let candidate = &self.candidates[number];
        let (new, is_at_boundary) = naming(&candidate.sides, &self.covered);
        let (wanted, about) = match &candidate.bug {
            Some(bug) => {
                let kind = if matches!(end, Ended::Signal(_)) {
                    "bug: "
                } else {
                    SANITIZER_BUG
                };
                self.kept.bugs += 1;
                (bug.name.clone(), format!("{kind}{}", bug.line))
            }
            None => {
                self.covered.extend(&candidate.sides);
                let (name, about) = of_lines(&self.branches, &new, &mut self.texts);
                if is_at_boundary {
                    at_boundary(&name, &about)
                } else {
                    (name, about)
                }
            }
        };
        let name = names::free(&wanted, &mut self.taken);
        let body = match (&candidate.bug, end) {
            (None, Ended::Returned(values)) => body::checking(&name, &candidate.call, values),
            _ => body::showing_bug(&name, &candidate.call),
        };
        let case = CaseText::new(
            name.clone(),
            candidate.id.clone(),
            about.replace("*/", "* /"),
            body,
        );
        self.file.cases.push(case);
        self.kept.added.push(name);
        self.is_changed = true;
    }

    /// Makes the text of a changed case anew: a fixed bug is changed in the file, other behavior
    /// waits.
    fn renew(&mut self, number: usize, case: &CaseText, end: &Ended) {
        let Ended::Returned(values) = end else {
            return;
        };
        let fixed = self.kept.fixed.iter().find(|(old, _)| *old == case.name);
        let (name, about) = match fixed {
            Some((_, new)) => (new.clone(), "covers: a bug that is fixed".to_string()),
            None => (case.name.clone(), case.about.clone()),
        };
        let body = body::checking(&name, &self.candidates[number].call, values);
        let new = CaseText::new(name, case.id.clone(), about, body);
        if fixed.is_some() {
            self.file.replace(new);
            self.is_changed = true;
        } else {
            self.waiting.push(new);
        }
    }
}
