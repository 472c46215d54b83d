//! The process of an image, and executions of inputs in it.
//!
//! Protocol (runtime/image/image.h): homi writes one byte for each request and reads replies of
//! five bytes, a kind and a number. The first process makes a process for inputs when it is asked
//! to, and says how that one ended.

use super::answers::answer;
use super::compared::Comparison;
use super::shared::{SharedMemory, write_objects, write_strings};
use homi_machine::exec::Host;
use homi_machine::host::ProgramArguments;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Milliseconds that one execution may take. Work ends executions before; only code that counts no
/// work, such as a loop in the C library, takes as long.
const LONGEST_EXECUTION: u16 = 1000;

/// Reason why an image cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("the image ended: it cannot be confined on this machine, or it is damaged")]
    Ended,
}

/// End of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The program ended with this status.
    Exit(i32),
    /// The program called `abort`, or a check in the runtime failed.
    Failed(String),
    /// A signal ended the process.
    Signal(i32),
    /// The program needs something that the image lacks.
    Refused(String),
    /// The input violates an assumption.
    Silent,
    /// The execution used up its work or its time.
    Hung,
}

/// Result of an execution. The process has the sides that it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    pub ended: Ended,
    /// Calls of the program's functions and rounds of its loops.
    pub work: u64,
    /// Symbolic objects that the input had no bytes for.
    pub unknown_objects: u32,
}

/// The running image.
pub struct ImageProcess {
    child: Child,
    requests: File,
    replies: File,
    memory: SharedMemory,
    /// The process that executes inputs.
    executing: Option<Pid>,
}

/// The lowest descriptor that homi's own end of a pipe gets: the image's are 3 to 5.
const LOWEST_DESCRIPTOR: RawFd = 10;

/// Moves a descriptor above the image's descriptors.
fn moved(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: a live descriptor; the new one belongs to the caller.
    unsafe {
        let number = descriptor.as_raw_fd();
        let moved = libc::fcntl(number, libc::F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR);
        if moved < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(moved))
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC)?;
    Ok((moved(&reader)?, moved(&writer)?))
}

impl ImageProcess {
    /// Starts an image of a program with `sides` branch sides.
    pub fn start(
        executable: &Path,
        program: &ProgramArguments,
        sides: usize,
    ) -> Result<ImageProcess, ImageError> {
        let memory = SharedMemory::new(sides)?;
        let shared = moved(&memory.file.as_fd().try_clone_to_owned()?)?;
        let (requests_of_image, requests) = pipe()?;
        let (replies, replies_of_image) = pipe()?;
        let mut command = Command::new(executable);
        let mut arguments = program.arguments.iter().map(|one| OsStr::from_bytes(one));
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        command.args(arguments).env_clear();
        for entry in &program.environment {
            let at = entry.iter().position(|byte| *byte == b'=').unwrap_or(0);
            let (name, value) = (&entry[..at], entry.get(at + 1..).unwrap_or_default());
            command.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null());
        let given = [&shared, &requests_of_image, &replies_of_image].map(AsRawFd::as_raw_fd);
        // SAFETY: dup2 and setsid may be called between fork and exec; the descriptors are open.
        unsafe {
            command.pre_exec(move || {
                for (place, descriptor) in given.into_iter().enumerate() {
                    if libc::dup2(descriptor, 3 + place as RawFd) < 0 {
                        return Err(io::Error::last_os_error());
                    }
                }
                // Ctrl-C is homi's to handle.
                libc::setsid();
                Ok(())
            });
        }
        Ok(ImageProcess {
            child: command.spawn()?,
            requests: requests.into(),
            replies: replies.into(),
            memory,
            executing: None,
        })
    }

    /// How often the last execution took each branch side; 0 only if it did not.
    pub fn sides(&self) -> &[u8] {
        self.memory.sides()
    }

