//! In the course of which span a thread's calls of a cluster are made.

use pyo3::prelude::*;

/// Lets the calls that this thread sends to a cluster from now on have these headers; gives those that they had before.
#[pyfunction]
pub fn set_trace_headers(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    rowstone_rpc::set_trace_headers(headers)
}
