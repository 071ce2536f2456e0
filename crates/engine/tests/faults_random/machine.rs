//! One start of the machine: its disk, its clock, its randomness.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::FaultyFileSystem;
use rowstone_engine::sys::{Clock, FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Machine {
    pub files: FaultyFileSystem,
    clock: Arc<ManualClock>,
    entropy: Arc<SeededEntropy>,
}

impl Machine {
    /// The `start`-th start, with `files` as its disk. Later starts have later times.
    pub fn on(files: FaultyFileSystem, start: u64) -> Self {
        if !files.is_dir(Path::new("/")) {
            files.create_dir_all(Path::new("/")).unwrap();
        }
        let clock = Arc::new(ManualClock::new(1_000_000 + start as i64 * 100_000));
        Machine { files, clock, entropy: Arc::new(SeededEntropy::new(start)) }
    }

    /// Opens the database, whose folder is two levels below an existing one. It has no background activity, so the
    /// n-th call is the same in every run.
    pub fn open(&self) -> Result<Arc<dyn Backend>> {
        self.clock.advance(1);
        let settings = [("hbase.regionserver.logroll.size", "4096"), ("hbase.master.logcleaner.ttl", "50")];
        open(OpenOptions {
            directory: Some(PathBuf::from("/data/base")),
            create: true,
            is_passive: true,
            block_cache_bytes: Some(1 << 20),
            configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            system: Some(System {
                files: Arc::new(self.files.clone()),
                clock: self.clock.clone(),
                entropy: self.entropy.clone(),
            }),
            ..OpenOptions::default()
        })
    }

    /// Advances the clock and returns the time.
    pub fn tick(&self) -> i64 {
        self.clock.advance(3);
        self.clock.now_ms()
    }
}
