//! The signal that stops a server process.

use crate::errors::raise;
use pyo3::prelude::*;
use rowstone_rpc::StopSignal as RpcStopSignal;
use std::time::Duration;

/// A pipe for `signal.set_wakeup_fd`. After the first signal the process has `timeout_ms` to exit before it is
/// killed.
#[pyclass(frozen, module = "rowstone._native")]
pub struct StopSignal(RpcStopSignal);

#[pymethods]
impl StopSignal {
    #[new]
    fn new(py: Python<'_>, timeout_ms: u64) -> PyResult<Self> {
        RpcStopSignal::new(Duration::from_millis(timeout_ms)).map(StopSignal).map_err(|error| raise(py, &error))
    }

    /// The file descriptor to write to.
    fn fileno(&self) -> i32 {
        self.0.fd()
    }

    /// Blocks until a signal arrives, with the interpreter released.
    fn wait(&self, py: Python<'_>) {
        py.detach(|| self.0.wait());
    }

    /// Ends the thread that waits for signals. If a signal has already arrived, the thread stays and still kills the
    /// process at the deadline.
    fn close(&self) {
        self.0.close();
    }
}
