//! C for the types of a harness: records, what pointers point to, how objects are filled.
//!
//! Invariant: each type has its functions once, however often it is met.

use super::types::{Record, Type, Types};
use super::{CALLBACK, STUB};
use homi_config::{Pointee, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The parts of a harness that are about types.
pub(super) struct Objects<'t> {
    types: &'t Types,
    /// Types that pointers point to, with numbers.
    pointees: BTreeMap<Type, usize>,
    /// Functions that are pointed to.
    stubs: BTreeMap<Type, usize>,
    records: BTreeSet<u32>,
    /// Definitions of types and functions that fill and return, in an order that C takes.
    text: String,
    loops: usize,
    /// Types whose objects are being described, the outermost first.
    open: Vec<Type>,
    /// True if a pointer may be null that no option allows: of a type that is not defined, in a
    /// union, or at the end of a chain of objects.
    pub(super) gives_null: bool,
}

/// Objects behind one another that a harness makes by default.
const USUAL_DEPTH: usize = 3;

/// A record of the C library whose content is not the program's business.
pub(super) const STREAM: &str = "_IO_FILE";

impl<'t> Objects<'t> {
    pub(super) fn new(types: &'t Types) -> Self {
        Self {
            types,
            pointees: BTreeMap::new(),
            stubs: BTreeMap::new(),
            records: BTreeSet::new(),
            text: String::new(),
            loops: 0,
            open: Vec::new(),
            gives_null: false,
        }
    }

    /// A type with the name that has it, as C declares it.
    pub(super) fn declare(&self, of: &Type, name: &str) -> String {
        match of {
            Type::Void => format!("void {name}"),
            Type::Scalar(scalar) | Type::Character(scalar) => format!("{scalar} {name}"),
            Type::Bool => format!("_Bool {name}"),
            Type::Pointer(_) | Type::Reference(_) | Type::Function(..) => format!("void *{name}"),
            Type::Array(of, count) => self.declare(of, &format!("{name}[{}]", count.unwrap_or(0))),
            Type::Record(number) => match self.types.records.get(number) {
                Some(record) => format!("{} {name}", kind(record)),
                None => format!("unsigned char {name}[0]"),
            },
            Type::Bytes(size) => format!("unsigned char {name}[{size}]"),
            Type::Incomplete => format!("unsigned char {name}[0]"),
        }
    }

    /// A declaration in which pointers to records and numbers have their types.
    pub(super) fn declare_typed(&self, of: &Type, name: &str) -> String {
        match of {
            Type::Pointer(to) | Type::Reference(to) => match &**to {
                Type::Scalar(_) | Type::Character(_) | Type::Bool => {
                    self.declare(to, &format!("*{name}"))
                }
                Type::Record(number) if self.records.contains(number) => {
                    self.declare(to, &format!("*{name}"))
                }
                Type::Pointer(_) => self.declare_typed(to, &format!("*{name}")),
                _ => self.declare(of, name),
            },
            Type::Array(of, count) => {
                self.declare_typed(of, &format!("{name}[{}]", count.unwrap_or(0)))
            }
            _ => self.declare(of, name),
        }
    }

