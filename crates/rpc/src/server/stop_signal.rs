//! The signal that stops a server process, and a deadline for the shutdown.
//!
//! A signal handler writes a byte into a pipe. A thread reads it and wakes the waiter, which stops the server. That
//! thread needs neither the interpreter nor a lock of the server, so the deadline holds even if the rest hangs. When
//! it passes, the process is killed, which loses no acknowledged write, as with `kill -9`.

use crate::sync::{lock, wait};
use rowstone_model::{Error, Result};
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Interval at which a wait rechecks its condition; wake-ups do not depend on it.
const RECHECK: Duration = Duration::from_secs(3600);

#[derive(Default)]
struct State {
    is_asked: bool,
    is_closed: bool,
}

#[derive(Default)]
struct SignalState {
    state: Mutex<State>,
    changed: Condvar,
}

/// A pipe for a signal handler, and the thread at its other end. Dropping it closes it.
pub struct StopSignal {
    shared: Arc<SignalState>,
    writer: PipeWriter,
}

impl StopSignal {
    /// Starts the thread. After the first byte, the process has `timeout` to end.
    ///
    /// # Errors
    ///
    /// `Io` if the operating system provides no pipe or no thread.
    pub fn new(timeout: Duration) -> Result<Self> {
        let (reader, writer) = std::io::pipe().map_err(|error| Error::io("create", "a pipe for signals", &error))?;
        let shared = Arc::new(SignalState::default());
        let seen = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("rowstone-stop".into())
            .spawn(move || watch(reader, &seen, timeout))
            .map_err(|error| Error::io("start a thread for", "signals", &error))?;
        Ok(Self { shared, writer })
    }

    /// The end of the pipe that the handler writes to.
    pub fn fd(&self) -> RawFd {
        self.writer.as_raw_fd()
    }

    /// Blocks until a signal has arrived, including one that arrived earlier.
    pub fn wait(&self) {
        let mut state = lock(&self.shared.state);
        while !state.is_asked && !state.is_closed {
            state = wait(&self.shared.changed, state, RECHECK).0;
        }
    }

    /// Ends the thread, unless a signal has arrived. Then the deadline remains: the process may hang after its server
    /// has stopped, when a thread never releases the interpreter.
    pub fn close(&self) {
        lock(&self.shared.state).is_closed = true;
        self.shared.changed.notify_all();
        // The thread may still be reading. A full pipe has bytes for it anyway.
        let _ = (&self.writer).write(&[0]);
    }
}

impl Drop for StopSignal {
    fn drop(&mut self) {
        self.close();
    }
}

fn watch(mut reader: PipeReader, shared: &SignalState, timeout: Duration) {
    if !matches!(reader.read(&mut [0]), Ok(1..)) {
        return;
    }
    let deadline = Instant::now() + timeout;
    {
        let mut state = lock(&shared.state);
        if state.is_closed {
            return;
        }
        state.is_asked = true;
    }
    shared.changed.notify_all();
    std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
    kill(timeout);
}

fn kill(timeout: Duration) {
    // Not `eprintln!`, which panics if standard error is closed.
    let _ = writeln!(
        std::io::stderr(),
        "the process did not end within {} s of the signal and is killed now; acknowledged writes are safe",
        timeout.as_secs()
    );
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
}
