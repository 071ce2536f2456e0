//! Synced bytes of a log are dropped from the page cache.

use super::*;
use crate::sys::lock::Mutex;
use crate::sys::{FileLock, ReadableFile, WritableFile};
use std::io;
use std::path::PathBuf;

/// Calls recorded for one file: its length, its synced length, and the ranges to drop from the page cache.
#[derive(Default)]
struct Noted {
    length: u64,
    synced: u64,
    forgotten: Vec<(u64, u64)>,
}

/// Records the calls for the file created last.
#[derive(Clone, Default)]
struct Noting {
    files: MemoryFileSystem,
    noted: Arc<Mutex<Vec<Noted>>>,
}

struct NotingFile {
    file: Box<dyn WritableFile>,
    index: usize,
    noted: Arc<Mutex<Vec<Noted>>>,
}

impl WritableFile for NotingFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.noted.lock()[self.index].length += bytes.len() as u64;
        self.file.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        let noted = &mut self.noted.lock()[self.index];
        noted.synced = noted.length;
        self.file.sync()
    }

    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        self.file.reserve(bytes)
    }

    fn forget(&mut self, start: u64, end: u64) {
        let noted = &mut self.noted.lock()[self.index];
        assert!(start < end && end <= noted.synced, "{start} to {end} of {}, synced {}", noted.length, noted.synced);
        noted.forgotten.push((start, end));
    }

    fn syncer(&self) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(NotingFile { file: self.file.syncer()?, index: self.index, noted: Arc::clone(&self.noted) }))
    }
}

impl FileSystem for Noting {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        let mut noted = self.noted.lock();
        noted.push(Noted::default());
        let index = noted.len() - 1;
        Ok(Box::new(NotingFile { file: self.files.create(path)?, index, noted: Arc::clone(&self.noted) }))
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        self.files.open_to_append(path, length)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        self.files.open(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.files.remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.files.remove_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.files.create_dir_all(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.files.sync_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.list(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.exists(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.files.is_dir(path)
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        self.files.lock(path, owner)
    }
}

/// Syncs a record of about `bytes` bytes.
fn write(wal: &Wal, bytes: usize) {
    let cells = cell(&vec![7; bytes]);
    let parts = [Part { region: REGION, cells: &cells }];
    wal.append_and_commit(Durability::FsyncWal, &Entry::new(&parts, 99), &mut |_| 1).unwrap();
}

#[test]
fn whole_pieces_that_were_synced_are_forgotten_and_the_rest_when_the_log_is_full() {
    let files = Noting::default();
    let system = system_on(files.clone(), &Arc::new(ManualClock::new(1_000)));
    let wal = open_wal(&system, directory(), quiet(), &ReplayReport::default()).unwrap();
    let forgotten = || files.noted.lock()[0].forgotten.clone();
    (0..30).for_each(|_| write(&wal, 10_000));
    assert_eq!(forgotten(), [], "the end, to which more is appended, stays");
    (0..30).for_each(|_| write(&wal, 300_000));
    let pieces = forgotten();
    assert!(pieces.windows(2).all(|pair| pair[1].0 <= pair[0].1 && pair[0].1 < pair[1].1), "no gap: {pieces:?}");
    let length = files.noted.lock()[0].length;
    assert!(pieces.len() < 6 && pieces[0].0 == 0 && pieces[pieces.len() - 1].1 > length - (2 << 20), "{pieces:?}");
    wal.roll().unwrap();
    let length = files.noted.lock()[0].length;
    assert_eq!(forgotten().last(), Some(&(0, length)));
}
