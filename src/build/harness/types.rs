//! Types of C as debug information has them.
//!
//! Invariant: a record is kept once by its number, so recursive types are finite; a type that homi
//! does not know is bytes of a size, or cannot be made.

use super::metadata::{Metadata, Node};
use std::collections::BTreeMap;

/// A type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Type {
    Void,
    /// Its name in C.
    Scalar(String),
    Bool,
    /// A character, the element of strings; its name in C.
    Character(String),
    Pointer(Box<Type>),
    /// A reference, which is never null.
    Reference(Box<Type>),
    Function(Box<Type>, Vec<Type>),
    /// An array with its number of elements; without a number it is incomplete.
    Array(Box<Type>, Option<u64>),
    /// A record of `Types::records`.
    Record(u32),
    /// Bytes of unknown meaning.
    Bytes(u64),
    /// Declared and nowhere defined.
    Incomplete,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) of: Type,
    /// In bytes.
    pub(super) offset: u64,
    /// Width of a bit-field.
    pub(super) bits: Option<u64>,
    /// The member that has the number of the elements of this array, or behind this pointer.
    pub(super) counted_by: Option<String>,
}

/// A structure or union.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Record {
    /// The name after `struct` in the harness.
    pub(super) name: String,
    /// The name in the program, and whether it is one of a `typedef`; `None` if it has none.
    pub(super) own_name: Option<(String, bool)>,
    pub(super) is_union: bool,
    pub(super) size: u64,
    pub(super) members: Vec<Member>,
}

/// The records that a harness needs.
#[derive(Default, Debug)]
pub(super) struct Types {
    pub(super) records: BTreeMap<u32, Record>,
    /// Members that count the elements of others, by record and other.
    counts: BTreeMap<(String, String), String>,
}

impl Types {
    /// No records yet, but it is known which members count the elements of others.
    pub(super) fn with_counts(counts: BTreeMap<(String, String), String>) -> Self {
        let records = BTreeMap::new();
        Self { records, counts }
    }

    /// The type with this number; `None` is `void`.
    pub(super) fn read(&mut self, all: &Metadata, number: Option<u32>) -> Type {
        let Some((number, node)) = number.and_then(|number| Some((number, all.get(number)?)))
        else {
            return Type::Void;
        };
        match node.kind.as_str() {
            "DIBasicType" => basic(node),
            "DISubroutineType" => {
                let mut types = all.list(node, "types").into_iter();
                let result = self.read(all, types.next().flatten());
                let parameters = types.map(|one| self.read(all, one));
                Type::Function(Box::new(result), parameters.collect())
            }
            "DICompositeType" => self.composite(all, number, node),
            _ => self.derived(all, node),
        }
    }

    fn derived(&mut self, all: &Metadata, node: &Node) -> Type {
        let base = node.reference("baseType");
        match node.field("tag").unwrap_or_default() {
            "DW_TAG_pointer_type" => Type::Pointer(Box::new(self.read(all, base))),
            "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type" => {
                Type::Reference(Box::new(self.read(all, base)))
            }
            "DW_TAG_typedef"
            | "DW_TAG_const_type"
            | "DW_TAG_volatile_type"
            | "DW_TAG_restrict_type"
            | "DW_TAG_atomic_type"
            | "DW_TAG_member"
            | "DW_TAG_inheritance" => self.read(all, base),
            _ => bytes_of(node),
        }
    }

