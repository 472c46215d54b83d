//! A persistent sparse map from small integers to shared values.
//!
//! Invariant: a radix tree with 8 children per node; nodes are shared between clones and copied
//! when a clone writes below them. So cloning is one reference count, and a write after a clone
//! copies one path. `bury` marks an entry as never needed to change again: a leaf of buried entries
//! is dropped whole.

use std::sync::Arc;

const BITS: u32 = 3;
const FANOUT: usize = 1 << BITS;
const ALL_BURIED: u16 = ((1u32 << FANOUT) - 1) as u16;

/// Returns true if the shared part at this address is new to the visitor.
pub type Enter<'v> = dyn FnMut(usize) -> bool + 'v;
/// Visits an entry; gets `Enter` for the parts below it.
pub type SharedVisitor<'v, T> = dyn FnMut(&T, &mut Enter<'_>) + 'v;

#[derive(Debug)]
enum Node<T> {
    Inner([Option<Arc<Node<T>>>; FANOUT]),
    Leaf {
        entries: [Option<Arc<T>>; FANOUT],
        /// One bit for each entry that was buried.
        buried: u16,
    },
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Self {
        match self {
            Node::Inner(children) => Node::Inner(children.clone()),
            Node::Leaf { entries, buried } => Node::Leaf {
                entries: entries.clone(),
                buried: *buried,
            },
        }
    }
}

impl<T> Node<T> {
    fn empty(level: u32) -> Self {
        if level == 0 {
            Node::Leaf {
                entries: Default::default(),
                buried: 0,
            }
        } else {
            Node::Inner(Default::default())
        }
    }
}

fn child_of(key: u64, level: u32) -> usize {
    (key >> (BITS * level)) as usize & (FANOUT - 1)
}

/// The map.
#[derive(Debug)]
pub struct Radix<T> {
    root: Option<Arc<Node<T>>>,
    /// Levels above the leaves.
    height: u32,
}

impl<T> Clone for Radix<T> {
    fn clone(&self) -> Self {
        Radix {
            root: self.root.clone(),
            height: self.height,
        }
    }
}

impl<T> Default for Radix<T> {
    fn default() -> Self {
        Radix {
            root: None,
            height: 0,
        }
    }
}

impl<T> Radix<T> {
    fn covers(&self, key: u64) -> bool {
        let bits = BITS * (self.height + 1);
        bits >= 64 || key >> bits == 0
    }

    pub fn get(&self, key: u64) -> Option<&T> {
        if !self.covers(key) {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match &**node {
                Node::Inner(children) => node = children[child_of(key, level)].as_ref()?,
                Node::Leaf { entries, .. } => return entries[child_of(key, 0)].as_deref(),
            }
            level -= 1;
        }
    }

