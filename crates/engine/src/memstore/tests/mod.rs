//! Tests of the memstore's guarantees.

mod accounting;
mod large;
mod model;
mod parts;
mod reversed;
mod threads;

use super::merged::SnapshotSource;
use super::store::{Limits, Memstore};
use crate::sys::ManualClock;
use rowstone_model::cell::{CellBuffer, CellParts, CellSource, CellType};
use std::sync::Arc;

/// A memstore whose trees are frozen at `cells` cells.
fn small(cells: usize) -> Memstore {
    Memstore::with_limits((), Arc::new(ManualClock::new(1000)), Limits { bytes: cells * 100, cells })
}

fn put<'a>(row: &'a [u8], qualifier: &'a [u8], timestamp: i64, value: &'a [u8]) -> CellParts<'a> {
    CellParts { row, family: b"f", qualifier, timestamp, cell_type: CellType::Put, value, tags: &[] }
}

fn buffer<'a>(cells: impl IntoIterator<Item = CellParts<'a>>) -> CellBuffer {
    let mut buffer = CellBuffer::new();
    cells.into_iter().for_each(|parts| buffer.push(parts));
    buffer
}

/// A merge of all that a reader sees.
fn reader(memstore: &Memstore, read_point: u64, row: Option<&[u8]>) -> SnapshotSource {
    let mut sources = Vec::new();
    memstore.view().sources(read_point, row, &mut sources);
    SnapshotSource::new(sources)
}

/// A cell that owns its bytes: key, value, sequence id.
type OwnedCell = (Vec<u8>, Vec<u8>, u64);

fn current(source: &impl CellSource) -> Option<OwnedCell> {
    source.peek().map(|cell| (cell.key().to_vec(), cell.value().to_vec(), cell.sequence_id()))
}

/// All cells from the position on.
fn drain(source: &mut impl CellSource) -> Vec<OwnedCell> {
    let mut cells = Vec::new();
    while let Some(cell) = current(source) {
        cells.push(cell);
        source.advance().unwrap();
    }
    cells
}
