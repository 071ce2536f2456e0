//! In the course of which span a thread's calls are made. Servers that trace go on with it.

use crate::proto::RpctInfo;
use std::cell::RefCell;

thread_local! {
    static HEADERS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Lets the calls that this thread sends from now on have these headers; gives those that they had before.
pub fn set_trace_headers(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    HEADERS.with(|own| own.replace(headers))
}

/// What the header of a call says of it; nothing where nobody traces.
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
