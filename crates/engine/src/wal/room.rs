//! Room on the disk, asked for before a record is taken: a full disk then refuses a write that nobody has begun, and the log
//! goes on when there is room again. A write that fails half way would end it.

use super::log::{Shared, State};
use super::names::temporary_path;
use crate::frame::MARK_BYTES;
use crate::sys::WritableFile;
use rowstone_model::{Error, ErrorKind, Result};

/// Where the disk has little room, so much is asked for at least.
const LEAST_BYTES: u64 = 64 << 10;

/// A handle to reserve room with, and up to which offset of the file there is some.
pub(super) struct Room {
    pub file: Box<dyn WritableFile>,
    pub end: u64,
}

impl Shared {
    /// Sees to it that a record of `frame_bytes` can be written after all that is in the buffer.
    ///
    /// # Errors
    /// `DiskFull`; nothing has happened then.
    #[inline]
    pub fn make_room(&self, state: &mut State, frame_bytes: usize) -> Result<()> {
        let end = state.log.offset(state.appended) + (frame_bytes + 2 * MARK_BYTES) as u64;
        match &state.room {
            Some(room) if end > room.end => self.reserve(state, end),
            _ => Ok(()),
        }
    }

    #[cold]
    fn reserve(&self, state: &mut State, end: u64) -> Result<()> {
        let step = self.options.reserve_bytes;
        let written = state.log.offset(state.written);
        let Some(room) = state.room.as_mut().filter(|_| step > 0) else { return Ok(()) };
        // Counted from what was written: whoever writes meanwhile only moves the place from which it is reserved.
        let mut reserve = |step: u64| {
            let target = room.end + (end - room.end).next_multiple_of(step);
            room.file.reserve(target - written).map(|()| room.end = target)
        };
        let mut reserve = || {
            let reserved = reserve(step).or_else(|_| reserve(LEAST_BYTES.min(step)));
            reserved
                .map_err(|error| Error::io("reserve room in log", self.log_path(state.log.number).display(), &error))
        };
        match reserve() {
            Err(error) if error.kind() == ErrorKind::DiskFull => {
                let has_freed = self.retention.lock().free(&self.system, &self.directory)?;
                if has_freed {
                    reserve()
                } else {
                    Err(error)
                }
            }
            // A file system that cannot tell; the write itself will.
            _ => Ok(()),
        }
    }

    /// Whether there is room for another log. Where there is none, the present one grows on.
    pub fn has_room_for_log(&self, state: &State) -> bool {
        let path = temporary_path(&self.directory, state.log.number + 1);
        let tried = self.system.files.create(&path).and_then(|mut file| file.append(&[0; super::header::HEADER_BYTES]));
        match tried.map_err(|error| Error::io("create log", path.display(), &error)) {
            Err(error) => error.kind() != ErrorKind::DiskFull,
            Ok(()) => true,
        }
    }
}
