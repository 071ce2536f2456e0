//! One family of one region: recent cells in memory, older ones in files. HBase's `HStore`.
//!
//! A reader sees memstore and files at one moment, without a lock: the memstore's list of segments names the files too, and
//! a flush replaces its snapshot by its file in one step.
//!
//! Files are ordered from old to new, by the writes they contain. After a split two stores share one file. Each
//! reads it whole, and the bounds of its region limit the returned rows. Only operations that rewrite files cut them
//! (`rows`).

mod claims;
mod compaction;
mod direct;
mod export;
mod file;
mod files;
mod flush;
mod load;
mod newest;
mod numbers;
mod reading;
mod rows;
mod services;
mod source;
mod spare;
mod view;
mod warm;

pub use claims::Turn;
pub use compaction::Compacted;
pub use file::StoreFile;
pub use flush::FlushedFile;
pub use load::{copy_file, StagedFile};
pub use reading::{ReadRequest, Reader};
pub use services::{FileChange, Services, Work};
pub use source::{RowSource, Source};
pub use spare::SpareCells;
pub use view::{RowRead, StoreView};

use crate::compact::selection::Policy;
use crate::manifest::mob_directory;
use crate::memstore::Memstore;
use crate::mob::MobSet;
use crate::settings::Settings;
use crate::sys::lock::Mutex;
use crate::sys::raw::sync::atomic::{AtomicBool, AtomicU64};
use claims::Claims;
use files::mob_set;
use rowstone_model::cell::{Cell, Layout};
use rowstone_model::codec::printable;
use rowstone_model::schema::{FamilyOptions, RegionInfo};
use rowstone_model::Result;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use warm::Warmth;

/// Options that may change while the store is open.
#[derive(Debug, Clone)]
struct Config {
    family: FamilyOptions,
    policy: Policy,
    purge_delay_ms: i64,
    drops_expired_files: bool,
    /// A MOB file of this size takes no more values, and is not merged with others.
    max_mob_file_bytes: u64,
    /// Blocks to cache when a file is opened, flushed, or written by a compaction.
    warm: Warmth,
}

impl Config {
    fn new(family: FamilyOptions, settings: &Settings) -> Self {
        Config {
            policy: Policy::new(settings),
            purge_delay_ms: settings.number("hbase.hstore.time.to.purge.deletes"),
            drops_expired_files: settings.flag("hbase.store.delete.expired.storefile"),
            max_mob_file_bytes: settings.size("hbase.mob.compactions.max.file.size"),
            warm: Warmth::new(&family, settings),
            family,
        }
    }
}

/// State that a reader captures at once.
struct State {
    config: Arc<Config>,
    files: Arc<Vec<Arc<StoreFile>>>,
    /// The MOB files to which those refer; `None` if no cell can be a reference.
    mob: Option<Arc<MobSet>>,
}

/// An open store.
pub struct Store {
    family: Vec<u8>,
    region: String,
    /// The region's start key and end key. Files of a split region contain rows outside this range, which do not
    /// belong to the store.
    rows: (Vec<u8>, Vec<u8>),
    /// Its directory, relative to the database.
    directory: String,
    /// Directory of its MOB files, shared with the other regions.
    mob_directory: String,
    /// The table's name.
    table: String,
    services: Arc<dyn Services>,
    counters: numbers::Counters,
    /// Whether the family has a time to live.
    has_ttl: AtomicBool,
    memstore: Memstore<Arc<State>>,
    /// Whether a cell may have tags: one had since the store was opened, or a file has room for them.
    has_tags: AtomicBool,
    /// The files that running compactions merge.
    claims: Claims,
    /// Locked while the state is replaced by one derived from it.
    changing: Mutex<()>,
    flushed_id: AtomicU64,
    /// Sequence id up to which files may lack versions that newer ones hide. Reads at older read points must not
    /// begin.
    cut: AtomicU64,
    /// Long operations should end.
    is_stopping: AtomicBool,
    /// The folder of the files and all folders above it are synced.
    has_folder: AtomicBool,
    /// The same for MOB files.
    has_mob_folder: AtomicBool,
}

impl Store {
    /// Opens a store over the files that the manifest names, oldest first.
    pub fn open(
        region: &RegionInfo,
        family: FamilyOptions,
        settings: &Settings,
        entries: &[crate::manifest::FileEntry],
        flushed_sequence_id: u64,
        services: Arc<dyn Services>,
    ) -> Result<Self> {
        let files = entries
            .iter()
            .map(|entry| StoreFile::open(entry.clone(), &family, &[], &services).map(Arc::new))
            .collect::<Result<Vec<_>>>()?;
        Ok(Self::over(region, family, settings, files, flushed_sequence_id, services))
    }

