//! Gates: branch sides that become reachable together. Sides that exactly the same runs cover
//! usually depend on one condition. Most of the difference between runs is in a few large gates.

use super::directory;
use super::grid::Grid;
use super::results::{Count, Results};
use super::sides::Sides;
use super::study_run::Key;
use homi_native::testcase::{BranchEntry, read_branches};
use std::collections::BTreeMap;
use std::path::Path;

/// Minimum number of sides of a gate.
const LEAST_SIDES: usize = 3;
/// Maximum number of gates listed per program, the largest first.
const MOST_GATES: usize = 8;

/// Branch sides that the same runs cover.
struct Gate {
    /// Numbers of the runs.
    runs: Vec<usize>,
    /// Dense numbers of the sides, ascending.
    sides: Vec<usize>,
}

/// Returns the gates of all programs that some runs opened and others did not.
pub(super) fn gates(results: &Results, directory: &Path) -> Grid {
    let head = [
        "program",
        "first side",
        "sides",
        "runs",
        "of",
        "covered by runs of",
    ];
    let caption = "Gates: branch sides that the same runs cover, counted by the engine";
    let mut grid = Grid::new("gates-table", caption, &head, 2);
    for subject in &results.subjects {
        grid.rows.extend(of_program(results, subject, directory));
    }
    grid
}

fn of_program(results: &Results, subject: &str, directory: &Path) -> Vec<Vec<String>> {
    let rows = results
        .configurations
        .iter()
        .flat_map(|configuration| results.rows_of(subject, configuration));
    let rows = rows.filter(|row| row.outcome.counts());
    let covered: Vec<(&Key, &Sides)> = rows
        .filter_map(|row| Some((&row.key, &Count::Engine.of(row)?.sides)))
        .collect();
    let sets: Vec<&Sides> = covered.iter().map(|(_, sides)| *sides).collect();
    let branches = covered
        .iter()
        .find_map(|(key, _)| read_branches(&directory::study_run(directory, key).join("out")).ok());
    let branches = branches.unwrap_or_default();
    let found = between(&sets);
    let row = |gate: &Gate| {
        let mut configurations: Vec<&str> = Vec::new();
        for run in &gate.runs {
            let configuration = covered[*run].0.configuration.as_str();
            if !configurations.contains(&configuration) {
                configurations.push(configuration);
            }
        }
        vec![
            subject.to_string(),
            gate.sides
                .first()
                .map_or(String::new(), |side| place(&branches, *side)),
            gate.sides.len().to_string(),
            gate.runs.len().to_string(),
            sets.len().to_string(),
            configurations.join(", "),
        ]
    };
    found.iter().take(MOST_GATES).map(row).collect()
}

/// Returns the gates that some of the runs opened and others did not, the largest first.
fn between(runs: &[&Sides]) -> Vec<Gate> {
    let mut by_runs: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    let mut runs_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, run) in runs.iter().enumerate() {
        for side in run.iter() {
            runs_of.entry(side).or_default().push(number);
        }
    }
    for (side, runs) in runs_of {
        by_runs.entry(runs).or_default().push(side);
    }
    let gates = by_runs
        .into_iter()
        .map(|(runs, sides)| Gate { runs, sides });
    let mut gates: Vec<Gate> = gates
        .filter(|gate| gate.runs.len() < runs.len() && gate.sides.len() >= LEAST_SIDES)
        .collect();
    gates.sort_by_key(|gate| {
        (
            std::cmp::Reverse(gate.sides.len()),
            gate.sides.first().copied(),
        )
    });
    gates
}

/// Returns the file, line and function of a side.
fn place(branches: &[BranchEntry], side: usize) -> String {
    let mut next = 0;
    for branch in branches {
        next += branch.sides as usize;
        if side < next {
            return format!("{}:{} in {}", branch.file, branch.line, branch.function);
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_the_same_runs_are_a_gate() {
        let runs: Vec<Sides> = [
            vec![0, 1, 5, 6, 7, 9],
            vec![0, 1, 9],
            vec![0, 1, 5, 6, 7, 20, 21, 22, 23],
        ]
        .map(|sides| sides.into_iter().collect())
        .into();
        let runs: Vec<&Sides> = runs.iter().collect();
        let gates = between(&runs);
        let found: Vec<(&[usize], &[usize])> = gates
            .iter()
            .map(|gate| (&*gate.runs, &*gate.sides))
            .collect();
        let expected: [(&[usize], &[usize]); 2] =
            [(&[2], &[20, 21, 22, 23]), (&[0, 2], &[5, 6, 7])];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_side_has_a_place() {
        let branch = |line| BranchEntry {
            branch: 0,
            sides: 2,
            function: "f".to_string(),
            file: "a.c".to_string(),
            line,
        };
        let branches = [branch(3), branch(9)];
        assert_eq!(place(&branches, 2), "a.c:9 in f");
        assert_eq!(place(&branches, 4), "");
    }
}
