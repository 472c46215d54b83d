//! `klee-stats`: the last rows of `run.stats`, in the format of KLEE's script.
//!
//! Idea: a run's row is a record of named numbers, extended by derived ones (coverage in percent,
//! times relative to the whole). The selected columns are named by KLEE's legend and printed.
//! Invariant: a column that a run lacks is empty, so runs of other versions and databases without
//! rows can be shown.

use super::stats_columns::{LEGEND, Set, shown_name};
use super::stats_table::{Format, Table};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Number; integers are shown without decimals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    pub(super) fn value(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Real(value) => value,
        }
    }
}

/// Numbers of a run, by KLEE's internal names.
pub(super) type Record = BTreeMap<String, Number>;

/// Request of a `klee-stats` command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatsRequest {
    directories: Vec<PathBuf>,
    set: Set,
    columns: Option<String>,
    format: Format,
    all_rows: bool,
    pub wants_help: bool,
}

/// Text of `--help`.
pub const STATS_USAGE: &str = "usage: klee-stats [OPTION]... DIR...
  --print-more | --print-all | --print-abs-times | --print-rel-times
  --print-columns=NAME,...      the columns of these names, in this order
  --table-format=klee|csv|readable-csv
  --to-csv                      all rows of run.stats
homi stats shows more of homi's own runs
";

impl StatsRequest {
    /// Parses the arguments that follow the command's name.
    ///
    /// # Errors
    ///
    /// The error describes the invalid argument.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut request = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (name, given) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
                _ => (argument.as_str(), None),
            };
            let mut value = || {
                let next = given.clone().or_else(|| arguments.next().cloned());
                next.ok_or(format!(
                    "klee-stats: error: argument {name}: expected one argument"
                ))
            };
            match name {
                "-h" | "--help" => request.wants_help = true,
                "--to-csv" => request.all_rows = true,
                "--table-format" => request.format = Format::parse(&value()?)?,
                "--print-columns" => request.columns = Some(value()?),
                "--print-all" => request.set = Set::All,
                "--print-more" => request.set = Set::More,
                "--print-abs-times" => request.set = Set::AbsoluteTimes,
                "--print-rel-times" => request.set = Set::RelativeTimes,
                option if option.starts_with("--") => {
                    return Err(format!(
                        "klee-stats: error: unrecognized arguments: {option}"
                    ));
                }
                directory => request.directories.push(directory.into()),
            }
        }
        Ok(request)
    }

    /// Returns the requested text.
    ///
    /// # Errors
    ///
    /// Fails if there is no run, a column is unknown, or a database cannot be read.
    pub fn text(&self) -> Result<String, String> {
        let runs = found(&self.directories);
        match (runs.as_slice(), self.all_rows) {
            ([], _) => Err("No KLEE output directory found".to_string()),
            ([run], true) => all_rows(run),
            (_, true) => Err("Error: --to-csv only supports a single input directory ".to_string()),
            (runs, false) => self.table(runs),
        }
    }

    fn table(&self, runs: &[PathBuf]) -> Result<String, String> {
        let set = self.columns.as_ref().map_or(self.set, |_| Set::All);
        let records: Vec<Record> = runs
            .iter()
            .map(|run| set.chosen(&record(&run.join("run.stats"))))
            .collect();
        let names = self.names(&records)?;
        Ok(Table::new(&paths(runs), &records, &names).text(self.format))
    }

    /// Returns the columns by their internal names.
    fn names(&self, records: &[Record]) -> Result<Vec<String>, String> {
        let is_there = |name: &str| name == "Path" || records.iter().any(|r| r.contains_key(name));
        if let Some(columns) = &self.columns {
            let asked = columns.split(',').map(str::trim);
            let asked: Vec<&str> = asked.filter(|name| !name.is_empty()).collect();
            if asked.is_empty() {
                return Err("No column name specified for --print-columns.".to_string());
            }
            let unknown = asked.iter().filter(|name| !is_there(internal(name)));
            let unknown: Vec<&str> = unknown.copied().collect();
            return if unknown.is_empty() {
                Ok(asked
                    .iter()
                    .map(|name| internal(name).to_string())
                    .collect())
            } else {
                Err(format!("Column(s) not found: {}", unknown.join(", ")))
            };
        }
        let mut names = vec!["Path".to_string()];
        let legend = LEGEND.iter().map(|(_, internal)| *internal);
        names.extend(legend.filter(|name| is_there(name)).map(str::to_string));
        let all = records.iter().flat_map(Record::keys);
        let mut others: Vec<String> = all.filter(|name| !names.contains(name)).cloned().collect();
        others.sort_by_key(|name| shown_name(name).to_string());
        others.dedup();
        names.extend(others);
        Ok(names)
    }
}

