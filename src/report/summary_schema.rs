//! The JSON Schema of `summary.json`, which `docs/reference/summary.schema.json` holds.

use super::schema::Described;
use super::summary::{SUMMARY_SCHEMA, Summary};
use serde_json::json;

/// The JSON Schema of `summary.json` as a file.
pub fn summary_schema() -> String {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "summary.json: the result of a run of homi",
    });
    let record = Summary::schema();
    for (name, value) in record.as_object().into_iter().flatten() {
        schema[name] = value.clone();
    }
    schema["properties"]["schema"]["const"] = SUMMARY_SCHEMA.into();
    format!("{schema:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::path::Path;

    /// Names of the fields below a schema that have no description.
    fn undescribed(schema: &Value, at: &str, found: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            if field["description"].as_str().is_none_or(str::is_empty) {
                found.push(at.clone());
            }
            undescribed(field, &at, found);
        }
        undescribed_items(schema, at, found);
    }

    fn undescribed_items(schema: &Value, at: &str, found: &mut Vec<String>) {
        if let Some(items) = schema.get("items") {
            undescribed(items, at, found);
        }
    }

    #[test]
    fn every_field_has_a_description() {
        let mut found = Vec::new();
        undescribed(&Summary::schema(), "", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn the_file_is_what_the_program_says() {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/summary.schema.json");
        let text = std::fs::read_to_string(file).expect("the file");
        let advice = "homi __summary-schema > docs/reference/summary.schema.json";
        assert!(text == summary_schema(), "{advice}");
    }
}
