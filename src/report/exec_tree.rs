//! `exec_tree.db`: a SQLite database with a row for each fork and each end of a path.
//!
//! Table `nodes` is KLEE's, so klee-exec-tree and scripts made for KLEE read it; table `places`
//! says which instruction stands behind a number of `asmLine`. Idea: a fork is written when it
//! happens and a path when it ends, so that nothing of the tree is kept in memory. The two nodes
//! below a fork have numbers 2n and 2n + 1, hence a node's neighbour is known by its own number.
//! Rows are gathered in transactions: a run that is killed leaves all but the last ones.

use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};

/// The file's name in the output directory.
pub const EXEC_TREE_FILE: &str = "exec_tree.db";

/// The node that all others are below.
pub const EXEC_TREE_ROOT: u32 = 1;

/// KLEE's names for what makes states fork, by number from 1.
pub const FORK_NAMES: [&str; 10] = [
    "Conditional",
    "Indirect",
    "Switch",
    "Call",
    "MemOp",
    "ResolvePointer",
    "Alloc",
    "Realloc",
    "Free",
    "GetVal",
];

/// KLEE's names for how paths end, with their numbers.
pub const ENDING_NAMES: [(u8, &str); 29] = [
    (1, "Exit"),
    (10, "Interrupted"),
    (11, "MaxDepth"),
    (12, "OutOfMemory"),
    (13, "OutOfStackMemory"),
    (20, "Solver"),
    (30, "Abort"),
    (31, "Assert"),
    (32, "BadVectorAccess"),
    (33, "Free"),
    (34, "Model"),
    (35, "Overflow"),
    (36, "Ptr"),
    (37, "ReadOnly"),
    (38, "ReportError"),
    (39, "InvalidBuiltin"),
    (40, "ImplicitTruncation"),
    (41, "ImplicitConversion"),
    (42, "UnreachableCall"),
    (43, "MissingReturn"),
    (44, "InvalidLoad"),
    (45, "NullableAttribute"),
    (46, "FunctionTypeMismatch"),
    (50, "User"),
    (60, "Execution"),
    (61, "External"),
    (70, "Replay"),
    (71, "Merge"),
    (80, "SilentExit"),
];

/// The number of an ending by KLEE's name for it. A name that KLEE has not is a mistake of homi's
/// own, for which the number of what the program reports itself stands.
pub fn ending_number(name: &str) -> u8 {
    let found = ENDING_NAMES.iter().find(|(_, known)| *known == name);
    debug_assert!(found.is_some(), "{name}");
    found.map_or(38, |(number, _)| *number)
}

/// Rows between two transactions.
const BATCH: u32 = 100;

/// Why the tree cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ExecTreeError {
    path: PathBuf,
    source: rusqlite::Error,
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeRow {
    pub node: u32,
    /// The path's number as its files have it; 0 at forks.
    pub state: u64,
    /// The first of the two nodes below, which the second follows; 0 at ends.
    pub below: u32,
    pub place: u32,
    /// Of a fork or of an ending.
    pub kind: u8,
}

/// The open file.
#[derive(Debug)]
pub struct ExecTreeFile {
    connection: Connection,
    path: PathBuf,
    since_commit: u32,
}

const TABLES: &str = "PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL; PRAGMA temp_store=MEMORY;
    BEGIN;
    CREATE TABLE nodes (ID INT PRIMARY KEY, stateID INT, leftID INT, rightID INT, asmLine INT, kind INT);
    CREATE TABLE places (asmLine INT, function TEXT, instruction INT, file TEXT, line INT);
    COMMIT; BEGIN;";

/// A row for each node that a fork names and that has none.
const FILL: &str = "INSERT INTO nodes SELECT below, 0, 0, 0, 0, ?1 FROM \
    (SELECT leftID AS below FROM nodes UNION SELECT rightID FROM nodes) \
    WHERE below <> 0 AND below NOT IN (SELECT ID FROM nodes)";

