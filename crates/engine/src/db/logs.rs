//! Log recovery at open: replays the old logs into memory, then begins a new one.
//!
//! Records go straight into the regions. When memory fills up, regions are flushed during the replay, so that a
//! long log needs no more memory than writing it did. The manifest lists the logs that must exist.

use super::state::reserve::Reserve;
use super::state::shared::{Schema, Shared};
use crate::check::needed_logs;
use crate::manifest::{self, region_key, Edit, LogEntry, Manifest, State};
use crate::region::Region;
use crate::root::{read_logs, RootView};
use crate::wal::{replay, LogEnd, LogRegister, Needed, Record, RecordPart, RegionKey, ReplayReport, Wal, WalOptions};
use rowstone_model::operations::Nonce;
use rowstone_model::schema::TableDescriptor;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The list of needed logs, in the manifest.
struct Register {
    manifest: Arc<Manifest>,
    reserve: Arc<Reserve>,
}

impl Register {
    fn commit(&self, edit: Edit) -> Result<u64> {
        self.reserve.retry(|| Ok(self.manifest.commit(std::slice::from_ref(&edit))?.commits))
    }
}

impl LogRegister for Register {
    fn add(&self, log: &LogEnd) -> Result<u64> {
        let log = LogEntry { number: log.number, checksum: log.checksum, synced_bytes: log.length };
        self.commit(Edit::AddLog { log })
    }

    fn remove_before(&self, number: u64) -> Result<u64> {
        self.commit(Edit::RemoveLogs { before: number })
    }

    fn check_place(&self) -> Result<()> {
        self.manifest.check_place()
    }
}

/// Replays the logs into the open regions.
///
/// # Errors
/// `Corruption` if logs are missing, damaged or of another database, or if they mention a later manifest.
pub(super) fn replay_logs(shared: &Shared) -> Result<ReplayReport> {
    let regions = regions(shared)?;
    let state = shared.state();
    let logs = needed_logs(&state);
    let needed = Needed {
        database: state.tag(),
        logs: &logs,
        commits: state.commits,
        beside_writer: shared.is_read_only(),
        may_try_again: shared.may_open_again,
    };
    let files = shared.system.files.as_ref();
    let mut is_full = false;
    let report = replay(files, &shared.log_directory(), &needed, &mut |record| {
        recover(shared, &regions, &record, &mut is_full)
    })?;
    check_commits(shared, &state, &report)?;
    if shared.is_read_only() {
        check_schema(shared, &state)?;
    }
    regions.values().for_each(|region| region.end_replay());
    Ok(report)
}

/// Replays HBase's logs into the open regions of a root, if the view has them.
pub(super) fn replay_root(shared: &Shared, view: &RootView) -> Result<()> {
    if !view.with_logs || view.snapshot.is_some() {
        return Ok(());
    }
    let regions = regions(shared)?;
    let by_name: HashMap<&str, (RegionKey, &Arc<Region>)> =
        regions.iter().map(|(key, region)| (region.info().encoded_name.as_str(), (*key, region))).collect();
    read_logs(shared.system.files.as_ref(), &shared.root, &shared.state(), view.hides_open_blocks, &mut |write| {
        let Some((key, region)) = by_name.get(write.region) else { return };
        region.continue_time(Some(write.write_time_ms));
        let (sequence_id, cells) = (write.sequence_id, write.cells.as_bytes());
        region.replay(&RecordPart { region: *key, sequence_id, cells });
    })?;
    regions.values().for_each(|region| region.end_replay());
    Ok(())
}

/// Refuses a manifest that is older than the logs.
fn check_commits(shared: &Shared, state: &State, report: &ReplayReport) -> Result<()> {
    let mut commits = state.commits;
    if report.commits > commits && shared.is_read_only() {
        // A writer may have committed since. The logs never mention a commit that is not in the manifest.
        commits = manifest::read(shared.system.files.as_ref(), &shared.root)?.commits;
    }
    if report.commits <= commits {
        return Ok(());
    }
    let expected = format!("{} commits, as recorded in the logs", report.commits);
    let found = format!("{commits}: it is an older copy, or lost its end");
    Err(Error::corruption(shared.root.join("MANIFEST").display(), 0, expected, found))
}

/// Refuses logs that may have records of regions or families that a writer created after the manifest was read. Otherwise the
/// reader would show later writes without earlier ones.
fn check_schema(shared: &Shared, old: &State) -> Result<()> {
    let new = manifest::read(shared.system.files.as_ref(), &shared.root)?;
    let is_known = |table: &TableDescriptor, known: &TableDescriptor| {
        table.families.keys().all(|family| known.families.contains_key(family))
    };
    let mut tables = new.tables.iter();
    let are_known = tables
        .all(|(name, table)| old.tables.get(name).is_none_or(|known| is_known(&table.descriptor, &known.descriptor)));
    if new.last_region_id == old.last_region_id && are_known {
        return Ok(());
    }
    let message = format!(
        "regions or families of the database in {} were created while it was opened; open it again",
        shared.root.display()
    );
    Err(Error::new(ErrorKind::Io, message))
}

fn regions(shared: &Shared) -> Result<HashMap<RegionKey, Arc<Region>>> {
    let tables = shared.tables.all();
    let all = tables.iter().flat_map(|table| Vec::clone(&table.regions()));
    all.map(|region| Ok((region_key(region.info())?, region))).collect()
}

