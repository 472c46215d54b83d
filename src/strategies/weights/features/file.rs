//! Weight file: JSON with weights by the names of their features.
//!
//! Invariant: written weights are read back bit for bit. A file is refused unless it names every
//! feature of its set exactly once, so that no weight of a renamed feature is ignored.

use super::error::WeightsError;
use super::set::FeatureSet;
use super::weights::Weights;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// Program that weights were learned for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramMark {
    /// Name of the bitcode file.
    pub name: String,
    /// Hash of the lowered program, in hexadecimal.
    pub hash: String,
}

/// Contents of a weight file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WeightsFile {
    /// Name of the feature set.
    pub feature_set: String,
    /// Weights by the names of their features. A missing weight is an error; 0 is valid.
    pub weights: Map<String, Value>,
    /// Program that the weights were learned for; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramMark>,
    /// Results of the weights during learning; informative only.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub statistics: Value,
    /// History of learning, step by step; informative only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Value>,
}

impl WeightsFile {
    /// Returns a file with these weights only.
    pub fn of<R>(weights: &Weights<R>) -> Self {
        let names = weights.set().names().map(str::to_string);
        let values = weights.values().iter().map(|value| Value::from(*value));
        Self {
            feature_set: weights.set().name.to_string(),
            weights: names.zip(values).collect(),
            program: None,
            statistics: Value::Null,
            history: Vec::new(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Fails, naming the file, if it cannot be read or has another format.
    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let text = std::fs::read(path).map_err(|cause| WeightsError::File {
            action: "read",
            path: path.to_path_buf(),
            cause,
        })?;
        serde_json::from_slice(&text).map_err(|cause| WeightsError::Format {
            path: path.to_path_buf(),
            cause,
        })
    }

    /// Writes the file atomically, replacing an existing one.
    ///
    /// # Errors
    /// Fails, naming the file, if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), WeightsError> {
        let failed = |cause| WeightsError::File {
            action: "write",
            path: path.to_path_buf(),
            cause,
        };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        std::fs::write(path, text + "\n").map_err(failed)
    }

    /// Returns the weights as a vector over a set. `path` is the file's, for messages.
    ///
    /// # Errors
    /// Fails, naming the file, if the weights belong to another set or a feature is unknown. Also
    /// fails if a weight is missing or not finite.
    pub fn weights<R>(
        &self,
        set: &'static FeatureSet<R>,
        path: &Path,
    ) -> Result<Weights<R>, WeightsError> {
        if self.feature_set != set.name {
            let (theirs, wanted) = (&self.feature_set, set.name);
            let what = format!("they belong to the feature set `{theirs}`, not to `{wanted}`");
            return Err(WeightsError::in_file(path, what));
        }
        let names: BTreeSet<&str> = set.names().collect();
        if let Some(name) = self.weights.keys().find(|name| !names.contains(&***name)) {
            let what = format!(
                "unknown feature `{name}` in the set `{}`, perhaps of another version of homi; \
                 learn the weights again, or see the list of `homi weights`",
                set.name
            );
            return Err(WeightsError::in_file(path, what));
        }
        let mut values = Vec::with_capacity(set.len());
        for name in set.names() {
            let value = self.weights.get(name).ok_or_else(|| {
                let what = format!(
                    "the weight of `{name}` is missing; set it to 0 to ignore the \
                     feature"
                );
                WeightsError::in_file(path, what)
            })?;
            let number = value.as_f64().filter(|number| number.is_finite());
            values.push(number.ok_or_else(|| {
                let what = format!("the weight of `{name}` is not a finite number: {value}");
                WeightsError::in_file(path, what)
            })?);
        }
        Weights::new(set, values).map_err(|error| WeightsError::in_file(path, error))
    }

    /// Reads the weights over a set from a file, and the program that they were learned for.
    ///
    /// # Errors
    /// Returns the errors of `read` and `weights`.
    pub fn load<R>(
        path: &Path,
        set: &'static FeatureSet<R>,
    ) -> Result<(Weights<R>, Option<ProgramMark>), WeightsError> {
        let file = Self::read(path)?;
        let weights = file.weights(set, path)?;
        Ok((weights, file.program))
    }
}

#[cfg(test)]
mod tests {
    use super::super::BRANCH;
    use super::*;

    fn some_weights() -> Weights<super::super::BranchNumbers> {
        let values = (0..40).map(|index| 0.1 * f64::from(index) - 2.0);
        Weights::new(&BRANCH, values.collect()).unwrap()
    }

    /// Returns the error message for a file with this text.
    fn refused(text: &str) -> String {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("w.json");
        std::fs::write(&path, text).unwrap();
        let read = WeightsFile::read(&path);
        let error = read
            .and_then(|file| file.weights(&BRANCH, &path))
            .unwrap_err();
        let text = error.to_string();
        assert!(text.contains(&path.display().to_string()), "{text}");
        text
    }

    /// Returns the text of a file with one weight replaced.
    fn with(name: &str, value: &str) -> String {
        let text = serde_json::to_string(&WeightsFile::of(&some_weights())).unwrap();
        let weight = format!("\"{name}\":");
        let at = text.find(&weight).unwrap() + weight.len();
        let end = at + text[at..].find([',', '}']).unwrap();
        format!("{}{value}{}", &text[..at], &text[end..])
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("w.json");
        let weights = some_weights();
        let mut file = WeightsFile::of(&weights);
        file.program = Some(ProgramMark {
            name: "wc.bc".to_string(),
            hash: "00ff".to_string(),
        });
        file.statistics = serde_json::json!({"branches": 12});
        file.write(&path).unwrap();
        let read = WeightsFile::read(&path).unwrap();
        assert_eq!(read, file);
        assert_eq!(read.weights(&BRANCH, &path).unwrap(), weights);
    }

    #[test]
    fn unusable_files_are_reported_by_name() {
        assert!(refused("{\"feature_set\":").contains("is not a weight file"));
        assert!(refused("[1, 2]").contains("is not a weight file"));
        let other = "{\"feature_set\":\"edges\",\"weights\":{}}";
        assert!(refused(other).ends_with("to the feature set `edges`, not to `branch`"));
        let missing = "{\"feature_set\":\"branch\",\"weights\":{\"in main\":1}}";
        assert!(refused(missing).contains("weight of `true branch of a loop` is missing"));
        let unknown = "{\"feature_set\":\"branch\",\"weights\":{\"in mian\":1}}";
        assert!(refused(unknown).contains("`in mian` in the set `branch`"));
        assert!(
            refused(&with("nested", "null")).contains("of `nested` is not a finite number: null")
        );
        assert!(refused(&with("nested", "\"high\"")).contains("not a finite number: \"high\""));
        // serde_json does not parse numbers beyond the range of f64.
        assert!(refused(&with("nested", "1e999")).contains("out of range"));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = WeightsFile::read(Path::new("no/such/file.json")).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("cannot read the weights no/such/file.json: "));
    }
}
