//! The program's cost per instruction and per call, summed over all runs: `--write-callgrind`.
//!
//! Made from what the executor counts anyway: entries of straight runs of code, instructions by
//! call path, queries by instruction. So profiling costs nothing while code runs, only when sums
//! are made. An instruction counts once per entry of its run of code; what a fork in the middle of
//! one executes again is not in it (it is in the instructions by call path, from which costs of
//! calls and flame graphs come).

use homi_ir::program::{Callee, FuncId, Function, Inst, LocId, Origin, Program};
use homi_machine::exec::{CallPaths, Observer, Segments, SiteCounts};
use homi_machine::state::CallPathId;
use homi_report::{Cost, ProfiledCall, ProfiledFunction, ProfiledPlace, ProgramProfile};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Call paths that the flame graph tells apart; of more, the cheapest are left out.
const MOST_STACKS: usize = 200_000;

/// Sums over runs.
#[derive(Clone)]
pub(in crate::engine) struct Profile {
    entries: Vec<u64>,
    call_paths: CallPaths,
    sites: FxHashMap<(CallPathId, u32), SiteCounts>,
    /// Calls through pointers, by caller, instruction and callee.
    indirect: FxHashMap<(FuncId, u32, FuncId), u64>,
}

impl Profile {
    pub(in crate::engine) fn new(segments: &Segments, entry: FuncId) -> Self {
        Self {
            entries: vec![0; segments.segment_count()],
            call_paths: CallPaths::new(entry),
            sites: FxHashMap::default(),
            indirect: FxHashMap::default(),
        }
    }

    /// Adds what a run counted since its start.
    pub(in crate::engine) fn add(&mut self, now: &Observer, start: &Observer) {
        let entries = now.segment_entries.iter().zip(&start.segment_entries);
        for (sum, (now, start)) in self.entries.iter_mut().zip(entries) {
            *sum += now - start;
        }
        let mut own = vec![CallPathId(0); now.call_paths.len()];
        for index in 0..now.call_paths.len() {
            let node = now.call_paths.node(CallPathId::new(index));
            if index != 0 {
                let parent = own[node.parent.index()];
                own[index] = self.call_paths.enter(parent, node.site, node.function);
            }
            let before = if index < start.call_paths.len() {
                start.call_paths.instructions(CallPathId::new(index))
            } else {
                0
            };
            let executed = node.instructions.saturating_sub(before);
            self.call_paths.add_instructions(own[index], executed);
        }
        let earlier: FxHashMap<_, _> = start
            .sites
            .iter()
            .map(|(path, pc, counts)| ((path, pc), counts))
            .collect();
        for (path, pc, counts) in now.sites.iter() {
            let before = earlier.get(&(path, pc)).copied().unwrap_or_default();
            let site = (own[path.index()], pc);
            self.sites
                .entry(site)
                .or_default()
                .add(counts.since(before));
        }
        for (call, count) in now.sites.indirect_calls() {
            let before = start.sites.indirect_count(call);
            *self.indirect.entry(call).or_default() += count.saturating_sub(before);
        }
    }

    /// The profile for writers.
    pub(in crate::engine) fn describe(
        &self,
        program: &Program,
        segments: &Segments,
        command: &str,
    ) -> ProgramProfile {
        let (own, inclusive) = self.costs_by_path();
        let mut functions = self.functions(program, segments);
        for (edge, inclusive) in self.calls(&inclusive) {
            let (caller, pc, callee) = edge;
            let function = program.function(caller);
            let number = segments.instruction_number(caller, pc);
            functions[caller.index()].calls.push(ProfiledCall {
                from: place_of(program, function, pc, number),
                callee: callee.index(),
                count: self.count_of_call(program, segments, edge),
                inclusive,
            });
        }
        ProgramProfile {
            program: program.name.clone(),
            command: command.to_string(),
            functions,
            stacks: self.stacks(program, &own),
        }
    }

    /// Cost of each call path alone, and with what was called from it.
    fn costs_by_path(&self) -> (Vec<Cost>, Vec<Cost>) {
        let count = self.call_paths.len();
        let mut own: Vec<Cost> = (0..count)
            .map(|index| Cost {
                instructions: self.call_paths.instructions(CallPathId::new(index)),
                ..Cost::default()
            })
            .collect();
        for ((path, _), counts) in &self.sites {
            own[path.index()].add(site_cost(*counts));
        }
        let mut inclusive = own.clone();
        // A node is made after its parent, so its number is greater.
        for index in (1..count).rev() {
            let parent = self.call_paths.node(CallPathId::new(index)).parent;
            let cost = inclusive[index];
            inclusive[parent.index()].add(cost);
        }
        (own, inclusive)
    }