/// Returns the internal name of a column.
fn internal(shown: &str) -> &str {
    let known = LEGEND.iter().find(|(name, _)| *name == shown);
    known.map_or(shown, |(_, internal)| internal)
}

/// Returns the output directories among or below these directories.
fn found(directories: &[PathBuf]) -> Vec<PathBuf> {
    let is_run = |path: &Path| path.join("info").exists() && path.join("run.stats").exists();
    let mut runs = Vec::new();
    for directory in directories {
        if is_run(directory) {
            runs.push(directory.clone());
            continue;
        }
        let mut waiting = vec![directory.clone()];
        while let Some(place) = waiting.pop() {
            let entries = std::fs::read_dir(&place).into_iter().flatten().flatten();
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            let mut below: Vec<PathBuf> = below.map(|entry| entry.path()).collect();
            below.sort();
            runs.extend(below.iter().filter(|path| is_run(path)).cloned());
            waiting.extend(below.into_iter().rev());
        }
    }
    runs
}

/// Returns the paths of the runs; of several runs without their common prefix.
fn paths(runs: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<String>> = runs
        .iter()
        .map(|run| {
            let parts = run.components();
            parts
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect()
        })
        .collect();
    if parts.len() < 2 {
        return runs.iter().map(|run| run.display().to_string()).collect();
    }
    let shortest = parts.iter().map(Vec::len).min().unwrap_or(0);
    let is_shared = |index: &usize| parts.iter().all(|part| part[*index] == parts[0][*index]);
    let shared = (0..shortest).take_while(is_shared).count();
    let rest = |part: &Vec<String>| part[shared.min(part.len() - 1)..].join("/");
    parts.iter().map(rest).collect()
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY))
}

/// Returns the last row, and the maximum and mean of some columns over all rows; empty if there are
/// no rows.
fn record(file: &Path) -> Record {
    read(file).unwrap_or_default()
}

fn read(file: &Path) -> rusqlite::Result<Record> {
    let connection = open(file)?;
    let mut record = Record::new();
    let mut statement = connection.prepare("SELECT * FROM stats ORDER BY rowid DESC LIMIT 1")?;
    let names: Vec<String> = statement
        .column_names()
        .into_iter()
        .map(String::from)
        .collect();
    let mut rows = statement.query([])?;
    if let Some(row) = rows.next()? {
        for (index, name) in names.iter().enumerate() {
            if let Some(number) = number(row.get_ref(index)?) {
                record.insert(name.clone(), number);
            }
        }
    }
    for (column, most, mean, unit) in [
        ("MallocUsage", "MaxMem", "AvgMem", 1048576.0),
        ("NumStates", "MaxStates", "AvgStates", 1.0),
    ] {
        let query = format!("SELECT max({column}), avg({column}) FROM stats");
        let found = connection.query_row(&query, [], |row| {
            Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<f64>>(1)?))
        });
        if let Ok((Some(greatest), Some(average))) = found {
            let greatest = if unit == 1.0 {
                Number::Whole(greatest)
            } else {
                Number::Real(greatest as f64 / unit)
            };
            record.insert(most.to_string(), greatest);
            record.insert(mean.to_string(), Number::Real(average / unit));
        }
    }
    Ok(record)
}

fn number(value: ValueRef<'_>) -> Option<Number> {
    match value {
        ValueRef::Integer(value) => Some(Number::Whole(value)),
        ValueRef::Real(value) => Some(Number::Real(value)),
        _ => None,
    }
}

