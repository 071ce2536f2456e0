//! Settings of the log.

use std::time::Duration;

/// Options of the log. The defaults are the documented ones.
#[derive(Debug, Clone)]
pub struct WalOptions {
    /// The database that the log belongs to: a checksum of its id.
    pub database: u32,
    /// Size at which a log is closed and a new one begun.
    pub roll_bytes: u64,
    /// Maximum time after which written data is synced.
    pub sync_interval: Duration,
    /// Approximate time after which records without a waiting writer (`ASYNC_WAL`) are written.
    pub async_interval: Duration,
    /// Disk space is reserved in steps of this size; 0 for never.
    pub reserve_bytes: u64,
    /// Time for which an archived log stays in `oldWALs` (`hbase.master.logcleaner.ttl`).
    pub old_log_ttl_ms: i64,
    /// Maximum total bytes of the newest logs in `oldWALs`; older ones are deleted at once.
    pub old_logs_bytes: u64,
    /// Whether a background thread writes and syncs. Tests that count calls run without it.
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
