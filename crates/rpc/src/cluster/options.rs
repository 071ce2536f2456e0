//! Time limits and the like, under the names that `rowstone.connect` has for them.

use std::time::Duration;

/// How a cluster is worked with.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// How long an operation may take with all its retries.
    pub operation_timeout: Duration,
    /// How long one call of a server may take before it is tried again.
    pub rpc_timeout: Duration,
    /// How long one attempt to connect may take.
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
