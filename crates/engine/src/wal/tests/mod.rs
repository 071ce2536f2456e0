//! Tests of the log: committed records are read back, in order, after clean exits, crashes and failures.

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
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};
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

/// The list of needed logs in a file of its own, replaced by a rename: it is as durable as the manifest.
pub(super) struct ListFile {
    system: System,
    path: PathBuf,
}

impl ListFile {
    pub(super) fn beside(system: &System, directory: &Path) -> Self {
        ListFile { system: system.clone(), path: directory.with_file_name("LIST") }
    }

    pub(super) fn read(&self) -> Result<Vec<LogEnd>> {
        if !self.system.files.exists(&self.path) {
            return Ok(Vec::new());
        }
        let bytes =
            self.system.files.read(&self.path).map_err(|error| Error::io("read", self.path.display(), &error))?;
        let field = |bytes: &[u8]| u64::from_be_bytes(bytes.try_into().unwrap());
        let log = |entry: &[u8]| LogEnd {
            number: field(&entry[..8]),
            length: field(&entry[8..16]),
            checksum: field(&entry[16..]) as u32,
        };
        Ok(bytes.chunks_exact(24).map(log).collect())
    }

    fn write(&self, logs: &[LogEnd]) -> Result<u64> {
        let fields = logs.iter().flat_map(|log| [log.number, log.length, u64::from(log.checksum)]);
        let bytes: Vec<u8> = fields.flat_map(u64::to_be_bytes).collect();
        let temporary = self.path.with_extension("tmp");
        let write = || {
            let mut file = self.system.files.create(&temporary)?;
            file.append(&bytes)?;
            file.sync()?;
            self.system.files.rename(&temporary, &self.path)?;
            self.system.files.sync_dir(self.path.parent().unwrap())
        };
        write().map(|()| 0).map_err(|error| Error::io("write", self.path.display(), &error))
    }
}

impl LogRegister for ListFile {
    fn add(&self, log: &LogEnd) -> Result<u64> {
        let mut logs = self.read()?;
        logs.push(log.clone());
        self.write(&logs)
    }

    fn remove_before(&self, number: u64) -> Result<u64> {
        let mut logs = self.read()?;
        logs.retain(|log| log.number >= number);
        self.write(&logs)
    }
}

pub(super) fn open_wal(
    system: &System,
    directory: &Path,
    options: WalOptions,
    recovered: &ReplayReport,
) -> Result<Arc<Wal>> {
    Wal::open(system, directory, options, &mut recovered.clone(), Arc::new(ListFile::beside(system, directory)))
}

/// Replays the logs that are needed.
pub(super) fn replay_all(
    system: &System,
    directory: &Path,
    visitor: &mut dyn FnMut(Record<'_>) -> Result<()>,
) -> Result<ReplayReport> {
    let logs = ListFile::beside(system, directory).read()?;
    replay(&*system.files, directory, &Needed { logs: &logs, ..Needed::default() }, visitor)
}

/// No thread and no reservation, so that the calls are the same every time.
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

/// Writes a record of one cell to `REGION`; the value contains the sequence id.
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
    let report = replay_all(system, directory(), &mut |record| {
        for part in record.parts.iter().filter(|part| part.region == REGION) {
            let cell = part.iter().next().expect("a cell");
            assert_eq!(cell.value(), part.sequence_id.to_be_bytes());
            ids.push(part.sequence_id);
        }
        Ok(())
    })?;
    Ok((ids, report))
}
