//! JSON Schemas of records, made from the declarations of their statistics.
//!
//! Invariant: every field has a description, and no record has further fields.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A type with a JSON Schema.
pub trait Described {
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

/// An absent value has no field, so a field is never `null`.
impl<T: Described> Described for Option<T> {
    fn schema() -> Value {
        T::schema()
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
        let name = name.trim_start_matches("r#");
        schema["description"] = meaning.concat().trim().into();
        self.properties.insert(name.to_string(), schema);
        if !serde.contains("skip_serializing_if") {
            self.required.push(name.into());
        }
    }

    /// Adds the fields of another record.
    fn add(&mut self, other: &Value) {
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
            "additionalProperties": false,
        })
    }
}
