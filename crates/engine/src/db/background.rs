//! Background flushes, compactions, splits and memstore upkeep. Each has its own thread, so that a long compaction
//! delays neither flushes nor splits, for which writers wait. A long flush does not delay the upkeep, which writers would
//! otherwise do themselves.

use super::admin::remove_expired_snapshots;
use super::quotas::update_quotas;
use super::regions;
use super::state::queue::{Role, Task};
use super::state::shared::Shared;
use crate::region::Region;
use crate::store::Store;
use crate::sys::give_way;
use crate::sys::raw::thread::{self, JoinHandle};
use crate::wal::Wal;
use rowstone_model::admin::CompactionState;
use rowstone_model::switches::Switch;
use rowstone_model::{Error, ErrorKind, Result};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval of the periodic tick: old memstores, memory upkeep, accumulated logs.
const TICK: Duration = Duration::from_secs(1);

/// While a compaction runs, a flush waits for it only above this multiple of `hbase.hstore.blockingStoreFiles`.
const PATIENCE_WITH_FILES: usize = 4;

/// Starts the threads; a read-only or passive database has none.
pub(super) fn start(shared: &Arc<Shared>, is_passive: bool) -> Result<Vec<JoinHandle<()>>> {
    let mut threads = Vec::new();
    if !shared.is_read_only() && !is_passive {
        threads.push(spawn(shared, "rowstone-flush", Role::Flushes)?);
        threads.push(spawn(shared, "rowstone-memstore", Role::Upkeep)?);
        if shared.settings.flag("rowstone.compaction.background") {
            threads.push(spawn(shared, "rowstone-compact", Role::Compactions)?);
            threads.push(spawn(shared, "rowstone-split", Role::Splits)?);
        }
    }
    if !is_passive && stores(shared).iter().any(|store| store.wants_prefetch()) {
        threads.push(spawn_prefetch(shared)?);
    }
    Ok(threads)
}

fn spawn(shared: &Arc<Shared>, name: &str, role: Role) -> Result<JoinHandle<()>> {
    let shared = Arc::clone(shared);
    let builder = thread::Builder::new().name(name.to_string());
    builder.spawn(move || run(&shared, role)).map_err(|error| Error::io("start thread", name, &error))
}

/// Fills the cache with the files of families that ask for it, concurrently with the first reads.
fn spawn_prefetch(shared: &Arc<Shared>) -> Result<JoinHandle<()>> {
    let shared = Arc::clone(shared);
    let builder = thread::Builder::new().name("rowstone-prefetch".to_string());
    let fill = move || stores(&shared).iter().for_each(|store| store.prefetch(&|| shared.queue.stops()));
    builder.spawn(fill).map_err(|error| Error::io("start thread", "rowstone-prefetch", &error))
}

fn stores(shared: &Shared) -> Vec<Arc<Store>> {
    let tables = shared.tables.all();
    let regions = tables.iter().flat_map(|table| table.regions().iter().cloned().collect::<Vec<_>>());
    regions.flat_map(|region| region.stores().iter().cloned().collect::<Vec<_>>()).collect()
}

fn run(shared: &Arc<Shared>, role: Role) {
    if role == Role::Compactions {
        // Compaction yields to foreground work. If it falls behind, flushes compact: see `flush`.
        give_way();
    }
    let mut next_tick = Instant::now() + TICK;
    loop {
        let task = shared.queue.next(role, next_tick);
        match task {
            Task::Stop => return,
            Task::Tick => next_tick = Instant::now() + TICK,
            _ => {}
        }
        // A failed or panicking task must not end the thread: writers would wait forever.
        let outcome =
            catch_unwind(AssertUnwindSafe(|| perform(shared, task).and_then(|()| update_quotas(shared, false))));
        shared.queue.note(outcome.unwrap_or_else(|_| Err(Error::internal("a background task panicked"))));
        shared.signal_room();
    }
}

fn perform(shared: &Arc<Shared>, task: Task) -> Result<()> {
    match task {
        Task::Stop => Ok(()),
        Task::Upkeep(name) => {
            shared.tables.region(&name).iter().for_each(|region| region.merge_segments());
            Ok(())
        }
        Task::Flush(name) => flush(shared, shared.tables.region(&name).as_deref()).map(|_| ()),
        Task::FlushLargest => flush_largest(shared),
        Task::Compact(name) => compact(shared, &name, |region| {
            if region.compact(None, false)? {
                region.request_next_compaction();
            }
            Ok(())
        }),
        Task::MergeLeftovers(name) => compact(shared, &name, |region| region.merge_leftovers().map(|_| ())),
        Task::Split(name) => regions::split_if_due(shared, &name),
        Task::Tick => tick(shared),
    }
}

