//! How a crash comes out, and how calls fail.

use crate::sys::{Entropy, SeededEntropy};
use rustix::io::Errno;
use std::io;

/// What a crash leaves of what was not synced. Its things are counted from 1: changes of names in their order, then files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// The process ends, the machine goes on: everything, and it is as unsafe as before.
    Killed,
    /// Nothing.
    Synced,
    /// Everything.
    Everything,
    /// That thing alone.
    Only(usize),
    /// All but that thing.
    Without(usize),
    /// All names, and of what was appended to each file a part of whole units.
    Torn {
        /// Bytes of which a part is not torn: 1, 512, 4096.
        unit: u32,
        /// What follows.
        tail: Tail,
        /// Says how much.
        seed: u64,
    },
    /// A subset by this seed: sectors and names, lengths, zeros or garbage in the gaps.
    Subset(u64),
}

/// What follows the part of a file that survived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// The file's end.
    Cut,
    /// Zeros up to the length that was written.
    Zeros,
    /// Garbage up to the length that was written.
    Garbage,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// EIO. Of an append nothing happens; of a sync, all that it was for is lost.
    Io,
    /// ENOSPC; nothing happens.
    DiskFull,
    /// EINTR; half of an append happens.
    Interrupted,
    /// ENOSPC after half of an append.
    ShortWrite,
    /// The machine stops: this call takes effect in the cache or not at all, and it and every later one fails.
    Halt,
}

/// Which calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallKind {
    /// Those that change something: create, append, sync, rename, …
    Change,
    /// Those that read: open, read, length, list.
    Read,
}

/// Failures at random.
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
    match fault {
        Fault::Io | Fault::Halt => Errno::IO.into(),
        Fault::DiskFull | Fault::ShortWrite => Errno::NOSPC.into(),
        Fault::Interrupted => Errno::INTR.into(),
    }
}
