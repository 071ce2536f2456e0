//! Background flushes, compactions, splits and memstore upkeep. Each has its own threads, so that a long compaction delays
//! neither flushes nor splits, for which writers wait. Large compactions have threads of their own, so that small ones
//! need not wait for them. A long flush does not delay the upkeep, which writers would otherwise do themselves. Source:
//! HBase's `CompactSplit`.

use super::admin::remove_expired_snapshots;
use super::quotas::update_quotas;
use super::regions;
use super::state::queue::{Role, Task};
use super::state::shared::Shared;
use crate::region::Region;
use crate::settings::Settings;
use crate::store::{Store, Work};
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

/// While a compaction runs, a flush merges files itself only above this multiple of `hbase.hstore.blockingStoreFiles`.
const PATIENCE_WITH_FILES: usize = 4;

/// Threads for compactions: the setting of their number, their name and their role.
const COMPACTION_THREADS: [(&str, &str, Role); 2] = [
    ("hbase.regionserver.thread.compaction.small", "rowstone-small", Role::SmallCompactions),
    ("hbase.regionserver.thread.compaction.large", "rowstone-large", Role::LargeCompactions),
];

/// Starts the threads; a read-only or passive database has none.
pub(super) fn start(shared: &Arc<Shared>, is_passive: bool) -> Result<Vec<JoinHandle<()>>> {
    let mut threads = Vec::new();
    if !shared.is_read_only() && !is_passive {
        threads.push(spawn(shared, "rowstone-flush", Role::Flushes)?);
        threads.push(spawn(shared, "rowstone-memstore", Role::Upkeep)?);
        if shared.settings.flag("rowstone.compaction.background") {
            for (count, name, role) in COMPACTION_THREADS {
                for _ in 0..shared.settings.size(count) {
                    threads.push(spawn(shared, name, role)?);
                }
            }
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
    if matches!(role, Role::SmallCompactions | Role::LargeCompactions) {
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
        let may_make_room = !matches!(task, Task::Upkeep(_));
        // A failed or panicking task must not end the thread: writers would wait forever.
        let outcome =
            catch_unwind(AssertUnwindSafe(|| perform(shared, task).and_then(|()| update_quotas(shared, false))));
        shared.queue.note(outcome.unwrap_or_else(|_| Err(Error::internal("a background task panicked"))));
        if may_make_room {
            shared.signal_room();
        }
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
        Task::Compact(name) => compact(shared, &name, |region| compact_small(shared, region)),
        Task::CompactLarge(name) => compact(shared, &name, |region| region.compact_beside(true).map(|_| ())),
        Task::MergeLeftovers(name) => compact(shared, &name, |region| region.merge_leftovers().map(|_| ())),
        Task::Split(name) => regions::split_if_due(shared, &name),
        Task::Tick => tick(shared),
    }
}

fn compact(shared: &Shared, name: &str, merge: impl FnOnce(&Region) -> Result<()>) -> Result<()> {
    match shared.tables.region(name) {
        Some(region) if shared.switches.is_on(Switch::Compaction) => {
            shared.check_place()?;
            merge(&region)
        }
        _ => Ok(()),
    }
}

/// Runs a small compaction. Leaves a large one to the threads that may run it.
fn compact_small(shared: &Shared, region: &Region) -> Result<()> {
    if region.compact_beside(false)? {
        shared.queue.push(Work::CompactLarge(region.info().encoded_name.clone()));
    }
    Ok(())
}

fn flush(shared: &Shared, region: Option<&Region>) -> Result<bool> {
    let Some(region) = region else { return Ok(false) };
    if shared.settings.flag("rowstone.compaction.background")
        && region.is_compaction_enabled()
        && shared.switches.is_on(Switch::Compaction)
        && is_behind(region)
    {
        // Too many files slow down reads: merge some before adding another. Writers wait for the flush even if that fails.
        shared.queue.note(compact_small(shared, region));
    }
    flush_by(shared, || region.flush_large_families())
}

/// Runs `flush`. If the disk is full, deletes unneeded files and tries again.
fn flush_by(shared: &Shared, flush: impl Fn() -> Result<bool>) -> Result<bool> {
    if let Some(error) = shared.queue.disk_full() {
        return Err(error);
    }
    shared.check_place()?;
    let mut outcome = flush();
    if outcome.as_ref().is_err_and(|error| error.kind() == ErrorKind::DiskFull) && shared.free_unneeded() {
        outcome = flush();
    }
    shared.queue.note_flush(&outcome);
    outcome
}

/// Whether so many files of a store wait for a compaction that a flush should merge some first. The limit is higher
/// while a compaction runs, because that thread yields to others and merging here is the last resort.
fn is_behind(region: &Region) -> bool {
    let times = if region.compaction_state() == CompactionState::None { 1 } else { PATIENCE_WITH_FILES };
    region.stores().iter().any(|store| store.has_too_many_waiting_files(times))
}

fn flush_largest(shared: &Shared) -> Result<()> {
    if !shared.wants_flushes() {
        return Ok(());
    }
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
    // All of it is done, even if a region cannot be flushed.
    let maintained = maintain_regions(shared).and(remove_expired_snapshots(shared));
    shared.clock_watch.note(shared.system.clock.now_ms());
    shared.keep_reserve();
    maintained.and(maintain_logs(shared))
}

/// Archives old logs, and flushes the regions that keep logs from being archived.
fn maintain_logs(shared: &Shared) -> Result<()> {
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
    let mut outcome = Ok(());
    for table in shared.tables.all() {
        for region in table.regions().iter() {
            region.maintain_memstores();
            let is_old = max_age > 0 && region.oldest_write_ms().is_some_and(|oldest| oldest < too_old);
            // A large region should have been flushed before: that flush failed.
            if is_old || region.is_large() {
                outcome = outcome.and(flush_by(shared, || region.flush()).map(drop));
            }
            if let Some(work) = region.tick(quiet_ticks) {
                shared.queue.push(work);
            }
        }
    }
    outcome
}

/// Logs may have this many times the bytes that memstores may have, if `hbase.regionserver.maxlogs` is not set.
const LOGGED_PER_MEMORY: u64 = 4;
const FEWEST_LOGS: u64 = 4;

/// Number of logs that may exist before regions are flushed because of them: `hbase.regionserver.maxlogs`. Its default
/// is made for large heaps, and recovery reads all logs. Unless it is set, it is therefore lowered to what memstores may
/// hold, as RocksDB's `max_total_wal_size` is.
fn most_logs(settings: &Settings, memory_limit: u64) -> u64 {
    let most = settings.size("hbase.regionserver.maxlogs");
    if settings.has("hbase.regionserver.maxlogs") {
        return most;
    }
    let log_bytes = settings.size("hbase.regionserver.logroll.size").max(1);
    memory_limit.saturating_mul(LOGGED_PER_MEMORY).div_ceil(log_bytes).max(FEWEST_LOGS).min(most)
}

/// Flushes the regions that pin the oldest log, if there are too many logs. Source: HBase's `LogRoller`,
/// `FSHLog.findRegionsToForceFlush`.
fn flush_regions_in_oldest_log(shared: &Shared, wal: &Wal) -> Result<()> {
    let memory_limit = u64::try_from(shared.memory().1).unwrap_or(0);
    let mut outcome = Ok(());
    if wal.statistics().log_count > most_logs(&shared.settings, memory_limit) {
        for key in wal.regions_in_oldest_log() {
            let name = format!("{:032x}", u128::from_be_bytes(key));
            if let Some(region) = shared.tables.region(&name) {
                outcome = outcome.and(flush_by(shared, || region.flush()).map(drop));
            }
        }
    }
    outcome
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn logs_have_four_times_the_bytes_of_memstores_unless_their_number_is_set() {
        let settings = Settings::default();
        let most = |memory_limit| most_logs(&settings, memory_limit);
        assert_eq!([0, 16 << 20, 256 << 20, 300 << 20, 64 << 30].map(most), [4, 4, 8, 10, 32]);
        let set = [("hbase.regionserver.maxlogs".to_string(), "20".to_string())].into();
        assert_eq!(most_logs(&settings.overridden_by(&set).unwrap(), 16 << 20), 20);
    }
}
