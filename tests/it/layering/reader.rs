//! Names that the modules of `src/` use of each other, read from their syntax trees.
//!
//! Each group is a crate; its modules are known by the group's name first. `use` items count, and
//! paths that begin with a group's crate, `crate`, `self` or `super` in expressions, types,
//! attributes and macros. A name that a module re-exports counts for the module that defines it.
//! Items for tests only (`#[cfg(test)]`) do not count.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemMod, ItemUse, MetaList, UseTree, Visibility};

/// The group and the names of a module from its root; a group's root has the group's name alone.
pub type Module = Vec<String>;

/// Prefix of the names of the groups' crates.
const CRATES: &str = "homi_";

/// Names that the modules of all groups use of each other.
#[derive(Default)]
pub struct Source {
    /// Each module that has a file, with that file.
    pub files: BTreeMap<Module, PathBuf>,
    /// From the module of a file to an absolute path that the file names.
    named: BTreeSet<(Module, Vec<String>)>,
    /// Names that a module re-exports, with the absolute path of what they stand for.
    exports: BTreeMap<(Module, String), Vec<String>>,
}

impl Source {
    /// Reads the groups in this folder.
    pub fn read(folder: &Path) -> Self {
        let mut reader = Reader::new(&[], folder.to_path_buf());
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        for entry in entries.filter(|entry| entry.path().is_dir()) {
            let group = entry.file_name().to_string_lossy().into_owned();
            reader.place = vec![group.clone()];
            reader.read_module(&group);
        }
        reader.found
    }

    /// Edges between files: the module of each file, and those whose files define what it names.
    pub fn edges(&self) -> BTreeSet<(Module, Module)> {
        let edges = self.named.iter().map(|(from, path)| {
            let to = self.definition(path, 0);
            (from.clone(), to)
        });
        edges
            .filter(|(from, to)| from != to && !to.is_empty())
            .collect()
    }

    /// The module whose file defines what a path names.
    fn definition(&self, path: &[String], followed: usize) -> Module {
        let known = (0..=path.len()).rev();
        let mut known = known.filter(|length| self.files.contains_key(&path[..*length]));
        let length = known.next().unwrap_or(0);
        let (module, rest) = path.split_at(length);
        let Some(name) = rest.first().filter(|_| followed < 8) else {
            return module.to_vec();
        };
        match self.exports.get(&(module.to_vec(), name.clone())) {
            Some(target) => {
                let further = target.iter().chain(&rest[1..]).cloned().collect::<Vec<_>>();
                self.definition(&further, followed + 1)
            }
            None => module.to_vec(),
        }
    }
}

/// True if an attribute keeps the item for tests: `#[cfg(test)]`.
pub fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|condition| condition.is_ident("test"))
    })
}

