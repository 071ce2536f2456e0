//! The only way into the engine: releases the interpreter, catches panics, turns errors into exceptions.

use crate::errors::raise;
use crate::fork::Guarded;
use pyo3::prelude::*;
use rowstone_model::backend::Backend;
use rowstone_model::{Error, Result};
use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{mpsc, Arc};
use std::time::Duration;

/// Interval at which a long call checks for Ctrl-C.
const SIGNAL_CHECK: Duration = Duration::from_millis(50);

/// Runs `work`; a panic becomes an error.
pub fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // The engine's locks do not poison; state left incomplete by a panic belongs to the failed call.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_error(&*panic)))
}

#[cold]
fn panic_error(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Error::internal(format!("internal error in the store ({}); please report it", text.unwrap_or("no message")))
}

/// Runs `work` with the interpreter released.
#[inline]
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    py.detach(|| guarded(work)).map_err(|error| raise(py, &error))
}

/// Runs `work` without releasing the interpreter: only for work that is shorter than a release and never blocks.
#[inline]
pub fn at_once<T>(py: Python<'_>, work: impl FnOnce() -> Result<T>) -> PyResult<T> {
    guarded(work).map_err(|error| raise(py, &error))
}

/// Runs `work`, which cannot fail as a whole, with the interpreter released.
pub fn detached_many<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    detached(py, || Ok(work()))
}

impl Guarded<Arc<dyn Backend>> {
    /// Runs a short call of the database.
    pub fn quick<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&dyn Backend) -> Result<T> + Send) -> PyResult<T> {
        let backend = self.get(py)?;
        detached(py, || work(&**backend))
    }

    /// Runs a call that may take long: see [`interruptible`].
    pub fn long<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&dyn Backend) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let backend = Arc::clone(self.get(py)?);
        interruptible(py, move || work(&*backend))
    }
}

/// Runs long `work` on a thread of its own, so that Ctrl-C ends the wait at once. The work itself continues to its
/// end; a result without a receiver is dropped.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let spawned = std::thread::Builder::new().name("rowstone-call".into()).spawn(move || {
        let _ = sender.send(guarded(work));
    });
    if let Err(error) = spawned {
        return Err(raise(py, &Error::io("start a thread for", "a long operation", &error)));
    }
    // A receiver can move to another thread, but not be shared: it moves into the closure and back.
    let mut receiver = Some(receiver);
    loop {
        let waiting = receiver.take();
        let (back, outcome) = py.detach(move || {
            let outcome = waiting.as_ref().map(|receiver| receiver.recv_timeout(SIGNAL_CHECK));
            (waiting, outcome)
        });
        receiver = back;
        match outcome {
            Some(Ok(result)) => return result.map_err(|error| raise(py, &error)),
            Some(Err(mpsc::RecvTimeoutError::Timeout)) => py.check_signals()?,
            _ => return Err(raise(py, &Error::internal("a worker thread ended without a result"))),
        }
    }
}
