//! The branches of a program built with `gcc --coverage`, and which of them runs have taken.
//!
//! A branch is (source file, function, line, index on that line): the same code compiled into
//! several object files (a static inline function of a header) is one branch. A run's counts are
//! read from files that hold that run alone, and are added up here, never by libgcov: nothing is
//! lost when two runs' files are merged in another order, and one test's share is known.

use std::path::{Component, Path, PathBuf};

use indexmap::IndexMap;
use object::{Object, ObjectSection};

use super::file::{self, COUNTS_MAGIC, GcovError, Reader, TAG_ARC_COUNTERS, TAG_FUNCTION};
use super::notes::Notes;

/// Identity of a branch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchKey {
    /// Index into `GcovProgram::files`.
    pub file: usize,
    pub function: String,
    pub line: u32,
    pub index: u32,
}

/// One object file of the program.
pub(super) struct Unit {
    /// Path to which the program writes its counts, as compiled in.
    pub counts_path: PathBuf,
    notes_path: PathBuf,
    pub notes: Notes,
    /// Per function of the notes: per branch the arc and the branch's id.
    pub branches: Vec<Vec<(usize, usize)>>,
    /// Per function of the notes: the sum of the counters of all runs.
    pub sums: Vec<Vec<u64>>,
}

/// A program and the counts of the runs seen so far.
pub struct GcovProgram {
    /// Source files' names for people, and their absolute paths, which identify them.
    files: Vec<String>,
    paths: Vec<PathBuf>,
    /// Number of times that each branch was taken, in order of first appearance; the position is
    /// the branch's id.
    pub(super) branches: IndexMap<BranchKey, u64>,
    pub(super) units: Vec<Unit>,
}

/// Counts of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Number of branches that the run took.
    pub branches: usize,
    /// Number of these that no earlier run took.
    pub new: usize,
    /// Numbers of the branches that it took, ascending; they mean the same for every run of the
    /// program.
    pub taken: Vec<u32>,
    /// Number of the program's object files that wrote counts; 0 means that counts were lost.
    pub units: usize,
}

/// Covered and total branches of a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTotals {
    pub covered: usize,
    pub total: usize,
}

impl GcovProgram {
    /// Finds the object files that `exe` was linked from (their names are compiled in) and reads
    /// their notes.
    pub fn open(exe: &Path) -> Result<GcovProgram, GcovError> {
        let image = file::read(exe)?;
        let names = counts_names(&image);
        if names.is_empty() {
            let exe = exe.to_path_buf();
            return Err(GcovError::NotInstrumented { exe });
        }
        let mut loaded = Vec::new();
        for counts_path in names {
            let notes_path = find_notes(exe, &counts_path)?;
            let notes = Notes::read(&notes_path)?;
            loaded.push((counts_path, notes_path, notes));
        }
        let mut program = GcovProgram {
            files: Vec::new(),
            paths: Vec::new(),
            branches: IndexMap::new(),
            units: Vec::new(),
        };
        for (counts_path, notes_path, notes) in loaded {
            program.add_unit(counts_path, notes_path, notes);
        }
        program.name_files();
        Ok(program)
    }

    fn add_unit(&mut self, counts_path: PathBuf, notes_path: PathBuf, notes: Notes) {
        let mut unit_branches = Vec::new();
        let mut sums = Vec::new();
        for function in &notes.functions {
            let mut ids = Vec::new();
            let mut used: IndexMap<(usize, u32), u32> = IndexMap::new();
            let branches = if function.artificial {
                Vec::new()
            } else {
                function.branches()
            };
            for branch in branches {
                let file = self.file_index(&notes.directory, branch.file);
                let index = used.entry((file, branch.line)).or_insert(0);
                let key = BranchKey {
                    file,
                    function: function.name.clone(),
                    line: branch.line,
                    index: *index,
                };
                *index += 1;
                let entry = self.branches.entry(key);
                let id = entry.index();
                entry.or_insert(0);
                ids.push((branch.arc, id));
            }
            unit_branches.push(ids);
            sums.push(vec![0; function.counter_count()]);
        }
        self.units.push(Unit {
            counts_path,
            notes_path,
            notes,
            branches: unit_branches,
            sums,
        });
    }

    fn file_index(&mut self, directory: &str, file: &str) -> usize {
        let path = absolute(directory, file);
        if let Some(found) = self.paths.iter().position(|known| *known == path) {
            return found;
        }
        self.paths.push(path);
        self.paths.len() - 1
    }

