//! The report as text: bugs first, then what was covered, where the tests are, what it all means.

use super::bug::BugReport;
use super::confirmation::Confirmation;
use super::report::{NativeFault, TestReport};
use super::source_text::SourceTexts;
use super::uncovered::{CoveredLines, UncoveredFile, ranges};
use homi_report::{ErrorTriage, TargetSummary};
use std::fmt::{self, Write};

/// Uncovered lines per file that are shown with their text.
const LINES_SHOWN: usize = 3;
/// Files with uncovered lines that are listed.
const FILES_SHOWN: usize = 12;
/// Divergences that are listed.
const DIVERGENCES_SHOWN: usize = 5;
/// Most characters of a list of line numbers.
const RANGES_SHOWN: usize = 200;

/// The report for people.
pub fn text(report: &TestReport) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut out, report);
    out
}

fn write_report(out: &mut String, report: &TestReport) -> fmt::Result {
    let accepted = report.bugs.iter().filter(|bug| is_accepted(bug)).count();
    let accepted = match accepted {
        0 => String::new(),
        count => format!(" ({count} known or suppressed)"),
    };
    match report.bugs.len() {
        0 => writeln!(out, "No bug found.")?,
        1 => writeln!(out, "1 bug{accepted}:")?,
        count => writeln!(out, "{count} bugs{accepted}:")?,
    }
    for (number, bug) in (1..).zip(&report.bugs) {
        writeln!(out)?;
        write_bug(out, number, bug)?;
    }
    write_faults(out, &report.native_faults)?;
    write_divergences(out, report)?;
    writeln!(out)?;
    match &report.covered {
        Some(covered) => write_covered(out, covered)?,
        None => {
            let (covered, total) = report.branches;
            writeln!(out, "{} (by homi's own count)", branches(covered, total))?;
        }
    }
    write_targets(out, &report.targets)?;
    let directory = report.directory.display();
    writeln!(out, "\n{} in {directory}", counted(report.tests, "test"))?;
    if report.tests > 0 {
        writeln!(out, "  homi explain {directory}/test000001.ktest shows one")?;
    }
    if report.branches.0 < report.branches.1 {
        let what = "lists uncovered branch sides, with reasons";
        writeln!(out, "  homi stats --uncovered {directory} {what}")?;
    }
    for note in &report.notes {
        writeln!(out, "note: {note}")?;
    }
    writeln!(out, "\n{}", report.verdict)?;
    if let Some(text) = &report.continuation {
        writeln!(out, "{text}")?;
    }
    match &report.property {
        Some(line) => writeln!(out, "\n{line}"),
        None => Ok(()),
    }
}

fn write_bug(out: &mut String, number: usize, bug: &BugReport) -> fmt::Result {
    writeln!(out, "{number}. {}: {}", bug.location, bug.message)?;
    if let Some(source) = &bug.source {
        writeln!(out, "     > {source}")?;
    }
    if let Some((first, callers)) = bug.stack.split_first() {
        write!(out, "   in {}", first.function)?;
        for caller in callers {
            write!(
                out,
                ", called from {} ({})",
                caller.function, caller.location
            )?;
        }
        writeln!(out)?;
    }
    for detail in &bug.details {
        writeln!(out, "   {detail}")?;
    }
    writeln!(out, "   weakness   {}", bug.weakness)?;
    write_triage(out, bug.triage.as_ref())?;
    let inputs = if bug.inputs.is_empty() {
        vec!["none".to_string()]
    } else {
        bug.inputs.clone()
    };
    for (index, input) in inputs.iter().enumerate() {
        let label = if index == 0 { "input" } else { "" };
        writeln!(out, "   {label:<9}  {input}")?;
    }
    match &bug.confirmation {
        Confirmation::Confirmed { build, how } => {
            writeln!(out, "   confirmed  by {build}: {how}")?;
        }
        Confirmation::ConfirmedBySignal { build, how } => {
            writeln!(out, "   confirmed  by {build}, at an unknown line: {how}")?;
        }
        Confirmation::SeenAs { build, how, .. } => {
            writeln!(out, "   seen as    another failure by {build}: {how}")?;
        }
        Confirmation::Unseen { how, .. } => {
            writeln!(out, "   not seen   when the native program runs: {how}")?;
        }
        Confirmation::NotReplayed { why } => writeln!(out, "   not tried  natively: {why}")?,
    }
    if let Some(command) = &bug.by_hand {
        writeln!(out, "   by hand    {command}")?;
    }
    match &bug.replay {
        Some(command) => writeln!(out, "   replay     {command}"),
        None => writeln!(out, "   details    homi explain {}", bug.test.display()),
    }
}

