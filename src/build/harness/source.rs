//! The harness as C: makes globals and parameters symbolic, then calls the function.

use super::objects::Objects;
use super::signature::{Signature, Variable};
use super::types::{Type, Types, is_identifier};
use super::{FILE, has};
use homi_config::{FunctionConfig, PointerShape};
use homi_ir::program::FUZZED;
use std::fmt::Write;

/// Name of the function with the expressions of `--requires`.
const CONDITION: &str = "homi_requires";

/// Name that a compiler's messages have for the expressions: a part of the harness.
pub(super) const EXPRESSIONS: &str = "homi-harness.c:--requires";

/// Words in a harness in which a pointer may be null.
pub(super) const NULLS: &str = ", null pointers among them";

/// Default number of elements behind a pointer.
const ELEMENTS: u32 = 4;

/// Default for the largest input of a fuzz driver, in bytes.
pub(super) const FUZZED_BYTES: u32 = 16;

/// Objects that a harness makes at most; a choice of one of them is a number below 64.
const OBJECTS: u32 = 48;

/// Code that all harnesses share.
const COMMON: &str = include_str!("objects.c");

/// The source. Err: what of the function is not supported.
pub(super) fn write(
    entry: &str,
    signature: &Signature,
    globals: &[Variable],
    types: &Types,
    config: &FunctionConfig,
) -> Result<String, String> {
    for parameter in &signature.parameters {
        if let Type::Void | Type::Bytes(_) | Type::Incomplete = parameter.of {
            let name = &parameter.name;
            return Err(format!(
                "homi cannot make a value for the parameter `{name}`, whose type is none of numbers, \
                 pointers, structures and unions: write a harness that calls the function"
            ));
        }
    }
    check_names(signature, config)?;
    let mut objects = Objects::new(types);
    let mut body = String::new();
    // Writing to a string cannot fail.
    for global in globals {
        objects.need(&global.of);
        let name = &global.name;
        let _ = writeln!(
            body,
            "  klee_make_symbolic(&{name}, sizeof {name}, \"{name}\");"
        );
        body += &objects.fill(name, &format!("\"{name}\""), &global.of, "0");
    }
    for parameter in &signature.parameters {
        objects.need(&parameter.of);
        let name = &parameter.name;
        let variable = format!("p_{name}");
        let _ = writeln!(body, "  {};", objects.declare(&parameter.of, &variable));
        if !matches!(parameter.of, Type::Pointer(_) | Type::Reference(_)) {
            let _ = writeln!(
                body,
                "  klee_make_symbolic(&{variable}, sizeof {variable}, \"{name}\");"
            );
        }
        body += &match config.pointees.iter().find(|one| one.0 == *name) {
            Some((_, given)) => objects.given((&variable, name), &parameter.of, given)?,
            None => objects.fill(&variable, &format!("\"{name}\""), &parameter.of, "0"),
        };
    }
    objects.need(&signature.result);
    let condition = condition(signature, config, &objects);
    if !condition.is_empty() {
        let names = arguments(signature);
        let _ = writeln!(body, "  if (!{CONDITION}({names})) klee_silent_exit(0);");
    }
    let declared = declaration(entry, signature, globals, &objects);
    let place = signature
        .place
        .as_deref()
        .map_or_else(String::new, |place| format!(" ({place})"));
    Ok(format!(
        "/* Made by homi: calls {entry}{place} with any parameters{null}.\n \
         * Natively: gcc THIS.c PROGRAM.c -lhomi-replay, and KTEST_FILE names the test. */\n\
         {settings}\n{COMMON}\nextern void *stdin;\n{types}{declared}{condition}\n\
         int main(void) {{\n{body}  {callee}({names});\n  return 0;\n}}\n",
        null = if objects.gives_null || has(config, PointerShape::Null) {
            NULLS
        } else {
            ""
        },
        settings = settings(config),
        types = objects.into_text(),
        callee = callee(entry),
        names = arguments(signature),
    ))
}

/// Returns the variables of the harness that are the arguments of the call.
fn arguments(signature: &Signature) -> String {
    let names = signature.parameters.iter();
    let names: Vec<String> = names.map(|one| format!("p_{}", one.name)).collect();
    names.join(", ")
}

/// Refuses shapes of parameters that the function does not have.
fn check_names(signature: &Signature, config: &FunctionConfig) -> Result<(), String> {
    let names = signature.parameters.iter().map(|one| one.name.as_str());
    let names: Vec<&str> = names.collect();
    for (name, _) in &config.pointees {
        if !names.contains(&name.as_str()) {
            let names = names.join(", ");
            return Err(format!(
                "it has no parameter `{name}`; its parameters are {names}"
            ));
        }
    }
    Ok(())
}

