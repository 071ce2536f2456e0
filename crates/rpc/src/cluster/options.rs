//! Timeouts, with the names of `rowstone.connect`.

use std::time::Duration;

/// The options of a cluster client.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// Time limit for an operation with all its retries.
    pub operation_timeout: Duration,
    /// Time limit for one call to a server before it is retried.
    pub rpc_timeout: Duration,
    /// Time limit for one attempt to connect.
    pub connect_timeout: Duration,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        ClusterOptions {
            operation_timeout: Duration::from_secs(120),
            rpc_timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(10),
        }
    }
}
