//! `run.stats`: a SQLite database with a row per second of the run.
//!
//! Table `stats` is KLEE's, so klee-stats and scripts made for KLEE read it; table `homi` has a row
//! of the same number with what KLEE's columns cannot say, and `lines` the source lines that forked
//! or asked most so far. Each row is a transaction in a write-ahead log without waiting for the
//! disk: a run that is killed leaves all rows up to then.

use super::stats_row::{Column, HomiRow, KleeRow};
use super::summary::HotLine;
use rusqlite::{Connection, OpenFlags, params, params_from_iter};
use std::path::{Path, PathBuf};

/// The file's name in the output directory.
pub const STATS_FILE: &str = "run.stats";

/// Reason why statistics cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct StatsError {
    path: PathBuf,
    source: rusqlite::Error,
}

/// One moment of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StatsRow {
    pub klee: KleeRow,
    pub homi: HomiRow,
}

/// The open file of a run.
#[derive(Debug)]
pub struct StatsFile {
    connection: Connection,
    path: PathBuf,
    /// The last row of the earlier session, if the run resumes one.
    earlier: StatsRow,
}

fn definitions(columns: &[Column]) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|column| format!("{} {}", column.name, column.sql))
        .collect();
    columns.join(",")
}

fn insertion(table: &str, columns: &[Column]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let marks = vec!["?"; columns.len()].join(",");
    format!("INSERT INTO {table}({}) VALUES({marks})", names.join(","))
}

/// SQLite's integers are signed; no count of a run comes near their end.
fn numbers(values: &[u64]) -> Vec<i64> {
    let values = values.iter();
    values
        .map(|value| i64::try_from(*value).unwrap_or(i64::MAX))
        .collect()
}

impl StatsFile {
    /// Creates the file in an output directory, or appends to an existing one.
    pub fn open(directory: &Path) -> Result<Self, StatsError> {
        let path = directory.join(STATS_FILE);
        let failed = |source| StatsError {
            path: path.clone(),
            source,
        };
        let goes_on = path.exists();
        let connection = Connection::open(&path).map_err(failed)?;
        // One transaction for all tables: each would take as long as a start's reading of its
        // program.
        let script = format!(
            "PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL; PRAGMA temp_store=MEMORY;
             BEGIN;
             CREATE TABLE IF NOT EXISTS stats ({});
             CREATE TABLE IF NOT EXISTS homi ({});
             CREATE TABLE IF NOT EXISTS lines (Location TEXT,Function TEXT,Forks INTEGER,Queries INTEGER,SolverTime INTEGER);
             COMMIT;",
            definitions(KleeRow::COLUMNS),
            definitions(HomiRow::COLUMNS),
        );
        connection.execute_batch(&script).map_err(failed)?;
        let earlier = if goes_on {
            rows(&connection).map_err(failed)?
        } else {
            Vec::new()
        };
        Ok(Self {
            earlier: earlier.last().copied().unwrap_or_default(),
            connection,
            path,
        })
    }

    /// Adds a row of statistics.
    pub fn append(&mut self, row: &StatsRow) -> Result<(), StatsError> {
        let mut klee = numbers(&row.klee.after(&self.earlier.klee).values());
        // The last column is ArrayHashTime, which KLEE sets to -1 where it does not measure it.
        if let Some(last) = klee.last_mut() {
            *last = -1;
        }
        let homi = numbers(&row.homi.after(&self.earlier.homi).values());
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            let insert = insertion("stats", KleeRow::COLUMNS);
            transaction
                .prepare_cached(&insert)?
                .execute(params_from_iter(&klee))?;
            let insert = insertion("homi", HomiRow::COLUMNS);
            transaction
                .prepare_cached(&insert)?
                .execute(params_from_iter(&homi))?;
            transaction.commit()
        };
        write().map_err(|source| StatsError {
            path: self.path.clone(),
            source,
        })
    }

    /// Replaces the list of the most expensive lines.
    pub fn set_lines(&mut self, lines: &[HotLine]) -> Result<(), StatsError> {
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            transaction.execute("DELETE FROM lines", [])?;
            for line in lines {
                let insert = "INSERT INTO lines VALUES(?,?,?,?,?)";
                transaction.prepare_cached(insert)?.execute(params![
                    line.location,
                    line.function,
                    i64::try_from(line.forks).unwrap_or(i64::MAX),
                    i64::try_from(line.queries).unwrap_or(i64::MAX),
                    (line.solver_s * 1e6) as i64,
                ])?;
            }
            transaction.commit()
        };
        write().map_err(|source| StatsError {
            path: self.path.clone(),
            source,
        })
    }
}

/// Content of a `run.stats`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StatsHistory {
    /// One row per second or so, oldest first.
    pub rows: Vec<StatsRow>,
    /// True if homi wrote the file, and not KLEE.
    pub by_homi: bool,
    /// The hot lines when they were written last, every few seconds.
    pub lines: Vec<HotLine>,
}

/// Reads the statistics in an output directory, of homi or of KLEE; the run may be under way.
pub fn read_stats(directory: &Path) -> Result<StatsHistory, StatsError> {
    let path = directory.join(STATS_FILE);
    let read = || -> rusqlite::Result<StatsHistory> {
        // Writing is allowed because a killed run leaves a log that the first reader puts in place.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        let by_homi = has_table(&connection, "homi")?;
        Ok(StatsHistory {
            rows: rows(&connection)?,
            by_homi,
            lines: if by_homi {
                lines(&connection)?
            } else {
                Vec::new()
            },
        })
    };
    read().map_err(|source| StatsError {
        path: path.clone(),
        source,
    })
}

fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let count: i64 = connection.query_row(
        "SELECT count(*) FROM sqlite_master WHERE type='table' AND name=?",
        [name],
        |row| row.get(0),
    )?;
    Ok(count > 0)
}

fn rows(connection: &Connection) -> rusqlite::Result<Vec<StatsRow>> {
    let klee = table(connection, "stats", |value| KleeRow::from_values(value))?;
    let homi = if has_table(connection, "homi")? {
        table(connection, "homi", |value| HomiRow::from_values(value))?
    } else {
        Vec::new()
    };
    let homi = homi.into_iter().map(Some).chain(std::iter::repeat(None));
    let rows = klee.into_iter().zip(homi);
    Ok(rows
        .map(|(klee, homi)| StatsRow {
            klee,
            homi: homi.unwrap_or_default(),
        })
        .collect())
}

/// The rows of a table, in which `make` finds values by column name.
fn table<T>(
    connection: &Connection,
    name: &str,
    make: impl Fn(&mut dyn FnMut(&str) -> Option<u64>) -> T,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {name} ORDER BY rowid"))?;
    let names: Vec<String> = statement
        .column_names()
        .into_iter()
        .map(str::to_string)
        .collect();
    let mut found = Vec::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut value = |wanted: &str| {
            let at = names.iter().position(|name| name == wanted)?;
            match row.get_ref(at).ok()? {
                rusqlite::types::ValueRef::Integer(value) => u64::try_from(value).ok(),
                rusqlite::types::ValueRef::Real(value) => Some(value.max(0.0) as u64),
                _ => None,
            }
        };
        found.push(make(&mut value));
    }
    Ok(found)
}

fn lines(connection: &Connection) -> rusqlite::Result<Vec<HotLine>> {
    let mut statement = connection
        .prepare("SELECT Location,Function,Forks,Queries,SolverTime FROM lines ORDER BY rowid")?;
    let count = |row: &rusqlite::Row<'_>, at| -> rusqlite::Result<u64> {
        Ok(u64::try_from(row.get::<_, i64>(at)?).unwrap_or(0))
    };
    let lines = statement.query_map([], |row| {
        Ok(HotLine {
            location: row.get(0)?,
            function: row.get(1)?,
            forks: count(row, 2)?,
            queries: count(row, 3)?,
            solver_s: count(row, 4)? as f64 / 1e6,
        })
    })?;
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(instructions: u64, tests: u64) -> StatsRow {
        let mut row = StatsRow::default();
        row.klee.instructions = instructions;
        row.klee.wall_time = 1_500_000;
        row.homi.tests = tests;
        row
    }

    #[test]
    fn rows_come_back_and_a_later_session_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = StatsFile::open(directory.path()).unwrap();
        file.append(&row(10, 1)).unwrap();
        file.append(&row(20, 2)).unwrap();
        let line = HotLine {
            location: "a.c:3".to_string(),
            function: "f".to_string(),
            forks: 4,
            queries: 5,
            solver_s: 0.25,
        };
        file.set_lines(&[line.clone(), line.clone()]).unwrap();
        file.set_lines(std::slice::from_ref(&line)).unwrap();
        // While the file is open for writing.
        let history = read_stats(directory.path()).unwrap();
        assert!(history.by_homi);
        assert_eq!(history.rows, [row(10, 1), row(20, 2)]);
        assert_eq!(history.lines, [line]);
        drop(file);

        let mut file = StatsFile::open(directory.path()).unwrap();
        file.append(&row(5, 3)).unwrap();
        drop(file);
        let history = read_stats(directory.path()).unwrap();
        let last = history.rows.last().unwrap();
        assert_eq!((last.klee.instructions, last.homi.tests), (25, 3));
        assert_eq!(last.klee.wall_time, 3_000_000);
        let files: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
        assert_eq!(files.len(), 1, "no log is left: {files:?}");
    }

    #[test]
    fn klees_queries_work() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = StatsFile::open(directory.path()).unwrap();
        for instructions in [10, 30] {
            let mut row = row(instructions, 0);
            row.klee.malloc_usage = instructions << 20;
            file.append(&row).unwrap();
        }
        drop(file);
        let connection = Connection::open(directory.path().join(STATS_FILE)).unwrap();
        let (most, mean): (f64, f64) = connection
            .query_row(
                "SELECT max(MallocUsage)*1.0/1024/1024, avg(MallocUsage)/1024/1024 FROM stats",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!((most, mean), (30.0, 20.0));
        let last: (i64, f64, i64) = connection
            .query_row(
                "SELECT Instructions, WallTime, ArrayHashTime FROM stats ORDER BY rowid DESC LIMIT 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .unwrap();
        assert_eq!(last, (30, 1_500_000.0, -1));
    }

    #[test]
    fn other_files_than_databases_are_errors_with_their_name() {
        let directory = tempfile::tempdir().unwrap();
        assert!(read_stats(directory.path()).is_err(), "no file");
        std::fs::write(directory.path().join(STATS_FILE), "not a database at all").unwrap();
        let error = read_stats(directory.path()).unwrap_err().to_string();
        assert!(error.contains("run.stats"), "{error}");
        assert!(StatsFile::open(directory.path()).is_err());
    }
}
