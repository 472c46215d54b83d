//! Printing a program as text.
//!
//! Invariant: everything that `Program` holds is printed; flags that are false and lists that are
//! empty are left out, and the parser fills them in.

use super::field::{Field, put, quote};
use super::instruction::write_instruction;
use crate::program::{
    BlockId, BranchSite, CallSite, Callee, Clause, Condition, ConstValue, FuncId, Function, Global,
    GlobalInit, Landing, LocId, Location, PointerWidth, Program, SwitchTable,
};
use std::fmt::Write;

/// The whole program.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    line(&mut out, "program", &[&quote(&program.name)]);
    if program.pointers == PointerWidth::Bits32 {
        line(&mut out, "pointers", &["32"]);
    }
    line(&mut out, "entry", &[&program.entry.to_string()]);
    if let Some(entry) = program.runtime_entry {
        line(&mut out, "runtime_entry", &[&entry.to_string()]);
    }
    list(&mut out, "constructors", &program.constructors);
    list(&mut out, "destructors", &program.destructors);
    for (function, bytes) in &program.signatures {
        line(
            &mut out,
            "signature",
            &[&function.to_string(), &bytes.to_string()],
        );
    }
    list(&mut out, "undefined", &program.undefined);
    list(
        &mut out,
        "unsupported_features",
        &program.unsupported_in_lowering,
    );
    for (index, file) in program.files.iter().enumerate() {
        line(&mut out, "file", &[&index.to_string(), &quote(file)]);
    }
    for (index, location) in program.locations.iter().enumerate() {
        let Location { file, line, column } = location;
        let _ = writeln!(out, "location l{index} {file} {line} {column}");
    }
    for (index, text) in program.texts.iter().enumerate() {
        line(&mut out, "text", &[&format!("t{index}"), &quote(text)]);
    }
    for (index, branch) in program.branches.iter().enumerate() {
        print_branch(index, branch, &mut out);
    }
    for (index, global) in program.globals.iter().enumerate() {
        print_global(index, global, &mut out);
    }
    for (index, function) in program.functions.iter().enumerate() {
        print_function(FuncId::new(index), function, &mut out);
    }
    out
}

fn line(out: &mut String, name: &str, words: &[&str]) {
    out.push_str(name);
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
    out.push('\n');
}

fn list<T: Field>(out: &mut String, name: &str, items: &[T]) {
    if items.is_empty() {
        return;
    }
    out.push_str(name);
    for item in items {
        put(out, item);
    }
    out.push('\n');
}

fn print_branch(index: usize, branch: &BranchSite, out: &mut String) {
    let _ = write!(out, "branch br{index}");
    put(out, &branch.kind);
    put(out, &branch.sides);
    put(out, &branch.function);
    put(out, &branch.origin);
    put(out, &branch.location);
    for (name, holds) in condition_words(&branch.condition) {
        if holds {
            let _ = write!(out, " {name}");
        }
    }
    out.push('\n');
}