fn compact(shared: &Shared, name: &str, merge: impl FnOnce(&Region) -> Result<()>) -> Result<()> {
    match shared.tables.region(name) {
        Some(region) if shared.switches.is_on(Switch::Compaction) => merge(&region),
        _ => Ok(()),
    }
}

fn flush(shared: &Shared, region: Option<&Region>) -> Result<bool> {
    let Some(region) = region else { return Ok(false) };
    if shared.settings.flag("rowstone.compaction.background")
        && region.is_compaction_enabled()
        && shared.switches.is_on(Switch::Compaction)
        && is_behind(region)
    {
        // Too many files slow down reads: merge some before adding another.
        region.compact(None, false)?;
    }
    flush_by(shared, || region.flush_large_families())
}

/// Runs `flush`. If the disk is full, deletes unneeded files and tries again.
fn flush_by(shared: &Shared, flush: impl Fn() -> Result<bool>) -> Result<bool> {
    if let Some(error) = shared.queue.disk_full() {
        return Err(error);
    }
    let mut outcome = flush();
    if outcome.as_ref().is_err_and(|error| error.kind() == ErrorKind::DiskFull) && shared.free_unneeded() {
        outcome = flush();
    }
    shared.queue.note_flush(&outcome);
    outcome
}

/// Whether a store has so many files that a flush should merge some first. The limit is higher while a compaction
/// runs, because that thread yields to others and waiting for it is the last resort.
fn is_behind(region: &Region) -> bool {
    let times = if region.compaction_state() == CompactionState::None { 1 } else { PATIENCE_WITH_FILES };
    region.stores().iter().any(|store| store.has_too_many_files(times))
}

fn flush_largest(shared: &Shared) -> Result<()> {
    let tables = shared.tables.all();
    let regions = tables.iter().flat_map(|table| table.regions().iter().cloned().collect::<Vec<_>>());
    let has_flushed = flush(shared, regions.max_by_key(|region| region.memstore_bytes()).as_deref())?;
    // Flushing one of many regions may not be enough. No other request comes before all of the memory is in use and
    // all writers wait.
    if has_flushed && shared.wants_flushes() {
        shared.queue.push_flush_of_largest();
    }
    Ok(())
}

/// Number of ticks without a flush after which small files are merged; `None` if the setting is off.
fn quiet_ticks(shared: &Shared) -> Option<u32> {
    let seconds = shared.settings.size("rowstone.compaction.quiet.seconds");
    let is_wanted = seconds > 0 && shared.settings.flag("rowstone.compaction.background");
    is_wanted.then(|| u32::try_from(seconds / TICK.as_secs()).unwrap_or(u32::MAX))
}

/// Periodic tick: memstore upkeep, merges of small files in idle regions, expired snapshots, old logs, flushes of
/// old memstores and of those that keep old logs from being archived.
fn tick(shared: &Shared) -> Result<()> {
    maintain_regions(shared)?;
    remove_expired_snapshots(shared)?;
    shared.clock_watch.note(shared.system.clock.now_ms());
    shared.keep_reserve();
    // There is no log if the disk had no room for one. The next writer gets that error.
    let Ok(wal) = shared.wal_for_writes() else { return Ok(()) };
    wal.tidy()?;
    flush_regions_in_oldest_log(shared, wal)
}

/// Memstore upkeep, flushes of memstores older than `hbase.regionserver.optionalcacheflushinterval`, and merges of
/// small files in idle regions. Source: HBase's `PeriodicMemStoreFlusher`.
fn maintain_regions(shared: &Shared) -> Result<()> {
    let max_age = shared.settings.number("hbase.regionserver.optionalcacheflushinterval");
    let too_old = shared.system.clock.now_ms().saturating_sub(max_age);
    let quiet_ticks = quiet_ticks(shared);
    for table in shared.tables.all() {
        for region in table.regions().iter() {
            region.maintain_memstores();
            let is_old = max_age > 0 && region.oldest_write_ms().is_some_and(|oldest| oldest < too_old);
            // A large region should have been flushed before: that flush failed.
            if is_old || region.is_large() {
                flush_by(shared, || region.flush())?;
            }
            if let Some(work) = region.tick(quiet_ticks) {
                shared.queue.push(work);
            }
        }
    }
    Ok(())
}

/// Flushes the regions that pin the oldest log, if there are more logs than `hbase.regionserver.maxlogs`. Source:
/// HBase's `LogRoller`, `FSHLog.findRegionsToForceFlush`.
fn flush_regions_in_oldest_log(shared: &Shared, wal: &Wal) -> Result<()> {
    if wal.statistics().log_count > shared.settings.size("hbase.regionserver.maxlogs") {
        for key in wal.regions_in_oldest_log() {
            let name = format!("{:032x}", u128::from_be_bytes(key));
            if let Some(region) = shared.tables.region(&name) {
                flush_by(shared, || region.flush())?;
            }
        }
    }
    Ok(())
}
