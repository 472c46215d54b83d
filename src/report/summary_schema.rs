//! The JSON Schema of `summary.json`, which `docs/reference/summary.schema.json` holds.

use super::schema::{Described, document};
use super::summary::{SUMMARY_SCHEMA, Summary};
use serde_json::Value;

/// Returns the JSON Schema of `summary.json`.
pub fn summary_schema() -> Value {
    let mut schema = document(
        "summary.json: the result of a run of homi",
        Summary::schema(),
    );
    schema["properties"]["schema"]["const"] = SUMMARY_SCHEMA.into();
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_file_is_what_the_program_says() {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/summary.schema.json");
        let text = std::fs::read_to_string(file).expect("the file");
        let advice = "homi schema summary > docs/reference/summary.schema.json";
        assert!(text == format!("{:#}\n", summary_schema()), "{advice}");
    }
}