    /// True if both share all their nodes (or have none): neither has changed since one was cloned
    /// from the other.
    pub fn is_same_as(&self, other: &Radix<T>) -> bool {
        match (&self.root, &other.root) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (None, None) => true,
            _ => false,
        }
    }

    /// The keys, ascending, whose entries are not one shared value in both.
    pub fn differing(&self, other: &Radix<T>) -> Vec<u64> {
        let mut keys = Vec::new();
        let height = self.height.max(other.height);
        let roots = [(&self.root, self.height), (&other.root, other.height)];
        let roots = roots.map(|(root, own)| root.as_ref().map(|root| (root, own)));
        visit_differing(roots, height, 0, &mut |key| keys.push(key));
        keys
    }

    pub fn insert(&mut self, key: u64, value: T) {
        *self.slot(key) = Some(Arc::new(value));
    }

    /// The leaf entry of `key`, made if missing; clears its burial.
    fn slot(&mut self, key: u64) -> &mut Option<Arc<T>> {
        while !self.covers(key) {
            if let Some(old) = self.root.take() {
                let mut children: [Option<Arc<Node<T>>>; FANOUT] = Default::default();
                children[0] = Some(old);
                self.root = Some(Arc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let mut level = self.height;
        let mut link = &mut self.root;
        loop {
            let node = Arc::make_mut(link.get_or_insert_with(|| Arc::new(Node::empty(level))));
            match node {
                Node::Inner(children) => link = &mut children[child_of(key, level)],
                Node::Leaf { entries, buried } => {
                    let index = child_of(key, 0);
                    *buried &= !(1 << index);
                    return &mut entries[index];
                }
            }
            level -= 1;
        }
    }

    /// Removes an entry and the nodes that become empty.
    pub fn remove(&mut self, key: u64) -> Option<Arc<T>> {
        self.get(key)?;
        let (removed, empty) = remove_below(self.root.as_mut()?, key, self.height);
        if empty {
            self.root = None;
            self.height = 0;
        }
        removed
    }

    /// Replaces an entry by one that will not change any more; when all entries of a leaf are
    /// buried, they are forgotten: `get` finds nothing there.
    pub fn bury(&mut self, key: u64, value: T) {
        *self.slot(key) = Some(Arc::new(value));
        let height = self.height;
        if let Some(root) = self.root.as_mut() {
            if bury_below(root, key, height) {
                self.root = None;
                self.height = 0;
            }
        }
    }

    /// Visits all entries in ascending order of keys.
    pub fn for_each(&self, visit: &mut dyn FnMut(u64, &T)) {
        self.for_each_between(0, u64::MAX, visit);
    }

    /// Visits the entries with `first <= key <= last` in ascending order.
    pub fn for_each_between(&self, first: u64, last: u64, visit: &mut dyn FnMut(u64, &T)) {
        if let Some(root) = &self.root {
            walk(root, self.height, 0, first, last, visit);
        }
    }

    /// Replaces the entries for which `change` gives another one; parts without any stay shared.
    pub fn replace(&mut self, change: &mut dyn FnMut(&T) -> Option<T>) {
        if let Some(root) = &mut self.root
            && let Some(changed) = replace_below(root, change)
        {
            *root = changed;
        }
    }

    /// Visits entries whose nodes `enter` admits; `enter` gets the address of each shared node and
    /// entry, so that a caller can visit what several clones share once.
    pub fn for_each_shared(&self, enter: &mut Enter<'_>, visit: &mut SharedVisitor<'_, T>) {
        if let Some(root) = &self.root {
            walk_shared(root, enter, visit);
        }
    }
}

impl<T: Clone> Radix<T> {
    /// The entry, unshared.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        if !self.covers(key) {
            return None;
        }
        let mut level = self.height;
        let mut link = self.root.as_mut()?;
        loop {
            match Arc::make_mut(link) {
                Node::Inner(children) => link = children[child_of(key, level)].as_mut()?,
                Node::Leaf { entries, .. } => {
                    return entries[child_of(key, 0)].as_mut().map(Arc::make_mut);
                }
            }
            level -= 1;
        }
    }
}

/// Removes `key`; true if the node is empty now.
fn remove_below<T>(link: &mut Arc<Node<T>>, key: u64, level: u32) -> (Option<Arc<T>>, bool) {
    let index = child_of(key, level);
    match Arc::make_mut(link) {
        Node::Leaf { entries, .. } => {
            let removed = entries[index].take();
            (removed, entries.iter().all(Option::is_none))
        }
        Node::Inner(children) => {
            let Some(child) = children[index].as_mut() else {
                return (None, false);
            };
            let (removed, empty) = remove_below(child, key, level - 1);
            if empty {
                children[index] = None;
            }
            (removed, empty && children.iter().all(Option::is_none))
        }
    }
}

/// Buries `key`; true if the node can be dropped.
fn bury_below<T>(link: &mut Arc<Node<T>>, key: u64, level: u32) -> bool {
    let index = child_of(key, level);
    match Arc::make_mut(link) {
        Node::Leaf { buried, .. } => {
            *buried |= 1 << index;
            *buried == ALL_BURIED
        }
        Node::Inner(children) => {
            let Some(child) = children[index].as_mut() else {
                return false;
            };
            if !bury_below(child, key, level - 1) {
                return false;
            }
            children[index] = None;
            children.iter().all(Option::is_none)
        }
    }
}

