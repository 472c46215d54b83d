//! Destination of a program's output.
//!
//! Invariant: a sink never fails for the program. If it is full or cannot be written, the rest is
//! dropped and the sink reports it once.

use std::io::Write;

/// One output stream.
pub struct Sink {
    writer: Option<Box<dyn Write + Send>>,
    /// Bytes that may still be written.
    room: u64,
}

impl Sink {
    /// Writes to `writer`, at most `limit` bytes.
    pub fn new(writer: Box<dyn Write + Send>, limit: u64) -> Self {
        Self {
            writer: Some(writer),
            room: limit,
        }
    }

    /// A stream that drops everything.
    pub fn none() -> Self {
        Self {
            writer: None,
            room: 0,
        }
    }

    /// Writes; a text for the user when the sink gives up with this write.
    pub fn write(&mut self, bytes: &[u8]) -> Option<String> {
        let writer = self.writer.as_mut()?;
        let count = bytes
            .len()
            .min(usize::try_from(self.room).unwrap_or(usize::MAX));
        let result = writer
            .write_all(&bytes[..count])
            .and_then(|()| writer.flush());
        self.room -= count as u64;
        let reason = match result {
            Err(error) => error.to_string(),
            Ok(()) if count < bytes.len() => "the limit on output is reached".to_string(),
            Ok(()) => return None,
        };
        self.writer = None;
        Some(format!("the program's further output is dropped: {reason}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Ok(mut all) = self.0.lock() {
                all.extend_from_slice(bytes);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_sink_says_so_once() {
        let shared = Shared::default();
        let mut sink = Sink::new(Box::new(shared.clone()), 5);
        assert_eq!(sink.write(b"abc"), None);
        assert!(sink.write(b"defg").is_some());
        assert_eq!(sink.write(b"h"), None);
        assert_eq!(*shared.0.lock().expect("not poisoned"), b"abcde");
    }
}
