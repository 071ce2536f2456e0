//! Memory that the process may use: the smallest of what the machine has, what its control groups permit, and its own
//! resource limits.

use super::cgroup;
use super::platform;
use std::path::Path;

/// Source of the limit on the process's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemorySource {
    /// The machine's memory.
    Machine,
    /// A control group: that of a container, a service or a batch job.
    ControlGroup,
    /// The resource limit on the address space (`ulimit -v`).
    AddressSpace,
    /// The resource limit on the data segment (`ulimit -d`).
    DataSegment,
}

impl MemorySource {
    /// The name that users see.
    pub fn name(self) -> &'static str {
        match self {
            MemorySource::Machine => "machine",
            MemorySource::ControlGroup => "cgroup",
            MemorySource::AddressSpace => "RLIMIT_AS",
            MemorySource::DataSegment => "RLIMIT_DATA",
        }
    }
}

/// Memory that the process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimit {
    /// In bytes.
    pub bytes: u64,
    /// Source of the limit.
    pub source: MemorySource,
}

/// The memory that this process may use; `None` if the operating system does not say. Only Linux reports the machine's
/// memory and control groups, other Unix systems only resource limits, and Windows nothing.
pub fn memory_limit() -> Option<MemoryLimit> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let limits = [
        (MemorySource::AddressSpace, platform::address_space_limit()),
        (MemorySource::DataSegment, platform::data_segment_limit()),
    ];
    smallest(&read, limits)
}

/// The smallest limit. `read` returns the text of a file, and `resources` are the resource limits that are set.
fn smallest(
    read: &dyn Fn(&Path) -> Option<String>,
    resources: [(MemorySource, Option<u64>); 2],
) -> Option<MemoryLimit> {
    let known = [(MemorySource::Machine, machine(read)), (MemorySource::ControlGroup, cgroup::memory_limit(read))];
    let limits = known.into_iter().chain(resources);
    let limits = limits.filter_map(|(source, bytes)| Some(MemoryLimit { bytes: bytes?, source }));
    limits.filter(|limit| limit.bytes > 0).min_by_key(|limit| limit.bytes)
}

/// The machine's memory, from the first line of `/proc/meminfo`: `MemTotal:  24684100 kB`.
fn machine(read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let text = read(Path::new("/proc/meminfo"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests;
