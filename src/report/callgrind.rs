//! `run.istats`: the cost of the program under test in the format of callgrind, as KLEE writes it.
//!
//! Opens in kcachegrind and callgrind_annotate. Positions are the instruction's number in the
//! lowered program and the source line. Format: valgrind's manual, "Callgrind Format
//! Specification".

use std::fmt::Write;

/// Events of a cost line: short name as in KLEE's files, and meaning.
const EVENTS: [(&str, &str); 6] = [
    ("I", "Instructions"),
    ("Icov", "CoveredInstructions"),
    ("Iuncov", "UncoveredInstructions"),
    ("Forks", "Forks"),
    ("Q", "Queries"),
    ("Qtime", "QueryTime"),
];

/// Numbers of one place, in the order of the events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    pub instructions: u64,
    /// 1 for an instruction that counts for coverage and was executed.
    pub covered: u64,
    /// 1 for an instruction that counts and was not executed.
    pub uncovered: u64,
    pub forks: u64,
    /// Queries to the solver's chain.
    pub queries: u64,
    /// Microseconds in the solver.
    pub solver_time: u64,
}

impl Cost {
    fn values(&self) -> [u64; 6] {
        [
            self.instructions,
            self.covered,
            self.uncovered,
            self.forks,
            self.queries,
            self.solver_time,
        ]
    }

    pub fn add(&mut self, other: Cost) {
        self.instructions += other.instructions;
        self.covered += other.covered;
        self.uncovered += other.uncovered;
        self.forks += other.forks;
        self.queries += other.queries;
        self.solver_time += other.solver_time;
    }

    fn is_zero(&self) -> bool {
        *self == Cost::default()
    }
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProfiledPlace {
    /// Number of the instruction in the whole program.
    pub instruction: u64,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
}

/// Calls from one place to one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfiledCall {
    pub from: ProfiledPlace,
    /// Index of the called function in the profile.
    pub callee: usize,
    pub count: u64,
    /// Cost of the called function and of what it called, on behalf of these calls.
    pub inclusive: Cost,
}

/// A function with the exclusive cost of its instructions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProfiledFunction {
    pub name: String,
    /// Location of the function's beginning.
    pub place: ProfiledPlace,
    pub costs: Vec<(ProfiledPlace, Cost)>,
    pub calls: Vec<ProfiledCall>,
}

/// Profile of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramProfile {
    /// The bitcode file.
    pub program: String,
    pub command: String,
    pub functions: Vec<ProfiledFunction>,
    /// One line per call path, outermost function first, separated by `;`, then its own
    /// instructions and its own microseconds in the solver.
    pub stacks: Vec<(String, u64, u64)>,
}

/// The text of `run.istats`.
pub fn callgrind(profile: &ProgramProfile) -> String {
    let mut total = Cost::default();
    for function in &profile.functions {
        for (_, cost) in &function.costs {
            total.add(*cost);
        }
    }
    let command: String = profile
        .command
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let mut out = format!(
        "version: 1\ncreator: homi {}\npid: {}\ncmd: {command}\n\npositions: instr line\n",
        env!("CARGO_PKG_VERSION"),
        std::process::id(),
    );
    // Writing to a string cannot fail.
    for (short, name) in EVENTS {
        let _ = writeln!(out, "event: {short} : {name}");
    }
    let names: Vec<&str> = EVENTS.iter().map(|event| event.0).collect();
    let _ = writeln!(out, "events: {}", names.join(" "));
    let _ = writeln!(out, "summary: {}\n", numbers(&total));
    let _ = writeln!(out, "ob={}", profile.program);
    for function in &profile.functions {
        if function.calls.is_empty() && function.costs.iter().all(|(_, cost)| cost.is_zero()) {
            continue;
        }
        let file = shown(&function.place.file);
        let _ = writeln!(out, "fl={file}\nfn={}", function.name);
        let mut current = file;
        for (place, cost) in &function.costs {
            if cost.is_zero() {
                continue;
            }
            enter(&mut out, &mut current, place);
            let _ = writeln!(
                out,
                "{} {} {}",
                place.instruction,
                place.line,
                numbers(cost)
            );
        }
        for call in &function.calls {
            let Some(callee) = profile.functions.get(call.callee) else {
                continue;
            };
            enter(&mut out, &mut current, &call.from);
            let _ = writeln!(
                out,
                "cfi={}\ncfn={}\ncalls={} {} {}\n{} {} {}",
                shown(&callee.place.file),
                callee.name,
                call.count,
                callee.place.instruction,
                callee.place.line,
                call.from.instruction,
                call.from.line,
                numbers(&call.inclusive)
            );
        }
        out.push('\n');
    }
    let _ = writeln!(out, "totals: {}", numbers(&total));
    out
}

