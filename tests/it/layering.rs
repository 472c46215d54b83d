//! Rooms use exactly the rooms that ARCHITECTURE.md's table says, and no two use each other.
//!
//! The table stands after the marker `<!-- layering-table -->`, one row per room:
//! `| room | what it owns | room, room |`. What rooms really use is read from the syntax trees of
//! the modules that `src/lib.rs` declares: `use` items, and paths from the crate's root in
//! expressions, types and macros. Items for tests only (`#[cfg(test)]`) do not count.

use crate::support::root;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemMod, ItemUse, MetaList, UseTree};

/// The rooms that a room uses, each with a file in which it does.
type Uses = BTreeMap<String, PathBuf>;

/// True if an attribute keeps the item for tests: `#[cfg(test)]`.
pub(crate) fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|condition| condition.is_ident("test"))
    })
}

pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Reads modules and notes which rooms their paths lead to.
struct Reader {
    /// Where the code being read stands: the names of the modules from the crate's root.
    module: Vec<String>,
    file: PathBuf,
    /// The folder in which the module's own modules have their files.
    folder: PathBuf,
    rooms: BTreeMap<String, Uses>,
}

impl Reader {
    /// A reader of code that stands in this module.
    fn new(module: &[&str], file: PathBuf, folder: PathBuf) -> Self {
        Self {
            module: module.iter().map(ToString::to_string).collect(),
            file,
            folder,
            rooms: BTreeMap::new(),
        }
    }

    /// A path written in this module, by its names; `crate`, `self` and `super` lead to the root.
    fn note(&mut self, path: &[String]) {
        let mut place = self.module.clone();
        let mut names = path.iter();
        let reached = loop {
            match names.next().map(String::as_str) {
                Some("crate") => place.clear(),
                Some("self") => {}
                Some("super") => {
                    place.pop();
                }
                other => break other,
            }
        };
        let relative = matches!(path[0].as_str(), "crate" | "self" | "super");
        if let (true, true, Some(to)) = (relative, place.is_empty(), reached)
            && let Some(room) = self.module.first().filter(|room| *room != to)
        {
            let uses = self.rooms.entry(room.clone()).or_default();
            uses.entry(to.to_string())
                .or_insert_with(|| self.file.clone());
        }
    }

    fn use_tree(&mut self, before: &[String], tree: &UseTree) {
        let mut path = before.to_vec();
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.use_tree(&path, &part.tree);
            }
            UseTree::Name(part) => {
                path.push(part.ident.to_string());
                self.note(&path);
            }
            UseTree::Rename(part) => {
                path.push(part.ident.to_string());
                self.note(&path);
            }
            // `use crate::*` would be a use of everything: a room called `*`, which has no row.
            UseTree::Glob(_) => {
                path.push("*".to_string());
                self.note(&path);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(&path, tree);
                }
            }
        }
    }

    /// Paths among the tokens of a macro, which have no syntax tree.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end_path(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.end_path(&mut path);
                    self.tokens(group.stream());
                }
                _ => self.end_path(&mut path),
            }
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        if !path.is_empty() {
            self.note(path);
        }
        path.clear();
    }

    /// The file of a module declared here.
    fn file_of(&self, name: &str) -> PathBuf {
        let file = self.folder.join(format!("{name}.rs"));
        if file.exists() {
            return file;
        }
        self.folder.join(name).join("mod.rs")
    }

    /// Reads a module's file and the files of its modules.
    fn read(&mut self, file: PathBuf) {
        let text = fs::read_to_string(&file).expect("a declared module has a file");
        let tree = syn::parse_file(&text).expect("a source file is Rust");
        self.file = file;
        self.visit_file(&tree);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if !for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Const(item) => &item.attrs,
            _ => &[],
        };
        if !for_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let name = item.ident.to_string();
        let (file, folder) = (self.file.clone(), self.folder.clone());
        self.module.push(name.clone());
        if self.module.len() == 1 {
            self.rooms.entry(name.clone()).or_default();
        }
        self.folder = folder.join(&name);
        match &item.content {
            Some(_) => visit::visit_item_mod(self, item),
            None => {
                self.folder = folder.clone();
                let declared = self.file_of(&name);
                self.folder = folder.join(&name);
                self.read(declared);
            }
        }
        self.module.pop();
        (self.file, self.folder) = (file, folder);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.use_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|part| part.ident.to_string())
            .collect();
        self.note(&names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    fn visit_meta_list(&mut self, list: &'ast MetaList) {
        self.tokens(list.tokens.clone());
        visit::visit_meta_list(self, list);
    }
}

/// What each room uses, according to the code.
static ACTUAL: LazyLock<BTreeMap<String, Uses>> = LazyLock::new(|| {
    let source = root().join("src");
    let mut reader = Reader::new(&[], PathBuf::new(), source.clone());
    reader.read(source.join("lib.rs"));
    reader.rooms
});

