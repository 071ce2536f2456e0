//! Clock that advances only on `advance` or `set`.

use crate::arguments::Timestamp;
use crate::errors::invalid;
use pyo3::prelude::*;
use rowstone_engine::sys;
use std::sync::Arc;

/// Clock that advances only on `advance` or `set`. Tests of TTL and delete markers need not wait.
#[pyclass(frozen, module = "rowstone.testing")]
pub struct ManualClock(pub Arc<sys::ManualClock>);

#[pymethods]
impl ManualClock {
    #[new]
    #[pyo3(signature = (now_ms = Timestamp(0)), text_signature = "(now_ms=0)")]
    fn new(now_ms: Timestamp) -> Self {
        ManualClock(Arc::new(sys::ManualClock::new(now_ms.0)))
    }

    /// The current time of the clock, in milliseconds since 1970-01-01 UTC.
    #[getter]
    fn now(&self) -> i64 {
        sys::Clock::now_ms(&*self.0)
    }

    /// Set the time in milliseconds; it may go backwards.
    fn set(&self, now_ms: Timestamp) {
        self.0.set(now_ms.0);
    }

    /// Advance the time by `ms` milliseconds; negative values move it back.
    fn advance(&self, py: Python<'_>, ms: i64) -> PyResult<()> {
        if self.now().checked_add(ms).is_none_or(|now| now < 0) {
            return Err(invalid(py, format!("moving the clock by {ms} ms takes it outside of 0 to 2^63-1")));
        }
        self.0.advance(ms);
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("ManualClock({})", self.now())
    }
}
