//! Answers to an image's questions about the host, as the engine gives them.

use super::shared::{ANSWER_SIZE, PATH_SIZE, Shared};
use homi_machine::exec::{Errno, Host};

/// The numbers of `enum host_call` in runtime/image/image.h.
mod call {
    pub(super) const STAT: u32 = 0;
    pub(super) const READ: u32 = 1;
    pub(super) const READLINK: u32 = 2;
    pub(super) const READDIR: u32 = 3;
    pub(super) const GETCWD: u32 = 4;
    pub(super) const INPUT_KIND: u32 = 5;
    pub(super) const INPUT: u32 = 6;
    pub(super) const ID: u32 = 7;
    pub(super) const CLOCK: u32 = 8;
}

/// An answer that consists of bytes: their number, or a negative error number.
fn bytes(answer: Result<Vec<u8>, Errno>) -> (i64, Vec<u8>) {
    match answer {
        Ok(bytes) => (bytes.len() as i64, bytes),
        Err(error) => (-i64::from(error.0), Vec::new()),
    }
}

/// An answer that is a number.
fn number(value: u64) -> (i64, Vec<u8>) {
    (value as i64, Vec::new())
}

/// Answers the question in the shared memory.
pub(super) fn answer(shared: &mut Shared, host: &dyn Host) {
    let size = (shared.path_size as usize).min(PATH_SIZE);
    let path = shared.path[..size].to_vec();
    let (first, second) = (shared.first, shared.second);
    let length = first.min(ANSWER_SIZE as u64);
    let (result, mut answer) = match shared.call {
        call::STAT => match host.stat(&path, first != 0) {
            Ok(status) => (0, status.to_vec()),
            Err(error) => (-i64::from(error.0), Vec::new()),
        },
        call::READ => bytes(host.read(&path, length, second)),
        call::READLINK => bytes(host.readlink(&path)),
        call::READDIR => bytes(host.readdir(&path, first).map(Option::unwrap_or_default)),
        call::GETCWD => bytes(host.getcwd().map(|mut path| {
            path.push(0);
            path
        })),
        call::INPUT_KIND => number(host.stdin_kind() as u64),
        call::INPUT => bytes(host.stdin_read(length, second)),
        call::ID => number(u64::from(host.id(first as u32))),
        call::CLOCK => number(host.clock_ns()),
        _ => bytes(Err(NO_SUCH_CALL)),
    };
    answer.truncate(ANSWER_SIZE);
    shared.answer[..answer.len()].copy_from_slice(&answer);
    shared.answer_size = answer.len() as u32;
    shared.result = result;
}

/// ENOSYS.
const NO_SUCH_CALL: Errno = Errno(38);
