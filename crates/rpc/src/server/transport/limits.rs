//! Limits that all connections share.

use crate::server::messages::exception::Exception;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Unit of the semaphore that counts bytes.
const UNIT_BYTES: usize = 1 << 10;

/// Limits that all connections share.
pub(in crate::server) struct Limits {
    pub memory: Arc<Semaphore>,
    pub calls: Arc<Semaphore>,
    pub connections: Arc<Semaphore>,
}

impl Limits {
    /// Adds `bytes` to a request's share of the memory. Does not wait, because requests that each have a part would
    /// wait for each other.
    pub fn charge(&self, share: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Exception> {
        let wanted = u32::try_from(units(bytes)).unwrap_or(u32::MAX);
        let more = Arc::clone(&self.memory).try_acquire_many_owned(wanted);
        let more = more.map_err(|_| Exception::overloaded("the memory for requests is full"))?;
        match share {
            None => *share = Some(more),
            Some(share) => share.merge(more),
        }
        Ok(())
    }
}

/// Number of semaphore units for a limit in bytes.
pub(in crate::server) fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT_BYTES).min(Semaphore::MAX_PERMITS)
}

/// Number of bytes in use if `left` units are free.
pub(in crate::server) fn bytes(all: usize, left: usize) -> usize {
    all.saturating_sub(left) * UNIT_BYTES
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_request_gets_more_memory_at_once_or_is_refused() {
        let one = || Arc::new(Semaphore::new(1));
        let limits = Limits { memory: Arc::new(Semaphore::new(10)), calls: one(), connections: one() };
        let (mut first, mut second) = (None, None);
        limits.charge(&mut first, 4 * UNIT_BYTES).unwrap();
        limits.charge(&mut first, 2 * UNIT_BYTES).unwrap();
        limits.charge(&mut second, 3 * UNIT_BYTES).unwrap();
        let refused = limits.charge(&mut second, 2 * UNIT_BYTES).unwrap_err();
        assert!(refused.is_overloaded && refused.class.ends_with("CallQueueTooBigException"));
        drop(first);
        limits.charge(&mut second, 2 * UNIT_BYTES).unwrap();
        drop(second);
        assert_eq!(limits.memory.available_permits(), 10);
    }
}
