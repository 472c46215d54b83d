//! Lowered programs kept between runs, one file per key.
//!
//! Invariant: a key covers everything that the result depends on: contents of all inputs, the
//! options, homi's version, and the runtime and the executable by path, size, time and inode, since
//! a set-up or a build replaces them whole. Files appear by rename, so a reader sees a whole image
//! or none; what cannot be decoded is a miss. A cache that does not work is not an error.

use super::child::HEADER;
use super::link::cxx;
use super::load::{LoadOptions, RUNTIME_FILES, RUNTIME_OF_32_BITS};
use super::read::error::LoadError;
use super::read::inputs::{Inputs, ModuleSource};
use homi_ir::util::installation;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The place of one program's image.
pub(crate) struct Cache {
    path: PathBuf,
}

impl Cache {
    /// The entry for these options; `None` if they ask for no cache. Unreadable inputs are errors
    /// here already, with the same message as without a cache.
    pub fn open(
        options: &LoadOptions,
        inputs: &Inputs,
        executable: &Path,
    ) -> Result<Option<Cache>, LoadError> {
        let Some(directory) = &options.cache_dir else {
            return Ok(None);
        };
        let mut hash = Sha256::new();
        hash.update(HEADER);
        hash.update(env!("CARGO_PKG_VERSION"));
        // Another build of the same version lowers differently.
        add_identity(&mut hash, &installation::file(executable));
        add_text(&mut hash, &options.entry);
        if let Some((harness, main)) = &options.harness {
            let source = ModuleSource::whole(harness);
            add_text(&mut hash, main);
            hash.update(&source.read()?);
        }
        let ways = [
            options.track_undefined,
            options.unset_is_any,
            options.track_overflow,
            options.keep_locals,
            options.ends_blocks,
            options.simple_switches,
            options.watch.points,
            options.watch.accesses,
            options.watch.marks,
            options.watch.folds,
            options.watch.loops,
            options.watch.pointers,
        ];
        hash.update(ways.map(u8::from));
        let names = options.keep.iter().chain(&options.aliases);
        for name in names.chain(&options.replaced) {
            add_text(&mut hash, name);
        }
        add_text(&mut hash, &format!("{:?}", inputs.links));
        for module in &inputs.modules {
            add_text(&mut hash, &module.name);
            add_text(&mut hash, &format!("{:?} {:?}", module.link, module.part));
            add_text(&mut hash, &format!("{:?}", module.role));
            let bytes = module.read()?;
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
        }
        if let Some(runtime) = &options.runtime_dir {
            for (file, _) in RUNTIME_FILES {
                // Reading and hashing them would take two milliseconds of every start.
                add_identity(&mut hash, &runtime.join(file));
                add_identity(&mut hash, &runtime.join(RUNTIME_OF_32_BITS).join(file));
            }
            for file in cxx::FILES {
                add_identity(&mut hash, &runtime.join(file));
            }
        }
        let name: String = hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Some(Cache {
            path: directory.join(format!("{name}.program")),
        }))
    }

    pub fn read(&self) -> Option<Vec<u8>> {
        std::fs::read(&self.path).ok()
    }

    /// Keeps an image if the directory can be written.
    pub fn write(&self, image: &[u8]) {
        let Some(directory) = self.path.parent() else {
            return;
        };
        let keep = || -> std::io::Result<()> {
            std::fs::create_dir_all(directory)?;
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            file.write_all(image)?;
            file.persist(&self.path)?;
            evict(directory)
        };
        // The next run lowers again; nothing else is lost.
        let _ = keep();
    }
}

/// More entries than this are too many; programs change and so do builds of homi.
const MOST_ENTRIES: usize = 200;

/// Removes the oldest half if there are too many entries. Readers of a removed file have it open.
fn evict(directory: &Path) -> std::io::Result<()> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "program")
        {
            entries.push((std::fs::metadata(&path)?.modified()?, path));
        }
    }
    if entries.len() > MOST_ENTRIES {
        entries.sort();
        for (_, path) in &entries[..entries.len() - MOST_ENTRIES / 2] {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn add_text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

/// Adds the identity of a file's version: path, size, time and inode.
fn add_identity(hash: &mut Sha256, path: &Path) {
    add_text(hash, &path.to_string_lossy());
    let Ok(metadata) = std::fs::metadata(path) else {
        hash.update([0]);
        return;
    };
    hash.update([1]);
    for part in [
        metadata.len() as i64,
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ino() as i64,
    ] {
        hash.update(part.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_directory_drops_its_oldest_entries() {
        let directory = tempfile::tempdir().unwrap();
        for index in 0..=MOST_ENTRIES {
            std::fs::write(directory.path().join(format!("{index}.program")), b"x").unwrap();
        }
        std::fs::write(directory.path().join("other"), b"x").unwrap();
        evict(directory.path()).unwrap();
        let left = std::fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(left, MOST_ENTRIES / 2 + 1);
        assert!(directory.path().join("other").exists());
    }
}
