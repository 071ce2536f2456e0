//! Fault-injecting file system for tests: it is in memory, loses unsynced data at a crash, and fails on request.
//!
//! * [`FaultyFileSystem::crash`] returns a new file system with the state after a power loss. Bytes are durable
//!   after a sync of their file, names after a sync of their folder. Of the rest any subset may survive, in sectors
//!   of 512 bytes. Alternatively, the last append is torn at a boundary of bytes, sectors or pages.
//! * [`FaultyFileSystem::record`] records the disk after every change, so that one run covers all its crashes.
//! * [`FaultyFileSystem::fail`] makes the n-th call fail, [`FaultyFileSystem::fail_at_random`] one in `one_in`.
//!   After a failed sync, its bytes never become durable by a later sync: the kernel has dropped them.
//! * The calls and the seeds determine everything: the same run produces the same disk.
//!
//! A rename within a folder is one change. Across folders it is two: the new name is durable after a sync of its
//! folder, and the old name is removed durably after a sync of the other.

mod crash;
mod disk;
mod plan;

pub use plan::{CallKind, Crash, Fault, Tail};

use super::file::{FileLock, FileSystem, ReadableFile, WritableFile};
use crate::sys::lock::Mutex;
use crate::sys::SeededEntropy;
use disk::{Change, Disk};
use plan::{error_of, Random};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files in memory, with crashes and failures. Clones share them.
#[derive(Clone, Default)]
pub struct FaultyFileSystem {
    machine: Arc<Mutex<Machine>>,
}

#[derive(Default)]
struct Machine {
    disk: Disk,
    calls: BTreeMap<CallKind, u64>,
    planned: Vec<(CallKind, std::ops::RangeInclusive<u64>, Fault)>,
    random: Option<Random>,
    is_full: bool,
    /// Maximum bytes in files or reserved for them.
    capacity: Option<usize>,
    is_halted: bool,
    /// The disk before the first recorded change, and after each.
    history: Option<Vec<Disk>>,
    failures: u64,
    locks: BTreeMap<PathBuf, String>,
}

/// A disk at one moment of a run.
#[derive(Clone)]
pub struct Moment(Disk);

impl Moment {
    /// The disk after a crash at that moment.
    pub fn crash(&self, crash: Crash) -> FaultyFileSystem {
        FaultyFileSystem::of(self.0.after(crash))
    }

    /// Number of changes of names and files that a power loss could have lost.
    pub fn loose_things(&self) -> usize {
        self.0.loose_things()
    }
}

impl Machine {
    /// Counts a call. `Ok(Some(…))`: perform it, then fail.
    fn enter(&mut self, kind: CallKind) -> io::Result<Option<Fault>> {
        if self.is_halted {
            return Err(error_of(Fault::Halt));
        }
        let count = self.calls.entry(kind).or_default();
        *count += 1;
        let is_due =
            |plan: &&(CallKind, std::ops::RangeInclusive<u64>, Fault)| plan.0 == kind && plan.1.contains(count);
        let planned = self.planned.iter().find(is_due).map(|plan| plan.2);
        let random = || self.random.as_ref().filter(|random| random.kind == kind).and_then(Random::fault);
        let fault = planned.or_else(random);
        self.is_halted = fault == Some(Fault::Halt);
        self.failures += u64::from(fault.is_some());
        Ok(fault)
    }

    /// Whether `node` cannot grow to `bytes`, written or reserved.
    fn lacks_room(&self, node: usize, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.disk.nodes[node].occupied());
        more > 0 && self.capacity.is_some_and(|capacity| self.disk.occupied() + more > capacity)
    }

    /// Notes that a change was made, or failed.
    fn leave(&mut self) {
        if let Some(history) = &mut self.history {
            history.push(self.disk.clone());
        }
    }

    /// An atomic change.
    fn change<T>(&mut self, change: impl FnOnce(&mut Disk) -> io::Result<T>) -> io::Result<T> {
        let outcome = match self.enter(CallKind::Change)? {
            None => change(&mut self.disk),
            Some(Fault::Halt) => change(&mut self.disk).and(Err(error_of(Fault::Halt))),
            Some(fault) => Err(error_of(fault)),
        };
        self.leave();
        outcome
    }

    fn read<T>(&mut self, read: impl FnOnce(&Disk) -> io::Result<T>) -> io::Result<T> {
        match self.enter(CallKind::Read)? {
            None => read(&self.disk),
            Some(fault) => Err(error_of(fault)),
        }
    }
}

