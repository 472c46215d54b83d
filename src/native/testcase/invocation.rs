//! Input of one invocation of a program, independent of the symbolic arguments that made it, and
//! its conversion to a test of other arguments.
//!
//! Arguments keep their order if they fit. If they do not, the longest go where there is most room:
//! most programs take their options in any order, and all of them lose truncated bytes.
//!
//! Invariant: a test made here has the objects that the modeled kernel makes for the arguments, as
//! in `raw`, and then those objects of the first test that no argument asks for.

use super::ktest::{KTest, Object};
use super::layout::{Layout, Slot};
use super::raw::{FAILURES, MadeTest, STDOUT_SIZE, ordinary_file};

/// Maximum number of compared distributions of arguments to `--sym-args` groups.
const MAX_DISTRIBUTIONS: usize = 1 << 12;

/// Input of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invocation {
    /// Without the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// Name and value.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// Path and content.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
    pub stdin: Option<Vec<u8>>,
    /// Other objects, unchanged: `struct stat` of files, and objects that the program makes
    /// symbolic.
    pub others: Vec<Object>,
}

impl Invocation {
    /// Returns the input that a test gives its program, if its arguments make any symbolic.
    pub fn of(test: &KTest) -> Option<Self> {
        let layout = Layout::of(test.args.get(1..)?).ok()?;
        if !layout.is_symbolic() {
            return None;
        }
        let mut objects = Objects(test.objects.clone());
        let mut found = Self::default();
        let mut number = 0;
        for slot in &layout.slots {
            let count = match slot {
                Slot::Fixed(argument) => {
                    found.arguments.push(argument.clone());
                    continue;
                }
                Slot::One(_) => 1,
                Slot::Several(least, most, _) if least == most => *most,
                Slot::Several(least, most, _) => objects.count(*least, *most),
            };
            for _ in 0..count {
                let bytes = objects.take(format!("arg{number:02}").as_bytes());
                found.arguments.push(text(bytes.unwrap_or_default()));
                number += 1;
            }
        }
        for (name, _) in &layout.variables {
            let value = objects.take(name).unwrap_or_default();
            found.variables.push((name.clone(), text(value)));
        }
        for (path, _) in &layout.files {
            let content = objects.take(&[path, b"_data".as_slice()].concat());
            let content = content.or_else(|| objects.take(&[path, b"-data".as_slice()].concat()));
            found
                .files
                .push((path.clone(), content.unwrap_or_default()));
        }
        found.stdin = layout.stdin.and_then(|_| objects.take(b"stdin"));
        found.others = objects.0;
        Some(found)
    }

    /// Returns the input with its files under these names, in order, also where arguments name
    /// them.
    fn with_files_called(&self, names: &[&[u8]]) -> Self {
        let mut renamed = self.clone();
        let (files, arguments) = (&mut renamed.files, &mut renamed.arguments);
        for ((path, _), name) in files.iter_mut().zip(names) {
            if path == name {
                continue;
            }
            for argument in arguments.iter_mut() {
                rename(argument, path, name);
            }
            let stat = |path: &[u8]| [path, b"_data_stat".as_slice()].concat();
            for object in &mut renamed.others {
                if object.name == stat(path) {
                    object.name = stat(name);
                }
            }
            *path = name.to_vec();
        }
        renamed
    }
}

/// Puts another name where an argument is a file's path, or ends in it behind `=` or an option's
/// letter.
pub fn rename(argument: &mut Vec<u8>, path: &[u8], name: &[u8]) {
    let Some(before) = argument.strip_suffix(path) else {
        return;
    };
    let is_option = before.len() == 2 && before[0] == b'-';
    if before.is_empty() || before.ends_with(b"=") || is_option {
        *argument = [before, name].concat();
    }
}

/// The bytes before the first zero.
fn text(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.iter().position(|byte| *byte == 0);
    bytes.truncate(end.unwrap_or(bytes.len()));
    bytes
}

/// A test's objects that were not used yet.
struct Objects(Vec<Object>);

impl Objects {
    fn take(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let index = self.0.iter().position(|object| object.name == name)?;
        Some(self.0.remove(index).bytes)
    }

