//! Trace headers of the calls that a thread sends to a cluster.

use pyo3::prelude::*;

/// Sets the trace headers of this thread's calls to a cluster; returns the previous ones.
#[pyfunction]
pub fn set_trace_headers(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    rowstone_rpc::set_trace_headers(headers)
}