    /// Short names for people: relative to where the compiler ran, or, for a build outside the
    /// source tree, to the common directory of the C files there. Absolute where that would be
    /// ambiguous.
    fn name_files(&mut self) {
        let directories = self
            .units
            .iter()
            .map(|unit| Path::new(&unit.notes.directory));
        let build = common_directory(directories);
        let is_c = |path: &&Path| path.extension().is_some_and(|e| e == "c");
        let outside = self.paths.iter().map(PathBuf::as_path);
        let outside = outside
            .filter(|path| !path.starts_with(&build))
            .filter(is_c);
        let source = common_directory(outside.filter_map(Path::parent));
        let short = |path: &Path| {
            let relative = path
                .strip_prefix(&build)
                .or_else(|_| path.strip_prefix(&source));
            relative.unwrap_or(path).to_path_buf()
        };
        let names: Vec<PathBuf> = self.paths.iter().map(|path| short(path)).collect();
        for (path, name) in self.paths.iter().zip(&names) {
            let unique = names.iter().filter(|other| *other == name).count() == 1;
            let shown = if unique { name } else { path };
            self.files.push(shown.to_string_lossy().into_owned());
        }
    }

    /// Adds the counts of one run, written below `root` (libgcov's GCOV_PREFIX).
    pub fn add_run(&mut self, root: &Path) -> Result<RunCounts, GcovError> {
        let mut run = RunCounts::default();
        let mut taken = vec![0u64; self.branches.len()];
        for unit in &mut self.units {
            let relative = unit.counts_path.strip_prefix("/");
            let path = root.join(relative.unwrap_or(&unit.counts_path));
            let bytes = match std::fs::read(&path) {
                Ok(bytes) => bytes,
                // A file that the run did not get to write, or was killed before it wrote.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(GcovError::Read { path, source }),
            };
            if bytes.is_empty() {
                continue;
            }
            unit.add_counts(&path, &bytes, &mut taken)?;
            run.units += 1;
        }
        for (number, (count, total)) in taken
            .into_iter()
            .zip(self.branches.values_mut())
            .enumerate()
        {
            if count > 0 {
                run.branches += 1;
                run.taken.push(number as u32);
            }
            run.new += usize::from(count > 0 && *total == 0);
            *total = total.saturating_add(count);
        }
        Ok(run)
    }

    /// Returns the number of branches that any run took.
    pub fn covered(&self) -> usize {
        self.branches.values().filter(|count| **count > 0).count()
    }

    /// Returns the number of branches.
    pub fn total(&self) -> usize {
        self.branches.len()
    }

    /// Per source file, by name. Files without branches are left out.
    pub fn files(&self) -> Vec<(&str, FileTotals)> {
        let mut totals = vec![FileTotals::default(); self.files.len()];
        for (key, count) in &self.branches {
            totals[key.file].total += 1;
            totals[key.file].covered += usize::from(*count > 0);
        }
        let mut named: Vec<_> = self.files.iter().map(String::as_str).zip(totals).collect();
        named.retain(|(_, totals)| totals.total > 0);
        named.sort_by_key(|(name, _)| *name);
        named
    }

    /// All branches with how often all runs took them.
    pub fn branches(&self) -> impl Iterator<Item = (&BranchKey, u64)> {
        self.branches.iter().map(|(key, count)| (key, *count))
    }

    /// The absolute path of a branch's file.
    pub(super) fn path(&self, branch: &BranchKey) -> &Path {
        &self.paths[branch.file]
    }

    /// Returns the name of the file that `BranchKey::file` denotes.
    pub fn file_name(&self, file: usize) -> &str {
        &self.files[file]
    }
}

impl Unit {
    fn add_counts(
        &mut self,
        path: &Path,
        bytes: &[u8],
        taken: &mut [u64],
    ) -> Result<(), GcovError> {
        let (mut reader, stamp) = Reader::open(path, bytes, COUNTS_MAGIC)?;
        let other_build = || GcovError::Stamp {
            counts: path.to_path_buf(),
            notes: self.notes_path.clone(),
        };
        if stamp != self.notes.stamp {
            return Err(other_build());
        }
        let mut current = None;
        let mut hint = 0;
        while let Some(record) = reader.record()? {
            let mut payload = record.payload;
            if record.tag == TAG_FUNCTION {
                if payload.is_empty() {
                    current = None; // a function that is in another object file
                    continue;
                }
                let (ident, line, graph) =
                    (payload.number()?, payload.number()?, payload.number()?);
                let functions = &self.notes.functions;
                // Counts come in the notes' order, or its reverse; look near the last one first.
                let matches = |i: &usize| functions[*i].ident == ident;
                let found = (hint..functions.len()).chain(0..hint).find(matches);
                let Some(i) = found else {
                    return Err(other_build());
                };
                if (functions[i].line_checksum, functions[i].graph_checksum) != (line, graph) {
                    return Err(other_build());
                }
                hint = i;
                current = Some(i);
            } else if record.tag == TAG_ARC_COUNTERS && record.zeros == 0 {
                let Some(i) = current else { continue };
                let mut counters = Vec::with_capacity(self.sums[i].len());
                while !payload.is_empty() {
                    counters.push(payload.counter()?);
                }
                if counters.len() != self.sums[i].len() {
                    return Err(payload.damaged());
                }
                let counts = self.notes.functions[i].solve(&counters);
                for (arc, id) in &self.branches[i] {
                    taken[*id] = taken[*id].saturating_add(counts[*arc]);
                }
                for (sum, counter) in self.sums[i].iter_mut().zip(&counters) {
                    *sum = sum.saturating_add(*counter);
                }
            }
        }
        Ok(())
    }
}

