//! Rows of a range of keys: HBase's `HRegion`, in one file per duty.
//!
//! - `write`, `plan`: steps of a write.
//! - `atomic`: operations that read before they write.
//! - `together`: atomic writes of several regions; witnesses of writes.
//! - `read`: gets.
//! - `scanner`: scans. `backward`: reversed ones. `filtered`: with a filter. `on_demand`: families read on demand.
//! - `flush`, `compaction`: memstore to file, files to file.
//! - `load`, `export`: bulk load; export to files.
//! - `life`, `handover`: changes of the families; removal with the table, or replacement by other regions.
//! - `limits`: settings and table options that writes read.
//! - `mvcc`, `row_locks`: order and visibility of writes; row locks.
//!
//! Invariants: a row's cells of one write become visible together; a file is used only after the manifest names it;
//! the log retains a record until the manifest says that its cells are in files.

mod atomic;
mod backward;
mod compaction;
mod export;
mod filtered;
mod flush;
mod guards;
mod handover;
mod life;
mod limits;
mod load;
mod mvcc;
mod on_demand;
mod plan;
mod read;
mod row_locks;
mod scanner;
mod since_flush;
mod together;
mod write;

pub use export::Exported;
pub use flush::flush_together;
pub use handover::Halted;
pub use life::{table_durability, Quiet};
pub use load::{Load, Loaded, Loading};
pub use read::ManyGets;
pub use scanner::RegionScanner;
pub use together::{rows_of, write_all, Planned, Witness, Write};

use crate::manifest::region_key;
use crate::settings::Settings;
use crate::store::{Services, Store, Stores, Work};
use crate::sys::lock::{Mutex, RwLock};
use arc_swap::{ArcSwap, Guard};
use limits::Limits;
use mvcc::Mvcc;
use row_locks::RowLocks;
use rowstone_model::codec::printable;
use rowstone_model::operations::{ColumnSelection, Durability, Mutation};
use rowstone_model::schema::{RegionInfo, TableDescriptor};
use rowstone_model::{Error, ErrorKind, Result};
use since_flush::SinceFlush;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicU8, Ordering};
use std::sync::Arc;

/// An open region.
pub struct Region {
    info: RegionInfo,
    key: [u8; 16],
    services: Arc<dyn Services>,
    settings: RwLock<Settings>,
    limits: Limits,
    mvcc: Mvcc,
    locks: RowLocks,
    /// Writers lock it shared from the log to the memstore; a flush locks it exclusively to take its snapshot.
    updates: RwLock<()>,
    stores: ArcSwap<Stores>,
    durability: AtomicU8,
    is_closed: AtomicBool,
    /// Another region may own the files now: no flush and no compaction may begin. Changed only under both their
    /// locks.
    is_gone: AtomicBool,
    /// Its rows moved to other regions by a split, a merge or a truncation.
    is_moved: AtomicBool,
    /// It is unknown whether the manifest still names it: see `handover`.
    is_in_doubt: AtomicBool,
    /// Memory may contain cells that the log does not.
    has_unlogged: AtomicBool,
    /// A family was dropped since the region was opened.
    lost_families: AtomicBool,
    last_now: AtomicI64,
    flushing: Mutex<()>,
    /// Compactions lock it shared; changes of the region lock it exclusively.
    compacting: RwLock<()>,
    compactions: compaction::Compactions,
    since_flush: SinceFlush,
    memstore_bytes: AtomicU64,
    reads: AtomicU64,
    writes: AtomicU64,
    /// Count of mutations that skipped the log, and bytes of their cells.
    unlogged: (AtomicU64, AtomicU64),
    /// The witness of its writes, and whether there is one.
    witness: RwLock<Option<Arc<dyn Witness>>>,
    has_witness: AtomicBool,
    /// The log has records with parts of this and another region.
    was_together: AtomicBool,
}

