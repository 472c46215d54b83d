//! Paths of a watched process, made absolute; and the paths that any program may use.
//!
//! No allocation: see the invariant in `mod.rs`. Symbolic links are not followed; `Access::Target`
//! covers the links that the program makes.

use std::ffi::CStr;

/// Places that every machine has; what programs read there is their surroundings.
const READABLE: &[&str] = &[
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/sbin",
    "/usr",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/suid-debug",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/self",
    "/proc/stat",
    "/proc/sys",
    "/proc/thread-self",
    // libselinux looks at each of these whether SELinux is there, in mkdir, mv and cp.
    "/etc/selinux",
    "/selinux",
    "/sys/fs/selinux",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm",
];

/// Devices and streams that keep nothing.
const HARMLESS: &[&str] = &[
    "/dev/fd",
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/stderr",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/urandom",
    "/dev/zero",
    "/proc/self/fd",
];

/// A path of limited length.
pub(super) struct Path {
    bytes: [u8; Path::MOST],
    length: usize,
}

impl Path {
    pub(super) const MOST: usize = 4096;

    pub(super) fn new() -> Self {
        Self {
            bytes: [0; Path::MOST],
            length: 0,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self.length {
            0 => b"/",
            length => &self.bytes[..length],
        }
    }

    /// Becomes a path as a process sees it: below its current directory, or the one with the
    /// descriptor `directory`. False if that is unknown or too long.
    pub(super) fn resolve(
        &mut self,
        pid: libc::pid_t,
        directory: Option<u64>,
        path: &[u8],
    ) -> bool {
        let mut from = [0; Path::MOST];
        if path.first() == Some(&b'/') {
            return self.append(path);
        }
        let Some(from) = base(pid, directory, &mut from) else {
            return false;
        };
        self.append(from) && self.append(path)
    }

    /// Goes along the components of a path.
    fn append(&mut self, path: &[u8]) -> bool {
        path.split(|byte| *byte == b'/').all(|part| match part {
            b"" | b"." => true,
            b".." => {
                let above = self.bytes[..self.length].iter().rposition(|b| *b == b'/');
                self.length = above.unwrap_or(0);
                true
            }
            part => self.push(b"/") && self.push(part),
        })
    }

    fn push(&mut self, bytes: &[u8]) -> bool {
        let end = self.length + bytes.len();
        let Some(room) = self.bytes.get_mut(self.length..end) else {
            return false;
        };
        room.copy_from_slice(bytes);
        self.length = end;
        true
    }
}

/// Returns the directory that relative paths of a process begin at.
fn base(pid: libc::pid_t, directory: Option<u64>, room: &mut [u8]) -> Option<&[u8]> {
    let mut link = [0u8; 64];
    let mut end = 0;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            link[end] = *byte;
            end += 1;
        }
    };
    let mut digits = [0; 20];
    add(b"/proc/");
    add(number(pid as u64, &mut digits));
    match directory.map(|descriptor| descriptor as i32) {
        None | Some(libc::AT_FDCWD) => add(b"/cwd"),
        Some(descriptor) => {
            add(b"/fd/");
            add(number(u64::try_from(descriptor).ok()?, &mut digits));
        }
    }
    let link = CStr::from_bytes_until_nul(&link).ok()?;
    // SAFETY: a C string, and room for the given number of bytes.
    let length = unsafe { libc::readlink(link.as_ptr(), room.as_mut_ptr().cast(), room.len()) };
    let text = room.get(..usize::try_from(length).ok()?)?;
    (text.len() < Path::MOST && text.first() == Some(&b'/')).then_some(text)
}

/// Writes a number in decimal.
fn number(mut value: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            return &digits[start..];
        }
    }
}

/// Reads a text of a process up to its zero, or as much as there is room for. None: there is no
/// memory at the address.
pub(super) fn read_text(pid: libc::pid_t, address: u64, room: &mut [u8]) -> Option<&[u8]> {
    const PAGE: u64 = 4096;
    let mut length = 0;
    while length < room.len() {
        let at = address.checked_add(length as u64)?;
        let chunk = (PAGE - at % PAGE).min((room.len() - length) as u64) as usize;
        let local = libc::iovec {
            iov_base: room[length..].as_mut_ptr().cast(),
            iov_len: chunk,
        };
        let remote = libc::iovec {
            iov_base: at as *mut libc::c_void,
            iov_len: chunk,
        };
        // SAFETY: the local part lies in `room`; the kernel checks the remote one.
        let read = unsafe { libc::process_vm_readv(pid, &local, 1, &remote, 1, 0) };
        let read = usize::try_from(read).ok().filter(|read| *read > 0)?;
        if let Some(end) = room[length..length + read]
            .iter()
            .position(|byte| *byte == 0)
        {
            return Some(&room[..length + end]);
        }
        length += read;
    }
    Some(room)
}

pub(super) fn is_readable(path: &[u8]) -> bool {
    path == b"/" || is_one_of(path, READABLE)
}

pub(super) fn is_harmless(path: &[u8]) -> bool {
    is_one_of(path, HARMLESS)
}

fn is_one_of(path: &[u8], places: &[&str]) -> bool {
    places.iter().any(|place| {
        let rest = path.strip_prefix(place.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    })
}
