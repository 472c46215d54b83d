//! Shared libraries that are loaded when one of their functions is first called.
//!
//! LLVM and Z3 take more time to load and relocate than many runs take, and most runs need neither:
//! the lowered program is cached, and few queries reach SMT.
//! `build/lazy.rs` writes an entry for each of their functions; an entry without an address comes
//! here. Which library it is has been decided at build time, by the library's own name.

use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A library and the functions that have an entry.
pub struct LazyLibrary {
    /// The library's name, where it was when homi was built, then one function a line.
    list: &'static str,
    /// Address of each function, 0 until it is known.
    slots: &'static [AtomicUsize],
    loaded: OnceLock<Loaded>,
}

struct Loaded {
    handle: usize,
    names: Vec<&'static str>,
}

/// Number of functions in a list.
pub const fn count(list: &str) -> usize {
    let bytes = list.as_bytes();
    let (mut lines, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            lines += 1;
        }
        at += 1;
    }
    lines - 2
}

impl LazyLibrary {
    pub const fn new(list: &'static str, slots: &'static [AtomicUsize]) -> LazyLibrary {
        LazyLibrary {
            list,
            slots,
            loaded: OnceLock::new(),
        }
    }

    /// The address of a function, kept in its slot. Ends the process with a message if there is
    /// none: the caller is C code's.
    pub fn resolve(&self, index: usize) -> usize {
        let loaded = self.loaded.get_or_init(|| self.load());
        let name = loaded.names[index];
        let Ok(text) = CString::new(name) else {
            fail(name);
        };
        // SAFETY: the handle is dlopen's and never closed; the name ends with a zero byte.
        let address = unsafe { libc::dlsym(loaded.handle as *mut c_void, text.as_ptr()) } as usize;
        if address == 0 {
            fail(name);
        }
        // Two threads that meet here store the same number.
        self.slots[index].store(address, Ordering::Release);
        address
    }

    fn load(&self) -> Loaded {
        let mut lines = self.list.lines();
        // By its name first: an archive has its own.
        let places = [lines.next(), lines.next()].map(Option::unwrap_or_default);
        let Some(handle) = places.iter().find_map(|place| open(place)) else {
            fail(places[0]);
        };
        Loaded {
            handle,
            names: lines.collect(),
        }
    }
}

/// Loads a library. Returns its handle.
fn open(place: &str) -> Option<usize> {
    let text = CString::new(place).ok()?;
    // SAFETY: the name ends with a zero byte; the library's constructors would also run if the
    // library were linked.
    let handle = unsafe { libc::dlopen(text.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    (!handle.is_null()).then_some(handle as usize)
}

fn fail(what: &str) -> ! {
    // SAFETY: dlerror's text, if there is one, is this thread's until its next call of the loader.
    let reason = unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            format!("{what} is missing")
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    };
    eprintln!("homi: {reason}: {}", super::installation::remedy());
    std::process::exit(1);
}

/// Defines the functions of the library that `build/lazy.rs` listed under this name.
#[macro_export]
macro_rules! lazy_library {
    ($list:expr, $assembly:expr) => {
        const LIST: &str = $list;
        static SLOTS: [std::sync::atomic::AtomicUsize; $crate::util::lazy::count(LIST)] =
            [const { std::sync::atomic::AtomicUsize::new(0) }; $crate::util::lazy::count(LIST)];
        static LIBRARY: $crate::util::lazy::LazyLibrary =
            $crate::util::lazy::LazyLibrary::new(LIST, &SLOTS);
        extern "C" fn resolve(index: u32) -> usize {
            LIBRARY.resolve(index as usize)
        }
        std::arch::global_asm!($assembly, slots = sym SLOTS, resolve = sym resolve);
    };
}
pub use lazy_library;