pub fn attributes(item: &Item) -> &[Attribute] {
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

/// Reads modules and notes the paths in them.
struct Reader {
    /// Module whose code is read, with its inline modules.
    place: Module,
    /// The module of the file.
    file: Module,
    /// The folder in which the module's own modules have their files.
    folder: PathBuf,
    found: Source,
}

impl Reader {
    fn new(module: &[&str], folder: PathBuf) -> Self {
        let module: Module = module.iter().map(ToString::to_string).collect();
        Self {
            place: module.clone(),
            file: module,
            folder,
            found: Source::default(),
        }
    }

    /// The absolute form of a path as it is written here, unless it begins with a plain name.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut place = self.place.clone();
        let mut names = path.iter().peekable();
        if let Some(group) = path[0].strip_prefix(CRATES) {
            let group = std::iter::once(group.to_string());
            return Some(group.chain(path[1..].iter().cloned()).collect());
        }
        if !matches!(path[0].as_str(), "crate" | "self" | "super") {
            return None;
        }
        while let Some(name) = names.peek() {
            match name.as_str() {
                "crate" => place.truncate(1),
                "self" => {}
                "super" => {
                    place.pop();
                }
                _ => break,
            }
            names.next();
        }
        place.extend(names.cloned());
        Some(place)
    }

    fn note(&mut self, path: &[String]) {
        // The `crate` of a visibility.
        if path == ["crate"] {
            return;
        }
        if let Some(path) = self.absolute(path) {
            self.found.named.insert((self.file.clone(), path));
        }
    }

    /// One leaf of a `use` item. `name`: by which it is known here.
    fn import(&mut self, path: &[String], name: &str, exported: bool) {
        // `use child::Name` and `use crate::...`; another crate's name leads to no module of ours.
        let absolute = self.absolute(path).unwrap_or_else(|| {
            let here = self.place.iter().chain(path);
            here.cloned().collect()
        });
        self.note(path);
        if exported && self.place == self.file {
            let key = (self.file.clone(), name.to_string());
            self.found.exports.insert(key, absolute);
        }
    }

    fn use_tree(&mut self, before: &[String], tree: &UseTree, exported: bool) {
        let mut path = before.to_vec();
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.use_tree(&path, &part.tree, exported);
            }
            UseTree::Name(part) => {
                path.push(part.ident.to_string());
                self.import(&path, &part.ident.to_string(), exported);
            }
            UseTree::Rename(part) => {
                path.push(part.ident.to_string());
                self.import(&path, &part.rename.to_string(), exported);
            }
            UseTree::Glob(_) => self.note(&path),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(&path, tree, exported);
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

    /// Reads a module's file and the files of its modules.
    fn read(&mut self, file: PathBuf) {
        let text = fs::read_to_string(&file).expect("a declared module has a file");
        let tree = syn::parse_file(&text).expect("a source file is Rust");
        self.found.files.insert(self.file.clone(), file);
        self.visit_file(&tree);
    }

    /// Reads a module that has a file of its own.
    fn read_module(&mut self, name: &str) {
        let mut file = self.folder.join(format!("{name}.rs"));
        if !file.exists() {
            file = self.folder.join(name).join("mod.rs");
        }
        let outer = (self.file.clone(), self.folder.clone());
        self.file = self.place.clone();
        self.folder.push(name);
        self.read(file);
        (self.file, self.folder) = outer;
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
        self.place.push(name.clone());
        match &item.content {
            Some(_) => visit::visit_item_mod(self, item),
            None => self.read_module(&name),
        }
        self.place.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let exported = !matches!(item.vis, Visibility::Inherited);
        self.use_tree(&[], &item.tree, exported);
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

#[test]
fn paths_are_found_wherever_they_stand() {
    let text = r#"
        use homi_a::{B, C}; use crate::{b::B, c as other};
        use super::super::d::D;
        use super::own::E;
        pub(crate) use std::fs;
        #[cfg(test)]
        mod tests { use homi_hidden::F; }
        fn after(x: homi_d::G) -> [homi_e::H; 2] { homi_f::call::<homi_g::I>(x) }
        impl X { #[cfg(test)] fn only_tests() { homi_hidden::call() } }
        macro_rules! text { () => { $crate::h::call(a::b, homi_i::J { x: 1 }) } }
        // homi_hidden
        fn said() { format!("homi_hidden {}", homi_j::name()); super::super::k::call() }
        mod inner { use super::super::super::l::K; use super::own; }
    "#;
    let mut reader = Reader::new(&["room", "part"], PathBuf::new());
    reader.visit_file(&syn::parse_file(text).expect("the text is Rust"));
    let named = reader.found.named.iter();
    let first: BTreeSet<&str> = named.map(|(_, path)| path[0].as_str()).collect();
    let all = ["a", "d", "e", "f", "g", "i", "j", "k", "l", "room"];
    assert_eq!(first.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_name_that_is_exported_again_counts_for_the_file_that_defines_it() {
    let module = |path: &str| path.split("::").map(String::from).collect::<Module>();
    let mut found = Source::default();
    for name in ["a", "a::inner", "a::inner::deep", "b"] {
        found.files.insert(module(name), PathBuf::new());
    }
    let export = |from: &str, name: &str, to: &str| ((module(from), name.into()), module(to));
    found.exports.extend([
        export("a", "Thing", "a::inner::Thing"),
        export("a::inner", "Thing", "a::inner::deep::Thing"),
    ]);
    found.named.insert((module("b"), module("a::Thing")));
    let edges = found.edges().into_iter().collect::<Vec<_>>();
    assert_eq!(edges, [(module("b"), module("a::inner::deep"))]);
}