    /// The next number of arguments.
    fn count(&mut self, least: usize, most: usize) -> usize {
        let bytes = self.take(b"n_args").unwrap_or_default();
        let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
        (u32::from_le_bytes(bytes) as usize).clamp(least, most.max(least))
    }
}

impl Layout {
    /// True if something of what an invocation gives is symbolic.
    pub fn is_symbolic(&self) -> bool {
        let argued = self
            .slots
            .iter()
            .any(|slot| !matches!(slot, Slot::Fixed(_)));
        let has_others = !self.variables.is_empty() || !self.files.is_empty();
        argued || has_others || self.stdin.is_some()
    }

    /// Returns the test that gives a program with these arguments, its name first, the input of an
    /// invocation, as far as there is room.
    pub fn convert(&self, arguments: &[Vec<u8>], invocation: &Invocation) -> MadeTest {
        let names: Vec<&[u8]> = self.files.iter().map(|(path, _)| path.as_slice()).collect();
        let invocation = invocation.with_files_called(&names);
        let mut made = MadeTest {
            test: KTest::new(arguments.iter().cloned()),
            cut: 0,
        };
        self.carry_arguments(&mut made, &invocation.arguments);
        for (name, size) in &self.variables {
            let mut variables = invocation.variables.iter();
            let value = variables.find(|(known, _)| known == name);
            made.push(name, *size, value.map_or(b"", |(_, value)| value), 1);
        }
        let mut others = Objects(invocation.others);
        for (path, size) in &self.files {
            let mut files = invocation.files.iter();
            let content = files.find(|(known, _)| known == path);
            let name = [path, b"_data".as_slice()].concat();
            made.push_content(&name, *size, content.map_or(b"", |(_, content)| content));
            made.push_stat(&name, &mut others);
        }
        for (path, content) in invocation.files.iter().skip(self.files.len()) {
            made.cut += content.len() + path.len();
        }
        let stdin = invocation.stdin.unwrap_or_default();
        match self.stdin {
            Some(size) => {
                made.push_content(b"stdin", size, &stdin);
                made.push_stat(b"stdin", &mut others);
            }
            None => made.cut += stdin.len(),
        }
        for name in FAILURES.iter().filter(|_| self.failures) {
            let known = others.take(name.as_bytes());
            made.test.push(*name, known.unwrap_or_else(|| vec![0; 4]));
        }
        if self.stdout {
            let known = others.take(b"stdout").unwrap_or_default();
            made.push(b"stdout", STDOUT_SIZE, &known, 0);
            made.push_stat(b"stdout", &mut others);
        }
        made.test.objects.extend(others.0);
        made
    }

    fn carry_arguments(&self, made: &mut MadeTest, given: &[Vec<u8>]) {
        let mut given: Vec<&[u8]> = given.iter().map(Vec::as_slice).collect();
        let mut groups = Vec::new();
        for slot in &self.slots {
            match slot {
                Slot::Fixed(argument) => {
                    if let Some(index) = given.iter().position(|one| one == argument) {
                        given.remove(index);
                    }
                }
                Slot::One(size) => groups.push((1, 1, *size)),
                Slot::Several(least, most, size) => groups.push((*least, *most, *size)),
            }
        }
        let (counts, distributed) = best_distribution(&groups, &given);
        let mut distributed = distributed.into_iter();
        let mut number = 0;
        for ((least, most, size), count) in groups.iter().zip(counts) {
            if least != most {
                made.test.push("n_args", (count as u32).to_le_bytes());
            }
            for argument in distributed.by_ref().take(count) {
                let name = format!("arg{number:02}");
                made.push(name.as_bytes(), *size, argument, 1);
                number += 1;
            }
        }
        let left = given.get(number..).unwrap_or_default();
        made.cut += left
            .iter()
            .map(|argument| argument.len() + 1)
            .sum::<usize>();
    }
}

