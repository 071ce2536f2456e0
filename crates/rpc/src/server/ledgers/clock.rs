//! Clock of leases and nonces.

use std::sync::Arc;
use std::time::Instant;

/// Clock in milliseconds since some moment, which decides when leases and nonces expire.
#[derive(Clone)]
pub struct LeaseClock(Arc<dyn Fn() -> u64 + Send + Sync>);

impl LeaseClock {
    /// Creates a clock that returns `now_ms()`.
    pub fn new(now_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        LeaseClock(Arc::new(now_ms))
    }

    /// The current time.
    pub fn now_ms(&self) -> u64 {
        (self.0)()
    }
}

impl Default for LeaseClock {
    fn default() -> Self {
        let start = Instant::now();
        LeaseClock::new(move || start.elapsed().as_millis() as u64)
    }
}