    /// Creates a store over open files: a daughter's after a split.
    pub fn over(
        region: &RegionInfo,
        family: FamilyOptions,
        settings: &Settings,
        mut files: Vec<Arc<StoreFile>>,
        flushed_sequence_id: u64,
        services: Arc<dyn Services>,
    ) -> Self {
        files.sort_by_key(|file| file.order());
        let mob_directory = mob_directory(&region.table, &family.name);
        let mob = mob_set(&files, &mob_directory, &family);
        let (name, has_ttl) = (family.name.clone(), family.ttl_ms.is_some());
        let has_tags = files.iter().any(|file| file.reader.info().layout.has_tags);
        let config = Arc::new(Config::new(family, settings));
        let state = Arc::new(State { config, files: Arc::new(files), mob });
        Store {
            directory: format!(
                "data/{}/{}/{}/{}",
                region.table.namespace(),
                region.table.qualifier(),
                region.encoded_name,
                printable(&name)
            ),
            mob_directory,
            table: region.table.to_string(),
            family: name,
            region: region.encoded_name.clone(),
            rows: (region.start_key.clone(), region.end_key.clone()),
            has_tags: AtomicBool::new(has_tags),
            has_ttl: AtomicBool::new(has_ttl),
            memstore: Memstore::over(state, Arc::clone(&services.system().clock)),
            claims: Claims::default(),
            changing: Mutex::new(()),
            counters: numbers::Counters::default(),
            flushed_id: AtomicU64::new(flushed_sequence_id),
            cut: AtomicU64::new(0),
            is_stopping: AtomicBool::new(false),
            has_folder: AtomicBool::new(false),
            has_mob_folder: AtomicBool::new(false),
            services,
        }
    }

    /// The family's name.
    pub fn family_name(&self) -> &[u8] {
        &self.family
    }

    /// The directory of its files, relative to the database.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// The directory of its MOB files, relative to the database.
    pub fn mob_directory(&self) -> &str {
        &self.mob_directory
    }

    fn config(&self) -> Arc<Config> {
        Arc::clone(&self.state().config)
    }

    fn state(&self) -> Arc<State> {
        Arc::clone(self.memstore.view().files())
    }

    /// The family's current options.
    pub fn options(&self) -> FamilyOptions {
        self.config().family.clone()
    }

    /// Sets new options. Existing files retain their form until they are rewritten.
    pub fn set_options(&self, family: FamilyOptions, settings: &Settings) {
        let _changing = self.changing.lock();
        self.has_ttl.store(family.ttl_ms.is_some(), Ordering::Release);
        let files = self.files();
        let mob = mob_set(&files, &self.mob_directory, &family);
        let config = Arc::new(Config::new(family, settings));
        self.memstore.set_files(Arc::new(State { config, files, mob }));
    }

    /// Inserts cells of one write. Returns the number of bytes by which the memstore grew.
    pub fn insert<'c>(&self, cells: impl IntoIterator<Item = Cell<'c>>, sequence_id: u64) -> u64 {
        let mut bytes = 0;
        self.count_write();
        let mut has_tags = false;
        let counted = cells.into_iter().inspect(|cell| {
            bytes += cell.written_len(Layout::TAGGED) as u64 + CELL_OVERHEAD_BYTES;
            has_tags |= !cell.tags().is_empty();
        });
        if self.memstore.insert(counted, sequence_id) {
            self.services.request(Work::Upkeep(self.region.clone()));
        }
        if has_tags {
            self.has_tags.store(true, Ordering::Relaxed);
        }
        bytes
    }

    /// Whether readers need the current time: cells can expire.
    pub fn has_expiry(&self) -> bool {
        self.has_tags.load(Ordering::Relaxed) || self.has_ttl.load(Ordering::Acquire)
    }

    /// Flattens and merges segments of the memstore.
    pub fn merge_segments(&self) {
        self.memstore.merge_segments();
    }

    /// Runs the memstore's upkeep; `true` if there was any.
    pub fn maintain_memstore(&self) -> bool {
        self.memstore.maintain()
    }

    /// Bytes of recent cells, including a waiting snapshot.
    pub fn memstore_bytes(&self) -> u64 {
        let (size, snapshot) = (self.memstore.size(), self.memstore.snapshot_size());
        let cells = (size.cells + snapshot.cells) as u64;
        (size.data_bytes + snapshot.data_bytes) as u64 + cells * CELL_OVERHEAD_BYTES
    }

    /// Number of recent cells.
    pub fn memstore_cells(&self) -> u64 {
        (self.memstore.size().cells + self.memstore.snapshot_size().cells) as u64
    }

    /// Time when its oldest recent cell was written, in milliseconds.
    pub fn oldest_write_ms(&self) -> Option<i64> {
        self.memstore.summary().map(|summary| summary.oldest_write_ms)
    }

    /// Everything of the family up to this id is in files.
    pub fn flushed_sequence_id(&self) -> u64 {
        self.flushed_id.load(Ordering::Acquire)
    }

    /// With `stop`, ends a running compaction early, without a result. Otherwise permits compactions again.
    pub fn stop_compactions(&self, stop: bool) {
        self.is_stopping.store(stop, Ordering::Relaxed);
    }
}

/// Overhead of a cell in addition to its bytes: sequence id and its entry in the order.
const CELL_OVERHEAD_BYTES: u64 = 12;

/// The stores of a region, in byte order of their families.
pub struct Stores {
    stores: Vec<Arc<Store>>,
}

impl Stores {
    /// Sorts the stores.
    pub fn new(mut stores: Vec<Arc<Store>>) -> Self {
        stores.sort_by(|left, right| left.family.cmp(&right.family));
        Stores { stores }
    }

    /// The store of that family.
    #[inline]
    pub fn get(&self, family: &[u8]) -> Option<&Arc<Store>> {
        self.stores.iter().find(|store| store.family == family)
    }

    /// All stores, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Store>> {
        self.stores.iter()
    }

    /// Number of families.
    pub fn len(&self) -> usize {
        self.stores.len()
    }

    /// Whether there is no family.
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty()
    }
}
