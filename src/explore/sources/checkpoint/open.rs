//! Data of an open state except its decisions, and the encoding of a set of states.

use super::collector::Collector;
use super::tree::{DecisionTree, NodeId, StoredNode};
use homi_ir::program::FuncId;
use homi_machine::state::State;
use serde::{Deserialize, Serialize};

/// First action of a state when it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Waits {
    /// The state continues.
    ForNothing,
    /// The state is a pending side: its feasibility is checked.
    ForSide,
    /// The state ends: it shows a bug.
    ForEnd,
}

impl Waits {
    /// Returns the first action of a state.
    pub fn of(state: &State) -> Self {
        match (&state.pending_check, &state.ending) {
            (Some(_), _) => Waits::ForSide,
            (None, Some(_)) => Waits::ForEnd,
            (None, None) => Waits::ForNothing,
        }
    }
}

/// A state that waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenState {
    /// Its decisions.
    pub node: NodeId,
    /// Number of instructions that its path has executed.
    pub instructions: u64,
    pub waits: Waits,
    /// Code location, for messages.
    pub function: FuncId,
    pub pc: u32,
}

/// States that wait.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    pub tree: DecisionTree,
    /// In the order of their nodes.
    pub states: Vec<OpenState>,
}

impl Frontier {
    /// The state with which a program begins.
    pub fn start() -> Self {
        let state = OpenState {
            node: DecisionTree::ROOT,
            instructions: 0,
            waits: Waits::ForNothing,
            function: FuncId(0),
            pc: 0,
        };
        Self {
            tree: DecisionTree::default(),
            states: vec![state],
        }
    }

    /// Some of the states, by their places.
    pub fn part(&self, places: std::ops::Range<usize>) -> Self {
        let mut collector = Collector::default();
        collector.adopt(&self.tree, self.states.get(places).into_iter().flatten());
        collector.finish()
    }

    /// Returns the union of the states and others.
    pub fn with(&self, other: &Self) -> Self {
        let mut collector = Collector::default();
        collector.adopt(&self.tree, &self.states);
        collector.adopt(&other.tree, &other.states);
        collector.finish()
    }
}

/// A state in a file. Node and instructions are stored as the difference to the state before.
#[derive(Serialize, Deserialize)]
struct StoredState {
    node: u32,
    instructions: i64,
    waits: Waits,
    function: u32,
    pc: u32,
}

impl Frontier {
    /// The states in a few bytes each.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut node, mut instructions) = (0u32, 0u64);
        let mut stored = Vec::with_capacity(self.states.len());
        for state in &self.states {
            stored.push(StoredState {
                node: state.node.0.wrapping_sub(node),
                instructions: state.instructions.wrapping_sub(instructions) as i64,
                waits: state.waits,
                function: state.function.0,
                pc: state.pc,
            });
            (node, instructions) = (state.node.0, state.instructions);
        }
        // Numbers, texts and lists of them have a form always.
        postcard::to_stdvec(&(self.tree.stored(), stored)).unwrap_or_default()
    }

    /// Returns `None` if the bytes are not states.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (nodes, stored): (Vec<StoredNode>, Vec<StoredState>) =
            postcard::from_bytes(bytes).ok()?;
        let tree = DecisionTree::restored(nodes)?;
        let (mut node, mut instructions) = (0u32, 0u64);
        let mut states = Vec::with_capacity(stored.len());
        for state in stored {
            node = node.wrapping_add(state.node);
            instructions = instructions.wrapping_add(state.instructions as u64);
            if node as usize >= tree.len() {
                return None;
            }
            states.push(OpenState {
                node: NodeId(node),
                instructions,
                waits: state.waits,
                function: FuncId(state.function),
                pc: state.pc,
            });
        }
        Some(Self { tree, states })
    }
}
