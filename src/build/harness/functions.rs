//! The functions that a program defines, and which of them call which.

use super::metadata::{Metadata, reference};
use super::types::is_identifier;
use std::collections::BTreeSet;

/// A function that the program defines.
#[derive(Clone, PartialEq, Eq, Debug)]
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
}

/// Returns the functions with debug information of a program, which is given as LLVM's text, in the
/// order of file and line.
pub fn defined_functions(text: &str) -> Vec<DefinedFunction> {
    let all = Metadata::read(text);
    let mut found: Vec<DefinedFunction> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if line.starts_with("define ") {
            let function = head(line, &all);
            is_inside = function.is_some();
            found.extend(function);
        } else if line == "}" {
            is_inside = false;
        } else if is_inside && let Some(function) = found.last_mut() {
            note_call(line, function);
        }
    }
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
        callees: BTreeSet::new(),
        gets_null: BTreeSet::new(),
    })
}

/// Notes the function that a line calls by name.
fn note_call(line: &str, function: &mut DefinedFunction) {
    let Some((_, call)) = line.split_once(" call ") else {
        return;
    };
    let Some(callee) = name_behind(call).filter(|name| !name.starts_with("llvm.")) else {
        return;
    };
    let arguments = call.split_once('(').map_or("", |(_, arguments)| arguments);
    if arguments.contains("ptr noundef null") || arguments.contains("ptr null") {
        function.gets_null.insert(callee.to_string());
    }
    function.callees.insert(callee.to_string());
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
