//! The order in which functions run before and after `main`.
//!
//! Invariant: `.preinit_array` first; then each shared object's, in the order in which a loader
//! starts them, and the executable's last; in each by priority, then by object, then what the
//! compiler lists before what the source puts into `.init_array` itself. Where the native
//! executable shows its order, which depends on how it was compiled, that counts.

use super::super::c_api::Value;
use super::super::link::native::module_of;
use super::{Lowering, resolve_function};
use homi_ir::program::FuncId;
use std::collections::{BTreeMap, VecDeque};

/// Priority of functions without one.
const LAST: u64 = 65535;

/// A function that runs before or after `main`.
struct Listed {
    function: Value,
    /// Executable or shared object, priority, module and kind of list.
    order: (usize, u64, usize, usize),
}

impl Listed {
    fn new(function: Value, priority: u64, kind: usize) -> Listed {
        // The runtime's come first.
        let (started, module) = module_of(function).unwrap_or_default();
        Listed {
            function,
            order: (started, priority, module, kind),
        }
    }
}

impl Lowering<'_> {
    /// The functions that run before `main`, in their order.
    pub(super) fn constructors(&mut self) -> Vec<FuncId> {
        let mut first = self.listed(".preinit_array");
        first.sort_by_key(|listed| listed.order);
        let mut found = self.structors("llvm.global_ctors");
        found.extend(self.listed(".init_array"));
        found.sort_by_key(|listed| listed.order);
        let found = as_natively(found, self.roots.constructors);
        first.extend(found);
        self.ids(&first)
    }

    /// The functions that run after `main`, in their order.
    pub(super) fn destructors(&mut self) -> Vec<FuncId> {
        let mut found = self.structors("llvm.global_dtors");
        found.extend(self.listed(".fini_array"));
        found.sort_by_key(|listed| listed.order);
        found.reverse();
        self.ids(&found)
    }

    fn ids(&mut self, listed: &[Listed]) -> Vec<FuncId> {
        let functions = listed.iter();
        functions
            .map(|listed| self.function_id(listed.function))
            .collect()
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors`.
    fn structors(&self, name: &str) -> Vec<Listed> {
        let Some(list) = self.module.global(name).and_then(Value::initializer) else {
            return Vec::new();
        };
        let entries = (0..).map_while(|index| list.aggregate_element(index));
        let listed = entries.filter_map(|entry| {
            let function = resolve_function(entry.aggregate_element(1)?)?;
            let priority = entry.aggregate_element(0)?.const_u64();
            Some(Listed::new(function, priority, 0))
        });
        listed.collect()
    }

    /// The functions whose addresses the program itself puts into a section that the linker makes a
    /// list of (`.init_array`), by the number behind its name.
    fn listed(&self, section: &str) -> Vec<Listed> {
        let mut found = Vec::new();
        for global in self.module.globals() {
            let name = global.section();
            let rest = name
                .strip_prefix(section)
                .filter(|_| !global.is_declaration());
            let (Some(rest), Some(value)) = (rest, global.initializer()) else {
                continue;
            };
            let number = rest
                .strip_prefix('.')
                .and_then(|number| number.parse().ok());
            let elements = (0..).map_while(|index| value.aggregate_element(index));
            let mut elements: Vec<Value> = elements.collect();
            if elements.is_empty() {
                elements.push(value);
            }
            let functions = elements.into_iter().filter_map(resolve_function);
            found.extend(functions.map(|one| Listed::new(one, number.unwrap_or(LAST), 1)));
        }
        found
    }
}

/// Puts the executable's functions, the last, into the order of these names; they stay as they are
/// if one is not among them.
fn as_natively(mut listed: Vec<Listed>, names: &[String]) -> Vec<Listed> {
    let Some(executable) = listed.last().map(|last| last.order.0) else {
        return listed;
    };
    let mut places: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for (place, name) in names.iter().enumerate() {
        places.entry(name).or_default().push_back(place);
    }
    let first = listed.partition_point(|one| one.order.0 < executable);
    let own = listed[first..].iter().map(|one| {
        let name = one.function.name();
        // LLVM's linker numbers functions of one name that are their modules' own.
        let stem = name.rsplit_once('.').map_or("", |(stem, _)| stem);
        let known = if places.contains_key(name.as_str()) {
            name.as_str()
        } else {
            stem
        };
        places.get_mut(known).and_then(VecDeque::pop_front)
    });
    let Some(order) = own.collect::<Option<Vec<usize>>>() else {
        return listed;
    };
    let mut own: Vec<_> = order.into_iter().zip(listed.drain(first..)).collect();
    own.sort_by_key(|(place, _)| *place);
    listed.extend(own.into_iter().map(|(_, one)| one));
    listed
}