    fn composite(&mut self, all: &Metadata, number: u32, node: &Node) -> Type {
        match node.field("tag").unwrap_or_default() {
            "DW_TAG_enumeration_type" => match node.reference("baseType") {
                Some(base) => self.read(all, Some(base)),
                None => bytes_of(node),
            },
            "DW_TAG_array_type" if node.field("flags").is_none() => {
                let of = self.read(all, node.reference("baseType"));
                let mut counts = Vec::new();
                for dimension in all.list(node, "elements").into_iter().flatten() {
                    let count = all.get(dimension).and_then(|range| range.number("count"));
                    counts.push(count);
                }
                let counts = counts.into_iter().rev();
                counts.fold(of, |of, count| Type::Array(Box::new(of), count))
            }
            "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => {
                if node
                    .field("flags")
                    .is_some_and(|flags| flags.contains("DIFlagFwdDecl"))
                {
                    return self.defined_elsewhere(all, node);
                }
                self.record(all, number, node)
            }
            _ => bytes_of(node),
        }
    }

    /// A record that is only declared here, and perhaps defined in another file of the program.
    fn defined_elsewhere(&mut self, all: &Metadata, declared: &Node) -> Type {
        let name = declared.field("name");
        let found = all.numbered().find(|(_, node)| {
            let is_defined = node.kind == "DICompositeType" && node.number("size").is_some();
            is_defined && name.is_some() && node.field("name") == name
        });
        match found {
            Some((number, node)) => self.record(all, number, node),
            None => Type::Incomplete,
        }
    }

    fn record(&mut self, all: &Metadata, number: u32, node: &Node) -> Type {
        if self.records.contains_key(&number) {
            return Type::Record(number);
        }
        let record = Record {
            name: self.free_name(all, number, node),
            own_name: own_name(all, number, node),
            is_union: node.field("tag") == Some("DW_TAG_union_type"),
            size: node.number("size").unwrap_or(0) / 8,
            members: Vec::new(),
        };
        self.records.insert(number, record);
        let mut members = Vec::new();
        for element in all.list(node, "elements").into_iter().flatten() {
            let Some(element) = all.get(element) else {
                continue;
            };
            let tag = element.field("tag").unwrap_or_default();
            let flags = element.field("flags").unwrap_or_default();
            let is_part = matches!(tag, "DW_TAG_member" | "DW_TAG_inheritance");
            if is_part && !flags.contains("DIFlagStaticMember") {
                let place = members.len();
                members.push(self.member(all, element, place));
            }
        }
        if let Some(record) = self.records.get_mut(&number) {
            let name = record.own_name.as_ref().map(|(name, _)| name.clone());
            for member in &mut members {
                let key = (name.clone().unwrap_or_default(), member.name.clone());
                member.counted_by = self.counts.get(&key).cloned();
            }
            record.members = members;
        }
        Type::Record(number)
    }

    fn member(&mut self, all: &Metadata, node: &Node, place: usize) -> Member {
        let name = node.field("name").filter(|name| is_identifier(name));
        let flags = node.field("flags").unwrap_or_default();
        let bits = flags.contains("DIFlagBitField");
        Member {
            name: name.map_or_else(|| format!("homi_member_{place}"), str::to_string),
            of: self.read(all, node.reference("baseType")),
            offset: node.number("offset").unwrap_or(0) / 8,
            counted_by: None,
            bits: bits.then(|| node.number("size").unwrap_or(0)),
        }
    }

    /// Returns the record's name, or the name of its `typedef`; names are unique.
    fn free_name(&self, all: &Metadata, number: u32, node: &Node) -> String {
        let name = own_name(all, number, node);
        let name = name.map_or_else(|| format!("homi_record_{number}"), |(name, _)| name);
        let is_used = self.records.values().any(|record| record.name == name);
        if is_used {
            format!("{name}_{number}")
        } else {
            name
        }
    }

    /// True if objects of a type hold something that is not just any bytes.
    pub(super) fn needs_filling(&self, of: &Type) -> bool {
        match of {
            Type::Pointer(_) | Type::Reference(_) | Type::Bool => true,
            Type::Array(of, _) => self.needs_filling(of),
            Type::Record(number) => self.records.get(number).is_some_and(|record| {
                let mut members = record.members.iter();
                members.any(|one| one.counted_by.is_some() || self.needs_filling(&one.of))
            }),
            _ => false,
        }
    }

    /// True if objects of a type hold pointers to objects of that type, as list nodes do.
    pub(super) fn refers_to_itself(&self, of: &Type) -> bool {
        let Type::Record(number) = of else {
            return false;
        };
        let Some(record) = self.records.get(number) else {
            return false;
        };
        record.members.iter().any(|member| match &member.of {
            Type::Pointer(to) => **to == *of,
            Type::Array(element, _) => **element == Type::Pointer(Box::new(of.clone())),
            _ => false,
        })
    }

    /// Returns the size of an object of a type in bytes; `None` if it is unknown.
    pub(super) fn size(&self, of: &Type) -> Option<u64> {
        match of {
            Type::Void | Type::Incomplete | Type::Function(..) => None,
            Type::Scalar(name) | Type::Character(name) => size_of_scalar(name),
            Type::Bool => Some(1),
            Type::Pointer(_) | Type::Reference(_) => Some(8),
            Type::Array(of, count) => Some(self.size(of)? * count.unwrap_or(0)),
            Type::Record(number) => self.records.get(number).map(|record| record.size),
            Type::Bytes(size) => Some(*size),
        }
    }

    /// Returns the alignment of a type in bytes.
    pub(super) fn alignment(&self, of: &Type) -> u64 {
        match of {
            Type::Array(of, _) => self.alignment(of),
            Type::Record(number) => self.records.get(number).map_or(1, |record| {
                let members = record.members.iter();
                members
                    .map(|member| self.alignment(&member.of))
                    .max()
                    .unwrap_or(1)
            }),
            Type::Bytes(_) => 1,
            of => self.size(of).unwrap_or(1).clamp(1, 16),
        }
    }
}

