//! The x86-64 kernel's `struct stat` as bytes.
//!
//! Layout from the kernel's `arch/x86/include/uapi/asm/stat.h`: all fields 8 bytes little endian
//! except mode, uid, gid and a padding word of 4 bytes each.

use crate::exec::STAT_BYTES;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// The bytes for a file's metadata.
pub(super) fn stat_bytes(metadata: &Metadata) -> [u8; STAT_BYTES] {
    let mut bytes = [0; STAT_BYTES];
    let mut put = |offset: usize, value: u64| {
        bytes[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
    };
    put(0, metadata.dev());
    put(8, metadata.ino());
    put(16, metadata.nlink());
    put(
        24,
        u64::from(metadata.mode()) | u64::from(metadata.uid()) << 32,
    );
    put(32, u64::from(metadata.gid()));
    put(40, metadata.rdev());
    put(48, metadata.size());
    put(56, metadata.blksize());
    put(64, metadata.blocks());
    put(72, metadata.atime() as u64);
    put(80, metadata.atime_nsec() as u64);
    put(88, metadata.mtime() as u64);
    put(96, metadata.mtime_nsec() as u64);
    put(104, metadata.ctime() as u64);
    put(112, metadata.ctime_nsec() as u64);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_what_the_kernel_says() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        std::fs::write(&path, b"12345").expect("written");
        let bytes = stat_bytes(&std::fs::metadata(&path).expect("metadata"));
        let expected = nix::sys::stat::stat(&path).expect("stat");
        // SAFETY: `stat` is plain data of 144 bytes on x86-64 Linux, which is the layout under
        // test.
        let native: [u8; STAT_BYTES] = unsafe { std::mem::transmute(expected) };
        assert_eq!(bytes[..120], native[..120]);
    }
}
