//! Metrics of a server, as plain Python data.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_rpc::proto::SlowCall;
use rowstone_rpc::{Measured, Seen, TracedCall};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// By name: buckets of (lower bound, upper bound, count), and the sum of the values.
type Histograms = BTreeMap<String, (Vec<(u64, u64, u64)>, u64)>;

fn plain(seen: BTreeMap<String, Seen>) -> Histograms {
    let one = |seen: Seen| {
        let counts = seen.counts.into_iter().map(|((low, high), count)| (low, high, count)).collect();
        (counts, seen.sum)
    };
    seen.into_iter().map(|(name, seen)| (name, one(seen))).collect()
}

/// The counters of a server.
pub fn measured_of(py: Python<'_>, measured: Measured) -> PyResult<Bound<'_, PyDict>> {
    let Measured { methods, series, failures, slow, numbers } = measured;
    let found = PyDict::new(py);
    found.set_item("methods", plain(methods))?;
    found.set_item("series", plain(series))?;
    found.set_item("failures", failures)?;
    found.set_item("slow", slow)?;
    found.set_item("numbers", numbers)?;
    Ok(found)
}

/// A call in the slow log, with HBase's names for its parts.
pub fn slow_call_of(py: Python<'_>, call: SlowCall) -> PyResult<Bound<'_, PyDict>> {
    let kind = call.r#type().as_str_name();
    let found = PyDict::new(py);
    found.set_item("start_time", call.start_time)?;
    found.set_item("processing_time", call.processing_time)?;
    found.set_item("queue_time", call.queue_time)?;
    found.set_item("response_size", call.response_size)?;
    found.set_item("client_address", call.client_address)?;
    found.set_item("server_class", call.server_class)?;
    found.set_item("method_name", call.method_name)?;
    found.set_item("call_details", call.call_details)?;
    found.set_item("param", call.param)?;
    found.set_item("user_name", call.user_name)?;
    found.set_item("region_name", call.region_name)?;
    found.set_item("multi_gets", call.multi_gets)?;
    found.set_item("multi_mutations", call.multi_mutations)?;
    found.set_item("type", kind)?;
    Ok(found)
}

/// Service, method, headers, times of arrival, start and end, and the failure.
type Traced = (&'static str, String, Vec<(String, String)>, (u64, u64, u64), Option<(String, String)>);

fn traced_of(call: TracedCall) -> Traced {
    let TracedCall { service, method, headers, came_ns, started_ns, ended_ns, failure } = call;
    (service, method, headers, (came_ns, started_ns, ended_ns), failure)
}

/// Finished calls of a server that have not been reported yet.
#[pyclass(frozen, module = "rowstone._native")]
pub struct TracedCalls(pub Arc<rowstone_rpc::TracedCalls>);

#[pymethods]
impl TracedCalls {
    /// Waits for finished calls, at most `patience_ms`, less if there are many: see `TracedCall` of the crate
    /// `rowstone-rpc`. None once the server has ended and no more calls will follow.
    fn take(&self, py: Python<'_>, patience_ms: u64) -> Option<Vec<Traced>> {
        let calls = py.detach(|| self.0.take(Duration::from_millis(patience_ms)));
        calls.map(|calls| calls.into_iter().map(traced_of).collect())
    }
}
