//! A pool of few handles over files in memory that count their handles.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::lock::Mutex;
use super::super::memory::MemoryFileSystem;
use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file system that counts open handles, and refuses more than a limit of them.
struct Counting {
    files: MemoryFileSystem,
    open: Arc<AtomicUsize>,
    most: usize,
    removed: Mutex<Vec<PathBuf>>,
}

struct Counted(Arc<dyn ReadableFile>, Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ReadableFile for Counted {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(offset, buffer)
    }

    fn read_at_once(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        self.0.read_at_once(offset, buffer)
    }

    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }
}

impl FileSystem for Counting {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        if self.open.load(Ordering::SeqCst) >= self.most {
            return Err(io::Error::from_raw_os_error(platform::TOO_MANY_FILES[0]));
        }
        let file = self.files.open(path)?;
        self.open.fetch_add(1, Ordering::SeqCst);
        Ok(Arc::new(Counted(file, Arc::clone(&self.open))))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.removed.lock().push(path.to_path_buf());
        self.files.remove_file(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        self.files.create(path)
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        self.files.open_to_append(path, length)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
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

/// A pool of `limit` handles over a system that permits `most`, with the files `/0` to `/9`.
fn pooled(limit: usize, most: usize) -> (PooledFileSystem, Arc<Counting>) {
    let counting =
        Arc::new(Counting { files: MemoryFileSystem::new(), open: Arc::default(), most, removed: Mutex::default() });
    for number in 0..10_u8 {
        counting.create(&path(number)).unwrap().append(&[number]).unwrap();
    }
    let inner = Arc::clone(&counting) as Arc<dyn FileSystem>;
    (PooledFileSystem::new(inner, HandlePool::new(move || limit)), counting)
}

fn path(number: u8) -> PathBuf {
    PathBuf::from(format!("/{number}"))
}

fn open_all(files: &PooledFileSystem) -> Vec<Arc<dyn ReadableFile>> {
    (0..10).map(|number| files.open_pooled(&path(number)).unwrap()).collect()
}

fn content(file: &Arc<dyn ReadableFile>) -> u8 {
    let mut byte = [0];
    file.read_at(0, &mut byte).unwrap();
    byte[0]
}

#[test]
fn at_most_the_limit_is_open_and_every_file_can_be_read() {
    let (files, counting) = pooled(3, usize::MAX);
    let open = open_all(&files);
    for round in 0..3 {
        for (number, file) in open.iter().enumerate() {
            assert_eq!((content(file), file.len().unwrap()), (number as u8, 1), "round {round}");
            assert!(counting.open.load(Ordering::SeqCst) <= 3);
        }
    }
    let counts = files.handle_counts().unwrap();
    assert_eq!((counts.open, counts.limit), (3, 3));
    assert!(counts.reopened >= 20, "{counts:?}");
    drop(open);
    assert_eq!((counting.open.load(Ordering::SeqCst), files.handle_counts().unwrap().open), (0, 0));
}

#[test]
fn a_file_in_use_keeps_its_handle() {
    let (files, _) = pooled(3, usize::MAX);
    let open = open_all(&files);
    content(&open[0]);
    let before = files.handle_counts().unwrap().reopened;
    for file in &open[1..] {
        content(file);
        content(&open[0]);
    }
    let reopened = files.handle_counts().unwrap().reopened - before;
    assert!(reopened <= 9, "the file that is read in between was opened again: {reopened}");
}

#[test]
fn a_read_without_waiting_opens_no_file() {
    let (files, _) = pooled(3, usize::MAX);
    let open = open_all(&files);
    let at_once = |file: &Arc<dyn ReadableFile>| file.read_at_once(0, &mut [0]).unwrap();
    assert!(!at_once(&open[0]), "its handle is closed");
    content(&open[0]);
    assert!(at_once(&open[0]));
}

#[test]
fn a_file_deleted_with_its_handle_open_stays_readable() {
    let (files, counting) = pooled(3, usize::MAX);
    let open = open_all(&files);
    content(&open[0]);
    files.remove_file(&path(0)).unwrap();
    assert!(!counting.exists(&path(0)), "deleted at once");
    for _ in 0..3 {
        open[1..].iter().for_each(|file| assert_ne!(content(file), 0));
    }
    assert_eq!(content(&open[0]), 0);
    assert_eq!(files.open_pooled(&path(0)).err().map(|error| error.kind()), Some(io::ErrorKind::NotFound));
}

#[test]
fn a_file_deleted_with_its_handle_closed_goes_when_it_is_dropped() {
    let (files, counting) = pooled(3, usize::MAX);
    let mut open = open_all(&files);
    let second = files.open_pooled(&path(0)).unwrap();
    open[1..].iter().for_each(|file| assert_ne!(content(file), 0));
    files.remove_file(&path(0)).unwrap();
    assert!(counting.exists(&path(0)));
    assert_eq!(content(&open[0]), 0, "still readable");
    drop(open.remove(0));
    assert!(counting.exists(&path(0)), "another reader has it open");
    assert_eq!(content(&second), 0);
    drop(second);
    assert!(!counting.exists(&path(0)));
    assert_eq!(*counting.removed.lock(), [path(0)], "once");
}

#[test]
fn a_file_deleted_with_its_handle_closed_gets_one_while_there_is_room() {
    let (files, counting) = pooled(3, usize::MAX);
    let mut open = open_all(&files);
    open.drain(5..);
    open[1..].iter().for_each(|file| assert_ne!(content(file), 0));
    open.drain(3..);
    files.remove_file(&path(0)).unwrap();
    assert!(!counting.exists(&path(0)), "deleted at once");
    open[1..].iter().for_each(|file| assert_ne!(content(file), 0));
    assert_eq!(content(&open[0]), 0, "still readable");
    drop(open);
    assert_eq!((counting.open.load(Ordering::SeqCst), files.handle_counts().unwrap().open), (0, 0));
}

#[test]
fn a_scanner_that_outlives_its_database_deletes_no_file_of_the_next_one() {
    let (files, counting) = pooled(3, usize::MAX);
    let open = open_all(&files);
    open[1..].iter().for_each(|file| assert_ne!(content(file), 0));
    files.remove_file(&path(0)).unwrap();
    assert!(counting.exists(&path(0)), "the pool is full: the file is deleted later");
    files.forget_below(Path::new("/"));
    assert!(!counting.exists(&path(0)), "deleted when the database is closed");
    counting.create(&path(0)).unwrap().append(&[77]).unwrap();
    let restored = files.open_pooled(&path(0)).unwrap();
    drop(open);
    assert_eq!(content(&restored), 77);
    drop(restored);
    assert!(counting.exists(&path(0)), "the restored file stays");
}

#[test]
fn a_file_without_readers_is_deleted_at_once() {
    let (files, counting) = pooled(3, usize::MAX);
    drop(open_all(&files));
    files.remove_file(&path(0)).unwrap();
    assert!(!counting.exists(&path(0)));
}

#[test]
fn handles_are_closed_when_the_process_has_too_many_files_open() {
    let (files, counting) = pooled(100, 6);
    let open = open_all(&files);
    assert!(open.iter().enumerate().all(|(number, file)| content(file) == number as u8));
    assert!(counting.open.load(Ordering::SeqCst) <= 6);
    let others: Vec<_> = (0..6).map(|number| files.open(&path(number)).unwrap()).collect();
    let error = files.open(&path(6)).err().unwrap();
    assert!(has_too_many_files(&error), "nothing is left to close: {error}");
    drop(others);
    assert_eq!(content(&open[9]), 9);
}

#[test]
fn dropped_files_leave_the_lists() {
    let (files, _) = pooled(3, usize::MAX);
    for _ in 0..1_000 {
        drop(open_all(&files));
    }
    assert!(files.pool.listed() < 500, "{}", files.pool.listed());
}

#[test]
fn many_threads_read_the_same_files() {
    let (files, counting) = pooled(3, usize::MAX);
    let open = open_all(&files);
    std::thread::scope(|scope| {
        for offset in 0..4 {
            let open = &open;
            scope.spawn(move || {
                for step in 0..5_000 {
                    let number = (step * 7 + offset) % 10;
                    assert_eq!(usize::from(content(&open[number])), number);
                }
            });
        }
    });
    assert_eq!(files.handle_counts().unwrap().open, counting.open.load(Ordering::SeqCst) as u64);
}