/// True if the baseline lists a bug, or a suppression hides it.
fn is_accepted(bug: &BugReport) -> bool {
    let triage = bug.triage.as_ref();
    triage.is_some_and(|one| one.baseline == "unchanged" || !one.suppressed_in.is_empty())
}

fn write_triage(out: &mut String, triage: Option<&ErrorTriage>) -> fmt::Result {
    let Some(triage) = triage else {
        return Ok(());
    };
    if triage.baseline == "unchanged" {
        writeln!(out, "   known      the baseline lists it")?;
    }
    match triage.suppressed_in.as_str() {
        "" => Ok(()),
        "source" => writeln!(out, "   suppressed by a comment: {}", triage.reason),
        _ => writeln!(out, "   suppressed by homi.toml: {}", triage.reason),
    }
}

fn write_faults(out: &mut String, faults: &[NativeFault]) -> fmt::Result {
    if faults.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nSeen only when the native program runs:")?;
    for fault in faults {
        writeln!(out, "   {} ({})", fault.what, fault.test.display())?;
        if let Some(source) = &fault.source {
            writeln!(out, "     > {source}")?;
        }
    }
    Ok(())
}

fn write_divergences(out: &mut String, report: &TestReport) -> fmt::Result {
    let all = &report.divergences;
    if all.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nThe native program does something else than homi predicts ({}):",
        counted(all.len() as u64, "test")
    )?;
    let directory = report.directory.display();
    for divergence in all.iter().take(DIVERGENCES_SHOWN) {
        writeln!(
            out,
            "   {directory}/{}.ktest: {divergence}",
            divergence.test
        )?;
    }
    match all.len().saturating_sub(DIVERGENCES_SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "   and {more} more; {directory}/summary.json has all"),
    }
}

fn write_targets(out: &mut String, targets: &[TargetSummary]) -> fmt::Result {
    if targets.is_empty() {
        return Ok(());
    }
    let reached = targets.iter().filter(|target| target.reached).count();
    writeln!(
        out,
        "\n{reached} of {} reached",
        counted(targets.len() as u64, "target line")
    )?;
    for target in targets {
        match &target.blocking_branch {
            None => match &target.test {
                Some(test) => writeln!(out, "  {}: reached by {test}", target.line)?,
                None => writeln!(out, "  {}: reached", target.line)?,
            },
            Some(why) => writeln!(out, "  {}: not reached: {why}", target.line)?,
        }
    }
    Ok(())
}

fn write_covered(out: &mut String, covered: &CoveredLines) -> fmt::Result {
    let (taken, total) = (covered.branches as u64, covered.branches_total as u64);
    writeln!(out, "{} (by gcov, in replays)", branches(taken, total))?;
    let mut texts = SourceTexts::default();
    for file in covered.files.iter().take(FILES_SHOWN) {
        write_file(out, file, &mut texts)?;
    }
    match covered.files.len().saturating_sub(FILES_SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more files with lines that did not run"),
    }
}

fn write_file(out: &mut String, file: &UncoveredFile, texts: &mut SourceTexts) -> fmt::Result {
    let name = file.name.display();
    if !file.lines.is_empty() {
        writeln!(
            out,
            "  {name}: lines that never ran: {}",
            shortened(&ranges(&file.lines))
        )?;
        for line in first_of_ranges(&file.lines).into_iter().take(LINES_SHOWN) {
            if let Some(text) = texts.line(&file.name, line) {
                writeln!(out, "    {line:>5} > {text}")?;
            }
        }
    }
    if !file.sides.is_empty() {
        let lines = shortened(&ranges(&file.sides));
        writeln!(
            out,
            "  {name}: lines with an uncovered branch side: {lines}"
        )?;
    }
    Ok(())
}

/// The first line of each run of neighbors.
fn first_of_ranges(lines: &[u32]) -> Vec<u32> {
    let starts = lines.iter().enumerate().filter(|(index, line)| {
        let before = index.checked_sub(1).map(|before| lines[before]);
        before.is_none_or(|before| before + 1 != **line)
    });
    starts.map(|(_, line)| *line).collect()
}

fn shortened(list: &str) -> String {
    match list.char_indices().nth(RANGES_SHOWN) {
        None => list.to_string(),
        Some((end, _)) => format!("{} ...", list[..end].trim_end_matches([' ', ','])),
    }
}

fn branches(covered: u64, total: u64) -> String {
    if total == 0 {
        return "the program has no branches".to_string();
    }
    let share = 100.0 * covered as f64 / total.max(1) as f64;
    format!("{covered} of {total} branches covered, {share:.1} %")
}

/// A number with its noun, in the plural where it has to be.
fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