impl Region {
    /// Creates a region over `stores`, whose writes continue after `last_sequence_id`.
    pub fn new(
        info: RegionInfo,
        table: &TableDescriptor,
        stores: Stores,
        last_sequence_id: u64,
        settings: Settings,
        services: Arc<dyn Services>,
    ) -> Result<Self> {
        let key = region_key(&info)?;
        let memstore_bytes = stores.iter().map(|store| store.memstore_bytes()).sum();
        let region = Region {
            key,
            limits: Limits::new(&settings, &table.options()?),
            locks: RowLocks::new(settings.size("hbase.rowlock.wait.duration")),
            mvcc: Mvcc::new(last_sequence_id),
            updates: RwLock::new(()),
            stores: ArcSwap::from_pointee(stores),
            durability: AtomicU8::new(0),
            is_closed: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            is_moved: AtomicBool::new(false),
            is_in_doubt: AtomicBool::new(false),
            has_unlogged: AtomicBool::new(false),
            lost_families: AtomicBool::new(false),
            last_now: AtomicI64::new(i64::MIN),
            flushing: Mutex::new(()),
            compacting: RwLock::new(()),
            compactions: compaction::Compactions::default(),
            since_flush: SinceFlush::default(),
            memstore_bytes: AtomicU64::new(memstore_bytes),
            reads: AtomicU64::new(0),
            unlogged: Default::default(),
            writes: AtomicU64::new(0),
            witness: RwLock::new(None),
            has_witness: AtomicBool::new(false),
            was_together: AtomicBool::new(false),
            settings: RwLock::new(settings),
            info,
            services,
        };
        region.set_table_durability(table_durability(table)?);
        Ok(region)
    }

    /// Its key range and names.
    pub fn info(&self) -> &RegionInfo {
        &self.info
    }

    /// The families, in order of their names.
    pub fn stores(&self) -> Guard<Arc<Stores>> {
        self.stores.load()
    }

    /// The row with which a block of the largest file of `columns` begins that has at least `bytes` bytes of blocks
    /// between it and `row`. `None` if there is none.
    pub fn row_of_later_block(&self, columns: &ColumnSelection, row: &[u8], bytes: usize) -> Result<Option<Vec<u8>>> {
        let stores = self.stores();
        let is_wanted = |store: &&Arc<Store>| columns.is_all() || columns.families.contains_key(store.family_name());
        let files = stores.iter().filter(is_wanted).filter_map(|store| store.largest_file());
        let largest = files.max_by_key(|file| file.entry.size_bytes);
        largest.map_or(Ok(None), |file| file.reader.row_of_later_block(row, bytes))
    }

    /// Bytes of recent cells.
    pub fn memstore_bytes(&self) -> u64 {
        self.memstore_bytes.load(Ordering::Relaxed)
    }

    /// Counts rows that a scan returned.
    pub fn count_reads(&self, rows: usize) {
        self.reads.fetch_add(rows as u64, Ordering::Relaxed);
    }

    /// Number of reads and writes served since it was opened: gets and scanned rows, and mutations.
    pub fn request_counts(&self) -> (u64, u64) {
        (self.reads.load(Ordering::Relaxed), self.writes.load(Ordering::Relaxed))
    }

    /// Number of writes that skipped the log since it was opened, and bytes of their cells.
    pub fn unlogged_counts(&self) -> (u64, u64) {
        (self.unlogged.0.load(Ordering::Relaxed), self.unlogged.1.load(Ordering::Relaxed))
    }

    /// The last sequence id, the read point, and the number of open scanners.
    pub fn sequence_state(&self) -> (u64, u64, usize) {
        (self.mvcc.last(), self.mvcc.read_point(), self.mvcc.open_readers())
    }

    fn table_durability(&self) -> Durability {
        const ALL: [Durability; 5] =
            [Durability::SyncWal, Durability::SkipWal, Durability::AsyncWal, Durability::SyncWal, Durability::FsyncWal];
        ALL[usize::from(self.durability.load(Ordering::Relaxed)).min(4)]
    }