fn walk<T>(
    node: &Node<T>,
    level: u32,
    prefix: u64,
    first: u64,
    last: u64,
    visit: &mut dyn FnMut(u64, &T),
) {
    let shift = BITS * level;
    #[allow(clippy::needless_range_loop)] // Two kinds of arrays share the loop.
    for index in 0..FANOUT {
        let low = prefix | (index as u64) << shift;
        let high = low | ((1u64 << shift) - 1);
        if high < first || low > last {
            continue;
        }
        match node {
            Node::Leaf { entries, .. } => {
                if let Some(value) = &entries[index] {
                    visit(low, value);
                }
            }
            Node::Inner(children) => {
                if let Some(child) = &children[index] {
                    walk(child, level - 1, low, first, last, visit);
                }
            }
        }
    }
}

/// A node, if there is one, and its level.
type LeveledNode<'n, T> = Option<(&'n Arc<Node<T>>, u32)>;

/// Visits the keys below two nodes whose entries differ. A node of a level lower than the one that
/// is looked at has all its keys at the beginning.
fn visit_differing<T>(
    nodes: [LeveledNode<'_, T>; 2],
    level: u32,
    prefix: u64,
    visit: &mut dyn FnMut(u64),
) {
    let [first, second] = nodes;
    let address = |node: LeveledNode<'_, T>| node.map(|(node, _)| Arc::as_ptr(node));
    let levels = |node: LeveledNode<'_, T>| node.map(|(_, level)| level);
    if address(first) == address(second) && levels(first) == levels(second) {
        return;
    }
    for index in 0..FANOUT {
        let key = prefix | (index as u64) << (BITS * level);
        if level == 0 {
            if entry(first, index) != entry(second, index) {
                visit(key);
            }
            continue;
        }
        let children = nodes.map(|node| child(node, level, index));
        visit_differing(children, level - 1, key, visit);
    }
}

/// The child of a node for the level below `level`.
fn child<T>(node: LeveledNode<'_, T>, level: u32, index: usize) -> LeveledNode<'_, T> {
    let (node, own) = node?;
    if own < level {
        return (index == 0).then_some((node, own));
    }
    match &**node {
        Node::Inner(children) => children[index].as_ref().map(|child| (child, own - 1)),
        Node::Leaf { .. } => None,
    }
}

/// The address of an entry of a leaf.
fn entry<T>(node: Option<(&Arc<Node<T>>, u32)>, index: usize) -> Option<*const T> {
    match &**node?.0 {
        Node::Leaf { entries, .. } => entries[index].as_ref().map(Arc::as_ptr),
        Node::Inner(_) => None,
    }
}

fn replace_below<T>(
    node: &Arc<Node<T>>,
    change: &mut dyn FnMut(&T) -> Option<T>,
) -> Option<Arc<Node<T>>> {
    let mut copy = None;
    match &**node {
        Node::Leaf { entries, .. } => {
            for (index, value) in entries.iter().enumerate() {
                if let Some(changed) = value.as_deref().and_then(&mut *change)
                    && let Node::Leaf { entries, .. } = copy.get_or_insert_with(|| (**node).clone())
                {
                    entries[index] = Some(Arc::new(changed));
                }
            }
        }
        Node::Inner(children) => {
            for (index, child) in children.iter().enumerate() {
                if let Some(child) = child
                    && let Some(changed) = replace_below(child, change)
                    && let Node::Inner(children) = copy.get_or_insert_with(|| (**node).clone())
                {
                    children[index] = Some(changed);
                }
            }
        }
    }
    copy.map(Arc::new)
}

fn walk_shared<T>(node: &Arc<Node<T>>, enter: &mut Enter<'_>, visit: &mut SharedVisitor<'_, T>) {
    if !enter(Arc::as_ptr(node) as usize) {
        return;
    }
    match &**node {
        Node::Leaf { entries, .. } => {
            for value in entries.iter().flatten() {
                if enter(Arc::as_ptr(value) as usize) {
                    visit(value, enter);
                }
            }
        }
        Node::Inner(children) => {
            for child in children.iter().flatten() {
                walk_shared(child, enter, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn behaves_like_a_map_and_clones_are_isolated() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(1);
        let mut versions: Vec<(Radix<u64>, BTreeMap<u64, u64>)> = vec![Default::default()];
        for step in 0..4000u64 {
            let which = random.random_range(0..versions.len());
            let key = match random.random_range(0..3) {
                0 => random.random_range(0..40),
                1 => random.random_range(0..2000),
                _ => random.random_range(0..1u64 << 40),
            };
            let (radix, model) = &mut versions[which];
            match random.random_range(0..5) {
                0 | 1 => {
                    radix.insert(key, step);
                    model.insert(key, step);
                }
                2 => {
                    let key = model.range(key..).next().map_or(key, |entry| *entry.0);
                    assert_eq!(radix.remove(key).as_deref(), model.remove(&key).as_ref());
                }
                3 => {
                    if let Some(value) = radix.get_mut(key) {
                        *value += 1;
                    }
                    if let Some(value) = model.get_mut(&key) {
                        *value += 1;
                    }
                }
                _ if versions.len() < 6 => {
                    let copy = versions[which].clone();
                    versions.push(copy);
                }
                _ => {
                    versions.remove(0);
                }
            }
        }
        for (radix, model) in &versions {
            let mut found = BTreeMap::new();
            radix.for_each(&mut |key, value| assert!(found.insert(key, *value).is_none()));
            assert_eq!(&found, model);
            let mut between = Vec::new();
            radix.for_each_between(10, 1000, &mut |key, _| between.push(key));
            assert_eq!(
                between,
                model
                    .range(10..=1000)
                    .map(|entry| *entry.0)
                    .collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn replacing_leaves_clones_and_other_parts_alone() {
        let mut radix = Radix::default();
        for key in [0u64, 5, 17, 300, 1 << 30] {
            radix.insert(key, key);
        }
        let before = radix.clone();
        radix.replace(&mut |value| (*value == 17).then_some(18));
        let values = |radix: &Radix<u64>| {
            let mut all = Vec::new();
            radix.for_each(&mut |key, value| all.push((key, *value)));
            all
        };
        assert_eq!(before.get(17), Some(&17));
        assert_eq!(
            values(&radix),
            [(0, 0), (5, 5), (17, 18), (300, 300), (1 << 30, 1 << 30)]
        );
        let place = |radix: &Radix<u64>, key| std::ptr::from_ref(radix.get(key).unwrap());
        assert_eq!(place(&radix, 300), place(&before, 300));
        assert_ne!(place(&radix, 17), place(&before, 17));
    }

    #[test]
    fn differing_keys_are_those_that_one_of_two_has_changed() {
        let mut first = Radix::default();
        for key in [0u64, 5, 17, 300] {
            first.insert(key, key);
        }
        let mut second = first.clone();
        assert!(first.differing(&second).is_empty());
        second.insert(17, 1);
        second.insert(1 << 30, 2);
        first.remove(300);
        assert_eq!(first.differing(&second), [17, 300, 1 << 30]);
        assert_eq!(second.differing(&first), [17, 300, 1 << 30]);
        assert_eq!(Radix::default().differing(&first), [0, 5, 17]);
    }

    #[test]
    fn a_leaf_of_buried_entries_is_forgotten() {
        let mut radix = Radix::default();
        for key in 0..100u64 {
            radix.insert(key, key);
        }
        for key in 0..64 {
            radix.bury(key, key);
        }
        assert_eq!(radix.get(3), None);
        assert_eq!(radix.get(63), None);
        assert_eq!(radix.get(64), Some(&64));
        radix.bury(64, 1);
        assert_eq!(radix.get(64), Some(&1));
    }
}
