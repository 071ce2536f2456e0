//! Handles across `fork`: in the child they refuse to work and never touch the parent's threads, locks or files.
//!
//! Only the thread that called `fork` exists in the child. A lock that another thread held stays locked there
//! forever, so the child must not even drop objects of the parent: it leaks them.

use crate::errors::raise;
use pyo3::prelude::*;
use rowstone_model::{Error, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};

static GENERATION: AtomicU64 = AtomicU64::new(0);

/// Called in a forked child: all earlier handles belong to the parent.
#[pyfunction]
pub fn after_fork_in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// A value that belongs to the process that created it.
pub struct Guarded<T> {
    value: Option<T>,
    generation: u64,
}

impl<T> Guarded<T> {
    /// Wraps `value`, owned by this process.
    pub fn new(value: T) -> Self {
        Guarded { value: Some(value), generation: GENERATION.load(Ordering::Relaxed) }
    }

    /// Whether this process created the value.
    #[inline]
    pub fn is_ours(&self) -> bool {
        self.generation == GENERATION.load(Ordering::Relaxed)
    }

    /// Mutable access to the value; `None` in a forked child.
    pub fn ours(&mut self) -> Option<&mut T> {
        let is_ours = self.is_ours();
        self.value.as_mut().filter(|_| is_ours)
    }

    /// The value.
    ///
    /// # Errors
    /// `ForkedHandle` in a forked child.
    #[inline]
    pub fn get(&self, py: Python<'_>) -> PyResult<&T> {
        match &self.value {
            Some(value) if self.is_ours() => Ok(value),
            _ => Err(forked(py)),
        }
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        if !self.is_ours() {
            std::mem::forget(self.value.take());
        }
    }
}

#[cold]
fn forked(py: Python<'_>) -> PyErr {
    let message = "this handle was opened before a fork and belongs to the parent process; \
                   call rowstone.connect() in the child, with read_only=True while the parent has the database open";
    raise(py, &Error::new(ErrorKind::ForkedHandle, message))
}
