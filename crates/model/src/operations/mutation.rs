//! Puts, deletes, increments, appends.

use super::guard::{Guard, RowGuard};
use super::read::TimeRange;
use crate::cell::CellBuffer;
use smallvec::SmallVec;
use std::num::NonZeroU64;
use std::sync::Arc;

/// The row key of a mutation: short ones take no memory of their own, which a batch would ask for once per mutation.
pub type MutationRow = SmallVec<[u8; 32]>;

/// When a write counts as done. The order is HBase's: a batch takes the strongest of its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Durability {
    /// What the table says, or else the database.
    #[default]
    UseDefault,
    /// In memory.
    SkipWal,
    /// In memory, soon in the log.
    AsyncWal,
    /// In the log, handed to the kernel.
    SyncWal,
    /// In the log, on the disk.
    FsyncWal,
}

/// Which of the four mutations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MutationKind {
    /// Write values.
    Put,
    /// Write markers.
    Delete,
    /// Add to counters: each cell's value is the amount, 8 big-endian bytes.
    Increment,
    /// Extend values: each cell's value is the suffix.
    Append,
}

/// By what a repeated request is recognised: the number that a client gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nonce {
    /// The client's own number.
    pub group: u64,
    /// The request's.
    pub number: NonZeroU64,
}

impl Nonce {
    /// The nonce of a message, in which the number 0 is none.
    pub fn new(group: u64, number: u64) -> Option<Self> {
        Some(Nonce { group, number: NonZeroU64::new(number)? })
    }
}

/// A change of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// What is done.
    pub kind: MutationKind,
    /// The row.
    pub row: MutationRow,
    /// The cells, all of `row`; timestamp `LATEST` is filled in by the store. A [`MutationKind::Delete`] without cells deletes
    /// the row: one DeleteFamily in every family. A `Delete` cell at `LATEST` means "the newest version there is".
    pub cells: CellBuffer,
    /// Timestamp of a row delete; `LATEST` for now.
    pub timestamp: i64,
    /// When it counts as done.
    pub durability: Durability,
    /// Time to live of the written cells, in milliseconds.
    pub ttl_ms: Option<i64>,
    /// For increments and appends: which versions count as the present value.
    pub time_range: TimeRange,
    /// For increments and appends: written to the log with the new values, so that it is known after a restart what was done. It
    /// does not keep anything from being done twice; that is for who gives nonces.
    pub nonce: Option<Nonce>,
    /// Who may do what with the written cells, as HBase encodes it (see `access::CellRights`). Whoever looks at rights makes tags of
    /// it; a store by itself refuses it. Source: `Mutation.setACL`.
    pub acl: Option<Arc<[u8]>>,
    /// Asked, with the row locked, whether it may be done.
    pub guard: Option<Guard<dyn RowGuard>>,
}

impl Mutation {
    /// A mutation without cells yet.
    pub fn new(kind: MutationKind, row: impl AsRef<[u8]>) -> Self {
        Mutation {
            kind,
            row: MutationRow::from_slice(row.as_ref()),
            cells: CellBuffer::new(),
            timestamp: crate::cell::LATEST_TIMESTAMP,
            durability: Durability::UseDefault,
            ttl_ms: None,
            time_range: TimeRange::ALL,
            nonce: None,
            acl: None,
            guard: None,
        }
    }
}

/// Mutations of one row that happen together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowMutations {
    /// The row.
    pub row: Vec<u8>,
    /// What is done to it.
    pub mutations: Vec<Mutation>,
}

/// One of the things a multi can hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Read a row.
    Get(super::Get),
    /// Change a row.
    Mutate(Mutation),
    /// Change a row in several ways at once.
    MutateRow(RowMutations),
}
