//! Proves that a large file reaches the disk in parts while it is written.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::output::{Output, SYNC_BYTES};
use crate::sys::faulty::{Crash, FaultyFileSystem};
use crate::sys::FileSystem;
use std::path::Path;

const PART_BYTES: u64 = 1 << 20;
const FOLDER: &str = "/folder";

/// Length of the file after a power loss that keeps only what was synced.
fn length_on_disk(files: &FaultyFileSystem, path: &Path) -> u64 {
    files.sync_dir(Path::new("/")).unwrap();
    files.sync_dir(Path::new(FOLDER)).unwrap();
    files.crash(Crash::Synced).open(path).unwrap().len().unwrap()
}

#[test]
fn a_large_file_reaches_the_disk_in_parts() {
    let (files, path) = (FaultyFileSystem::new(), Path::new(FOLDER).join("file"));
    files.create_dir_all(Path::new(FOLDER)).unwrap();
    let mut output = Output::create(&files, &path, 0).unwrap();
    let parts = SYNC_BYTES / PART_BYTES * 5 / 2;
    for part in 1..=parts {
        output.buffer().extend(std::iter::repeat_n(0, PART_BYTES as usize));
        output.flush_if_full().unwrap();
        let written = part * PART_BYTES;
        assert_eq!(length_on_disk(&files, &path), written - written % SYNC_BYTES);
    }
    output.finish().unwrap();
    assert_eq!(length_on_disk(&files, &path), parts * PART_BYTES);
}