    /// Executes an input, whose objects are given by name in the order of their creation, for at
    /// most `work` units of work. `arguments` are the program's.
    pub fn execute<'a>(
        &mut self,
        arguments: &[Vec<u8>],
        objects: impl Iterator<Item = (&'a str, &'a [u8])>,
        work: u64,
        host: &dyn Host,
    ) -> Result<Execution, ImageError> {
        self.execute_by(b"x", arguments, objects, work, host)
    }

    /// Executes an input as `execute` does. Returns its comparisons, too.
    pub fn execute_recording<'a>(
        &mut self,
        arguments: &[Vec<u8>],
        objects: impl Iterator<Item = (&'a str, &'a [u8])>,
        work: u64,
        host: &dyn Host,
    ) -> Result<(Execution, Vec<Comparison>), ImageError> {
        let execution = self.execute_by(b"c", arguments, objects, work, host)?;
        Ok((execution, self.memory.comparisons().read()))
    }

    fn execute_by<'a>(
        &mut self,
        request: &[u8],
        arguments: &[Vec<u8>],
        objects: impl Iterator<Item = (&'a str, &'a [u8])>,
        work: u64,
        host: &dyn Host,
    ) -> Result<Execution, ImageError> {
        if self.executing.is_none() {
            self.make_process()?;
        }
        let shared = self.memory.shared();
        shared.work = i64::try_from(work).unwrap_or(i64::MAX);
        let sizes = (
            write_strings(&mut shared.arguments, arguments),
            write_objects(&mut shared.objects, objects),
        );
        let (Some(arguments), Some(objects)) = sizes else {
            let ended = Ended::Refused("the input is larger than 1 MiB".into());
            return Ok(self.execution(ended, work));
        };
        (shared.arguments_size, shared.objects_size) = (arguments, objects);
        self.requests.write_all(request)?;
        let ended = loop {
            match self.reply()? {
                Some((b'h', _)) => {
                    answer(self.memory.shared(), host);
                    self.requests.write_all(b"a")?;
                }
                Some((b'e', _)) => break self.ended(),
                Some((b'-', status)) => {
                    self.executing = None;
                    break ended_by(status);
                }
                Some(_) => return Err(ImageError::Ended),
                None => {
                    self.stop_executing()?;
                    break Ended::Hung;
                }
            }
        };
        Ok(self.execution(ended, work))
    }

    fn execution(&mut self, ended: Ended, work: u64) -> Execution {
        let shared = self.memory.shared();
        let left = u64::try_from(shared.work).unwrap_or(0);
        Execution {
            ended,
            work: work.saturating_sub(left),
            unknown_objects: shared.unknown,
        }
    }

    /// The end that the image wrote down.
    fn ended(&mut self) -> Ended {
        let shared = self.memory.shared();
        let size = shared.what.iter().position(|byte| *byte == 0);
        let what = &shared.what[..size.unwrap_or(shared.what.len())];
        let what = String::from_utf8_lossy(what).into_owned();
        match shared.ended {
            1 => Ended::Exit(shared.status & 0xff),
            2 => Ended::Failed("abort".into()),
            3 => Ended::Failed(what),
            4 => Ended::Refused(what),
            5 => Ended::Silent,
            _ => Ended::Hung,
        }
    }

    fn make_process(&mut self) -> Result<(), ImageError> {
        self.requests.write_all(b"+")?;
        match self.reply()? {
            Some((b'+', number)) => {
                self.executing = Some(Pid::from_raw(number));
                Ok(())
            }
            _ => Err(ImageError::Ended),
        }
    }

    /// Ends the process that executes, which takes too long.
    fn stop_executing(&mut self) -> Result<(), ImageError> {
        if let Some(process) = self.executing.take() {
            kill(process, Signal::SIGKILL).map_err(io::Error::from)?;
        }
        while let Some((kind, _)) = self.reply()? {
            if kind == b'-' {
                return Ok(());
            }
        }
        Err(ImageError::Ended)
    }

    /// The next reply; `None` if it does not come in time.
    fn reply(&mut self) -> Result<Option<(u8, i32)>, ImageError> {
        let mut waited = [PollFd::new(self.replies.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut waited, PollTimeout::from(LONGEST_EXECUTION));
        if ready.map_err(io::Error::from)? == 0 {
            return Ok(None);
        }
        let mut reply = [0; 5];
        match self.replies.read_exact(&mut reply) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(ImageError::Ended);
            }
            Err(error) => return Err(error.into()),
        }
        let number = [reply[1], reply[2], reply[3], reply[4]];
        Ok(Some((reply[0], i32::from_le_bytes(number))))
    }
}

impl Drop for ImageProcess {
    fn drop(&mut self) {
        // Processes for inputs die with the first one.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end that a wait status tells.
fn ended_by(status: i32) -> Ended {
    if libc::WIFSIGNALED(status) {
        match libc::WTERMSIG(status) {
            libc::SIGSYS => Ended::Refused("a system call".into()),
            signal => Ended::Signal(signal),
        }
    } else {
        Ended::Refused(format!("status {}", libc::WEXITSTATUS(status)))
    }
}
