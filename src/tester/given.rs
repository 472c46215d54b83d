//! What a program is given as: by the endings of the files that were named.

use super::build::Sources;
use crate::config::NativeConfig;
use std::path::PathBuf;

/// A program, not yet built.
pub enum Given {
    Sources(Sources),
    /// Bitcode files, linked into one program.
    Bitcode(Vec<PathBuf>),
}

const SOURCES: [&str; 2] = ["c", "i"];
const BITCODE: [&str; 1] = ["bc"];

impl Given {
    /// Sorts files by their endings. Err: what is wrong with them.
    pub fn of(files: &[PathBuf], config: &NativeConfig) -> Result<Given, String> {
        let has = |file: &PathBuf, endings: &[&str]| {
            let ending = file.extension().unwrap_or_default();
            endings.iter().any(|one| ending == *one)
        };
        if let Some(absent) = files.iter().find(|file| !file.is_file()) {
            return Err(format!("there is no file {}", absent.display()));
        }
        if files.iter().all(|file| has(file, &SOURCES)) {
            return Ok(Given::Sources(Sources {
                files: files.to_vec(),
                config: config.clone(),
            }));
        }
        if files.iter().all(|file| has(file, &BITCODE)) {
            return Ok(Given::Bitcode(files.to_vec()));
        }
        let odd = files
            .iter()
            .find(|file| !has(file, &SOURCES) && !has(file, &BITCODE));
        Err(match odd {
            Some(file) => format!(
                "{} is neither C source (.c, .i) nor bitcode (.bc)",
                file.display()
            ),
            None => "give either C sources or bitcode, not both".to_string(),
        })
    }
}
