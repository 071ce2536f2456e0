//! Memory limits of an open database.

/// A limit in bytes and what decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// In bytes.
    pub bytes: u64,
    /// `"argument"`, the name of a setting, or `"default"`.
    pub source: &'static str,
}

/// The memory of the process, and the parts of it that a database may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimits {
    /// Memory that the process may have. Its source is `"machine"`, `"cgroup"`, `"RLIMIT_AS"` or `"RLIMIT_DATA"`; `None` if
    /// the operating system does not say.
    pub process: Option<Limit>,
    /// Limit of the block cache.
    pub cache: Limit,
    /// Limit of recent writes, of all tables together.
    pub memstore: Limit,
}
