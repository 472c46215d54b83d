//! Definitions of a program: functions with their parameters, and variables.

use super::metadata::{Metadata, parts, reference};
use super::types::{Type, Types};

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) of: Type,
}

/// A function as C calls it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signature {
    pub(super) result: Type,
    /// True if the result points to what the caller may not change.
    pub(super) is_result_const: bool,
    pub(super) parameters: Vec<Parameter>,
    pub(super) is_variadic: bool,
    /// `FILE:LINE`, if debug information has it.
    pub(super) place: Option<String>,
}

impl Signature {
    /// True if the parameters are a prefix of the parameters of `main`.
    pub(super) fn is_like_main(&self) -> bool {
        let is_string_array = |of: &Type| {
            let Type::Pointer(to) = of else {
                return false;
            };
            matches!(&**to, Type::Pointer(to) if matches!(**to, Type::Character(_)))
        };
        let mut types = self.parameters.iter().map(|parameter| &parameter.of);
        types.next() == Some(&Type::Scalar("int".to_string()))
            && (2..=3).contains(&self.parameters.len())
            && types.all(is_string_array)
    }
}

/// A variable that the program may write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) of: Type,
}

/// A function's line in LLVM's text.
pub(super) fn definition<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let plain = format!("@{name}(");
    let quoted = format!("@\"{name}\"(");
    let mut lines = text.lines().filter(|line| line.starts_with("define "));
    lines.find(|line| line.contains(&plain) || line.contains(&quoted))
}

/// True if the program defines a function.
pub(super) fn defines(text: &str, name: &str) -> bool {
    definition(text, name).is_some()
}

/// The signature of a function; `Err` says which parameter has no type in C that homi knows.
/// `None`: the program does not define it.
pub(super) fn signature(
    text: &str,
    all: &Metadata,
    types: &mut Types,
    name: &str,
) -> Option<Result<Signature, String>> {
    let line = definition(text, name)?;
    let described = line
        .rsplit_once("!dbg ")
        .map(|(_, end)| end.trim_end_matches(" {"))
        .and_then(reference);
    Some(match described {
        Some(number) => of_debug_information(all, types, number),
        None => of_line(line),
    })
}

fn of_debug_information(
    all: &Metadata,
    types: &mut Types,
    number: u32,
) -> Result<Signature, String> {
    let absent = || "its debug information is not whole".to_string();
    let function = all.get(number).ok_or_else(absent)?;
    let kind = all.follow(function, "type").ok_or_else(absent)?;
    let mut listed = all.list(kind, "types").into_iter();
    let result = listed.next().flatten();
    let is_result_const = points_to_const(all, result);
    let result = types.read(all, result);
    let mut listed: Vec<_> = listed.collect();
    // A variadic function's list ends with nothing.
    let is_variadic = listed.last().is_some_and(Option::is_none);
    if is_variadic {
        listed.pop();
    }
    let mut parameters = Vec::new();
    for (place, one) in listed.into_iter().enumerate() {
        let known = all.nodes().find(|node| {
            node.kind == "DILocalVariable"
                && node.number("arg") == Some(place as u64 + 1)
                && node.reference("scope") == Some(number)
        });
        let known = known.and_then(|node| node.field("name"));
        parameters.push(Parameter {
            name: known.map_or_else(|| format!("p{}", place + 1), str::to_string),
            of: types.read(all, one),
        });
    }
    let file = all
        .follow(function, "file")
        .and_then(|file| file.field("filename"));
    let place = file.zip(function.field("line"));
    Ok(Signature {
        result,
        is_result_const,
        parameters,
        is_variadic,
        place: place.map(|(file, line)| format!("{file}:{line}")),
    })
}

/// True for a pointer to a constant type, behind names of types.
fn points_to_const(all: &Metadata, number: Option<u32>) -> bool {
    let mut node = number.and_then(|number| all.get(number));
    while let Some(one) = node.filter(|one| one.field("tag") == Some("DW_TAG_typedef")) {
        node = all.follow(one, "baseType");
    }
    let pointer = node.filter(|one| one.field("tag") == Some("DW_TAG_pointer_type"));
    let target = pointer.and_then(|one| all.follow(one, "baseType"));
    target.is_some_and(|one| one.field("tag") == Some("DW_TAG_const_type"))
}

/// Returns the signature from LLVM's types alone; pointers are to bytes.
fn of_line(line: &str) -> Result<Signature, String> {
    let (_, rest) = line.split_once('@').unwrap_or_default();
    let open = rest.find('(').unwrap_or(rest.len());
    let list = in_brackets(&rest[open..]);
    let mut parameters = Vec::new();
    let mut is_variadic = false;
    for (place, part) in parts(list).into_iter().enumerate() {
        if part == "..." {
            is_variadic = true;
            continue;
        }
        let name = format!("p{}", place + 1);
        let by_value = part.contains("byval(") || part.contains("sret(");
        let token = part.split(' ').next().unwrap_or_default();
        let of = type_named(token).filter(|_| !by_value);
        let of = of.ok_or_else(|| {
            format!(
                "parameter {} is `{part}`, whose C type only debug information tells; compile \
                 with -g",
                place + 1
            )
        })?;
        parameters.push(Parameter { name, of });
    }
    Ok(Signature {
        result: Type::Void,
        is_result_const: false,
        parameters,
        is_variadic,
        place: None,
    })
}

fn type_named(token: &str) -> Option<Type> {
    let name = match token {
        "i1" => return Some(Type::Bool),
        "ptr" => return Some(Type::Pointer(Box::new(Type::Void))),
        "i8" => "unsigned char",
        "i16" => "unsigned short",
        "i32" => "unsigned int",
        "i64" => "unsigned long",
        "float" => "float",
        "double" => "double",
        "x86_fp80" => "long double",
        _ => return None,
    };
    Some(Type::Scalar(name.to_string()))
}

/// Returns the text between the first bracket and its closing bracket.
pub(super) fn in_brackets(text: &str) -> &str {
    let mut depth = 0u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &text[1..at];
                }
            }
            _ => {}
        }
    }
    ""
}

/// The variables of the program that C can name and that may be written, by name.
pub(super) fn variables(text: &str, all: &Metadata, types: &mut Types) -> Vec<Variable> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('@')) {
        let Some((name, value)) = line[1..].split_once(" = ") else {
            continue;
        };
        let tokens: Vec<&str> = value.split(' ').take_while(|token| *token != "=").collect();
        let is_written = tokens.iter().take(6).any(|token| *token == "global");
        let is_defined = !tokens
            .iter()
            .take(6)
            .any(|token| token.starts_with("extern"));
        let described = line.rsplit_once("!dbg ").and_then(|(_, end)| {
            let node = all.get(reference(end.split(',').next()?)?)?;
            all.follow(node, "var")
        });
        let (Some(variable), true, true) = (described, is_written, is_defined) else {
            continue;
        };
        let of = types.read(all, variable.reference("type"));
        found.push(Variable {
            name: name.to_string(),
            of,
        });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
