//! The trace context of a thread's calls. Servers with tracing continue the trace.

use crate::proto::RpctInfo;
use std::cell::RefCell;

thread_local! {
    static HEADERS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Sets the trace headers of this thread's calls; returns the previous ones.
pub fn set_trace_headers(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    HEADERS.with(|own| own.replace(headers))
}

/// The trace information for the header of a call; `None` without trace headers.
pub(super) fn trace_info() -> Option<RpctInfo> {
    HEADERS.with(|own| {
        let headers = own.borrow();
        (!headers.is_empty()).then(|| RpctInfo { headers: headers.iter().cloned().collect() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_of_their_thread_until_they_are_taken_back() {
        let headers = vec![("traceparent".to_string(), "00-1-2-01".to_string())];
        assert_eq!(trace_info(), None);
        assert!(set_trace_headers(headers.clone()).is_empty());
        assert_eq!(trace_info().map(|info| info.headers["traceparent"].clone()).as_deref(), Some("00-1-2-01"));
        assert_eq!(std::thread::spawn(trace_info).join().ok(), Some(None));
        assert_eq!(set_trace_headers(Vec::new()), headers);
        assert_eq!(trace_info(), None);
    }
}
