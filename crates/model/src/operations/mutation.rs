//! Puts, deletes, increments, appends.

use super::guard::{Guard, RowGuard};
use super::read::TimeRange;
use crate::cell::CellBuffer;
use smallvec::SmallVec;
use std::num::NonZeroU64;
use std::sync::Arc;

/// The row key of an operation. Short keys are stored inline, which saves a batch one allocation per row.
pub type RowKey = SmallVec<[u8; 32]>;

/// The durability of a write: when it counts as complete. The order is HBase's: a batch uses the strongest of its
/// members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Durability {
    /// The default of the table, or else of the database.
    #[default]
    UseDefault,
    /// In memory only.
    SkipWal,
    /// In memory; logged soon after.
    AsyncWal,
    /// In the log, written to the kernel.
    SyncWal,
    /// In the log, synced to disk.
    FsyncWal,
}

/// The kind of a mutation.
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

/// A number that a client gives a request so that a retry can be recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nonce {
    /// The client's number.
    pub group: u64,
    /// The request's number.
    pub number: NonZeroU64,
}

impl Nonce {
    /// The nonce in a message; the number 0 means none.
    pub fn new(group: u64, number: u64) -> Option<Self> {
        Some(Nonce { group, number: NonZeroU64::new(number)? })
    }
}

/// A change of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// The kind.
    pub kind: MutationKind,
    /// The row.
    pub row: RowKey,
    /// The cells, all of `row`; the store replaces timestamp `LATEST`. A [`MutationKind::Delete`] without cells
    /// deletes the row: one DeleteFamily per family. A `Delete` cell at `LATEST` deletes the newest existing version.
    pub cells: CellBuffer,
    /// Timestamp of a row delete; `LATEST` for the current time.
    pub timestamp: i64,
    /// The durability.
    pub durability: Durability,
    /// Time to live of the written cells, in milliseconds.
    pub ttl_ms: Option<i64>,
    /// For increments and appends: timestamps of the versions that count as the current value.
    pub time_range: TimeRange,
    /// For increments and appends: whether the caller wants the new values. Source: `Append.setReturnResults`.
    pub returns_values: bool,
    /// For increments and appends: logged with the new values, so that the operation is recognized after a restart.
    /// It does not prevent repetition by itself; that is up to the caller that assigns nonces.
    pub nonce: Option<Nonce>,
    /// Permissions on the written cells, in HBase's encoding (see `access::CellPermissions`). The access control layer
    /// turns it into tags; a store without that layer rejects it. Source: `Mutation.setACL`.
    pub acl: Option<Arc<[u8]>>,
    /// Called with the row locked; decides whether the mutation is allowed.
    pub guard: Option<Guard<dyn RowGuard>>,
}

impl Mutation {
    /// Creates a mutation without cells.
    pub fn new(kind: MutationKind, row: impl AsRef<[u8]>) -> Self {
        Mutation {
            kind,
            row: RowKey::from_slice(row.as_ref()),
            cells: CellBuffer::new(),
            timestamp: crate::cell::LATEST_TIMESTAMP,
            durability: Durability::UseDefault,
            ttl_ms: None,
            time_range: TimeRange::ALL,
            returns_values: true,
            nonce: None,
            acl: None,
            guard: None,
        }
    }
}

/// Mutations of one row that are applied atomically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowMutations {
    /// The row.
    pub row: Vec<u8>,
    /// The mutations.
    pub mutations: Vec<Mutation>,
}

/// One action of a multi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Read a row.
    Get(super::Get),
    /// Change a row.
    Mutate(Mutation),
    /// Change a row atomically in several ways.
    MutateRow(RowMutations),
}