/// The function that says whether the required expressions hold; empty if there are none.
fn condition(signature: &Signature, config: &FunctionConfig, objects: &Objects<'_>) -> String {
    if config.requires.is_empty() {
        return String::new();
    }
    let listed = signature.parameters.iter();
    let listed: Vec<String> = listed
        .map(|one| objects.declare_typed(&one.of, &one.name))
        .collect();
    let mut body = String::new();
    for expression in &config.requires {
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "#line 1 \"{EXPRESSIONS}\"\n  if (!({expression})) return 0;"
        );
    }
    format!(
        "\nstatic int {CONDITION}({}) {{\n{body}#line 1 \"{FILE}\"\n  return 1;\n}}\n",
        listed.join(", ")
    )
}

/// The harness of a function that gets what `main` gets, as far as it takes it.
pub(super) fn direct(entry: &str, signature: &Signature) -> String {
    let parameters = ["int", "char **", "char **"];
    let arguments = ["argc", "argv", "envp"];
    let count = signature.parameters.len().min(arguments.len());
    let listed = match count {
        0 => "void".to_string(),
        count => parameters[..count].join(", "),
    };
    let (result, before, after) = match signature.result {
        Type::Scalar(_) | Type::Character(_) | Type::Bool => ("int", "return ", ""),
        _ => ("void", "", "  return 0;\n"),
    };
    let label = if is_identifier(entry) {
        String::new()
    } else {
        format!(" __asm__(\"{entry}\")")
    };
    let callee = callee(entry);
    let arguments = arguments[..count].join(", ");
    format!(
        "/* Made by homi: calls {entry}. */\n{result} {callee}({listed}){label};\n\n\
         int main(int argc, char **argv, char **envp) {{\n  {before}{callee}({arguments});\n{after}}}\n"
    )
}

/// The function and the variables, as the harness declares them.
fn declaration(
    entry: &str,
    signature: &Signature,
    globals: &[Variable],
    objects: &Objects<'_>,
) -> String {
    let listed = signature.parameters.iter();
    let mut listed: Vec<String> = listed
        .map(|one| objects.declare(&one.of, &format!("p_{}", one.name)))
        .collect();
    match (listed.is_empty(), signature.is_variadic) {
        (true, _) => listed.push("void".to_string()),
        (false, true) => listed.push("...".to_string()),
        (false, false) => {}
    }
    let head = format!("{}({})", callee(entry), listed.join(", "));
    let label = if is_identifier(entry) {
        String::new()
    } else {
        format!(" __asm__(\"{entry}\")")
    };
    let mut text = format!("{}{label};\n", objects.declare(&signature.result, &head));
    for global in globals {
        let _ = writeln!(
            text,
            "extern {};",
            objects.declare(&global.of, &global.name)
        );
    }
    text
}

/// Returns the name of the function in C.
fn callee(entry: &str) -> &str {
    if is_identifier(entry) {
        entry
    } else {
        "homi_function"
    }
}

/// The options as macros.
fn settings(config: &FunctionConfig) -> String {
    let shapes = [
        ("NULL", PointerShape::Null),
        ("ONE", PointerShape::One),
        ("MANY", PointerShape::Many),
        ("STRING", PointerShape::String),
        ("SHARED", PointerShape::Shared),
        ("CYCLIC", PointerShape::Cyclic),
    ];
    let mut text = String::new();
    for (name, shape) in shapes {
        let _ = writeln!(text, "#define HOMI_{name} {}", u8::from(has(config, shape)));
    }
    let _ = writeln!(
        text,
        "#define HOMI_ELEMENTS {}",
        config.elements.unwrap_or(ELEMENTS)
    );
    let _ = writeln!(text, "#define HOMI_DEPTH {}", config.depth);
    let _ = writeln!(text, "#define HOMI_OBJECTS {OBJECTS}");
    text
}

/// The harness of a fuzz driver: any bytes of any number up to `most`.
pub(super) fn fuzzed(most: u32) -> String {
    format!(
        "/* Made by homi: calls a fuzz driver with any bytes.\n \
         * Natively: gcc THIS.c PROGRAM.c -lhomi-replay, and KTEST_FILE names the test. */\n\
         void *malloc(unsigned long);\n\
         void klee_make_symbolic(void *, unsigned long, const char *);\n\
         void klee_assume(unsigned long);\n\
         int LLVMFuzzerInitialize(int *, char ***) __attribute__((weak));\n\
         int {FUZZED}(const unsigned char *, unsigned long);\n\n\
         int main(int argc, char **argv) {{\n  \
           unsigned size;\n  \
           unsigned long count;\n  \
           unsigned char *data;\n  \
           if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);\n  \
           klee_make_symbolic(&size, sizeof size, \"size\");\n  \
           klee_assume(size <= {most});\n  \
           for (count = 0; count < size;) count++;\n  \
           data = malloc(count);\n  \
           if (count) klee_make_symbolic(data, count, \"data\");\n  \
           {FUZZED}(data, count);\n  \
           return 0;\n}}\n"
    )
}
