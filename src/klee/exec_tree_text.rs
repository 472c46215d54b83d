//! What `klee-exec-tree` prints of a tree of paths.
//!
//! Invariant: lines and their order are those of KLEE's tool, as scripts read them.

use super::exec_tree::{ExecTree, Node};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is printed for wrong words.
pub const EXEC_TREE_USAGE: &str = "Usage: klee-exec-tree VIEW DIRECTORY|FILE

  branches      why states forked, as CSV
  depths        how deep paths ended, as CSV
  instructions  forks and ends of paths by line of assembly.ll, as CSV
  terminations  how paths ended, as CSV
  tree-dot      the tree, for Graphviz
  tree-info     its size and depth
";

/// A way to look at a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExecTreeView {
    Branches,
    Depths,
    Instructions,
    Terminations,
    Dot,
    Info,
}

impl ExecTreeView {
    /// The view that a word asks for.
    pub fn named(word: &str) -> Option<Self> {
        Some(match word {
            "branches" => Self::Branches,
            "depths" => Self::Depths,
            "instructions" => Self::Instructions,
            "terminations" => Self::Terminations,
            "tree-dot" => Self::Dot,
            "tree-info" => Self::Info,
            _ => return None,
        })
    }

    /// The tree, looked at in this way.
    pub fn text(self, tree: &ExecTree) -> String {
        let has_text_for_none = matches!(self, Self::Dot | Self::Instructions);
        if tree.is_empty() && !has_text_for_none {
            return "Empty tree.\n".to_string();
        }
        match self {
            Self::Branches => branches(tree),
            Self::Depths => depths(tree),
            Self::Instructions => instructions(tree),
            Self::Terminations => terminations(tree),
            Self::Dot => dot(tree),
            Self::Info => info(tree),
        }
    }
}

/// Counts of nodes by kind, with the kinds' names.
fn count<'t>(nodes: impl Iterator<Item = &'t Node>) -> BTreeMap<u8, (&'static str, u64)> {
    let mut counts = BTreeMap::new();
    for node in nodes {
        counts.entry(node.kind).or_insert((node.name(), 0)).1 += 1;
    }
    counts
}

fn forks(tree: &ExecTree) -> impl Iterator<Item = &Node> {
    let nodes = tree.walk().into_iter().map(|(_, node, _)| node);
    nodes.filter(|node| node.is_fork())
}

fn ends(tree: &ExecTree) -> impl Iterator<Item = (&Node, u32)> {
    let nodes = tree.walk().into_iter();
    nodes
        .filter(|(_, node, _)| !node.is_fork())
        .map(|(_, node, depth)| (node, depth))
}

fn csv<'r>(head: &str, rows: impl Iterator<Item = &'r (&'static str, u64)>) -> String {
    let rows = rows.map(|(name, count)| format!("{name},{count}\n"));
    format!("{head}\n{}", rows.collect::<String>())
}

fn branches(tree: &ExecTree) -> String {
    let mut rows: Vec<_> = count(forks(tree)).into_values().collect();
    // Those of one count stay in the order of their kinds.
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    csv("branch type,count", rows.iter())
}

fn terminations(tree: &ExecTree) -> String {
    let rows = count(ends(tree).map(|(node, _)| node));
    csv("termination type,count", rows.values())
}

/// How many paths ended at each depth.
fn by_depth(tree: &ExecTree) -> BTreeMap<u32, u64> {
    let mut depths = BTreeMap::new();
    for (_, depth) in ends(tree) {
        *depths.entry(depth).or_default() += 1;
    }
    depths
}

fn depths(tree: &ExecTree) -> String {
    let rows = by_depth(tree).into_iter();
    let rows = rows.map(|(depth, count)| format!("{depth},{count}\n"));
    format!("depth,count\n{}", rows.collect::<String>())
}

fn instructions(tree: &ExecTree) -> String {
    let mut lines: BTreeMap<u32, (u64, Vec<&Node>)> = BTreeMap::new();
    for (_, node, _) in tree.walk() {
        let line = lines.entry(node.line).or_default();
        match node.is_fork() {
            true => line.0 += 1,
            false => line.1.push(node),
        }
    }
    let mut text = "asm line,branches,terminations,termination types\n".to_string();
    for (line, (forks, ends)) in lines {
        let kinds = count(ends.iter().copied()).into_values();
        let kinds = kinds.map(|(name, count)| format!("{name}({count})"));
        let kinds: Vec<String> = kinds.collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line},{forks},{},{}", ends.len(), kinds.join(";"));
    }
    text
}

/// The colour of a path's end, by the number of how it ended.
fn colour(kind: u8) -> &'static str {
    match kind {
        1 => "green",
        2..=13 | 62..=80 => "orange",
        14..=20 | 51..=61 => "darkblue",
        21..=46 => "red",
        47..=50 => "blue",
        _ => "darkgrey",
    }
}

fn dot(tree: &ExecTree) -> String {
    let (mut nodes, mut edges) = (String::new(), String::new());
    for (id, node, _) in tree.walk() {
        let coloured = match node.is_fork() {
            true => String::new(),
            false => format!(",color={}", colour(node.kind)),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            nodes,
            "N{id}[tooltip=\"{}\\nnode: {id}\\nstate: {}\\nasm: {}\"{coloured}];",
            node.name(),
            node.state,
            node.line,
        );
        let below = node.below.iter().filter(|below| **below != 0);
        let below: Vec<String> = below.map(|below| format!("N{below}")).collect();
        if !below.is_empty() {
            let _ = writeln!(edges, "N{id}->{{{}}};", below.join(" "));
        }
    }
    format!(
        "strict digraph ExecutionTree {{\nnode[shape=point,width=0.15,color=darkgrey];\n\
         edge[color=darkgrey];\n\n{nodes}{edges}}}\n"
    )
}

fn info(tree: &ExecTree) -> String {
    let depths = by_depth(tree);
    let leaves: u64 = depths.values().sum();
    let nodes = forks(tree).count() as u64 + leaves;
    let sum: u64 = depths
        .iter()
        .map(|(depth, count)| u64::from(*depth) * count)
        .sum();
    let odd = match leaves == nodes / 2 + 1 {
        true => "",
        false => " (not a binary tree?!)",
    };
    format!(
        "nodes: {nodes}\nleaf nodes: {leaves}{odd}\nmax. depth: {}\navg. depth: {}\n",
        depths.last_key_value().map_or(0, |(depth, _)| *depth),
        two_digits(sum as f64 / leaves.max(1) as f64),
    )
}

/// A number of 1 or more to two digits, as C++ prints it: 4.2, 12, 1.2e+02.
fn two_digits(number: f64) -> String {
    let scientific = format!("{number:.1e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    match exponent.parse::<i32>().unwrap_or(0) {
        0 => digits.to_string(),
        1 => format!("{number:.0}"),
        large => format!("{digits}e+{large:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_cs() {
        for (number, expected) in [
            (1.0, "1"),
            (4.25, "4.2"),
            (4.0, "4"),
            (9.96, "10"),
            (12.4, "12"),
            (123.0, "1.2e+02"),
            (20_000.0, "2e+04"),
        ] {
            assert_eq!(two_digits(number), expected);
        }
    }
}
