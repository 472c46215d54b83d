//! A call with concrete parameters, as people write it in C.
//!
//! Idea: a test holds the objects of a harness in the order in which the harness makes them. The
//! same walk over the types names a variable for each one.
//!
//! Invariant: no guess. Objects that the walk does not understand are an error.

use super::call_text::{Call, Objects};
use super::literal::{float, integer, text};
use super::objects::STREAM;
use super::signature::Signature;
use super::types::{Record, Type, Types};
use std::collections::BTreeSet;

/// Variable of an object that a pointer points to.
pub(super) struct Made {
    pub(super) of: Type,
    pub(super) name: String,
    /// The variable is an array: its name is its address.
    pub(super) is_array: bool,
    pub(super) elements: u64,
    /// Its declaration is not written yet, because it is being filled.
    is_open: bool,
}

/// The walk over the types of a function.
pub(super) struct Maker<'a> {
    pub(super) types: &'a Types,
    objects: &'a Objects<'a>,
    pub(super) made: Vec<Made>,
    lines: Vec<String>,
    /// Assignments that close circles.
    later: Vec<String>,
    names: BTreeSet<String>,
    has_strings: bool,
}

/// Result of the walk; the error says what it does not understand.
type Walked<T> = Result<T, String>;

/// Returns the call of `entry` with the objects of a test. `has_strings`: characters behind
/// pointers are strings.
pub(super) fn call(
    entry: &str,
    signature: &Signature,
    types: &Types,
    objects: &Objects<'_>,
    has_strings: bool,
) -> Walked<Call> {
    let mut maker = Maker {
        types,
        objects,
        made: Vec::new(),
        lines: Vec::new(),
        later: Vec::new(),
        names: BTreeSet::from([entry.to_string(), "result".to_string()]),
        has_strings,
    };
    let mut arguments = Vec::new();
    for parameter in &signature.parameters {
        arguments.push(maker.parameter(&parameter.name, &parameter.of)?);
    }
    if let Some((name, _)) = maker.objects.first() {
        return Err(format!("its object {name} is no parameter"));
    }
    let mut checks = Vec::new();
    let result = match &signature.result {
        Type::Void => None,
        of => {
            let declared = maker.declare(of, "result")?;
            let constant = if signature.is_result_const {
                "const "
            } else {
                ""
            };
            let declared = format!("{constant}{declared}");
            maker.leaves("result", of, &mut checks);
            Some(declared)
        }
    };
    for made in &maker.made {
        maker.checks_of(made, &mut checks);
    }
    maker.lines.append(&mut maker.later);
    Ok(Call {
        lines: maker.lines,
        call: format!("{entry}({})", arguments.join(", ")),
        result,
        checks,
    })
}

