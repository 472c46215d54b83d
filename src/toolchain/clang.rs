//! clang: bitcode is only read if the clang that wrote it is not newer than homi's LLVM.
//!
//! Invariant: of two clangs of one version the one on the `PATH` under its full name comes first.

use super::{Compiler, first_line_of, version_in};
use std::path::PathBuf;

/// The oldest clang whose bitcode homi reads.
pub const OLDEST_CLANG: u32 = 14;

/// Newer than any that is out; only names are tried up to it.
const NEWEST_TRIED: u32 = 30;

/// Every clang on this machine, the newest first.
pub fn clangs() -> Vec<Compiler> {
    let numbered = (1..=NEWEST_TRIED).rev().flat_map(|major| {
        [
            format!("clang-{major}"),
            format!("/usr/lib/llvm-{major}/bin/clang"),
        ]
    });
    let mut found: Vec<Compiler> = Vec::new();
    for name in numbered.chain(["clang".to_string()]) {
        let Some(clang) = clang_called(&name) else {
            continue;
        };
        if found.iter().all(|known| known.version != clang.version) {
            found.push(clang);
        }
    }
    found.sort_by_key(|clang| std::cmp::Reverse(clang.major));
    found
}

/// The newest clang whose bitcode an LLVM of version `supported` reads.
pub fn newest_clang(supported: u32) -> Option<Compiler> {
    let usable = |clang: &Compiler| (OLDEST_CLANG..=supported).contains(&clang.major);
    clangs().into_iter().find(usable)
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
