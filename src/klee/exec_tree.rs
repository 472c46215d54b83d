//! `exec_tree.db` as it is read: the nodes that are below the first one.
//!
//! Invariant: a tree that was read is a tree. Each node in it has a row and is below one fork only,
//! and its kind is one that KLEE knows; a file of which that is not true is refused.

use crate::report::{ENDING_NAMES, EXEC_TREE_FILE, EXEC_TREE_ROOT, FORK_NAMES};
use rusqlite::{Connection, OpenFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) state: u32,
    /// 0: none.
    pub(super) below: [u32; 2],
    pub(super) line: u32,
    pub(super) kind: u8,
}

impl Node {
    pub(super) fn is_fork(&self) -> bool {
        self.below != [0, 0]
    }

    /// The name of what forked, or of how it ended.
    pub(super) fn name(&self) -> &'static str {
        match self.is_fork() {
            true => fork_name(self.kind),
            false => ending_name(self.kind),
        }
        .unwrap_or("")
    }
}

fn fork_name(kind: u8) -> Option<&'static str> {
    let at = usize::from(kind).checked_sub(1)?;
    FORK_NAMES.get(at).copied()
}

fn ending_name(kind: u8) -> Option<&'static str> {
    let found = ENDING_NAMES.iter().find(|(number, _)| *number == kind);
    found.map(|(_, name)| *name)
}

/// Why a file is not shown, in KLEE's words.
#[derive(Debug, thiserror::Error)]
pub enum ExecTreeReadError {
    #[error("Cannot open \"{}\"", .0.display())]
    Missing(PathBuf),
    #[error("Cannot open execution tree database: {0}")]
    Open(String),
    #[error("Cannot prepare read statement: {0}")]
    Prepare(String),
    #[error("Error while reading database: {0}")]
    Read(String),
    #[error("ExecutionTree DB contains illegal node ID (0)")]
    ZeroId,
    #[error("ExecutionTree DB contains references to non-existing nodes (> max. ID) in node {0}")]
    BehindLast(u32),
    #[error("ExecutionTree DB references undefined node. Affected node: {0}")]
    Undefined(u32),
    #[error(
        "ExecutionTree DB contains duplicate child reference or circular structure. Affected \
         node: {0}"
    )]
    Twice(u32),
    #[error("ExecutionTree DB contains unknown branch type ({0}) in node {1}")]
    UnknownFork(u8, u32),
    #[error("ExecutionTree DB contains unknown termination type ({0}) in node {1}")]
    UnknownEnding(u8, u32),
}

/// What SQLite says, without the codes around it.
fn said(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        rusqlite::Error::SqliteFailure(code, None) => code.to_string(),
        other => other.to_string(),
    }
}

/// A tree of paths.
#[derive(Debug)]
pub struct ExecTree {
    pub(super) nodes: BTreeMap<u32, Node>,
    /// What is odd about the file.
    pub warnings: Vec<String>,
}

impl ExecTree {
    /// Reads a file, or that of an output directory.
    pub fn read(path: &Path) -> Result<Self, ExecTreeReadError> {
        let file = match path.is_dir() {
            true => path.join(EXEC_TREE_FILE),
            false => path.to_path_buf(),
        };
        if !file.exists() {
            return Err(ExecTreeReadError::Missing(file));
        }
        let connection = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(|error| ExecTreeReadError::Open(said(&error)))?;
        let mut tree = Self {
            nodes: rows(&connection)?,
            warnings: Vec::new(),
        };
        tree.check_rows()?;
        tree.check_shape()?;
        Ok(tree)
    }

    /// What can be seen of each row by itself.
    fn check_rows(&mut self) -> Result<(), ExecTreeReadError> {
        let last = self.nodes.last_key_value().map_or(0, |(id, _)| *id);
        for (id, node) in &self.nodes {
            if *id == 0 {
                return Err(ExecTreeReadError::ZeroId);
            }
            if node.below.iter().any(|below| *below > last) {
                return Err(ExecTreeReadError::BehindLast(*id));
            }
            if node.is_fork() && node.below.contains(&0) {
                self.warnings.push(format!(
                    "Warning: ExecutionTree DB contains ambiguous node (0 vs. non-0 children): {id}"
                ));
            }
        }
        Ok(())
    }

    /// Whether it is a tree.
    fn check_shape(&self) -> Result<(), ExecTreeReadError> {
        let mut seen = BTreeSet::new();
        let mut open = Vec::new();
        open.extend((!self.is_empty()).then_some(EXEC_TREE_ROOT));
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                return Err(ExecTreeReadError::Twice(id));
            }
            let node = self.nodes.get(&id);
            let node = node.ok_or(ExecTreeReadError::Undefined(id))?;
            open.extend(node.below.into_iter().rev().filter(|below| *below != 0));
            if node.is_fork() && fork_name(node.kind).is_none() {
                return Err(ExecTreeReadError::UnknownFork(node.kind, id));
            }
            if !node.is_fork() && ending_name(node.kind).is_none() {
                return Err(ExecTreeReadError::UnknownEnding(node.kind, id));
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes with their depths, first sides before second ones; the depth of the root is 1.
    pub(super) fn walk(&self) -> Vec<(u32, &Node, u32)> {
        let mut found = Vec::with_capacity(self.nodes.len());
        let mut open = vec![(EXEC_TREE_ROOT, 1)];
        while let Some((id, depth)) = open.pop() {
            let Some(node) = self.nodes.get(&id) else {
                continue;
            };
            found.push((id, node, depth));
            let below = node.below.into_iter().rev().filter(|below| *below != 0);
            open.extend(below.map(|below| (below, depth + 1)));
        }
        found
    }
}

/// All rows. Numbers may stand in the file as text, as SQLite's shell imports them.
fn rows(connection: &Connection) -> Result<BTreeMap<u32, Node>, ExecTreeReadError> {
    let select = "SELECT CAST(ID AS INT), CAST(stateID AS INT), CAST(leftID AS INT), \
                  CAST(rightID AS INT), CAST(asmLine AS INT), CAST(kind AS INT) FROM nodes";
    let mut statement = connection
        .prepare(select)
        .map_err(|error| ExecTreeReadError::Prepare(said(&error)))?;
    let read = statement.query_map([], |row| {
        // As KLEE's tool takes them: what does not fit is cut off.
        let number = |index| row.get(index).map(|value: i64| value as u32);
        let node = Node {
            state: number(1)?,
            below: [number(2)?, number(3)?],
            line: number(4)?,
            kind: number(5)? as u8,
        };
        Ok((number(0)?, node))
    });
    read.and_then(Iterator::collect)
        .map_err(|error| ExecTreeReadError::Read(said(&error)))
}
