//! The functions that a program defines, which of them call which, and with what.

use super::beginning::{Assertion, Beginning};
use super::metadata::{Metadata, reference};
use super::preconditions::{self, Precondition};
use super::sites::{Passed, Values};
use super::types::is_identifier;
use std::collections::{BTreeMap, BTreeSet};

/// A function that the program defines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefinedFunction {
    pub name: String,
    /// Source file of its definition, as the compiler was given it.
    pub file: String,
    /// Line of its definition.
    pub line: u32,
    /// True if other files cannot call it.
    pub is_static: bool,
    /// Functions that it calls by name.
    pub callees: BTreeSet<String>,
    /// Functions to which it passes a null pointer.
    pub gets_null: BTreeSet<String>,
    /// Assertions about its parameters, at its beginning.
    pub asserts: Vec<Assertion>,
    /// Conditions that its declaration and its callers show.
    pub preconditions: Vec<Precondition>,
}

/// The arguments of all calls of each function.
pub(super) type Sites = BTreeMap<String, Vec<Vec<Passed>>>;

/// Returns the functions with debug information of a program, which is given as LLVM's text, in the
/// order of file and line.
pub fn defined_functions(text: &str) -> Vec<DefinedFunction> {
    let all = Metadata::read(text);
    let globals = Values::globals(text);
    let mut found: Vec<DefinedFunction> = Vec::new();
    let mut sites = Sites::new();
    let mut inside: Option<(DefinedFunction, Values, Beginning)> = None;
    for line in text.lines() {
        if line.starts_with("define ") {
            // One without debug information is no result, but its calls count.
            let function = head(line, &all).unwrap_or_default();
            inside = Some((function, globals.clone(), Beginning::new()));
        } else if line == "}" {
            if let Some((mut function, _, beginning)) = inside.take() {
                function.asserts = beginning.found;
                found.extend(Some(function).filter(|function| !function.name.is_empty()));
            }
        } else if let Some((function, values, beginning)) = &mut inside {
            values.note(line);
            beginning.read(line, values, &all, text);
            note_call(line, values, function, &mut sites);
        }
    }
    preconditions::add(&mut found, text, &all, &sites);
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    found
}

/// Reads the first line of a definition.
fn head(line: &str, all: &Metadata) -> Option<DefinedFunction> {
    let name = name_behind(line)?;
    let number = line.rsplit_once("!dbg ")?.1.trim_end_matches(" {");
    let described = all.get(reference(number)?)?;
    let file = all.follow(described, "file")?.field("filename")?;
    Some(DefinedFunction {
        name: name.to_string(),
        file: file.to_string(),
        line: u32::try_from(described.number("line")?).ok()?,
        is_static: line.starts_with("define internal "),
        ..DefinedFunction::default()
    })
}

/// Notes the function that a line calls by name, and what it passes.
fn note_call(line: &str, values: &Values, function: &mut DefinedFunction, sites: &mut Sites) {
    let Some((_, call)) = line.split_once(" call ") else {
        return;
    };
    let Some(callee) = name_behind(call).filter(|name| !name.starts_with("llvm.")) else {
        return;
    };
    let start = call.find(&format!("@{callee}(")).unwrap_or(0) + callee.len() + 1;
    let passed = values.arguments(super::signature::in_brackets(&call[start..]));
    if passed.contains(&Passed::Null) {
        function.gets_null.insert(callee.to_string());
    }
    function.callees.insert(callee.to_string());
    sites.entry(callee.to_string()).or_default().push(passed);
}

/// Returns the name in `@name(`, if it is an identifier of C.
fn name_behind(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('@')?;
    let (name, _) = rest.split_once('(')?;
    (is_identifier(name) || name.starts_with("llvm.")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_places_and_callees() {
        let text = concat!(
            "define internal i32 @low(ptr noundef %0) #0 !dbg !5 {\n",
            "  %2 = call i32 @strlen(ptr noundef %0)\n}\n",
            "define dso_local i32 @high(i32 noundef %0) #0 !dbg !4 {\n",
            "  %2 = call i32 @low(ptr noundef null), !dbg !9\n",
            "  call void @llvm.dbg.declare(metadata ptr null)\n}\n",
            "define i32 @bare(i32 %0) {\n  call void @none()\n}\n",
            "!1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n",
            "!4 = distinct !DISubprogram(name: \"high\", file: !1, line: 9)\n",
            "!5 = distinct !DISubprogram(name: \"low\", file: !1, line: 3)\n",
        );
        let found = defined_functions(text);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["low", "high"]);
        assert!(found[0].is_static && !found[1].is_static);
        assert_eq!((found[0].file.as_str(), found[0].line), ("a.c", 3));
        assert!(found[1].callees.contains("low") && found[1].gets_null.contains("low"));
        assert!(found[0].gets_null.is_empty());
    }
}