/// Names the file of what follows, if it is another: code inlined from there.
fn enter<'p>(out: &mut String, current: &mut &'p str, place: &'p ProfiledPlace) {
    let file = shown(&place.file);
    if file != *current {
        *current = file;
        let _ = writeln!(out, "fi={file}");
    }
}

/// Callgrind's name of an unknown file is `???`.
fn shown(file: &str) -> &str {
    if file.is_empty() { "???" } else { file }
}

fn numbers(cost: &Cost) -> String {
    let values = cost.values().map(|value| value.to_string());
    values.join(" ")
}

/// A flame graph of the call paths as SVG: wide is expensive. `value` picks the number from a
/// stack's two; `title` and `unit` are shown. Nothing if all numbers are 0.
pub fn flamegraph(
    profile: &ProgramProfile,
    title: &str,
    unit: &str,
    value: impl Fn(&(String, u64, u64)) -> u64,
) -> Option<String> {
    let lines: Vec<String> = profile
        .stacks
        .iter()
        .filter(|stack| value(stack) != 0)
        .map(|stack| format!("{} {}", stack.0, value(stack)))
        .collect();
    if lines.is_empty() {
        return None;
    }
    let mut options = inferno::flamegraph::Options::default();
    options.title = title.to_string();
    options.count_name = unit.to_string();
    // Colours that do not change from run to run.
    options.hash = true;
    let mut svg = Vec::new();
    let lines = lines.iter().map(String::as_str);
    inferno::flamegraph::from_lines(&mut options, lines, &mut svg).ok()?;
    String::from_utf8(svg).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(instruction: u64, file: &str, line: u32) -> ProfiledPlace {
        ProfiledPlace {
            instruction,
            file: file.to_string(),
            line,
        }
    }

    fn profile() -> ProgramProfile {
        let cost = |instructions| Cost {
            instructions,
            covered: 1,
            ..Cost::default()
        };
        ProgramProfile {
            program: "a.bc".to_string(),
            command: "homi run\na.bc".to_string(),
            functions: vec![
                ProfiledFunction {
                    name: "main".to_string(),
                    place: place(0, "a.c", 3),
                    costs: vec![
                        (place(0, "a.c", 4), cost(7)),
                        (place(1, "a.h", 9), cost(2)),
                        (place(2, "a.c", 5), Cost::default()),
                    ],
                    calls: vec![ProfiledCall {
                        from: place(2, "a.c", 5),
                        callee: 1,
                        count: 3,
                        inclusive: cost(30),
                    }],
                },
                ProfiledFunction {
                    name: "f".to_string(),
                    place: place(3, "", 0),
                    costs: vec![(place(3, "", 0), cost(30))],
                    calls: Vec::new(),
                },
                ProfiledFunction::default(),
            ],
            stacks: vec![("main".to_string(), 9, 0), ("main;f".to_string(), 30, 4)],
        }
    }

    #[test]
    fn the_format_is_callgrinds() {
        let text = callgrind(&profile());
        let body = text.split_once("ob=a.bc\n").expect("the object's line").1;
        let expected = "fl=a.c\nfn=main\n0 4 7 1 0 0 0 0\nfi=a.h\n1 9 2 1 0 0 0 0\nfi=a.c\n\
            cfi=???\ncfn=f\ncalls=3 3 0\n2 5 30 1 0 0 0 0\n\n\
            fl=???\nfn=f\n3 0 30 1 0 0 0 0\n\ntotals: 39 3 0 0 0 0\n";
        assert_eq!(body, expected);
        assert!(text.contains("cmd: homi run a.bc\n"), "{text}");
        assert!(text.contains("positions: instr line\n"));
        assert!(text.contains("events: I Icov Iuncov Forks Q Qtime\n"));
    }

    #[test]
    fn flame_graphs_show_what_costs() {
        let profile = profile();
        let svg = flamegraph(&profile, "t", "instructions", |stack| stack.1).expect("a graph");
        assert!(
            svg.starts_with("<?xml") && svg.contains("f (30 instructions"),
            "{svg}"
        );
        let svg = flamegraph(&profile, "t", "microseconds", |stack| stack.2).expect("a graph");
        assert!(svg.contains("f (4 microseconds"), "{svg}");
        assert_eq!(flamegraph(&profile, "t", "", |_| 0), None);
    }
}