impl ExecTreeFile {
    /// Starts the file in an output directory.
    pub fn create(directory: &Path) -> Result<Self, ExecTreeError> {
        let path = directory.join(EXEC_TREE_FILE);
        let open = || {
            let connection = Connection::open(&path)?;
            connection.execute_batch(TABLES)?;
            Ok(connection)
        };
        match open() {
            Ok(connection) => Ok(Self {
                connection,
                path,
                since_commit: 0,
            }),
            Err(source) => Err(ExecTreeError { path, source }),
        }
    }

    fn failed(&self, source: rusqlite::Error) -> ExecTreeError {
        ExecTreeError {
            path: self.path.clone(),
            source,
        }
    }

    /// Adds a fork or an ending.
    pub fn add(&mut self, row: &TreeRow) -> Result<(), ExecTreeError> {
        self.try_add(row).map_err(|source| self.failed(source))
    }

    fn try_add(&mut self, row: &TreeRow) -> rusqlite::Result<()> {
        let second = if row.below == 0 { 0 } else { row.below + 1 };
        let state = i64::try_from(row.state).unwrap_or(i64::MAX);
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO nodes VALUES(?,?,?,?,?,?)")?
            .execute(params![
                row.node, state, row.below, second, row.place, row.kind
            ])?;
        self.since_commit += 1;
        if self.since_commit >= BATCH {
            self.since_commit = 0;
            self.connection.execute_batch("COMMIT; BEGIN")?;
        }
        Ok(())
    }

    /// Says which instruction has a number; the line of the source is 0 where it is not known.
    pub fn add_place(
        &mut self,
        place: u32,
        (function, instruction): (&str, u32),
        (file, line): (&str, u32),
    ) -> Result<(), ExecTreeError> {
        let insert = "INSERT INTO places VALUES(?,?,?,?,?)";
        let added = self
            .connection
            .prepare_cached(insert)
            .and_then(|mut statement| {
                statement.execute(params![place, function, instruction, file, line])
            });
        added.map(|_| ()).map_err(|source| self.failed(source))
    }

    /// Completes the tree: what was left without a word ends as `left`, and where one of the two
    /// sides of a fork was found to be impossible (`absent`), there was no fork.
    pub fn finish(mut self, absent: &[u32], left: u8) -> Result<(), ExecTreeError> {
        self.complete(absent, left)
            .map_err(|source| self.failed(source))
    }

    fn complete(&mut self, absent: &[u32], left: u8) -> rusqlite::Result<()> {
        self.connection.execute(FILL, [left])?;
        if !absent.is_empty() {
            let index = "CREATE INDEX first_below ON nodes(leftID)";
            self.connection.execute_batch(index)?;
            let mut absent = absent.to_vec();
            // From the leaves up: what takes the place of a fork is complete by then.
            absent.sort_unstable_by(|one, other| other.cmp(one));
            for node in absent {
                self.take_out(node)?;
            }
            self.connection.execute_batch("DROP INDEX first_below")?;
        }
        // A file in the mode of a write-ahead log cannot be read in a directory that is for
        // reading only.
        self.connection
            .execute_batch("COMMIT; PRAGMA journal_mode=DELETE")
    }

    /// Takes a node out; its neighbour takes the place of the fork.
    fn take_out(&mut self, node: u32) -> rusqlite::Result<()> {
        let (first, neighbour) = (node & !1, node ^ 1);
        let fork: Option<u32> = self
            .connection
            .prepare_cached("SELECT ID FROM nodes WHERE leftID = ?")?
            .query_row([first], |row| row.get(0))
            .optional()?;
        let Some(fork) = fork else {
            return Ok(());
        };
        self.connection
            .prepare_cached(
                "UPDATE nodes SET (stateID, leftID, rightID, asmLine, kind) = \
                 (SELECT stateID, leftID, rightID, asmLine, kind FROM nodes WHERE ID = ?1) \
                 WHERE ID = ?2",
            )?
            .execute([neighbour, fork])?;
        self.connection
            .prepare_cached("DELETE FROM nodes WHERE ID IN (?, ?)")?
            .execute([node, neighbour])?;
        Ok(())
    }
}

