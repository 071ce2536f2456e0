//! Opening a database: lock, manifest, sweep, files, replay, threads.
//!
//! The order matters. The lock is taken before anything is written. The manifest is read before anything is swept,
//! because it names the live files. The log is replayed into the regions before it is continued, and reads begin
//! only then.

use super::background;
use super::logs::{replay_logs, replay_root};
use super::memory_limits::{memory_limits, GivenMemory};
use super::state::clock::ClockWatch;
use super::state::counts::Counts;
use super::state::nonces::WrittenNonces;
use super::state::open_region::open_region;
use super::state::queue::WorkQueue;
use super::state::quota_book::QuotaBook;
use super::state::reserve::Reserve;
use super::state::shared::{Schema, Shared, MEMORY_ROOT};
use super::state::tables::{TableHandle, Tables};
use super::Database;
use crate::cache::BlockCache;
use crate::manifest::{self, Manifest, Standing};
use crate::meta::MetaRows;
use crate::root::{self, RootView};
use crate::settings::Settings;
use crate::store::{SpareCells, Work};
use crate::sys::lock::{Condvar, Mutex, RwLock};
use crate::sys::raw::thread::{self, JoinHandle};
use crate::sys::{
    make_folders, memory_limit, Clock, FileLock, FileSystem, HandlePool, MemoryFileSystem, MemoryLimit,
    PooledFileSystem, RealFileSystem, System, SystemClock, SystemEntropy, Workers,
};
use crate::wal::ReplayReport;
use rowstone_model::admin::MemoryLimits;
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableState;
use rowstone_model::switches::Switches;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Number of attempts of a read-only open when a writer changes files meanwhile.
const READ_ONLY_ATTEMPTS: u32 = 10;
/// Pause before the second attempt. Each further one is longer by it.
const READ_ONLY_PAUSE: Duration = Duration::from_millis(10);
/// The same for tables in an HBase root, where a split or a merge takes longer.
const ROOT_ATTEMPTS: u32 = 10;
/// The same for a snapshot.
const SNAPSHOT_ATTEMPTS: u32 = 3;
/// Pause before the second attempt to open a root. Each further one is longer by it.
const ROOT_PAUSE: Duration = Duration::from_millis(100);

/// Most threads that read ahead for the scans of a root unless the setting says otherwise. One thread applies the rules
/// to the cells, and is not faster with more that decode blocks for it.
const MOST_ROOT_THREADS: usize = 4;

/// Options for opening a database.
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// The directory; `None` keeps everything in memory.
    pub directory: Option<PathBuf>,
    /// Open read-only, possibly next to a writer.
    pub read_only: bool,
    /// Create the database if it does not exist.
    pub create: bool,
    /// The directory is an HBase root or an exported snapshot, and this part of it is read. The database is read-only.
    pub root: Option<RootView>,
    /// Replacement for the machine's files.
    pub files: Option<Arc<dyn FileSystem>>,
    /// Meaning of `UseDefault` for tables without a durability of their own.
    pub durability: Durability,
    /// Settings under HBase's names.
    pub configuration: BTreeMap<String, String>,
    /// Limit of the block cache; `None` for the default.
    pub block_cache_bytes: Option<u64>,
    /// Limit of all memstores together; `None` for the default.
    pub memstore_bytes: Option<u64>,
    /// Whether the process does nothing but serve this database: then the default limits are larger.
    pub is_dedicated: bool,
    /// Replacement for the memory that the process may have. It is not known if the whole machine is replaced.
    pub process_memory: Option<MemoryLimit>,
    /// Replacement for the machine's clock.
    pub clock: Option<Arc<dyn Clock>>,
    /// Replacement for the whole machine; tests simulate failures with it.
    pub system: Option<System>,
    /// No background activity: no thread flushes, compacts, writes or syncs. For tests that count calls.
    pub is_passive: bool,
}

impl OpenOptions {
    fn is_read_only(&self) -> bool {
        self.read_only || self.root.is_some()
    }

    /// Whether another attempt may succeed after `error`.
    fn may_succeed_later(&self, error: &Error) -> bool {
        match &self.root {
            // The writer may have replaced a file after we read its manifest.
            None => error.kind() == ErrorKind::Io,
            // HBase may have moved a file, or may be filling one that has its final name already. Storage repeats
            // failed requests itself.
            Some(_) => error.is_not_found() || error.kind() == ErrorKind::Corruption,
        }
    }

