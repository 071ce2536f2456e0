//! The log: what was committed is read back, in order, after clean exits, crashes and failures.

mod basics;
mod crash;
mod damage;
mod faults;
mod forgetting;
mod retention;
mod script;
mod threads;

use super::*;
use crate::sys::{FileSystem, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::operations::Durability;
use rowstone_model::Result;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

pub(super) const REGION: RegionKey = *b"region-number-01";
pub(super) const OTHER: RegionKey = *b"region-number-02";

pub(super) fn directory() -> &'static Path {
    Path::new("/db/WALs")
}

pub(super) fn system_on(files: impl FileSystem + 'static, clock: &Arc<ManualClock>) -> System {
    System { files: Arc::new(files), clock: Arc::clone(clock) as _, entropy: Arc::new(SeededEntropy::new(7)) }
}

pub(super) fn memory() -> System {
    system_on(MemoryFileSystem::new(), &Arc::new(ManualClock::new(1_000)))
}

/// No thread and no reservation: the same calls every time.
pub(super) fn quiet() -> WalOptions {
    WalOptions { has_background: false, reserve_bytes: 0, ..WalOptions::default() }
}

/// One cell whose value is `value`.
pub(super) fn cell(value: &[u8]) -> Vec<u8> {
    let mut buffer = CellBuffer::new();
    let cell_type = CellType::Put;
    buffer.push(CellParts { row: b"r", family: b"f", qualifier: b"q", timestamp: 5, cell_type, value, tags: b"" });
    buffer.as_bytes().to_vec()
}

/// Writes a record of one cell to `REGION`; the value tells the sequence id.
pub(super) fn put(wal: &Wal, ids: &AtomicU64, durability: Durability) -> Result<Ticket> {
    let id = ids.load(Ordering::SeqCst) + 1;
    let cells = cell(&id.to_be_bytes());
    let parts = [Part { region: REGION, cells: &cells }];
    wal.append_and_commit(durability, &Entry::new(&parts, 99), &mut |_| {
        ids.store(id, Ordering::SeqCst);
        id
    })
}

/// The sequence ids of all parts of `REGION`, and the report.
pub(super) fn read(system: &System) -> Result<(Vec<u64>, ReplayReport)> {
    let mut ids = Vec::new();
    let report = replay(&*system.files, directory(), None, &mut |record| {
        for part in record.parts.iter().filter(|part| part.region == REGION) {
            let cell = part.iter().next().expect("a cell");
            assert_eq!(cell.value(), part.sequence_id.to_be_bytes());
            ids.push(part.sequence_id);
        }
        Ok(())
    })?;
    Ok((ids, report))
}