/// Gives the nodes in a file other numbers of instructions; `number` gets the function, the number
/// of the instruction in it, and the line of its source.
pub fn renumber_places(
    directory: &Path,
    number: &dyn Fn(&str, u64, u64) -> u64,
) -> Result<(), ExecTreeError> {
    let path = directory.join(EXEC_TREE_FILE);
    let renumber = || -> rusqlite::Result<()> {
        let mut connection = Connection::open(&path)?;
        let transaction = connection.transaction()?;
        let places: Vec<(i64, i64)> = transaction
            .prepare("SELECT asmLine, function, instruction, line FROM places")?
            .query_map([], |row| {
                let (name, instruction): (String, u32) = (row.get(1)?, row.get(2)?);
                let line: u32 = row.get(3)?;
                let to = number(&name, instruction.into(), line.into());
                Ok((row.get(0)?, i64::try_from(to).unwrap_or(0)))
            })?
            .collect::<rusqlite::Result<_>>()?;
        transaction.execute_batch("CREATE TEMP TABLE moves (a INT PRIMARY KEY, b INT)")?;
        for place in places {
            transaction
                .prepare_cached("INSERT INTO moves VALUES(?,?)")?
                .execute(place)?;
        }
        for table in ["nodes", "places"] {
            let update = format!(
                "UPDATE {table} SET asmLine = (SELECT b FROM moves WHERE a = asmLine) \
                 WHERE asmLine IN (SELECT a FROM moves)"
            );
            transaction.execute(&update, [])?;
        }
        transaction.commit()
    };
    renumber().map_err(|source| ExecTreeError { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn written(rows: &[TreeRow], absent: &[u32]) -> BTreeMap<i64, [i64; 5]> {
        let directory = tempfile::tempdir().unwrap();
        let mut file = ExecTreeFile::create(directory.path()).unwrap();
        for row in rows {
            file.add(row).unwrap();
        }
        file.finish(absent, 10).unwrap();
        let connection = Connection::open(directory.path().join(EXEC_TREE_FILE)).unwrap();
        let select = "SELECT ID, stateID, leftID, rightID, asmLine, kind FROM nodes";
        let mut statement = connection.prepare(select).unwrap();
        let rows = statement.query_map([], |row| {
            let mut values = [0; 5];
            for (index, value) in values.iter_mut().enumerate() {
                *value = row.get(index + 1)?;
            }
            Ok((row.get(0)?, values))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }

    fn row(node: u32, state: u64, below: u32, kind: u8) -> TreeRow {
        TreeRow {
            node,
            state,
            below,
            place: node * 10,
            kind,
        }
    }

    #[test]
    fn what_is_left_open_ends_at_the_end() {
        let found = written(&[row(1, 0, 2, 1), row(3, 5, 0, 1)], &[]);
        let expected = [
            (1, [0, 2, 3, 10, 1]),
            (2, [0, 0, 0, 0, 10]),
            (3, [5, 0, 0, 30, 1]),
        ];
        assert_eq!(found, BTreeMap::from(expected));
    }

    #[test]
    fn where_a_side_is_impossible_there_is_no_fork() {
        // 1 -> 2, 3; 3 -> 4, 5; 5 -> 6, 7: of 3 and of 5 only one side is possible.
        let rows = [
            row(1, 0, 2, 1),
            row(3, 0, 4, 1),
            row(5, 0, 6, 3),
            row(2, 7, 0, 1),
            row(7, 8, 0, 36),
        ];
        let found = written(&rows, &[4, 6]);
        let expected = [
            (1, [0, 2, 3, 10, 1]),
            (2, [7, 0, 0, 20, 1]),
            (3, [8, 0, 0, 70, 36]),
        ];
        assert_eq!(found, BTreeMap::from(expected));
    }
}