/// The names of the counts files that a program's image holds, sorted.
fn counts_names(image: &[u8]) -> Vec<PathBuf> {
    // Only in loaded read-only data: debug information may mention names of other programs.
    let sections: Vec<&[u8]> = match object::File::parse(image) {
        Ok(file) => file
            .sections()
            .filter(|s| {
                s.name()
                    .is_ok_and(|n| n.starts_with(".rodata") || n.starts_with(".data"))
            })
            .filter_map(|s| s.data().ok())
            .collect(),
        Err(_) => Vec::new(),
    };
    let exists = |path: &Path| path.with_extension("gcno").exists();
    let mut names: Vec<PathBuf> = sections
        .iter()
        .flat_map(|data| names_in(data, &exists))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The absolute paths in `data` that end in `.gcda`. Numbers may stand right before one, so that
/// its start is not known: it is the first slash from which notes exist, or else a plain text goes
/// on.
fn names_in(data: &[u8], exists: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut names = Vec::new();
    for chunk in data.split(|byte| *byte == 0) {
        if !chunk.ends_with(b".gcda") {
            continue;
        }
        let slashes = (0..chunk.len()).filter(|i| chunk[*i] == b'/');
        let texts = slashes.filter_map(|i| std::str::from_utf8(&chunk[i..]).ok());
        let plain = texts.filter(|text| !text.contains(char::is_control));
        let paths: Vec<PathBuf> = plain.map(PathBuf::from).collect();
        let best = paths.iter().find(|path| exists(path)).or(paths.first());
        names.extend(best.cloned());
    }
    names
}

/// The notes file next to where the counts would go, or, when the build was moved, at the same
/// place relative to a directory above the executable.
fn find_notes(exe: &Path, counts: &Path) -> Result<PathBuf, GcovError> {
    let notes = counts.with_extension("gcno");
    if notes.exists() {
        return Ok(notes);
    }
    let parts: Vec<_> = notes.components().collect();
    let exe_directory = exe.canonicalize().ok();
    let above = exe_directory
        .iter()
        .flat_map(|e| e.ancestors().skip(1).take(3));
    for directory in above {
        for skipped in 1..parts.len() {
            let candidate = directory.join(parts[skipped..].iter().collect::<PathBuf>());
            if candidate.exists() {
                return Ok(candidate);
            }
        }
    }
    let exe = exe.to_path_buf();
    Err(GcovError::NotesMissing { exe, notes })
}

/// The longest directory that contains all of `directories`; empty if there are none.
fn common_directory<'a>(mut directories: impl Iterator<Item = &'a Path>) -> PathBuf {
    let mut base = directories
        .next()
        .map(Path::to_path_buf)
        .unwrap_or_default();
    for directory in directories {
        while !directory.starts_with(&base) && base.pop() {}
    }
    base
}

/// A source file's path without `.` and `..`.
pub(super) fn absolute(directory: &str, file: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in Path::new(directory).join(file).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_behind_numbers() {
        let data =
            b"x\0/a/b.gcda\0\x01\xff/a/c.gcda\0//z/a/d.gcda\0a/e.gcda\0/a/b.gcno\0\x07/n/f.gcda";
        let known = [Path::new("/a/d.gcda"), Path::new("/a/e.gcda")];
        let names = names_in(data, &|path| known.contains(&path));
        let expected = [
            "/a/b.gcda",
            "/a/c.gcda",
            "/a/d.gcda",
            "/e.gcda",
            "/n/f.gcda",
        ];
        assert_eq!(names, expected.map(PathBuf::from));
    }
}