/// Returns every row as stored in the database.
fn all_rows(run: &Path) -> Result<String, String> {
    let file = run.join("run.stats");
    let rows = || -> rusqlite::Result<String> {
        let connection = open(&file)?;
        let mut statement = connection.prepare("SELECT * FROM stats")?;
        let columns = statement.column_count();
        let mut text = statement.column_names().join(",") + "\n";
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let values: Vec<String> = (0..columns)
                .map(|index| match row.get_ref(index)? {
                    ValueRef::Integer(value) => Ok(value.to_string()),
                    ValueRef::Real(value) => Ok(value.to_string()),
                    ValueRef::Text(text) => Ok(String::from_utf8_lossy(text).into_owned()),
                    ValueRef::Null | ValueRef::Blob(_) => Ok(String::new()),
                })
                .collect::<rusqlite::Result<_>>()?;
            text += &(values.join(",") + "\n");
        }
        Ok(text)
    };
    rows().map_err(|error| format!("klee-stats: {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(place: &Path, name: &str, rows: &[(i64, i64)]) {
        let run = place.join(name);
        std::fs::create_dir_all(&run).unwrap();
        std::fs::write(run.join("info"), "").unwrap();
        let connection = Connection::open(run.join("run.stats")).unwrap();
        if rows.is_empty() {
            return;
        }
        let columns = "Instructions INTEGER, WallTime INTEGER, NumStates INTEGER, Odd INTEGER";
        connection
            .execute(&format!("CREATE TABLE stats ({columns})"), [])
            .unwrap();
        for (instructions, states) in rows {
            let values = format!("({instructions}, 1500000, {states}, 4711)");
            connection
                .execute(&format!("INSERT INTO stats VALUES {values}"), [])
                .unwrap();
        }
    }

    fn shown(arguments: &str) -> Result<String, String> {
        let arguments: Vec<String> = arguments.split(' ').map(str::to_string).collect();
        StatsRequest::parse(&arguments)?.text()
    }

    #[test]
    fn tables_have_klees_columns_and_form() {
        let place = tempfile::tempdir().unwrap();
        run(place.path(), "one", &[(3, 1), (1000, 7)]);
        run(place.path(), "none", &[]);
        let place = place.path().display();
        assert_eq!(
            shown(&format!("--table-format=csv {place}/one")).unwrap(),
            format!("Path,Instrs,Time(s)\n{place}/one,1000,1.50\n")
        );
        assert_eq!(
            shown(&format!(
                "--print-columns=MaxActiveStates,Path,Odd --table-format csv {place}/one"
            )),
            Ok(format!("MaxActiveStates,Path,Odd\n7,{place}/one,4711\n"))
        );
        assert_eq!(
            shown(&place.to_string()).unwrap(),
            "------------------------------\n\
             |  Path   |  Instrs|  Time(s)|\n\
             ------------------------------\n\
             |  none   |        |         |\n\
             |   one   |    1000|     1.50|\n\
             ------------------------------\n\
             |Total (2)|    1000|     1.50|\n\
             ------------------------------\n"
        );
        assert!(
            shown(&format!("--to-csv {place}/one"))
                .unwrap()
                .ends_with("\n1000,1500000,7,4711\n")
        );
    }

    #[test]
    fn what_is_not_there_is_named() {
        let place = tempfile::tempdir().unwrap();
        run(place.path(), "one", &[(3, 1)]);
        let place = place.path().display();
        for (arguments, part) in [
            (format!("{place}/two"), "No KLEE output directory found"),
            (
                format!("--print-columns=Path,Foo {place}"),
                "Column(s) not found: Foo",
            ),
            (
                format!("--print-columns= {place}"),
                "No column name specified",
            ),
            (
                format!("--table-format=odd {place}"),
                "invalid choice: 'odd'",
            ),
            (format!("--odd {place}"), "unrecognized arguments: --odd"),
        ] {
            let error = shown(&arguments).unwrap_err();
            assert!(error.contains(part), "{arguments}: {error}");
        }
    }
}
