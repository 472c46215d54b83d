//! clang: bitcode is only read if the clang that wrote it is not newer than homi's LLVM.
//!
//! Invariant: of two clangs of one version the one on the `PATH` under its full name comes first.

use super::{Compiler, first_line_of, version_in};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The oldest clang whose bitcode homi reads.
pub const OLDEST_CLANG: u32 = 14;

/// Newer than any that is out; only names are tried up to it.
const NEWEST_TRIED: u32 = 30;

/// Every clang on this machine, the newest first.
pub fn clangs() -> Vec<Compiler> {
    let mut found: Vec<Compiler> = Vec::new();
    for clang in with_numbers(NEWEST_TRIED).chain(without_number()) {
        if found.iter().all(|known| known.version != clang.version) {
            found.push(clang);
        }
    }
    found.sort_by_key(|clang| std::cmp::Reverse(clang.major));
    found
}

/// The newest clang whose bitcode an LLVM of version `supported` reads. A clang is asked for its
/// version only if it may be the newest one, because that takes as long as a small compilation.
pub fn newest_clang(supported: u32) -> Option<Compiler> {
    let usable = |clang: &Compiler| (OLDEST_CLANG..=supported).contains(&clang.major);
    let newest = with_numbers(supported).find(usable);
    if newest
        .as_ref()
        .is_some_and(|clang| clang.major == supported)
    {
        return newest;
    }
    let others = without_number().filter(usable).into_iter();
    // Of two with the same version, `max_by_key` takes the last one.
    others.chain(newest).max_by_key(|clang| clang.major)
}

/// The clangs with a version up to this one in their name or directory, the newest first.
fn with_numbers(newest: u32) -> impl Iterator<Item = Compiler> {
    (1..=newest)
        .rev()
        .flat_map(|major| [numbered(major), in_debian(major)])
        .filter_map(|name| clang_called(&name))
}

/// The clang that the name alone finds on the `PATH`.
fn without_number() -> Option<Compiler> {
    clang_called("clang")
}

/// The newest clang up to version `newest` (of the LLVM that will read its bitcode), in the
/// directories of `path` (as the variable PATH) or where Debian keeps it. Only a clang without a
/// number in its name is asked for its version: a build looks once per source.
pub fn clang_in(path: &OsStr, newest: u32) -> Option<PathBuf> {
    let directories: Vec<PathBuf> = std::env::split_paths(path).collect();
    let in_path = |name: String| {
        directories
            .iter()
            .map(move |directory| directory.join(&name))
    };
    for version in (OLDEST_CLANG..=newest).rev() {
        let mut places = in_path(numbered(version)).chain([in_debian(version).into()]);
        if let Some(found) = places.find(|file| file.is_file()) {
            return Some(found);
        }
    }
    let is_read = |clang: &Path| {
        let asked = clang.to_str().and_then(clang_called);
        asked.is_some_and(|clang| (OLDEST_CLANG..=newest).contains(&clang.major))
    };
    in_path("clang".to_string()).find(|file| file.is_file() && is_read(file))
}

/// The name of a version on the `PATH`.
fn numbered(major: u32) -> String {
    format!("clang-{major}")
}

/// Returns the path of a version in Debian.
fn in_debian(major: u32) -> String {
    format!("/usr/lib/llvm-{major}/bin/clang")
}

fn clang_called(name: &str) -> Option<Compiler> {
    let line = first_line_of(name, &["--version"])?;
    if !line.contains("clang") {
        return None;
    }
    let (major, version) = version_in(&line)?;
    Some(Compiler {
        program: PathBuf::from(name),
        major,
        version,
    })
}