/// Returns the number of arguments of each `--sym-args` group (least, most, greatest length) and
/// their values, with the fewest bytes cut.
fn best_distribution<'a>(
    groups: &[(usize, usize, usize)],
    given: &[&'a [u8]],
) -> (Vec<usize>, Vec<&'a [u8]>) {
    let least: usize = groups.iter().map(|group| group.0).sum();
    let most: usize = groups.iter().map(|group| group.1.max(group.0)).sum();
    let total = given.len().clamp(least, most);
    let mut taken: Vec<&[u8]> = given.iter().copied().take(total).collect();
    taken.resize(total, b"");
    let all_counts = distributions(groups, total);
    let sizes = |counts: &[usize]| -> Vec<usize> {
        let each = groups.iter().zip(counts);
        each.flat_map(|(group, count)| std::iter::repeat_n(group.2, *count))
            .collect()
    };
    let may_move = !taken.contains(&b"--".as_slice());
    let in_order = all_counts.iter().map(|counts| (counts, taken.clone()));
    let moved = all_counts
        .iter()
        .filter(|_| may_move)
        .map(|counts| (counts, by_length(&sizes(counts), &taken)));
    let all = in_order.chain(moved);
    let best = all.min_by_key(|(counts, distributed)| bytes_cut(&sizes(counts), distributed));
    best.map_or_else(
        || (vec![0; groups.len()], Vec::new()),
        |(counts, distributed)| (counts.clone(), distributed),
    )
}

/// Bytes that do not fit.
fn bytes_cut(sizes: &[usize], distributed: &[&[u8]]) -> usize {
    let each = sizes.iter().zip(distributed);
    each.map(|(size, argument)| argument.len().saturating_sub(*size))
        .sum()
}

/// The longest arguments where most room is; arguments of equal size keep their order.
fn by_length<'a>(sizes: &[usize], taken: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let mut slots: Vec<usize> = (0..sizes.len()).collect();
    slots.sort_by_key(|slot| std::cmp::Reverse(sizes[*slot]));
    let mut longest: Vec<usize> = (0..taken.len()).collect();
    longest.sort_by_key(|number| std::cmp::Reverse(taken[*number].len()));
    let mut distributed: Vec<&[u8]> = vec![b""; sizes.len()];
    for same in slots.chunk_by(|one, other| sizes[*one] == sizes[*other]) {
        let rest = longest.split_off(same.len().min(longest.len()));
        let mut here = std::mem::replace(&mut longest, rest);
        here.sort_unstable();
        let mut same = same.to_vec();
        same.sort_unstable();
        for (slot, number) in same.iter().zip(here) {
            distributed[*slot] = taken[number];
        }
    }
    distributed
}

/// Returns distributions of `total` arguments over the groups: all, or the first ones.
fn distributions(groups: &[(usize, usize, usize)], total: usize) -> Vec<Vec<usize>> {
    let Some(((least, most, _), rest)) = groups.split_first() else {
        return match total {
            0 => vec![Vec::new()],
            _ => Vec::new(),
        };
    };
    let mut found = Vec::new();
    for count in (*least..=(*most).max(*least)).rev() {
        if count > total || found.len() >= MAX_DISTRIBUTIONS {
            continue;
        }
        for mut later in distributions(rest, total - count) {
            later.insert(0, count);
            found.push(later);
        }
    }
    found
}

impl MadeTest {
    /// Content of a file: text is filled up with ends of lines, which keep it text.
    fn push_content(&mut self, name: &[u8], size: usize, content: &[u8]) {
        let is_text = content.ends_with(b"\n") && !content.contains(&0);
        self.push(name, size, content, 0);
        if let (true, Some(object)) = (is_text, self.test.objects.last_mut()) {
            let end = content.len().min(size);
            object.bytes[end..].fill(b'\n');
        }
    }

    /// Adds the `struct stat` of a file: the first test's, or an ordinary one.
    fn push_stat(&mut self, content: &[u8], others: &mut Objects) {
        let name = [content, b"_stat".as_slice()].concat();
        let bytes = others.take(&name).unwrap_or_else(ordinary_file);
        self.test.push(name, bytes);
    }
}

#[cfg(test)]
#[path = "invocation_tests.rs"]
mod tests;