    /// All that was asked for, with declarations before.
    pub(super) fn into_text(self) -> String {
        let mut text = String::new();
        let mut defined = BTreeSet::new();
        for number in &self.records {
            self.define(&Type::Record(*number), &mut defined, &mut text);
        }
        for number in self.pointees.values() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "static const struct homi_type homi_type_{number};");
        }
        let of_records = self.records.iter().map(|number| Type::Record(*number));
        for of in of_records.filter(|of| self.types.needs_filling(of)) {
            if let Type::Record(number) = of {
                let _ = writeln!(
                    text,
                    "static void homi_fill_{number}(void *, const char *, int);"
                );
            }
        }
        text + "\n" + &self.text
    }

    /// Defines the records that a type consists of, the innermost first.
    fn define(&self, of: &Type, defined: &mut BTreeSet<u32>, text: &mut String) {
        match of {
            Type::Array(of, _) => self.define(of, defined, text),
            Type::Record(number) if defined.insert(*number) => {
                if let Some(record) = self.types.records.get(number) {
                    for member in &record.members {
                        self.define(&member.of, defined, text);
                    }
                    *text += &self.definition(record);
                }
            }
            _ => {}
        }
    }

    /// A record's members, with the gaps that C would not leave.
    fn definition(&self, record: &Record) -> String {
        let natural = self.is_natural(record);
        let mut text = format!("{} {{\n", kind(record));
        let mut end = 0;
        for member in &record.members {
            if !natural && !record.is_union && member.offset > end {
                let gap = member.offset - end;
                let _ = writeln!(text, "  char homi_gap_{end}[{gap}];");
            }
            let bits = member
                .bits
                .map_or_else(String::new, |bits| format!(" : {bits}"));
            let declared = self.declare_typed(&member.of, &member.name);
            let _ = writeln!(text, "  {declared}{bits};");
            end = member.offset + self.types.size(&member.of).unwrap_or(0);
        }
        if !natural && record.size > end {
            let _ = writeln!(text, "  char homi_gap_{end}[{}];", record.size - end);
        }
        let packed = if natural {
            ""
        } else {
            " __attribute__((packed))"
        };
        let _ = writeln!(
            text,
            "}}{packed};\n_Static_assert(sizeof({}) == {}, \"the size that the program has\");",
            kind(record),
            record.size
        );
        text
    }

    /// True if C places the members at these offsets by default; bit-fields need a check.
    fn is_natural(&self, record: &Record) -> bool {
        if record.is_union || record.members.iter().any(|member| member.bits.is_some()) {
            return true;
        }
        let (mut end, mut most) = (0u64, 1);
        for member in &record.members {
            let alignment = self.types.alignment(&member.of).max(1);
            most = most.max(alignment);
            if end.next_multiple_of(alignment) != member.offset {
                return false;
            }
            end = member.offset + self.types.size(&member.of).unwrap_or(0);
        }
        end.next_multiple_of(most) == record.size
    }

    /// Takes note of the records that an object of a type consists of.
    pub(super) fn need(&mut self, of: &Type) {
        match of {
            Type::Array(of, _) => self.need(of),
            Type::Record(number) if self.records.insert(*number) => {
                let Some(record) = self.types.records.get(number) else {
                    return;
                };
                for member in &record.members {
                    self.need(&member.of);
                }
                self.fill_record(*number, record);
            }
            _ => {}
        }
    }

    /// The function that fills the objects of a record.
    fn fill_record(&mut self, number: u32, record: &Record) {
        if !self.types.needs_filling(&Type::Record(number)) {
            return;
        }
        let mut body = format!("  {} *it = object;\n", kind(record));
        for member in &record.members {
            let place = format!("it->{}", member.name);
            let name = format!("homi_name(name, \".{}\")", member.name);
            if record.is_union {
                // One of its members would be filled over the other.
                if self.types.needs_filling(&member.of) {
                    self.gives_null = true;
                    let _ = writeln!(body, "  __builtin_memset(&{place}, 0, sizeof {place});");
                }
            } else if member.bits.is_none() {
                body += &self.fill(&place, &name, &member.of, "depth + 1");
                if let Some(count) = &member.counted_by {
                    let made = match member.of {
                        Type::Pointer(_) => "homi_made".to_string(),
                        Type::Array(_, elements) => elements.unwrap_or(0).to_string(),
                        _ => continue,
                    };
                    // The whole record is symbolic already, the member with the number too.
                    let _ = writeln!(body, "  klee_assume((unsigned long)it->{count} <= {made});");
                }
            }
        }
        let _ = write!(
            self.text,
            "static void homi_fill_{number}(void *object, const char *name, int depth) {{\n{body}}}\n\n"
        );
    }

    /// Statements that give pointers and truth values in a place of a type what they may have.
    pub(super) fn fill(&mut self, place: &str, name: &str, of: &Type, depth: &str) -> String {
        if !self.types.needs_filling(of) {
            return String::new();
        }
        match of {
            Type::Bool => format!("  *(unsigned char *)&{place} &= 1;\n"),
            Type::Pointer(to) => self.pointer(place, name, to, depth, "HOMI_NULL"),
            Type::Reference(to) => self.pointer(place, name, to, depth, "0"),
            Type::Array(of, count) => {
                self.loops += 1;
                let index = format!("i{}", self.loops);
                let inner = self.fill(
                    &format!("{place}[{index}]"),
                    &format!("homi_index({name}, {index})"),
                    of,
                    depth,
                );
                let count = count.unwrap_or(0);
                format!(
                    "  for (unsigned {index} = 0; {index} < {count}; {index}++) {{\n{inner}  }}\n"
                )
            }
            Type::Record(number) => {
                self.need(of);
                // `homi_fill_N` adds one for its members, which are as deep as the record.
                format!("  homi_fill_{number}(&{place}, {name}, {depth} - 1);\n")
            }
            _ => String::new(),
        }
    }

    fn pointer(&mut self, place: &str, name: &str, to: &Type, depth: &str, null: &str) -> String {
        self.gives_null |= *to == Type::Incomplete || null == "1";
        match to {
            Type::Incomplete => format!("  {place} = 0;\n"),
            Type::Record(number) if self.is_stream(*number) => {
                format!("  {place} = stdin;\n")
            }
            Type::Function(..) => {
                let stub = self.stub(to);
                format!(
                    "  {place} = homi_choice({null} ? 3 : 2, {name}) ? (void *){STUB}{stub} : (void *)0;\n"
                )
            }
            to => {
                let number = self.pointee(to);
                format!("  {place} = homi_pointer(&homi_type_{number}, {name}, {depth}, {null});\n")
            }
        }
    }

    /// A statement that gives a pointer what a contract says.
    ///
    /// # Errors
    /// Returns why the parameter cannot have it.
    pub(super) fn given(
        &mut self,
        (place, name): (&str, &str),
        of: &Type,
        given: &Pointee,
    ) -> Result<String, String> {
        let (Type::Pointer(to) | Type::Reference(to)) = of else {
            return Err(format!("`{name}` is no pointer"));
        };
        if given.target == Some(Target::Any) {
            let null = if given.may_be_null { "1" } else { "0" };
            return Ok(self.pointer(place, &format!("\"{name}\""), to, "0", null));
        }
        let is_opaque = match &**to {
            Type::Incomplete | Type::Function(..) => true,
            Type::Record(number) => self.is_stream(*number),
            _ => false,
        };
        let Some(target) = given.target.filter(|_| !is_opaque) else {
            return match given.target {
                None => {
                    self.gives_null = true;
                    Ok(format!("  {place} = 0;\n"))
                }
                Some(_) => Err(format!("homi cannot make the object behind `{name}`")),
            };
        };
        let is_text = matches!(**to, Type::Character(_));
        let is_string = matches!(target, Target::String(_));
        if is_string && !is_text {
            return Err(format!(
                "`{name}` points to no characters, so it is no string"
            ));
        }
        let elements = match target {
            Target::Any | Target::One => "1".to_string(),
            Target::Many(None) | Target::String(None) => "HOMI_ELEMENTS".to_string(),
            Target::Many(Some(number)) | Target::String(Some(number)) => number.to_string(),
        };
        self.gives_null |= given.may_be_null;
        let fresh = if target == Target::One { 2 } else { 4 };
        let allowed = fresh | u8::from(given.may_be_null);
        let number = self.pointee(to);
        Ok(format!(
            "  {place} = homi_given(&homi_type_{number}, \"{name}\", {allowed}, {elements}, {});\n",
            u8::from(is_string)
        ))
    }

    fn is_stream(&self, number: u32) -> bool {
        let record = self.types.records.get(&number);
        record.is_some_and(|record| record.name == STREAM)
    }

    /// The number of what a pointer points to.
    fn pointee(&mut self, of: &Type) -> usize {
        let of = if *of == Type::Void {
            Type::Bytes(1)
        } else {
            of.clone()
        };
        if let Some(number) = self.pointees.get(&of) {
            self.gives_null |= self.open.contains(&of);
            return *number;
        }
        let number = self.pointees.len() + 1;
        self.pointees.insert(of.clone(), number);
        self.gives_null |= self.open.len() >= USUAL_DEPTH;
        self.open.push(of.clone());
        self.need(&of);
        let size = self.types.size(&of).unwrap_or(0);
        let is_text = u8::from(matches!(of, Type::Character(_)));
        let is_bytes = u8::from(of == Type::Bytes(1));
        let is_node = u8::from(self.types.refers_to_itself(&of));
        let fill = match &of {
            Type::Record(record) if self.types.needs_filling(&of) => format!("homi_fill_{record}"),
            of if self.types.needs_filling(of) => {
                let declared = self.declare(of, "(*it)");
                let declared = match of {
                    Type::Pointer(_) | Type::Reference(_) => "void **it".to_string(),
                    _ => declared,
                };
                let body = self.fill("(*it)", "name", of, "depth + 1");
                let _ = write!(
                    self.text,
                    "static void homi_fill_pointee_{number}(void *object, const char *name, int depth) {{\n  {declared} = object;\n{body}}}\n\n"
                );
                format!("homi_fill_pointee_{number}")
            }
            _ => "0".to_string(),
        };
        self.open.pop();
        let _ = write!(
            self.text,
            "static const struct homi_type homi_type_{number} = {{{size}, {is_text}, {is_bytes}, {is_node}, {fill}}};\n\n"
        );
        number
    }

    /// Returns the number of a function that represents all of a type: it returns any value.
    fn stub(&mut self, of: &Type) -> usize {
        let Type::Function(result, parameters) = of else {
            return 0;
        };
        if let Some(number) = self.stubs.get(of) {
            return *number;
        }
        let number = self.stubs.len() + 1;
        self.stubs.insert(of.clone(), number);
        let listed = parameters.iter().enumerate();
        let listed = listed.filter(|(_, one)| **one != Type::Void);
        let listed = listed.map(|(place, one)| {
            self.need(one);
            self.declare(one, &format!("p{place}"))
        });
        let listed: Vec<String> = listed.collect();
        let listed = if listed.is_empty() {
            "void".to_string()
        } else {
            listed.join(", ")
        };
        self.need(result);
        let head = self.declare(result, &format!("{STUB}{number}"));
        let body = match **result {
            Type::Void => String::new(),
            ref result => {
                let declared = self.declare(result, "value");
                let name = format!("\"{CALLBACK}{number}\"");
                let make = match result {
                    Type::Pointer(_) => String::new(),
                    _ => format!("  klee_make_symbolic(&value, sizeof value, {name});\n"),
                };
                let filled = self.fill("value", &name, result, "0");
                format!("  {declared};\n{make}{filled}  return value;\n")
            }
        };
        let _ = write!(self.text, "static {head}({listed}) {{\n{body}}}\n\n");
        number
    }
}

/// `struct NAME` or `union NAME`.
fn kind(record: &Record) -> String {
    let keyword = if record.is_union { "union" } else { "struct" };
    format!("{keyword} {}", record.name)
}