impl<'a> Maker<'a> {
    /// Takes the next object, which must have this name.
    fn take(&mut self, name: &str) -> Walked<&'a [u8]> {
        match self.objects.split_first() {
            Some(((found, bytes), rest)) if found == name => {
                self.objects = rest;
                Ok(bytes)
            }
            Some(((found, _), _)) => Err(format!("its object {found} is not {name}")),
            None => Err(format!("it ended before it had {name}")),
        }
    }

    fn is_next(&self, name: &str) -> bool {
        self.objects.first().is_some_and(|(found, _)| found == name)
    }

    /// Returns an argument of the call.
    fn parameter(&mut self, name: &str, of: &Type) -> Walked<String> {
        if let Type::Pointer(to) | Type::Reference(to) = of {
            let value = self.pointer(name, to, name)?;
            let is_plain = matches!(
                &**to,
                Type::Record(_) | Type::Character(_) | Type::Void | Type::Incomplete
            ) || matches!(&**to, Type::Scalar(scalar) if scalar == "int" || scalar == "double");
            return Ok(if is_plain || value == "NULL" {
                value
            } else {
                format!("(void *){value}")
            });
        }
        let bytes = self.take(name)?;
        let variable = self.variable(name);
        let value = self.value(name, of, bytes, &variable)?;
        if !matches!(of, Type::Record(_)) {
            return Ok(value);
        }
        let declared = self.declare(of, &variable)?;
        self.lines.push(format!("{declared} = {value};"));
        Ok(variable)
    }

    /// Returns an initializer for a place of a type; `place` names it in C.
    fn value(&mut self, name: &str, of: &Type, bytes: &[u8], place: &str) -> Walked<String> {
        let odd = || format!("the type of {name} has no literal");
        match of {
            Type::Bool => Ok((bytes.first().copied().unwrap_or(0) & 1).to_string()),
            Type::Character(scalar) | Type::Scalar(scalar) => {
                let value = integer(scalar, bytes).or_else(|| float(scalar, bytes));
                value.ok_or_else(odd)
            }
            Type::Pointer(to) | Type::Reference(to) => self.pointer(name, to, place),
            Type::Array(element, count) => {
                let count = count.unwrap_or(0);
                if let Type::Character(_) = **element {
                    return Ok(characters(bytes));
                }
                let size = self.types.size(element).ok_or_else(odd)? as usize;
                let mut values = Vec::new();
                for (at, bytes) in bytes.chunks(size.max(1)).take(count as usize).enumerate() {
                    let inner = format!("{name}[{at}]");
                    values.push(self.value(&inner, element, bytes, &format!("{place}[{at}]"))?);
                }
                Ok(format!("{{ {} }}", values.join(", ")))
            }
            Type::Record(number) => {
                let record = self.types.records.get(number).ok_or_else(odd)?;
                self.record(name, record, bytes, place)
            }
            Type::Void | Type::Function(..) | Type::Bytes(_) | Type::Incomplete => Err(odd()),
        }
    }

    fn record(&mut self, name: &str, record: &Record, bytes: &[u8], place: &str) -> Walked<String> {
        if record.members.iter().any(|member| member.bits.is_some()) {
            return Err(format!("{name} has bit-fields"));
        }
        let mut values = Vec::new();
        for member in &record.members {
            let size = self.types.size(&member.of).unwrap_or(0);
            let part = bytes.get(member.offset as usize..(member.offset + size) as usize);
            let part = part.ok_or_else(|| format!("{name} is too small"))?;
            if record.is_union && size < record.size {
                continue;
            }
            if record.is_union && self.types.needs_filling(&member.of) {
                return Err(format!("{name} is a union with pointers"));
            }
            let inner = format!("{name}.{}", member.name);
            let place = format!("{place}.{}", member.name);
            let value = self.value(&inner, &member.of, part, &place)?;
            let is_default = matches!(
                value.as_str(),
                "0" | "NULL" | "0L" | "0U" | "0UL" | "0.0" | "\"\""
            );
            if !is_default {
                values.push(format!(".{} = {value}", member.name));
            }
            if record.is_union {
                break;
            }
        }
        Ok(if values.is_empty() {
            "{ 0 }".to_string()
        } else {
            format!("{{ {} }}", values.join(", "))
        })
    }

    /// Returns the value of a pointer, after it made what it points to.
    fn pointer(&mut self, name: &str, to: &Type, place: &str) -> Walked<String> {
        match to {
            Type::Incomplete => return Ok("NULL".to_string()),
            Type::Record(number) if self.is_stream(*number) => {
                return Ok("stdin".to_string());
            }
            Type::Function(..) => {
                return match self.shape(name)? {
                    Some(0) => Ok("NULL".to_string()),
                    _ => Err(format!("{name} is a function")),
                };
            }
            _ => {}
        }
        let bytes_of_unknown = Type::Bytes(1);
        let to = if *to == Type::Void {
            &bytes_of_unknown
        } else {
            to
        };
        match self.shape(name)? {
            Some(0) => Ok("NULL".to_string()),
            Some(shape @ 3..) => self.shared(name, shape as usize - 3, place),
            None if !self.is_next(name) => Ok("NULL".to_string()),
            Some(_) | None => self.object(name, to),
        }
    }

    /// Takes the shape of a pointer, if the test has one.
    fn shape(&mut self, name: &str) -> Walked<Option<u8>> {
        let shape = format!("{name}:shape");
        if !self.is_next(&shape) {
            return Ok(None);
        }
        Ok(self.take(&shape)?.first().copied())
    }

    /// The address of an object that was made before, or is being made.
    fn shared(&mut self, name: &str, number: usize, place: &str) -> Walked<String> {
        let made = self
            .made
            .get(number)
            .ok_or_else(|| format!("{name} shares no object"))?;
        let address = address(made);
        if made.is_open {
            self.later.push(format!("{place} = {address};"));
            return Ok("NULL".to_string());
        }
        Ok(address)
    }

    /// Declares the object behind a pointer and returns its address.
    fn object(&mut self, name: &str, of: &Type) -> Walked<String> {
        let bytes = self.take(name)?;
        let size = self.types.size(of).unwrap_or(0) as usize;
        if size == 0 {
            return Err(format!("{name} has no size"));
        }
        let is_text = matches!(of, Type::Character(_));
        let elements = bytes.len() / size;
        let is_array = elements != 1 || is_text || matches!(of, Type::Bytes(_));
        let variable = self.variable(name);
        let number = self.made.len();
        self.made.push(Made {
            of: of.clone(),
            name: variable.clone(),
            is_array,
            elements: elements as u64,
            is_open: true,
        });
        let line = if is_text {
            let mut bytes = bytes.to_vec();
            if let (true, Some(last)) = (self.has_strings, bytes.last_mut()) {
                *last = 0;
            }
            let declared = self.declare(of, &format!("{variable}[{elements}]"))?;
            format!("{declared} = {};", characters(&bytes))
        } else if let Type::Bytes(_) = of {
            let values: Vec<String> = bytes.iter().map(u8::to_string).collect();
            format!(
                "unsigned char {variable}[{elements}] = {{ {} }};",
                values.join(", ")
            )
        } else {
            let mut values = Vec::new();
            for (at, bytes) in bytes.chunks(size).enumerate() {
                let (inner, place) = if is_array {
                    (format!("{name}[{at}]"), format!("{variable}[{at}]"))
                } else {
                    (name.to_string(), variable.clone())
                };
                values.push(self.value(&inner, of, bytes, &place)?);
            }
            if is_array {
                let declared = self.declare(of, &format!("{variable}[{elements}]"))?;
                format!("{declared} = {{ {} }};", values.join(", "))
            } else {
                format!("{} = {};", self.declare(of, &variable)?, values.join(", "))
            }
        };
        self.lines.push(line);
        self.made[number].is_open = false;
        Ok(address(&self.made[number]))
    }

    fn is_stream(&self, number: u32) -> bool {
        let record = self.types.records.get(&number);
        record.is_some_and(|record| record.name == STREAM)
    }

    /// A variable's name of a parameter or of an object behind one.
    fn variable(&mut self, name: &str) -> String {
        let parts = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let base = parts.join("_");
        let mut names = (1..).map(|number| match number {
            1 => base.clone(),
            number => format!("{base}_{number}"),
        });
        let free = names.find(|name| self.names.insert(name.clone()));
        free.unwrap_or(base)
    }

    /// A declaration without initializer.
    fn declare(&self, of: &Type, name: &str) -> Walked<String> {
        Ok(match of {
            Type::Scalar(scalar) | Type::Character(scalar) => format!("{scalar} {name}"),
            Type::Bool => format!("_Bool {name}"),
            Type::Pointer(to) | Type::Reference(to) => match &**to {
                Type::Record(_) | Type::Character(_) => self.declare(to, &format!("*{name}"))?,
                _ => format!("void *{name}"),
            },
            Type::Array(of, count) => {
                self.declare(of, &format!("{name}[{}]", count.unwrap_or(0)))?
            }
            Type::Record(number) => match self.types.records.get(number) {
                Some(record) => format!("{} {name}", record.declared()?),
                None => return Err(format!("{name} has no type")),
            },
            _ => return Err(format!("{name} has no type")),
        })
    }
}

fn address(made: &Made) -> String {
    if made.is_array {
        made.name.clone()
    } else {
        format!("&{}", made.name)
    }
}

/// An initializer of an array of characters: a text if its last byte is zero.
fn characters(bytes: &[u8]) -> String {
    match bytes.split_last() {
        Some((0, before)) => {
            let end = before
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |at| at + 1);
            format!("\"{}\"", text(&before[..end]))
        }
        _ => {
            let values = bytes
                .iter()
                .map(|byte| integer("char", &[*byte]).unwrap_or_default());
            format!("{{ {} }}", values.collect::<Vec<_>>().join(", "))
        }
    }
}

impl Record {
    /// The type as C writes it.
    fn declared(&self) -> Walked<String> {
        let keyword = if self.is_union { "union" } else { "struct" };
        match &self.own_name {
            None => Err("one of its types has no name".to_string()),
            Some((name, true)) => Ok(name.clone()),
            Some((name, false)) => Ok(format!("{keyword} {name}")),
        }
    }
}
