//! Measures the cost of a record: `cargo run --release -p rowstone-engine --example wal_cost -- <empty directory>`.
//!
//! Rounds of a plain `write` of the same number of bytes alternate with rounds of the log, so that both see the
//! same noise.

use rowstone_engine::sys::{FileLock, FileSystem, MemoryFileSystem, ReadableFile, WritableFile};
use rowstone_engine::sys::{RealFileSystem, System, SystemClock, SystemEntropy};
use rowstone_engine::wal::{Entry, LogEnd, LogRegister, Part, RegionKey, ReplayReport, Wal, WalOptions};
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::operations::Durability;
use rowstone_model::Result;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const REGION: RegionKey = *b"0123456789abcdef";

fn cells(value_bytes: usize) -> Vec<u8> {
    let mut buffer = CellBuffer::new();
    let value = vec![7; value_bytes];
    let (row, cell_type) = (b"user0000000000001234567890".as_slice(), CellType::Put);
    buffer.push(CellParts { row, family: b"f", qualifier: b"q", timestamp: 5, cell_type, value: &value, tags: b"" });
    buffer.as_bytes().to_vec()
}

fn on(files: impl FileSystem + 'static) -> System {
    System { files: Arc::new(files), clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) }
}

const BATCH: u64 = 1000;

/// Nanoseconds per call of `work`: the lower quartile over batches, so that time used by other programs does not
/// count.
fn nanoseconds(count: u64, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..count / BATCH {
        let start = Instant::now();
        for _ in 0..BATCH {
            work()?;
        }
        times.push(start.elapsed().as_nanos() as f64 / BATCH as f64);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 4])
}

/// A file system whose appends and syncs do nothing, which leaves the log's own cost.
struct Nothing(MemoryFileSystem);

struct NoFile;

impl WritableFile for NoFile {
    fn append(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn reserve(&mut self, _bytes: u64) -> io::Result<()> {
        Ok(())
    }
    fn syncer(&self) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(NoFile))
    }
}

impl FileSystem for Nothing {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        self.0.create(path)?;
        Ok(Box::new(NoFile))
    }
    fn open_to_append(&self, _path: &Path, _length: u64) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(NoFile))
    }
    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        self.0.open(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)
    }
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.0.remove_file(path)
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.0.remove_dir(path)
    }
    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.0.create_dir_all(path)
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.0.sync_dir(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.list(path)
    }
    fn exists(&self, path: &Path) -> bool {
        self.0.exists(path)
    }
    fn is_dir(&self, path: &Path) -> bool {
        self.0.is_dir(path)
    }
    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        self.0.lock(path, owner)
    }
}

/// Returns a closure that puts one record.
fn putter<'a>(wal: &'a Wal, cells: &'a [u8], durability: Durability) -> impl FnMut() -> Result<()> + 'a {
    let mut id = 0;
    move || {
        let parts = [Part { region: REGION, cells }];
        let mut assign = |_| {
            id += 1;
            id
        };
        wal.append_and_commit(durability, &Entry::new(&parts, 1), &mut assign).map(|_| ())
    }
}

/// Nanoseconds per plain `write` of `bytes` bytes, `count` times, into one file.
fn plain(directory: &Path, bytes: usize, count: u64, reserve: u64) -> Result<f64> {
    let path = directory.join("plain");
    let failed = |error: std::io::Error| rowstone_model::Error::io("write", path.display(), &error);
    let mut file = RealFileSystem.create(&path).map_err(failed)?;
    let data = vec![7; bytes];
    let (mut reserved, mut length) = (0, 0);
    let time = nanoseconds(count, || {
        length += bytes as u64;
        if reserve > 0 && length > reserved {
            file.reserve(reserve).map_err(failed)?;
            reserved += reserve;
        }
        file.append(&data).map_err(failed)
    });
    RealFileSystem.remove_file(&path).map_err(failed)?;
    time
}

/// A register without a list: the example does not read any log back.
struct NoList;

impl LogRegister for NoList {
    fn add(&self, _log: &LogEnd) -> Result<u64> {
        Ok(0)
    }

    fn remove_before(&self, _number: u64) -> Result<u64> {
        Ok(0)
    }
}

fn log(system: &System, directory: &Path, options: WalOptions, work: impl FnOnce(&Wal) -> Result<f64>) -> Result<f64> {
    let wals = directory.join("WALs");
    let wal = Wal::open(system, &wals, options, &mut ReplayReport::default(), Arc::new(NoList))?;
    let time = work(&wal)?;
    wal.close()?;
    for folder in [wals, directory.join("oldWALs")] {
        for path in system.files.list(&folder).unwrap_or_default() {
            let _ = system.files.remove_file(&path);
        }
    }
    Ok(time)
}

fn options(reserve_bytes: u64) -> WalOptions {
    WalOptions { reserve_bytes, ..WalOptions::default() }
}

/// Records per second of `threads` threads that wait for the disk.
fn group(wal: &Wal, cells: &[u8], threads: u64, count: u64) -> Result<f64> {
    let start = Instant::now();
    let work = || {
        let mut put = putter(wal, cells, Durability::FsyncWal);
        (0..count).try_for_each(|_| put())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
    })?;
    Ok((threads * count) as f64 / start.elapsed().as_secs_f64())
}

fn main() -> Result<()> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let (real, nothing) = (on(RealFileSystem), on(Nothing(MemoryFileSystem::new())));
    for value_bytes in [100, 1000] {
        let cells = cells(value_bytes);
        let frame = 8 + 9 + 28 + cells.len();
        let count = (96 << 20) / frame as u64;
        println!("value {value_bytes}, frame {frame}; ns per record: write, reserved, SYNC_WAL, reserved, ASYNC_WAL, log alone");
        for _ in 0..5 {
            let write = plain(&directory, frame, count, 0)?;
            let write_reserved = plain(&directory, frame, count, 8 << 20)?;
            let put = |wal: &Wal| nanoseconds(count, putter(wal, &cells, Durability::SyncWal));
            let sync = log(&real, &directory, options(0), put)?;
            let sync_reserved = log(&real, &directory, options(8 << 20), put)?;
            let put_later = |wal: &Wal| nanoseconds(count, putter(wal, &cells, Durability::AsyncWal));
            let later = log(&real, &directory, options(8 << 20), put_later)?;
            let alone = log(&nothing, Path::new("/m"), options(0), put)?;
            println!("  {write:6.0} {write_reserved:6.0} {sync:6.0} {sync_reserved:6.0} {later:6.0} {alone:6.0}");
        }
    }
    let cells = cells(100);
    for threads in [1, 4, 16, 64] {
        for reserve in [0, 8 << 20] {
            let mut syncs = 0;
            let rate = log(&real, &directory, options(reserve), |wal| {
                let rate = group(wal, &cells, threads, 500)?;
                syncs = wal.statistics().syncs;
                Ok(rate)
            })?;
            println!("FSYNC_WAL, {threads} threads, reserve {reserve}: {rate:.0} records/s in {syncs} syncs");
        }
    }
    Ok(())
}
