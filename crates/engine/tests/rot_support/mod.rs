//! Shared parts of the bit rot tests: a small database with some of everything, harm, and a reader that knows every
//! result.

mod base;
mod harm;
mod reading;

pub use base::{bases, history, Base, Machine, OTHER_WORD};
pub use harm::{blocks, damage, frame_ends, Harm};
pub use reading::{read_all, Answers, Reading};

use rowstone_engine::sys::{Entropy, FileSystem, SeededEntropy};
use std::path::{Path, PathBuf};

/// Path of the database.
pub fn directory() -> PathBuf {
    PathBuf::from("/db")
}

/// All files below `folder`, sorted.
pub fn all_files(files: &dyn FileSystem, folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in files.list(folder).unwrap() {
        if files.is_dir(&path) {
            found.extend(all_files(files, &path))
        } else {
            found.push(path)
        }
    }
    found
}

/// Random decisions from a seed.
pub struct Dice(SeededEntropy);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(SeededEntropy::new(seed))
    }

    /// A number below `count`; 0 where that is 0.
    pub fn below(&self, count: usize) -> usize {
        (self.0.next_u64() % count.max(1) as u64) as usize
    }
}