fn recover(
    shared: &Shared,
    regions: &HashMap<RegionKey, Arc<Region>>,
    record: &Record<'_>,
    is_full: &mut bool,
) -> Result<()> {
    if let Some(nonce) = Nonce::new(record.nonce_group, record.nonce) {
        shared.nonces.note(record.write_time_ms, nonce, shared.system.clock.now_ms());
    }
    shared.clock_watch.note(record.write_time_ms);
    for part in &record.parts {
        // Regions that the manifest does not name were dropped after the write.
        if let Some(region) = regions.get(&part.region) {
            region.continue_time(Some(record.write_time_ms));
            region.replay(part);
        }
    }
    let (bytes, limit) = shared.memory();
    if bytes <= limit / 2 || shared.is_read_only() || *is_full {
        return Ok(());
    }
    let largest = regions.values().max_by_key(|region| region.memstore_bytes());
    match largest.map_or(Ok(()), |region| region.flush_replayed()) {
        // The database opens anyway, with more in memory than allowed, so that the user can drop something.
        Err(error) if error.kind() == ErrorKind::DiskFull && !shared.free_unneeded() => *is_full = true,
        Err(error) if error.kind() != ErrorKind::DiskFull => return Err(error),
        _ => {}
    }
    Ok(())
}

impl Shared {
    /// Begins a log after those of `report`. If the disk has no room for one, the database opens without it and
    /// refuses writes until [`Shared::wal_for_writes`] finds room.
    pub(super) fn begin_log(&self, mut report: ReplayReport, has_background: bool) -> Result<()> {
        match self.with_reserve(|| self.open_log(&mut report, has_background)) {
            Ok(wal) => {
                let _ = self.wal.set(wal);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::DiskFull => {
                *self.waiting_log.lock() = Some((report, has_background));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the log. If there was no room for one at open, begins it now.
    ///
    /// # Errors
    /// `DiskFull` if there is still no room; `ReadOnly`.
    pub(super) fn wal_for_writes(&self) -> Result<&Arc<Wal>> {
        match self.wal() {
            Some(wal) => Ok(wal),
            None => self.begin_waiting_log(),
        }
    }

    /// Returns the log that closing has to sync. If there was no room for one at open, and replayed records may not be
    /// on the disk, one is begun now: it gets copies of them.
    ///
    /// # Errors
    /// `DiskFull` if there is still no room: the records are in the old log, and a power loss may destroy them.
    pub(in crate::db) fn log_to_close(&self) -> Result<Option<&Arc<Wal>>> {
        let is_unproven =
            |report: &ReplayReport| report.logs.last().is_some_and(|log| log.synced_bytes < log.end.length);
        let is_needed = self.waiting_log.lock().as_ref().is_some_and(|(report, _)| is_unproven(report));
        if !is_needed {
            return Ok(self.wal());
        }
        match self.begin_waiting_log() {
            Err(error) if error.kind() == ErrorKind::DiskFull => Err(self.unproven_records()),
            begun => begun.map(Some),
        }
    }

    /// Begins the log that had no room at open, if there is room now.
    #[cold]
    fn begin_waiting_log(&self) -> Result<&Arc<Wal>> {
        let mut waiting = self.waiting_log.lock();
        if let Some((report, has_background)) = &mut *waiting {
            match self.open_log(report, *has_background) {
                Ok(wal) => {
                    let _ = self.wal.set(wal);
                    *waiting = None;
                }
                Err(error) if error.kind() == ErrorKind::DiskFull => return Err(self.no_log()),
                Err(error) => return Err(error),
            }
        }
        self.wal().ok_or_else(|| self.no_log())
    }

    fn open_log(&self, report: &mut ReplayReport, has_background: bool) -> Result<Arc<Wal>> {
        let Schema::Written(manifest) = &self.manifest else { return Err(self.read_only_error()) };
        let options = WalOptions {
            database: manifest.state().tag(),
            roll_bytes: self.settings.size("hbase.regionserver.logroll.size"),
            sync_interval: Duration::from_millis(self.settings.size("rowstone.wal.sync.interval.ms")),
            old_log_ttl_ms: self.settings.number("hbase.master.logcleaner.ttl"),
            old_logs_bytes: self.settings.size("rowstone.wal.old.max.bytes"),
            has_background,
            ..WalOptions::default()
        };
        let register = Register { manifest: Arc::clone(manifest), reserve: Arc::clone(&self.reserve) };
        let wal = Wal::open(&self.system, &self.log_directory(), options, report, Arc::new(register))?;
        self.tell_log(&wal, report);
        Ok(wal)
    }

    /// Reports to the new log which regions of the old ones are flushed or removed, so that unneeded logs can be
    /// archived.
    fn tell_log(&self, wal: &Wal, report: &ReplayReport) {
        let Ok(regions) = regions(self) else { return };
        let gone = report.logs.iter().flat_map(|log| log.regions.keys()).filter(|key| !regions.contains_key(*key));
        let flushed = regions.iter().map(|(key, region)| (*key, region.flushed_sequence_id()));
        // Logs that cannot be archived now are archived later.
        let _ = wal.all_flushed(flushed.chain(gone.map(|key| (*key, u64::MAX))));
    }
}