    /// Returns all functions with their exclusive costs.
    fn functions(&self, program: &Program, segments: &Segments) -> Vec<ProfiledFunction> {
        let mut sites: FxHashMap<(FuncId, u32), Cost> = FxHashMap::default();
        for ((path, pc), counts) in &self.sites {
            let function = self.call_paths.node(*path).function;
            let cost = sites.entry((function, *pc)).or_default();
            cost.add(site_cost(*counts));
        }
        let functions = program.functions.iter().enumerate();
        functions
            .map(|(index, function)| {
                let id = FuncId::new(index);
                let number = |pc| segments.instruction_number(id, pc);
                let counts = function.origin == Origin::Program;
                let costs = function.code.iter().enumerate().map(|(pc, inst)| {
                    let pc = pc as u32;
                    let entries = self.entries[segments.segment(id, pc) as usize];
                    let coverable = counts && !matches!(inst, Inst::Unreachable);
                    let mut cost = sites.get(&(id, pc)).copied().unwrap_or_default();
                    cost.instructions = entries;
                    cost.covered = u64::from(coverable && entries != 0);
                    cost.uncovered = u64::from(coverable && entries == 0);
                    (place_of(program, function, pc, number(pc)), cost)
                });
                ProfiledFunction {
                    name: function.name.clone(),
                    costs: costs.collect(),
                    place: place(program, function.location, number(0)),
                    calls: Vec::new(),
                }
            })
            .collect()
    }

    /// Cost of what was called, by caller, instruction and callee. A path holds an edge at most
    /// once (recursion folds), so nothing counts twice.
    fn calls(&self, inclusive: &[Cost]) -> BTreeMap<(FuncId, u32, FuncId), Cost> {
        let mut calls: BTreeMap<_, Cost> = BTreeMap::new();
        for (index, cost) in inclusive.iter().enumerate().skip(1) {
            let node = self.call_paths.node(CallPathId::new(index));
            let caller = self.call_paths.node(node.parent).function;
            let edge = (caller, node.site, node.function);
            calls.entry(edge).or_default().add(*cost);
        }
        calls
    }

    /// Returns the number of calls of a function at a code location: for a direct call, the number
    /// of times that its run of code was entered.
    fn count_of_call(
        &self,
        program: &Program,
        segments: &Segments,
        (caller, pc, callee): (FuncId, u32, FuncId),
    ) -> u64 {
        let function = program.function(caller);
        match function.code.get(pc as usize) {
            Some(Inst::Call { site })
                if function.calls[*site as usize].callee == Callee::Direct(callee) =>
            {
                self.entries[segments.segment(caller, pc) as usize]
            }
            _ => {
                let counted = self.indirect.get(&(caller, pc, callee));
                counted.copied().unwrap_or(1)
            }
        }
    }

    /// Each call path as names from the outermost function on, with its own instructions and
    /// microseconds.
    fn stacks(&self, program: &Program, own: &[Cost]) -> Vec<(String, u64, u64)> {
        let mut chosen: Vec<usize> = (0..own.len())
            .filter(|index| own[*index].instructions != 0)
            .collect();
        if chosen.len() > MOST_STACKS {
            chosen.sort_by_key(|index| std::cmp::Reverse(own[*index].instructions));
            chosen.truncate(MOST_STACKS);
            chosen.sort_unstable();
        }
        chosen
            .into_iter()
            .map(|index| {
                let mut names = Vec::new();
                let mut at = CallPathId::new(index);
                loop {
                    let node = self.call_paths.node(at);
                    names.push(program.function(node.function).name.as_str());
                    if at == node.parent {
                        break;
                    }
                    at = node.parent;
                }
                names.reverse();
                let cost = own[index];
                (names.join(";"), cost.instructions, cost.solver_time)
            })
            .collect()
    }
}

fn site_cost(counts: SiteCounts) -> Cost {
    Cost {
        forks: counts.forks,
        queries: counts.queries,
        solver_time: u64::try_from(counts.solver.as_micros()).unwrap_or(u64::MAX),
        ..Cost::default()
    }
}

/// Returns the location of an instruction; without a line it is in its function's file.
fn place_of(program: &Program, function: &Function, pc: u32, number: u64) -> ProfiledPlace {
    let location = function.locations.get(pc as usize);
    let own = place(program, location.copied().unwrap_or(LocId(0)), number);
    if own.line != 0 {
        return own;
    }
    ProfiledPlace {
        file: place(program, function.location, number).file,
        ..own
    }
}

fn place(program: &Program, location: LocId, instruction: u64) -> ProfiledPlace {
    let location = program.location(location);
    let file = program.files.get(location.file as usize);
    ProfiledPlace {
        instruction,
        file: file
            .filter(|_| location.line != 0)
            .cloned()
            .unwrap_or_default(),
        line: location.line,
    }
}