impl FaultyFileSystem {
    /// An empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of calls of that kind.
    pub fn calls(&self, kind: CallKind) -> u64 {
        self.machine.lock().calls.get(&kind).copied().unwrap_or(0)
    }

    /// Makes the `number`-th call of its kind fail (counted from 1, over the life of this value).
    pub fn fail(&self, kind: CallKind, number: u64, fault: Fault) {
        self.machine.lock().planned.push((kind, number..=number, fault));
    }

    /// Makes every call of its kind fail from the `number`-th on, until [`FaultyFileSystem::heal`].
    pub fn fail_from(&self, kind: CallKind, number: u64, fault: Fault) {
        self.machine.lock().planned.push((kind, number..=u64::MAX, fault));
    }

    /// Makes one in `one_in` calls of that kind fail, with any fault, until [`FaultyFileSystem::heal`].
    pub fn fail_at_random(&self, kind: CallKind, one_in: u64, seed: u64) {
        self.machine.lock().random = Some(Random { kind, entropy: SeededEntropy::new(seed), one_in: one_in.max(1) });
    }

    /// Marks the disk as full, or as having room again. On a full disk, files can neither be created nor grow
    /// beyond their reserved space.
    pub fn fill(&self, is_full: bool) {
        self.machine.lock().is_full = is_full;
    }

    /// Limits the bytes of the disk, in files or reserved for them. Names take no space.
    pub fn set_capacity(&self, bytes: usize) {
        self.machine.lock().capacity = Some(bytes);
    }

    /// Bytes in files or reserved for them.
    pub fn occupied(&self) -> usize {
        self.machine.lock().disk.occupied()
    }

    /// Ends all failures.
    pub fn heal(&self) {
        let mut machine = self.machine.lock();
        machine.planned.clear();
        machine.random = None;
        machine.is_full = false;
        machine.is_halted = false;
    }

    /// Number of injected failures.
    pub fn failures(&self) -> u64 {
        self.machine.lock().failures
    }

    /// From now on records the disk after every change.
    pub fn record(&self) {
        let mut machine = self.machine.lock();
        machine.history = Some(vec![machine.disk.clone()]);
    }

    /// Number of recorded changes.
    pub fn recorded(&self) -> usize {
        self.machine.lock().history.as_ref().map_or(0, |history| history.len() - 1)
    }

    /// The disk at the start of the recording, and after each change since. Ends the recording.
    pub fn history(&self) -> Vec<Moment> {
        self.machine.lock().history.take().unwrap_or_default().into_iter().map(Moment).collect()
    }

    /// The disk after a power loss at this moment. This value is unchanged.
    pub fn crash(&self, crash: Crash) -> FaultyFileSystem {
        Self::of(self.machine.lock().disk.after(crash))
    }

    fn of(disk: Disk) -> Self {
        FaultyFileSystem { machine: Arc::new(Mutex::new(Machine { disk, ..Machine::default() })) }
    }

    /// Changes a file's bytes in place, on the disk and in the cache. Simulates bit rot, or a file truncated by
    /// another program.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn damage(&self, path: &Path, harm: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let mut machine = self.machine.lock();
        let node = machine.disk.node(path)?;
        harm(Arc::make_mut(&mut machine.disk.nodes[node].content));
        machine.disk.nodes[node].durable = machine.disk.nodes[node].content.clone();
        Ok(())
    }

    fn handle(&self, node: usize) -> FaultyFile {
        FaultyFile { machine: Arc::clone(&self.machine), node }
    }
}

struct FaultyFile {
    machine: Arc<Mutex<Machine>>,
    node: usize,
}

