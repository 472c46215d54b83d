//! `homi replay --check-coverage`: prints the comparison of recorded and native coverage.

use super::status::Exit;
use homi_native::replay;
use homi_native::replay::ReplayOptions;

/// Prints, per directory, the number of equal tests and every difference. A difference is a
/// failure.
pub(super) fn check_coverage(options: &ReplayOptions, quiet: bool) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for directory in &options.tests {
        let outcome = replay::check_coverage(options, directory, &mut |_| Ok(()))?;
        super::print(&format!(
            "{}: {} tests equal, {} unfinished contained, {} different, {} not replayed; {} sides taken\n",
            directory.display(),
            outcome.equal,
            outcome.contained,
            outcome.differences.len(),
            outcome.failed.len(),
            outcome.taken
        ))?;
        for warning in &outcome.warnings {
            eprintln!("homi: warning: {warning}");
        }
        for reason in &outcome.failed {
            super::print(&format!("  not replayed: {reason}\n"))?;
        }
        for difference in &outcome.differences {
            exit = Exit::Failure;
            super::print(&format!(
                "  {}{} ({}): {} sides only in homi, {} only native\n",
                difference.test,
                if difference.ended { "" } else { ", unfinished" },
                difference.status,
                difference.only_homi.len(),
                difference.only_native.len()
            ))?;
            if quiet {
                continue;
            }
            for (who, sides) in [
                ("homi", &difference.only_homi),
                ("native", &difference.only_native),
            ] {
                for side in sides {
                    super::print(&format!("    only {who}: {side}\n"))?;
                }
            }
        }
    }
    Ok(exit)
}
