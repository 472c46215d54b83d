//! The program's standard streams: pipes, files in memory, terminals.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::termios::{
    InputFlags, LocalFlags, OutputFlags, SetArg, SpecialCharacterIndices, tcgetattr, tcsetattr,
};

use super::SandboxError;
use super::plan::Stream;

/// A standard input.
pub(super) struct Input {
    pub program_end: OwnedFd,
    /// Descriptor that must stay open while the program runs.
    pub held: Option<OwnedFd>,
}

/// A standard output or error.
pub(super) struct Output {
    /// The end that the program gets; None once it has it.
    pub program_end: Option<OwnedFd>,
    source: Option<File>,
    /// A file, which is read at the end and not while the program runs.
    is_file: bool,
    kept: Vec<u8>,
    limit: usize,
}

fn failed(what: &str) -> impl FnOnce(std::io::Error) -> SandboxError {
    SandboxError::io(format!("cannot make the program's {what}"))
}

pub(super) fn pipe(what: &str) -> Result<(OwnedFd, OwnedFd), SandboxError> {
    nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(|error| failed(what)(error.into()))
}

/// A file without a name.
fn memory_file(what: &str, mode: u32) -> Result<File, SandboxError> {
    let make = || -> std::io::Result<File> {
        let file = File::from(memfd_create(c"homi", MFdFlags::MFD_CLOEXEC)?);
        let mode = nix::sys::stat::Mode::from_bits_truncate(mode & 0o777);
        nix::sys::stat::fchmod(&file, mode)?;
        Ok(file)
    };
    make().map_err(failed(what))
}

/// A pair of terminal ends: homi's and the program's.
fn terminal(what: &str) -> Result<(OwnedFd, OwnedFd), SandboxError> {
    let make = || -> std::io::Result<(OwnedFd, OwnedFd)> {
        let pair = openpty(None, None)?;
        for end in [&pair.master, &pair.slave] {
            fcntl(end, FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
        }
        let mut settings = tcgetattr(&pair.slave)?;
        // Bytes pass as they are; only line editing stays, as on any terminal.
        settings.input_flags = InputFlags::empty();
        settings.output_flags.remove(OutputFlags::OPOST);
        settings.local_flags = LocalFlags::ICANON;
        tcsetattr(&pair.slave, SetArg::TCSANOW, &settings)?;
        Ok((pair.master, pair.slave))
    };
    make().map_err(failed(what))
}

impl Input {
    pub fn new(stream: &Stream) -> Result<Input, SandboxError> {
        let what = "standard input";
        let (program_end, held) = match stream {
            Stream::Plain => {
                let null = File::open("/dev/null").map_err(failed(what))?;
                (OwnedFd::from(null), None)
            }
            Stream::File { content, mode } => {
                let mut file = memory_file(what, *mode | 0o400)?;
                file.write_all(content).map_err(failed(what))?;
                // Opened again, so that the program can only read.
                let path = format!("/proc/self/fd/{}", file.as_raw_fd());
                let reader = File::open(path).map_err(failed(what))?;
                (OwnedFd::from(reader), None)
            }
            Stream::Pipe { content } => {
                let (read, write) = pipe(what)?;
                // Bytes that do not fit into the pipe (64 KiB) are lost, so that homi never waits.
                let flags = FcntlArg::F_SETFL(OFlag::O_NONBLOCK);
                fcntl(&write, flags).map_err(|error| failed(what)(error.into()))?;
                let _ = File::from(write).write(content).map_err(failed(what))?;
                (read, None)
            }
            Stream::Terminal { content } => {
                let (master, slave) = terminal(what)?;
                type_into(&master, &slave, content).map_err(failed(what))?;
                (slave, Some(master))
            }
        };
        Ok(Input { program_end, held })
    }
}

/// Types the content and then end of file. The key for that is one which the content does not use.
fn type_into(master: &OwnedFd, slave: &OwnedFd, content: &[u8]) -> std::io::Result<()> {
    let unused = |byte: &u8| *byte != b'\n' && !content.contains(byte);
    let end = (1..=255u8).find(unused).unwrap_or(4);
    let mut settings = tcgetattr(slave)?;
    settings.control_chars.fill(0);
    settings.control_chars[SpecialCharacterIndices::VEOF as usize] = end;
    tcsetattr(slave, SetArg::TCSANOW, &settings)?;
    let mut keys = content.to_vec();
    // After a line that is not complete the key only sends the line; a second one is the end.
    keys.extend([end, end]);
    let mut terminal = File::from(master.try_clone()?);
    // A terminal's buffer holds 4095 bytes.
    let flags = FcntlArg::F_SETFL(OFlag::O_NONBLOCK);
    fcntl(&terminal, flags)?;
    let _ = terminal.write(&keys)?;
    Ok(())
}

impl Output {
    pub fn new(stream: &Stream, limit: usize) -> Result<Output, SandboxError> {
        let what = "standard output";
        let mut is_file = false;
        let (source, program_end) = match stream {
            Stream::Plain | Stream::Pipe { .. } => pipe(what)?,
            Stream::Terminal { .. } => terminal(what)?,
            Stream::File { mode, .. } => {
                is_file = true;
                let file = memory_file(what, *mode)?;
                let source = file.try_clone().map_err(failed(what))?;
                (OwnedFd::from(source), OwnedFd::from(file))
            }
        };
        Ok(Output {
            program_end: Some(program_end),
            source: Some(File::from(source)),
            is_file,
            kept: Vec::new(),
            limit,
        })
    }

    /// Returns the descriptor to poll, until its end.
    pub fn open_source(&self) -> Option<BorrowedFd<'_>> {
        let source = self.source.as_ref().filter(|_| !self.is_file);
        source.map(AsFd::as_fd)
    }

    /// Takes what has arrived; what is beyond the limit is read and dropped.
    pub fn read_some(&mut self) {
        let mut buffer = [0; 65_536];
        let Some(source) = &mut self.source else {
            return;
        };
        match source.read(&mut buffer) {
            // A terminal whose other side is closed answers EIO.
            Ok(0) | Err(_) => self.source = None,
            Ok(count) => {
                let room = self.limit.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&buffer[..count.min(room)]);
            }
        }
    }

    /// All that was kept, after the program's end.
    pub fn finish(mut self) -> Vec<u8> {
        if let (true, Some(file)) = (self.is_file, &mut self.source) {
            // Unreadable is as good as empty.
            let _ = file.rewind();
            let _ = file.take(self.limit as u64).read_to_end(&mut self.kept);
        }
        self.kept
    }
}