impl WritableFile for FaultyFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut machine = self.machine.lock();
        let has_room = machine.disk.nodes[self.node].has_room(bytes.len());
        let length = machine.disk.nodes[self.node].content.len() + bytes.len();
        let is_full = machine.is_full && !has_room || machine.lacks_room(self.node, length);
        let full = is_full.then_some(Fault::DiskFull);
        let fault = machine.enter(CallKind::Change)?.or(full);
        let count = match fault {
            None | Some(Fault::Halt) => bytes.len(),
            Some(Fault::ShortWrite | Fault::Interrupted) => bytes.len() / 2,
            Some(Fault::Io | Fault::DiskFull) => 0,
        };
        machine.disk.nodes[self.node].append(&bytes[..count]);
        machine.leave();
        fault.map_or(Ok(()), |fault| Err(error_of(fault)))
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut machine = self.machine.lock();
        let fault = machine.enter(CallKind::Change)?;
        match fault {
            None => machine.disk.nodes[self.node].sync(),
            Some(Fault::Halt) => {}
            Some(_) => machine.disk.nodes[self.node].lose(),
        }
        machine.leave();
        fault.map_or(Ok(()), |fault| Err(error_of(fault)))
    }

    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        let mut machine = self.machine.lock();
        let length = machine.disk.nodes[self.node].content.len() + bytes as usize;
        if machine.is_full || machine.lacks_room(self.node, length) {
            return Err(error_of(Fault::DiskFull));
        }
        machine.change(|disk| {
            disk.nodes[self.node].reserve(bytes as usize);
            Ok(())
        })
    }

    fn trim(&mut self) -> io::Result<()> {
        self.machine.lock().disk.nodes[self.node].reserved = 0;
        Ok(())
    }

    fn syncer(&self) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(FaultyFile { machine: Arc::clone(&self.machine), node: self.node }))
    }
}

impl ReadableFile for FaultyFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.machine.lock().read(|disk| {
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let bytes = disk.nodes[self.node].content.get(start..start.saturating_add(buffer.len()));
            buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        })
    }

    fn len(&self) -> io::Result<u64> {
        self.machine.lock().read(|disk| Ok(disk.nodes[self.node].content.len() as u64))
    }
}

struct FaultyLock {
    machine: Arc<Mutex<Machine>>,
    path: PathBuf,
}

impl FileLock for FaultyLock {}

impl Drop for FaultyLock {
    fn drop(&mut self) {
        self.machine.lock().locks.remove(&self.path);
    }
}

impl FileSystem for FaultyFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        let mut machine = self.machine.lock();
        if machine.is_full {
            return Err(error_of(Fault::DiskFull));
        }
        let node = machine.change(|disk| disk.create(path))?;
        drop(machine);
        Ok(Box::new(self.handle(node)))
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        let node = self.machine.lock().change(|disk| {
            let node = disk.node(path)?;
            if disk.nodes[node].content.len() != length as usize {
                Arc::make_mut(&mut disk.nodes[node].content).resize(length as usize, 0);
                disk.nodes[node].reserved = 0;
            }
            Ok(node)
        })?;
        Ok(Box::new(self.handle(node)))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        let node = self.machine.lock().read(|disk| disk.node(path))?;
        Ok(Arc::new(self.handle(node)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.machine.lock().change(|disk| disk.rename(from, to))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.machine.lock().change(|disk| {
            disk.node(path)?;
            disk.change(Change::Unlink(path.into()));
            Ok(())
        })
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.machine.lock().change(|disk| disk.remove_directory(path))
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.machine.lock().change(|disk| {
            disk.make_directories(path);
            Ok(())
        })
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut machine = self.machine.lock();
        let outcome = match machine.enter(CallKind::Change)? {
            None => machine.disk.sync_directory(path),
            Some(fault) => Err(error_of(fault)),
        };
        machine.leave();
        outcome
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.machine.lock().read(|disk| Ok(disk.list(path)))
    }

    fn exists(&self, path: &Path) -> bool {
        let machine = self.machine.lock();
        machine.disk.present.files.contains_key(path) || machine.disk.present.directories.contains(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.machine.lock().disk.present.directories.contains(path)
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        let mut machine = self.machine.lock();
        if let Some(holder) = machine.locks.get(path) {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, holder.clone()));
        }
        machine.locks.insert(path.to_path_buf(), owner.to_string());
        Ok(Box::new(FaultyLock { machine: Arc::clone(&self.machine), path: path.to_path_buf() }))
    }
}