    /// Time of a write. It never goes back with `rowstone.monotone.timestamps`. With `rowstone.unique.timestamps`
    /// no two writes of the region get the same.
    fn now(&self) -> i64 {
        let now = self.services.system().clock.now_ms();
        let Some(step_ms) = self.limits.timestamp_step_ms() else { return now };
        let next = |last: i64| now.max(last.saturating_add(step_ms));
        let last = self.last_now.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(next(last)));
        last.map_or(now, next)
    }

    fn check_open(&self) -> Result<()> {
        if self.is_closed.load(Ordering::Acquire) {
            self.refuse()
        } else {
            Ok(())
        }
    }

    /// The error that says why it is closed.
    #[cold]
    fn refuse(&self) -> Result<()> {
        self.services.check_open()?;
        if self.is_moved() {
            return Err(self.moved());
        }
        Err(Error::new(
            ErrorKind::TableNotEnabled,
            format!("table '{}' is disabled or dropped (TableNotEnabledException)", self.info.table),
        ))
    }

    fn check_writable(&self) -> Result<()> {
        self.check_not_read_only()?;
        self.check_open()?;
        if self.is_in_doubt.load(Ordering::Relaxed) {
            self.resolve_doubt()
        } else {
            Ok(())
        }
    }

    /// Whether a flush is due: the memstore has `hbase.hregion.memstore.flush.size` bytes.
    pub fn is_large(&self) -> bool {
        self.memstore_bytes() >= self.limits.flush_bytes()
    }

    /// Blocks while memory has no room for more cells: the region's memstore has reached
    /// `hbase.hregion.memstore.block.multiplier` times the flush size, or all memory is in use. Fails with
    /// `RegionTooBusy` after `hbase.hstore.blockingWaitTime`. A write of `mutations` is also delayed a little while
    /// memory is almost full. Called before any lock is taken.
    pub fn wait_for_room(&self, mutations: &[Mutation]) -> Result<()> {
        self.wait_for_memory()?;
        let bytes = || mutations.iter().map(|mutation| mutation.cells.byte_len()).sum();
        // Below the flush size no flush is under way that would end the delay.
        let most_bytes = if self.is_large() { self.limits.most_bytes() } else { u64::MAX };
        self.services.delay_write((self.memstore_bytes(), most_bytes), &bytes);
        Ok(())
    }

    /// The same without the delay, for writes that belong to another one: it may hold locks of rows.
    pub fn wait_for_memory(&self) -> Result<()> {
        self.services.check_writable()?;
        self.check_not_read_only()?;
        let has_room = || self.memstore_bytes() <= self.limits.most_bytes();
        if !has_room() {
            self.services.wait_for_flush(&self.info.encoded_name, &has_room)?;
        }
        Ok(())
    }

    /// Requests a flush when the memstore reaches `hbase.hregion.memstore.flush.size`.
    fn note_size(&self, added: u64) {
        let size = self.memstore_bytes.fetch_add(added, Ordering::Relaxed) + added;
        let flush_bytes = self.limits.flush_bytes();
        let should_flush = size >= flush_bytes && size - added < flush_bytes;
        self.services.memory_grew(added as i64);
        if should_flush {
            self.services.request(Work::Flush(self.info.encoded_name.clone()));
        }
    }

    /// Time of its last write, as far as it is known: see [`Region::now`].
    pub fn last_now(&self) -> Option<i64> {
        Some(self.last_now.load(Ordering::SeqCst)).filter(|last| *last != i64::MIN)
    }

    /// Continues after the time of an earlier write, of its own or of the regions that had its rows.
    pub fn continue_time(&self, last: Option<i64>) {
        self.last_now.fetch_max(last.unwrap_or(i64::MIN), Ordering::SeqCst);
    }

    fn check_family(&self, family: &[u8]) -> Result<()> {
        if self.stores().get(family).is_none() {
            return Err(self.no_such_family(family));
        }
        Ok(())
    }

    fn no_such_family(&self, family: &[u8]) -> Error {
        let known: Vec<String> = self.stores().iter().map(|store| printable(store.family_name())).collect();
        Error::new(
            ErrorKind::NoSuchColumnFamily,
            format!(
                "table '{}' has no column family '{}'; it has: {}",
                self.info.table,
                printable(family),
                known.join(", ")
            ),
        )
    }
}
