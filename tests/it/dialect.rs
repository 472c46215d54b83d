//! Code queries a difference between homi and KLEE by its name: only the table of differences and
//! KLEE's front end know which dialect is KLEE's.

use crate::layering::{attributes, for_tests};
use crate::style::collect;
use crate::support::root;
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, Ident, Item, Member};

/// Finds code that queries if a run has KLEE's dialect, except in tests.
#[derive(Default)]
struct Finder {
    found: Vec<String>,
}

/// True if an expression ends in `dialect`, or creates one.
fn is_dialect(expression: &Expr) -> bool {
    match expression {
        Expr::Field(field) => matches!(&field.member, Member::Named(name) if name == "dialect"),
        Expr::Path(path) => path.path.is_ident("dialect"),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                let mut names = path.path.segments.iter();
                names.any(|part| part.ident == "Dialect")
            }
            _ => false,
        },
        Expr::Reference(reference) => is_dialect(&reference.expr),
        Expr::Unary(unary) => is_dialect(&unary.expr),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        if !for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_ident(&mut self, name: &'ast Ident) {
        let text = name.to_string();
        if ["as_klee", "is_klee", "for_klee"].contains(&text.as_str()) || text == "Manner" {
            self.found.push(text);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut names = path
            .segments
            .iter()
            .rev()
            .map(|part| part.ident.to_string());
        let last = (names.next(), names.next());
        if last == (Some("klee".to_string()), Some("Dialect".to_string())) {
            self.found.push("Dialect::klee".to_string());
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let compares = matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_));
        if compares && (is_dialect(&binary.left) || is_dialect(&binary.right)) {
            self.found.push("a comparison of dialects".to_string());
        }
        visit::visit_expr_binary(self, binary);
    }
}

/// Texts in code that queries a dialect.
fn queries(text: &str) -> Vec<String> {
    let mut finder = Finder::default();
    finder.visit_file(&syn::parse_file(text).expect("Rust"));
    finder.found
}

/// True if a file may know which dialect is KLEE's.
fn is_exempt(path: &Path) -> bool {
    let mut stems = path.iter().map(|part| Path::new(part).file_stem());
    path.ends_with("config/dialect.rs") || stems.any(|stem| stem == Some("klee".as_ref()))
}

#[test]
fn no_code_tests_for_klees_mode() {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    assert!(files.len() > 300, "only {} files", files.len());
    let mut wrong = String::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap_or(&file);
        if !is_exempt(name) {
            let text = fs::read_to_string(&file).expect("the file is readable");
            for query in queries(&text) {
                wrong += &format!("{}: {query}\n", name.display());
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "a difference belongs into config/dialect.rs:\n{wrong}"
    );
}

#[test]
fn queries_are_found() {
    for asks in [
        "fn f(c: &C) -> bool { c.dialect == Dialect::homi() }",
        "fn f(c: &C) -> bool { Dialect::homi() != *c.other }",
        "fn f() -> D { crate::config::Dialect::klee() }",
        "struct C { as_klee: bool }",
        "use crate::config::Manner;",
    ] {
        assert!(!queries(asks).is_empty(), "{asks}");
    }
    for fine in [
        "fn f(c: &C) -> bool { c.dialect.speaker() == \"as_klee\" }",
        "#[cfg(test)] mod tests { fn f() -> D { Dialect::klee() } }",
        "fn f() -> Dialect { Dialect::homi() }",
    ] {
        assert_eq!(queries(fine), [""; 0], "{fine}");
    }
}
