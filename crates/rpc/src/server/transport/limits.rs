//! Limits that all connections share.

use std::sync::Arc;
use tokio::sync::Semaphore;

/// Unit of the semaphore that counts bytes.
const UNIT_BYTES: usize = 1 << 10;

/// Limits that all connections share.
pub(in crate::server) struct Limits {
    pub memory: Arc<Semaphore>,
    pub calls: Arc<Semaphore>,
    pub connections: Arc<Semaphore>,
}

/// Number of semaphore units for a limit in bytes.
pub(in crate::server) fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT_BYTES).min(Semaphore::MAX_PERMITS)
}

/// Number of bytes in use if `left` units are free.
pub(in crate::server) fn bytes(all: usize, left: usize) -> usize {
    all.saturating_sub(left) * UNIT_BYTES
}
