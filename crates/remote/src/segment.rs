//! One range of a file in memory, or on its way there.

use crate::failure::{Failure, FailureKind};
use bytes::Bytes;
use rowstone_engine::sys::lock::{Condvar, Mutex};
use std::ops::Range;

enum State {
    Loading,
    Ready(Bytes),
    Failed(Failure),
}

/// A range of a file.
pub struct Segment {
    /// Its bytes' offsets in the file.
    pub range: Range<u64>,
    state: Mutex<State>,
    done: Condvar,
}

impl Segment {
    /// A segment whose bytes are being read.
    pub fn loading(range: Range<u64>) -> Self {
        Segment { range, state: Mutex::new(State::Loading), done: Condvar::new() }
    }

    /// A segment of `bytes` from `start`.
    pub fn ready(start: u64, bytes: Bytes) -> Self {
        let range = start..start + bytes.len() as u64;
        Segment { range, state: Mutex::new(State::Ready(bytes)), done: Condvar::new() }
    }

    /// Its length in bytes.
    pub fn length(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Ends the loading. Only the first result counts.
    pub fn finish(&self, result: Result<Bytes, Failure>) {
        let mut state = self.state.lock();
        if matches!(*state, State::Loading) {
            *state = match result {
                Ok(bytes) => State::Ready(bytes),
                Err(failure) => State::Failed(failure),
            };
            self.done.notify_all();
        }
    }

    /// Waits for the bytes.
    ///
    /// # Errors
    /// The failure of the request that was to read them.
    pub fn wait(&self) -> Result<Bytes, Failure> {
        let mut state = self.state.lock();
        loop {
            match &*state {
                State::Loading => self.done.wait(&mut state),
                State::Ready(bytes) => return Ok(bytes.clone()),
                State::Failed(failure) => return Err(failure.clone()),
            }
        }
    }

    /// The bytes if they are in memory.
    pub fn now(&self) -> Option<Bytes> {
        match &*self.state.lock() {
            State::Ready(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// Whether the bytes are still on their way.
    pub fn is_loading(&self) -> bool {
        matches!(*self.state.lock(), State::Loading)
    }
}

/// Ends the loading of a segment even if its task panics or is dropped, so that no reader waits forever.
pub struct Completion(pub std::sync::Arc<Segment>);

impl Drop for Completion {
    fn drop(&mut self) {
        self.0.finish(Err(Failure::new(FailureKind::Other, "the request's task ended early")));
    }
}
