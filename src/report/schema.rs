//! JSON Schemas of records, made from the declarations of their statistics.
//!
//! Invariant: every field has a description. A record may have further fields, because homi adds
//! some within a version.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A type with a JSON Schema.
pub trait Described {
    /// True if a value may be absent: without a field, or as `null`.
    const IS_OPTIONAL: bool = false;

    /// The schema of the values of this type.
    fn schema() -> Value;
}

impl Described for bool {
    fn schema() -> Value {
        json!({"type": "boolean"})
    }
}

impl Described for u32 {
    fn schema() -> Value {
        json!({"type": "integer", "minimum": 0})
    }
}

impl Described for u64 {
    fn schema() -> Value {
        u32::schema()
    }
}

impl Described for usize {
    fn schema() -> Value {
        u32::schema()
    }
}

impl Described for i32 {
    fn schema() -> Value {
        json!({"type": "integer"})
    }
}

impl Described for f64 {
    fn schema() -> Value {
        json!({"type": "number"})
    }
}

impl Described for String {
    fn schema() -> Value {
        json!({"type": "string"})
    }
}

impl Described for &str {
    fn schema() -> Value {
        String::schema()
    }
}

impl Described for PathBuf {
    fn schema() -> Value {
        String::schema()
    }
}

impl<T: Described> Described for Option<T> {
    const IS_OPTIONAL: bool = true;

    fn schema() -> Value {
        T::schema()
    }
}

impl<T: Described> Described for Box<T> {
    fn schema() -> Value {
        T::schema()
    }
}

impl<T: Described, const N: usize> Described for [T; N] {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema(), "minItems": N, "maxItems": N})
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema() -> Value {
        json!({"type": "object", "additionalProperties": T::schema()})
    }
}

impl<A: Described, B: Described> Described for (A, B) {
    fn schema() -> Value {
        tuple(vec![A::schema(), B::schema()])
    }
}

impl<A: Described, B: Described, C: Described> Described for (A, B, C) {
    fn schema() -> Value {
        tuple(vec![A::schema(), B::schema(), C::schema()])
    }
}

/// Declares a record that is written as JSON, with a JSON Schema from the comments of its fields:
/// a field has its meaning, then its serde attributes.
#[macro_export]
macro_rules! described {
    (
        $(#[$outer:meta])*
        $of:vis struct $record:ident {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($($serde:tt)+)])?
                $of_field:vis $field:ident: $type:ty,
            )*
        }
    ) => {
        $(#[$outer])*
        $of struct $record {
            $(
                $(#[doc = $meaning])+
                $(#[serde($($serde)+)])?
                $of_field $field: $type,
            )*
        }

        impl $crate::Described for $record {
            fn schema() -> serde_json::Value {
                let mut record = $crate::Record::default();
                $(record.field::<$type>(
                    stringify!($field),
                    &[$($meaning),+],
                    stringify!($($($serde)+)?),
                );)*
                record.finish()
            }
        }
    };
}

/// Returns the schema of a value that is one of several records, told apart by a field: each with
/// its name there and its schema.
pub fn variants(tag: &str, meaning: &str, all: Vec<(&str, Value)>) -> Value {
    let of_one = all.into_iter().map(|(name, schema)| {
        let mut record = Record::default();
        record.value(tag, meaning, json!({"const": name}));
        record.add(&schema);
        record.finish()
    });
    json!({"oneOf": of_one.collect::<Vec<_>>()})
}

/// Returns the schema of a file.
pub fn document(title: &str, schema: Value) -> Value {
    let mut whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
    });
    for (name, value) in schema.as_object().into_iter().flatten() {
        whole[name] = value.clone();
    }
    whole
}

fn tuple(items: Vec<Value>) -> Value {
    let length = items.len();
    json!({"type": "array", "prefixItems": items, "minItems": length, "maxItems": length})
}

/// The schema of a record, field by field.
#[derive(Default)]
pub struct Record {
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Record {
    /// Adds a field with the lines of its meaning and its serde attributes.
    pub fn field<T: Described>(&mut self, name: &str, meaning: &[&str], serde: &str) {
        let mut schema = T::schema();
        if serde.contains("flatten") {
            self.add(&schema);
            return;
        }
        let is_left_out = serde.contains("skip_serializing_if");
        if T::IS_OPTIONAL && !is_left_out {
            schema = json!({"anyOf": [schema, {"type": "null"}]});
        }
        let name = name.trim_start_matches("r#");
        schema["description"] = meaning.concat().trim().into();
        self.properties.insert(name.to_string(), schema);
        if !is_left_out {
            self.required.push(name.into());
        }
    }

    /// Adds a field that has no type of its own.
    pub fn value(&mut self, name: &str, meaning: &str, mut schema: Value) {
        schema["description"] = meaning.into();
        self.properties.insert(name.to_string(), schema);
        self.required.push(name.into());
    }

    /// Adds the fields of another record.
    pub fn add(&mut self, other: &Value) {
        let fields = other["properties"].as_object().into_iter().flatten();
        let fields = fields.map(|(name, schema)| (name.clone(), schema.clone()));
        self.properties.extend(fields);
        let required = other["required"].as_array().into_iter().flatten();
        self.required.extend(required.cloned());
    }

    /// The schema of the record.
    pub fn finish(self) -> Value {
        json!({
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": true,
        })
    }
}
