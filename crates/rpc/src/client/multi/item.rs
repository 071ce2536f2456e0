//! An action of a multi, and its result.

use crate::convert::append_result;
use crate::failure::{failure_of, Failure};
use crate::proto;
use crate::wire::{BlockReader, Malformed, RemoteException};
use rowstone_model::operations::{CellBatch, Get, Mutation, RowMutations};
use rowstone_model::Error;

/// One action.
pub(in crate::client) enum Item<'a> {
    /// Read a row.
    Get(&'a Get),
    /// Check whether a get would return a cell.
    Exists(&'a Get),
    /// Change a row; increments and appends have a nonce.
    Mutation(&'a Mutation, Option<u64>),
    /// Change a row atomically in several ways; a nonce for each change.
    Row(&'a RowMutations, Vec<Option<u64>>),
}

impl Item<'_> {
    pub(super) fn row(&self) -> &[u8] {
        match self {
            Item::Get(get) | Item::Exists(get) => &get.row,
            Item::Mutation(mutation, _) => &mutation.row,
            Item::Row(mutations, _) => &mutations.row,
        }
    }
}

/// The outcome of an action. The cells of results are in the call's cell block.
pub(in crate::client) enum Answer<'a, 'b> {
    /// The result.
    One(&'a proto::Result, &'a mut BlockReader<'b>),
    /// The results of an atomic group.
    Group(&'a proto::RegionActionResult, &'a mut BlockReader<'b>),
    /// It failed permanently.
    Failed(Error),
}

/// Receives the outcome of the action with that index.
pub(in crate::client) type Sink<'a> = dyn FnMut(usize, Answer<'_, '_>) -> std::result::Result<(), Malformed> + 'a;

/// Approximate size of `item` in a request.
pub(super) fn bytes_of(item: &Item<'_>) -> usize {
    match item {
        Item::Get(get) | Item::Exists(get) => get.row.len(),
        Item::Mutation(mutation, _) => mutation.cells.byte_len(),
        Item::Row(mutations, _) => mutations.mutations.iter().map(|mutation| mutation.cells.byte_len()).sum(),
    }
}

/// The cells of all results of an atomic group, as one row.
pub(in crate::client) fn read_atomic(
    result: &proto::RegionActionResult,
    block: &mut BlockReader<'_>,
    out: &mut CellBatch,
) -> std::result::Result<(), Failure> {
    if let Some(exception) = &result.exception {
        return Err(failure_of(&exception_of(exception)));
    }
    let mut failed = None;
    let mut row = CellBatch::default();
    for entry in &result.result_or_exception {
        if let Some(exception) = &entry.exception {
            failed.get_or_insert_with(|| failure_of(&exception_of(exception)));
        }
        if let Some(result) = &entry.result {
            append_result(result, block, &mut row)?;
        }
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    let cell_count: u32 = row.rows.iter().map(|range| range.cell_count).sum();
    if cell_count > 0 {
        let start = out.cells.byte_len();
        out.cells.extend_from(&row.cells);
        let end = out.cells.byte_len();
        out.rows.push(rowstone_model::operations::RowRange { start, end, cell_count, is_partial: false });
    }
    Ok(())
}

/// The exception of a single action.
pub(super) fn exception_of(pair: &proto::NameBytesPair) -> RemoteException {
    let text = String::from_utf8_lossy(pair.value.as_deref().unwrap_or_default()).into_owned();
    RemoteException { class: pair.name.clone(), text, do_not_retry: false, is_overloaded: false }
}