/// Returns the name of a record, or of its `typedef`, and which of both it is.
fn own_name(all: &Metadata, number: u32, node: &Node) -> Option<(String, bool)> {
    let defined = || {
        let is_name = |one: &&Node| {
            one.field("tag") == Some("DW_TAG_typedef") && one.reference("baseType") == Some(number)
        };
        let mut names: Vec<_> = all.nodes().filter(is_name).collect();
        names.sort_by_key(|node| node.field("name"));
        names.first().and_then(|node| node.field("name"))
    };
    let tag = node.field("name").map(|name| (name, false));
    let name = tag.or_else(|| defined().map(|name| (name, true)));
    let name = name.filter(|(name, _)| is_identifier(name));
    name.map(|(name, is_typedef)| (name.to_string(), is_typedef))
}

fn size_of_scalar(name: &str) -> Option<u64> {
    SCALARS
        .iter()
        .find(|(_, known, _)| *known == name)
        .map(|scalar| scalar.2)
}

/// Encoding, name in C, bytes.
const SCALARS: [(&str, &str, u64); 15] = [
    ("signed_char", "char", 1),
    ("unsigned_char", "unsigned char", 1),
    ("signed", "signed char", 1),
    ("signed", "short", 2),
    ("signed", "int", 4),
    ("signed", "long", 8),
    ("signed", "__int128", 16),
    ("unsigned", "unsigned char", 1),
    ("unsigned", "unsigned short", 2),
    ("unsigned", "unsigned int", 4),
    ("unsigned", "unsigned long", 8),
    ("unsigned", "unsigned __int128", 16),
    ("float", "float", 4),
    ("float", "double", 8),
    ("float", "long double", 16),
];

fn basic(node: &Node) -> Type {
    let encoding = node.field("encoding").unwrap_or_default();
    let encoding = encoding.strip_prefix("DW_ATE_").unwrap_or(encoding);
    let encoding = match encoding {
        "UTF" => "unsigned",
        other => other,
    };
    let bytes = node.number("size").unwrap_or(0) / 8;
    if encoding == "boolean" && bytes == 1 {
        return Type::Bool;
    }
    let found = SCALARS
        .iter()
        .find(|(known, _, size)| *known == encoding && *size == bytes);
    match found {
        Some((known, name, _)) if known.ends_with("_char") => Type::Character((*name).to_string()),
        Some((_, name, _)) => Type::Scalar((*name).to_string()),
        None => bytes_of(node),
    }
}

fn bytes_of(node: &Node) -> Type {
    match node.number("size") {
        Some(bits) if bits > 0 => Type::Bytes(bits / 8),
        _ => Type::Incomplete,
    }
}

/// True if C takes it as a name.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    letters.next().is_some_and(is_start) && letters.all(|c| is_start(c) || c.is_ascii_digit())
}
