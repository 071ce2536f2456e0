//! Settings of the log.

use std::time::Duration;

/// How a log behaves. The defaults are the documented ones.
#[derive(Debug, Clone)]
pub struct WalOptions {
    /// Which database it is: a checksum of its id.
    pub database: u32,
    /// A log of this size is closed and a new one begun.
    pub roll_bytes: u64,
    /// Written data is on the disk after at most this time.
    pub sync_interval: Duration,
    /// Records without a waiting writer (`ASYNC_WAL`) are written after about this time.
    pub async_interval: Duration,
    /// Disk space is reserved in steps of this size; 0 for never.
    pub reserve_bytes: u64,
    /// How long a log that is not needed any more stays in `oldWALs` (`hbase.master.logcleaner.ttl`).
    pub old_log_ttl_ms: i64,
    /// The newest logs in `oldWALs` that have so many bytes together stay, the others go at once.
    pub old_logs_bytes: u64,
    /// Whether a thread writes and syncs on its own. Tests that count calls do without.
    pub has_background: bool,
}

impl Default for WalOptions {
    fn default() -> Self {
        WalOptions {
            database: 0,
            roll_bytes: 128 << 20,
            sync_interval: Duration::from_millis(100),
            async_interval: Duration::from_millis(5),
            reserve_bytes: 8 << 20,
            old_log_ttl_ms: 600_000,
            old_logs_bytes: 256 << 20,
            has_background: true,
        }
    }
}
