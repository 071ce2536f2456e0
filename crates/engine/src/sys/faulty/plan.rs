//! Kinds of crashes and of failing calls.

use crate::sys::{platform, Entropy, SeededEntropy};
use std::io;

/// Unsynced data that survives a crash. Its items are counted from 1: changes of names in their order, then files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// The process ends, the machine keeps running: everything survives, and is no more durable than before.
    Killed,
    /// Nothing.
    Synced,
    /// Everything.
    Everything,
    /// Only that item.
    Only(usize),
    /// All but that item.
    Without(usize),
    /// All names, and a part of the bytes appended to each file, in whole units.
    Torn {
        /// Size of an untearable unit in bytes: 1, 512, 4096.
        unit: u32,
        /// Contents after the surviving part.
        tail: Tail,
        /// Determines the length of the surviving part.
        seed: u64,
    },
    /// A subset determined by this seed: sectors and names, lengths, zeros or garbage in the gaps.
    Subset(u64),
}

/// Contents after the surviving part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// The file's end.
    Cut,
    /// Zeros up to the length that was written.
    Zeros,
    /// Garbage up to the length that was written.
    Garbage,
}

/// Ways in which a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// EIO. An append has no effect; a sync loses all data it was called for.
    Io,
    /// ENOSPC without any effect.
    DiskFull,
    /// EINTR after half of an append.
    Interrupted,
    /// ENOSPC after half of an append.
    ShortWrite,
    /// The machine stops: this call takes effect in the cache or not at all, and it and every later one fails.
    Halt,
}

/// Calls that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallKind {
    /// Calls that change something: create, append, sync, rename, …
    Change,
    /// Calls that read: open, read, length, list.
    Read,
}

/// Random failures.
pub(super) struct Random {
    pub kind: CallKind,
    pub entropy: SeededEntropy,
    pub one_in: u64,
}

impl Random {
    pub fn fault(&self) -> Option<Fault> {
        const KINDS: [Fault; 4] = [Fault::Io, Fault::DiskFull, Fault::ShortWrite, Fault::Interrupted];
        let is_due = self.entropy.next_u64().is_multiple_of(self.one_in);
        is_due.then(|| KINDS[(self.entropy.next_u64() % 4) as usize])
    }
}

pub(super) fn error_of(fault: Fault) -> io::Error {
    io::Error::from_raw_os_error(match fault {
        Fault::Io | Fault::Halt => platform::DEVICE_FAILED,
        Fault::DiskFull | Fault::ShortWrite => platform::DISK_FULL,
        Fault::Interrupted => platform::INTERRUPTED,
    })
}
