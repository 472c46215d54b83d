//! Paths as URIs.
//!
//! Invariant: a path below the directory that homi ran in is relative to it, so that a report can
//! be moved with its sources.

use std::fmt::Write as _;
use std::path::{Component, Path};

/// A path, relative or absolute, as a URI reference.
pub(super) fn reference(path: &Path) -> String {
    let encoded = encode(path.as_os_str().as_encoded_bytes());
    if path.is_absolute() {
        format!("file://{encoded}")
    } else {
        encoded
    }
}

/// A directory, absolute, as the URI that references begin at.
pub(super) fn directory(path: &Path) -> String {
    let mut uri = reference(path);
    if !uri.ends_with('/') {
        uri.push('/');
    }
    uri
}

/// The path seen from `base`, if it is below; without `.` components.
pub(super) fn below(path: &Path, base: &Path) -> Option<String> {
    let relative = if path.is_absolute() {
        path.strip_prefix(base).ok()?
    } else {
        path
    };
    let mut plain = std::path::PathBuf::new();
    for component in relative.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            // A link may precede it, so it cannot be removed.
            _ => plain.push(component),
        }
    }
    Some(reference(&plain))
}

fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' => {
                out.push(*byte as char);
            }
            other => {
                // Writing to a String cannot fail.
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_is_relative() {
        let base = Path::new("/work/tree");
        let of = |path: &str| below(Path::new(path), base);
        assert_eq!(of("./src/a b.c").as_deref(), Some("src/a%20b.c"));
        assert_eq!(of("/work/tree/src/a.c").as_deref(), Some("src/a.c"));
        assert_eq!(of("../x.c").as_deref(), Some("../x.c"));
        assert_eq!(of("/usr/include/x.h"), None);
        assert_eq!(reference(Path::new("/usr/x#1.h")), "file:///usr/x%231.h");
        assert_eq!(directory(base), "file:///work/tree/");
    }
}
