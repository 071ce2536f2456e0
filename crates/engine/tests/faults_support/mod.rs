//! Shared parts of the fault tests: a failing disk, a script of all operations of a database, and the expected
//! states.

pub mod files;
mod script;
mod state;

pub use script::{script, Step};
pub use state::{differs, settles, State};

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::FaultyFileSystem;
use rowstone_engine::sys::{FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One start of the machine: its disk, its clock, its randomness.
pub struct Machine {
    pub files: FaultyFileSystem,
    clock: Arc<ManualClock>,
    entropy: Arc<SeededEntropy>,
    pub durability: Durability,
}

/// The database's folder, two levels below an existing one: both must be made durable.
pub fn directory() -> PathBuf {
    PathBuf::from("/data/base")
}

pub fn table_name() -> TableName {
    TableName::parse("t").unwrap()
}

impl Machine {
    /// A machine with an empty disk.
    pub fn new(durability: Durability) -> Self {
        Self::on(FaultyFileSystem::new(), 0, durability)
    }

    /// A machine that starts with `files`, at a later time.
    pub fn on(files: FaultyFileSystem, start: u64, durability: Durability) -> Self {
        files.create_dir_all(Path::new("/")).unwrap();
        let clock = Arc::new(ManualClock::new(1_000_000 + start as i64 * 100_000));
        Machine { files, clock, entropy: Arc::new(SeededEntropy::new(start)), durability }
    }

    /// Opens the database. No background thread touches a file, so that the n-th call is the same in every run.
    pub fn open(&self) -> Result<Arc<dyn Backend>> {
        self.clock.advance(1);
        let settings = [
            ("rowstone.compaction.background", "false"),
            ("rowstone.wal.sync.interval.ms", "60000"),
            ("hbase.regionserver.logroll.size", "4096"),
            ("hbase.master.logcleaner.ttl", "50"),
        ];
        open(OpenOptions {
            directory: Some(directory()),
            create: true,
            durability: self.durability,
            configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            system: Some(System {
                files: Arc::new(self.files.clone()),
                clock: self.clock.clone(),
                entropy: self.entropy.clone(),
            }),
            ..OpenOptions::default()
        })
    }

    /// Advances the clock.
    pub fn tick(&self) {
        self.clock.advance(3);
    }
}

/// Whether to try all points, not a sample.
pub fn tries_all() -> bool {
    std::env::var("ROWSTONE_FAULTS").is_ok_and(|value| value == "all")
}