    /// Number of attempts of a read-only open, and the pause after the first.
    fn patience(&self) -> (u32, Duration) {
        match &self.root {
            None => (READ_ONLY_ATTEMPTS, READ_ONLY_PAUSE),
            Some(view) if view.snapshot.is_none() => (ROOT_ATTEMPTS, ROOT_PAUSE),
            // A snapshot does not change, but its files move to the archive.
            Some(_) => (SNAPSHOT_ATTEMPTS, ROOT_PAUSE),
        }
    }
}

/// Opens a database.
///
/// # Errors
/// `DatabaseLocked` if another process has it open for writing; `NotADatabase` if the directory contains something
/// else; `Corruption` for a file with unexpected contents; `InvalidArgument` for the settings. Nothing is changed
/// in these cases.
pub fn open(options: OpenOptions) -> Result<Arc<dyn Backend>> {
    Ok(open_database(options)?)
}

pub(super) fn open_database(options: OpenOptions) -> Result<Arc<Database>> {
    let settings = Settings::parse(&options.configuration)?;
    let system = options.system.clone().unwrap_or_else(|| machine(&options));
    let root = options.directory.clone().unwrap_or_else(|| PathBuf::from(MEMORY_ROOT));
    if !options.is_read_only() {
        return open_once(&options, settings, system, root, false);
    }
    let (attempts, pause) = options.patience();
    let mut attempt = 1;
    loop {
        let is_last = attempt == attempts;
        match open_once(&options, settings.clone(), system.clone(), root.clone(), !is_last) {
            Err(error) if options.may_succeed_later(&error) && !is_last => attempt += 1,
            outcome => return outcome,
        }
        thread::sleep(pause * (attempt - 1));
    }
}

fn machine(options: &OpenOptions) -> System {
    let clock = options.clock.clone().unwrap_or_else(|| Arc::new(SystemClock));
    let files = match (&options.files, &options.directory) {
        (Some(files), _) => Arc::clone(files),
        (None, Some(_)) => directory_files(options),
        (None, None) => Arc::new(MemoryFileSystem::new()),
    };
    System { files, clock, entropy: Arc::new(SystemEntropy) }
}

/// Files of a directory. A reader keeps its files open, because a writer may delete them.
fn directory_files(options: &OpenOptions) -> Arc<dyn FileSystem> {
    if options.is_read_only() {
        return Arc::new(RealFileSystem);
    }
    Arc::new(PooledFileSystem::new(Arc::new(RealFileSystem), HandlePool::of_process()))
}

/// Number of threads that read ahead for scans. Without a setting a root has some, because nothing else happens in it.
fn scan_threads(options: &OpenOptions, settings: &Settings) -> usize {
    let set = settings.number("rowstone.scan.threads");
    if set < 0 && options.root.is_some() {
        return std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_ROOT_THREADS);
    }
    usize::try_from(set).unwrap_or(0)
}

/// Limits of the block cache and of the memstores.
fn limits_of(options: &OpenOptions, settings: &Settings) -> Result<MemoryLimits> {
    let given = GivenMemory {
        cache: options.block_cache_bytes,
        memstore: options.memstore_bytes,
        is_dedicated: options.is_dedicated,
        is_root: options.root.is_some(),
        has_small_cache: options.is_read_only() || options.directory.is_none(),
    };
    let is_simulated = options.system.is_some();
    let process = options.process_memory.or_else(|| if is_simulated { None } else { memory_limit() });
    memory_limits(settings, given, process)
}

