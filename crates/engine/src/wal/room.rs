//! Disk space, reserved before a record is accepted. A full disk then refuses a write before it begins, and the log
//! continues when there is space again. A write that fails half way would end the log.

use super::log::{Shared, State};
use crate::frame::MARK_BYTES;
use crate::sys::WritableFile;
use rowstone_model::{Error, ErrorKind, Result};

/// Minimum reservation, used when the disk has little space.
const LEAST_BYTES: u64 = 64 << 10;

/// A handle for reserving space, and the offset of the file up to which there is some.
pub(super) struct Room {
    pub file: Box<dyn WritableFile>,
    pub end: u64,
}

impl Shared {
    /// Ensures that a record of `frame_bytes` can be written after everything in the buffer.
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
        // Counted from the written offset: a concurrent write only moves the start of the reserved range.
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
            // The file system cannot tell; the write itself will.
            _ => Ok(()),
        }
    }
}