/// What each room uses, according to ARCHITECTURE.md.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    let (_, table) = text
        .split_once("<!-- layering-table -->")
        .expect("ARCHITECTURE.md has the table's marker");
    let rows = table
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2);
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (room, uses) = (cells.first()?.trim_matches('`'), cells.get(2)?);
        let uses = uses
            .split(',')
            .map(|name| name.trim().trim_matches('`').to_string())
            .filter(|name| !name.is_empty() && name != "-");
        Some((room.to_string(), uses.collect()))
    };
    rows.map(|line| row(line).expect("a row has three cells"))
        .collect()
}

/// A chain of rooms, each of which uses the next, that comes back to its start.
fn cycle(rooms: &BTreeMap<String, Uses>) -> Option<Vec<String>> {
    fn search(
        rooms: &BTreeMap<String, Uses>,
        room: &str,
        chain: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        let met = chain.iter().position(|earlier| earlier == room);
        chain.push(room.to_string());
        if let Some(start) = met {
            chain.drain(..start);
            return true;
        }
        let mut uses = rooms.get(room).into_iter().flat_map(BTreeMap::keys);
        if !done.contains(room) && uses.any(|to| search(rooms, to, chain, done)) {
            return true;
        }
        done.insert(room.to_string());
        chain.pop();
        false
    }
    let mut done = BTreeSet::new();
    let mut chain = Vec::new();
    rooms
        .keys()
        .any(|room| search(rooms, room, &mut chain, &mut done))
        .then_some(chain)
}

#[test]
fn rooms_use_exactly_what_the_table_says() {
    let (actual, documented) = (&*ACTUAL, documented());
    let mut wrong = Vec::new();
    for (room, uses) in actual {
        let Some(row) = documented.get(room) else {
            wrong.push(format!("room `{room}` has no row"));
            continue;
        };
        for (to, file) in uses.iter().filter(|(to, _)| !row.contains(*to)) {
            wrong.push(format!(
                "`{room}` may not use `{to}`, and {} does",
                file.strip_prefix(root()).unwrap_or(file).display()
            ));
        }
        for to in row.iter().filter(|to| !uses.contains_key(*to)) {
            wrong.push(format!(
                "the row of `{room}` has `{to}`, which it does not use"
            ));
        }
    }
    for room in documented.keys().filter(|room| !actual.contains_key(*room)) {
        wrong.push(format!("the row of `{room}` has no room"));
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "ARCHITECTURE.md's table:\n{wrong}");
}

#[test]
fn no_rooms_use_each_other() {
    let found = cycle(&ACTUAL);
    assert_eq!(found, None, "a cycle");
}

#[test]
fn the_table_forbids_what_the_design_forbids() {
    let documented = documented();
    let forbids = |room: &str, to: &str| {
        let uses = documented.get(room).expect("the room has a row");
        assert!(!uses.contains(to), "`{room}` must not use `{to}`");
    };
    for room in documented.keys() {
        forbids(room, "cli");
        if room != "cli" {
            forbids(room, "session");
        }
        if !["cli", "session"].contains(&room.as_str()) {
            forbids(room, "bitcode");
        }
    }
    for to in ["state", "exec", "expr", "solver", "engine"] {
        forbids("search", to);
    }
    for to in ["exec", "state", "solver", "engine", "program"] {
        forbids("expr", to);
    }
    forbids("exec", "engine");
    forbids("exec", "env");
    forbids("memory", "exec");
    forbids("replay", "exec");
    forbids("solver", "exec");
    forbids("solver", "state");
}

#[test]
fn uses_are_found_wherever_they_stand() {
    let text = r#"
        use crate::{a::{B, C}, b as other};
        use super::super::c::D;
        use super::own::E;
        pub(crate) use std::fs;
        #[cfg(test)]
        mod tests { use crate::hidden::F; }
        fn after(x: crate::d::G) -> [crate::e::H; 2] { crate::f::call::<crate::g::I>(x) }
        impl X { #[cfg(test)] fn only_tests() { crate::hidden::call() } }
        macro_rules! text { () => { $crate::h::call(a::b, crate::i::J { x: 1 }) } }
        // crate::hidden
        fn said() { format!("crate::hidden {}", crate::j::name()); super::super::k::call() }
        mod inner { use super::super::super::l::K; use super::own; }
    "#;
    let mut reader = Reader::new(&["room", "part"], PathBuf::new(), PathBuf::new());
    reader.visit_file(&syn::parse_file(text).expect("the text is Rust"));
    let used: Vec<&str> = reader.rooms["room"].keys().map(String::as_str).collect();
    let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    assert_eq!(used, all);
}

#[test]
fn a_cycle_is_found_and_named() {
    let rooms = |edges: &[(&str, &str)]| {
        let mut rooms: BTreeMap<String, Uses> = BTreeMap::new();
        for (from, to) in edges {
            let uses = rooms.entry(from.to_string()).or_default();
            uses.insert(to.to_string(), PathBuf::new());
        }
        rooms
    };
    assert_eq!(cycle(&rooms(&[("a", "b"), ("a", "c"), ("b", "c")])), None);
    let found = cycle(&rooms(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]));
    assert_eq!(found, Some(["b", "c", "d", "b"].map(String::from).to_vec()));
}