fn open_once(
    options: &OpenOptions,
    settings: Settings,
    system: System,
    root: PathBuf,
    may_open_again: bool,
) -> Result<Arc<Database>> {
    let limits = limits_of(options, &settings)?;
    let lock = if options.is_read_only() { None } else { Some(take_lock(&system, &root, options)?) };
    let reserve = Arc::new(Reserve::new(&system, &root));
    let manifest = open_manifest(&system, &root, options, &reserve)?;
    if let (Schema::Written(manifest), Some(lock)) = (&manifest, lock) {
        manifest.keep_lock(lock);
    }
    let shared = Arc::new(Shared {
        durability: match options.durability {
            Durability::UseDefault => Durability::SyncWal,
            chosen => chosen,
        },
        cache: Arc::new(BlockCache::new(limits.cache.bytes)),
        memory_limit: i64::try_from(limits.memstore.bytes).unwrap_or(i64::MAX),
        limits,
        tables: Tables::default(),
        queue: WorkQueue::default(),
        workers: Arc::new(Workers::new(scan_threads(options, &settings))),
        is_closed: AtomicBool::new(false),
        closed: Mutex::default(),
        memory: AtomicI64::new(0),
        ddl: Mutex::new(()),
        room: (Mutex::new(()), Condvar::new()),
        slowdown: Default::default(),
        pinned: Mutex::default(),
        meta: MetaRows::default(),
        nonces: WrittenNonces::default(),
        spare_cells: SpareCells::default(),
        counts: Counts::default(),
        clock_watch: ClockWatch::default(),
        observers: Mutex::default(),
        quotas: QuotaBook::new(&settings, Arc::clone(&system.clock)),
        switches: Switches::all_but(&manifest.state().off),
        turning: Mutex::default(),
        schema_observer: RwLock::new(None),
        waiting_log: Mutex::default(),
        reserve,
        manifest,
        system,
        root,
        settings,
        is_read_only: options.is_read_only(),
        root_view: options.root.clone(),
        may_open_again,
        wal: OnceLock::new(),
    });
    match recover(&shared, options.is_passive) {
        Ok(threads) => {
            let database = Arc::new(Database { shared, threads: Mutex::new(threads) });
            database.open_quotas()?;
            Ok(database)
        }
        Err(error) => {
            shared.let_go();
            Err(error)
        }
    }
}

/// Opens tables, log and threads. Nothing is removed or written before manifest, files and logs are known to belong
/// together.
fn recover(shared: &Arc<Shared>, is_passive: bool) -> Result<Vec<JoinHandle<()>>> {
    open_tables(shared)?;
    let report = match &shared.root_view {
        None => replay_logs(shared)?,
        Some(view) => {
            replay_root(shared, view)?;
            ReplayReport::default()
        }
    };
    if let Schema::Written(manifest) = &shared.manifest {
        shared.with_reserve(|| manifest.make_durable())?;
        manifest::sweep(shared.system.files.as_ref(), &shared.root, &manifest.state())?;
        shared.begin_log(report, !is_passive)?;
        shared.keep_reserve();
    }
    background::start(shared, is_passive)
}

fn open_manifest(system: &System, root: &Path, options: &OpenOptions, reserve: &Reserve) -> Result<Schema> {
    if let Some(view) = &options.root {
        return Ok(Schema::Read(Arc::new(root::read(system.files.as_ref(), root, view)?)));
    }
    if options.read_only {
        return Ok(Schema::Read(Arc::new(manifest::read(system.files.as_ref(), root)?)));
    }
    let manifest = reserve.retry(|| Manifest::open(system, root, options.create))?;
    Ok(Schema::Written(Arc::new(manifest)))
}

/// Takes the lock of the directory. The directory is created only if a database may be created in it.
fn take_lock(system: &System, root: &Path, options: &OpenOptions) -> Result<Box<dyn FileLock>> {
    match manifest::inspect(system.files.as_ref(), root)? {
        Standing::Database => manifest::refuse_other_version(system.files.as_ref(), root)?,
        Standing::Missing | Standing::Vacant if options.create => {}
        other => return Err(other.refusal(root)),
    }
    make_folders(system.files.as_ref(), root).map_err(|error| Error::io("make directory", root.display(), &error))?;
    let path = root.join(manifest::LOCK_NAME);
    let owner = format!("process {}", std::process::id());
    system.files.lock(&path, &owner).map_err(|error| lock_error(root, &path, &error))
}

/// The error of a lock that could not be taken.
pub(super) fn lock_error(root: &Path, path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => Error::new(
            ErrorKind::DatabaseLocked,
            format!(
                "the database at {} is open for writing in {error}; open it with read_only=True to read it meanwhile",
                root.display()
            ),
        ),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Error::new(
            ErrorKind::Io,
            format!("cannot lock {}: {error}; open the database with read_only=True to read it", path.display()),
        ),
        _ => Error::io("lock", path.display(), error),
    }
}

/// Opens all tables over the files that the manifest names.
fn open_tables(shared: &Arc<Shared>) -> Result<()> {
    let state = shared.state();
    for table in state.tables.values() {
        let regions =
            table.regions.iter().map(|entry| open_region(shared, table, entry)).collect::<Result<Vec<_>>>()?;
        for region in regions.iter().filter(|region| region.has_references()) {
            // It was split, and not compacted since.
            shared.queue.push(Work::Compact(region.info().encoded_name.clone()));
        }
        let is_enabled = table.state == TableState::Enabled;
        shared.tables.insert(Arc::new(TableHandle::new(table.descriptor.clone(), regions, is_enabled)));
    }
    Ok(())
}
