//! Lines of the program with the most forks, and with the highest solver cost.

use super::share::SiteSums;
use homi_ir::program::{Function, LocId, Origin, Program};
use homi_machine::exec::SiteCounts;
use homi_report::HotLine;
use std::collections::BTreeMap;

/// Numbers of hot lines by forks, and by solver time.
const HOT_BY_FORKS: usize = 20;
const HOT_BY_TIME: usize = 10;

/// Returns the lines with the most forks and with the highest solver cost, by forks, then queries.
pub(super) fn hot_lines(program: &Program, sites: &SiteSums) -> Vec<HotLine> {
    let mut lines: BTreeMap<(String, &str), SiteCounts> = BTreeMap::new();
    for ((function, pc), counts) in sites {
        let function = program.function(*function);
        let location = function.locations.get(*pc as usize);
        let location = location.copied().unwrap_or(function.location);
        let at = described(program, function, location);
        lines.entry(at).or_default().add(*counts);
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.solver));
    let mut by_forks = lines.split_off(lines.len().min(HOT_BY_TIME));
    let mut hot = lines;
    by_forks.sort_by_key(|(_, counts)| std::cmp::Reverse((counts.forks, counts.queries)));
    by_forks.truncate(HOT_BY_FORKS);
    hot.extend(by_forks);
    hot.sort_by(|a, b| {
        let forks = |counts: &SiteCounts| (counts.forks, counts.queries);
        forks(&b.1).cmp(&forks(&a.1)).then_with(|| a.0.cmp(&b.0))
    });
    hot.into_iter()
        .map(|((location, function), counts)| HotLine {
            location,
            function: function.to_string(),
            forks: counts.forks,
            queries: counts.queries,
            solver_s: counts.solver.as_secs_f64(),
        })
        .collect()
}

/// Returns the location of a line and the name of its function. Functions of libc and the kernel
/// lose the number that the linker adds to equal names.
fn described<'f>(program: &Program, function: &'f Function, location: LocId) -> (String, &'f str) {
    let name = function.name.as_str();
    let part = match function.origin {
        Origin::Program => return (program.describe_location(location), name),
        Origin::Libc => "libc",
        Origin::Runtime => "kernel",
    };
    let is_numbered = |end: &str| end.bytes().all(|byte| byte.is_ascii_digit());
    let plain = name.rsplit_once('.').filter(|(_, end)| is_numbered(end));
    (part.to_string(), plain.map_or(name, |(plain, _)| plain))
}