/// The parts of a condition by their words.
fn condition_words(condition: &Condition) -> [(&'static str, bool); 5] {
    [
        ("external_call", condition.external_call),
        ("integer", condition.integer),
        ("string", condition.string),
        ("pointer", condition.pointer),
        ("local", condition.local),
    ]
}

fn print_global(index: usize, global: &Global, out: &mut String) {
    let _ = write!(out, "global g{index}");
    put(out, &global.name);
    put(out, &global.origin);
    put(out, &global.size);
    put(out, &global.align);
    if global.constant {
        out.push_str(" constant");
    }
    if global.thread_local {
        out.push_str(" thread_local");
    }
    print_location(global.location, out);
    match &global.init {
        GlobalInit::Zero => out.push_str(" zero\n"),
        GlobalInit::External => out.push_str(" external\n"),
        GlobalInit::Bytes { bytes, relocations } => {
            out.push_str(" bytes ");
            for byte in bytes {
                let _ = write!(out, "{byte:02x}");
            }
            if bytes.is_empty() {
                out.push('-');
            }
            for relocation in relocations {
                out.push_str(" at");
                put(out, &relocation.offset);
                put(out, &relocation.value);
            }
            out.push('\n');
        }
    }
}

/// One function, with `id` as its number.
pub fn print_function(id: FuncId, function: &Function, out: &mut String) {
    let _ = write!(out, "func {id}");
    put(out, &function.name);
    put(out, &function.origin);
    out.push_str(" slots");
    put(out, &function.slots);
    for (flag, name) in [
        (function.variadic, " variadic"),
        (function.noreturn, " noreturn"),
        (function.address_taken, " address_taken"),
        (function.stops_exceptions, " stops_exceptions"),
    ] {
        if flag {
            out.push_str(name);
        }
    }
    print_location(function.location, out);
    out.push('\n');
    for param in &function.params {
        entry(out, "param", &(param.slot, param.width, param.byval));
        if !param.name.is_empty() {
            // Before the line's end.
            out.pop();
            put(out, &param.name);
            out.push('\n');
        }
    }
    for (slot, value) in &function.constants {
        entry(out, "const", &(*slot, *value));
    }
    for object in &function.frame_objects {
        let words = (object.size, object.align, object.name.clone());
        entry(out, "object", &words);
        if object.in_block {
            out.pop();
            out.push_str(" block\n");
        }
    }
    if !function.returns_widths.is_empty() {
        out.push_str("  result");
        for width in &function.returns_widths {
            put(out, width);
        }
        out.push('\n');
    }
    table(out, "returns", &function.returns);
    table(out, "calls", &function.calls);
    table(out, "moves", &function.moves);
    table(out, "switches", &function.switches);
    table(out, "landings", &function.landings);
    for index in 0..function.blocks.len() {
        let block = BlockId::new(index);
        let _ = writeln!(out, "{block}:");
        for position in function.block_range(block) {
            out.push_str("  ");
            write_instruction(&function.code[position], out);
            print_location(function.locations[position], out);
            out.push('\n');
        }
    }
}

fn print_location(location: LocId, out: &mut String) {
    if location != LocId(0) {
        let _ = write!(out, " @{location}");
    }
}

fn entry(out: &mut String, name: &str, words: &impl Field) {
    out.push_str("  ");
    out.push_str(name);
    put(out, words);
    out.push('\n');
}

fn table<T: Field>(out: &mut String, name: &str, items: &[T]) {
    for (index, item) in items.iter().enumerate() {
        let _ = write!(out, "  {name} {index}");
        put(out, item);
        out.push('\n');
    }
}

impl Field for ConstValue {
    fn write(&self, out: &mut String) {
        match self {
            ConstValue::Int { width, value } => {
                let _ = write!(out, "int {width} {value}");
            }
            ConstValue::Global { global, offset } => {
                let _ = write!(out, "global {global} {offset}");
            }
            ConstValue::Function(function) => {
                let _ = write!(out, "func {function}");
            }
        }
    }

    fn read(words: &mut super::field::Words) -> Result<Self, String> {
        match words.word()? {
            "int" => Ok(ConstValue::Int {
                width: words.read()?,
                value: words.read()?,
            }),
            "global" => Ok(ConstValue::Global {
                global: words.read()?,
                offset: words.read()?,
            }),
            "func" => Ok(ConstValue::Function(words.read()?)),
            other => Err(format!("`{other}` is no kind of constant")),
        }
    }
}

impl Field for Landing {
    fn write(&self, out: &mut String) {
        self.clauses.write(out);
        if self.cleanup {
            out.push_str(" cleanup");
        }
    }

    fn read(words: &mut super::field::Words) -> Result<Self, String> {
        let clauses = words.read()?;
        let cleanup = words.peek() == Some("cleanup");
        if cleanup {
            words.word()?;
        }
        Ok(Landing { cleanup, clauses })
    }
}

impl Field for Clause {
    fn write(&self, out: &mut String) {
        (self.kind, self.selector, self.of).write(out);
    }

    fn read(words: &mut super::field::Words) -> Result<Self, String> {
        let (kind, selector, of) = words.read()?;
        Ok(Clause { kind, selector, of })
    }
}

impl Field for SwitchTable {
    fn write(&self, out: &mut String) {
        self.cases.write(out);
        out.push_str(" default");
        put(out, &self.default);
        put(out, &self.default_side);
        put(out, &self.branch);
    }

    fn read(words: &mut super::field::Words) -> Result<Self, String> {
        let cases = words.read()?;
        words.expect("default")?;
        Ok(SwitchTable {
            cases,
            default: words.read()?,
            default_side: words.read()?,
            branch: words.read()?,
        })
    }
}

impl Field for CallSite {
    fn write(&self, out: &mut String) {
        match &self.callee {
            Callee::Direct(function) => function.write(out),
            Callee::Indirect(slot) => slot.write(out),
            Callee::Assembly { text, constraints } => {
                let _ = write!(out, "assembly {text} {constraints}");
            }
        }
        put(out, &self.args);
        put(out, &self.results);
        if self.noreturn {
            out.push_str(" noreturn");
        }
        if let Some(landing) = self.landing {
            out.push_str(" landing");
            put(out, &landing);
        }
        if let Some(first) = self.variadic_from {
            out.push_str(" variadic");
            put(out, &first);
        }
        if self
            .arg_classes
            .iter()
            .any(|class| *class != crate::program::ArgClass::Integer)
        {
            out.push_str(" classes");
            put(out, &self.arg_classes);
        }
        if self.byval.iter().any(Option::is_some) {
            out.push_str(" byval");
            put(out, &self.byval);
        }
    }

    fn read(words: &mut super::field::Words) -> Result<Self, String> {
        let callee = match words.peek() {
            Some("assembly") => {
                words.word()?;
                Callee::Assembly {
                    text: words.read()?,
                    constraints: words.read()?,
                }
            }
            Some(word) if word.starts_with('%') => Callee::Indirect(words.read()?),
            _ => Callee::Direct(words.read()?),
        };
        let args: Vec<_> = words.read()?;
        let mut site = CallSite {
            callee,
            byval: vec![None; args.len()],
            arg_classes: vec![crate::program::ArgClass::Integer; args.len()],
            args,
            variadic_from: None,
            results: words.read()?,
            noreturn: false,
            landing: None,
        };
        while let Some(word) = words.peek() {
            match word {
                "noreturn" => {
                    words.word()?;
                    site.noreturn = true;
                }
                "landing" => {
                    words.word()?;
                    site.landing = Some(words.read()?);
                }
                "variadic" => {
                    words.word()?;
                    site.variadic_from = Some(words.read()?);
                }
                "classes" => {
                    words.word()?;
                    site.arg_classes = words.read()?;
                }
                "byval" => {
                    words.word()?;
                    site.byval = words.read()?;
                }
                _ => break,
            }
        }
        if site.byval.len() != site.args.len() || site.arg_classes.len() != site.args.len() {
            return Err("classes and byval need one entry per argument".to_string());
        }
        Ok(site)
    }
}
