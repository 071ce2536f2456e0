//! Operating system interface of the engine. Files, clock and randomness are behind traits, so that every failure can be
//! simulated.
//!
//! * [`FileSystem`]: [`RealFileSystem`]. [`MemoryFileSystem`] is for `:memory:` databases and tests.
//!   [`faulty::FaultyFileSystem`] simulates crashes and failures.
//! * [`Clock`]: [`SystemClock`]. Tests use [`ManualClock`].
//! * [`Entropy`]: [`SystemEntropy`]. Tests use [`SeededEntropy`].
//!
//! [`PooledFileSystem`] wraps a file system and bounds the number of store files that are open at a time.
//! [`memory_limit`] returns the memory that the process may use. A database of a test double does not ask for it.
//! [`advice`] asks the kernel for huge pages, gives memory back to it, and prefetches memory into the processor's caches.
//!
//! `unix.rs` and `windows.rs` have the same functions, for what differs between operating systems.
//!
//! No other module of the engine uses `std::fs`, `std::time::SystemTime` or a source of randomness.

pub mod advice;
mod cgroup;
mod clock;
mod entropy;
pub mod faulty;
mod file;
mod folders;
mod handles;
pub mod lock;
mod memory;
mod memory_limit;

mod priority;
pub mod raw;
mod real;
mod timed_lock;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
mod workers;

#[cfg(unix)]
use unix as platform;
#[cfg(windows)]
use windows as platform;

pub use clock::{Clock, ManualClock, SystemClock};
pub use entropy::{random_hex, Entropy, SeededEntropy, SystemEntropy};
pub use file::{FileLock, FileSystem, HandleCounts, ReadableFile, WritableFile};
pub use folders::{make_folders, sync_ancestors, sync_folders};
pub use handles::{HandlePool, PooledFileSystem};
pub use memory::MemoryFileSystem;
pub use memory_limit::{memory_limit, MemoryLimit, MemorySource};
pub use priority::give_way;
pub use real::RealFileSystem;
pub use timed_lock::{ExclusiveGuard, SharedGuard, TimedLock};
pub use workers::{Job, Workers};

use std::sync::Arc;

/// The machine as the engine sees it.
#[derive(Clone)]
pub struct System {
    /// Files.
    pub files: Arc<dyn FileSystem>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}
