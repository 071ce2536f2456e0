//! Retention of closed logs: which are still needed, and archiving of the others.
//!
//! A closed log is needed while a region in it has records that are in no file yet. Logs that are no longer needed
//! leave the register first, oldest first. Their files are then moved to `oldWALs`, for readers in other processes
//! and for the nonces in them. They are deleted after some time, or when there are too many bytes. A failed move or
//! removal is harmless: it is tried again later.

use super::names::{list_old_logs, old_path};
use super::record::RegionKey;
use super::register::LogRegister;
use super::replay::{LogEnd, ReplayReport};
use super::WalOptions;
use crate::sys::System;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

pub(super) struct ClosedLog {
    pub end: LogEnd,
    pub path: PathBuf,
    pub regions: BTreeMap<RegionKey, u64>,
}

pub(super) struct Retention {
    closed: VecDeque<ClosedLog>,
    flushed: BTreeMap<RegionKey, u64>,
    /// Files of logs that have left the register and are still in `WALs`.
    forgotten: Vec<(u64, PathBuf)>,
    is_closed: bool,
}

impl Retention {
    pub fn new(recovered: &ReplayReport) -> Self {
        let closed = |log: &super::LogSummary| ClosedLog {
            end: log.end.clone(),
            path: log.path.clone(),
            regions: log.regions.clone(),
        };
        Retention {
            closed: recovered.logs.iter().map(closed).collect(),
            flushed: BTreeMap::new(),
            forgotten: [recovered.leftovers.as_slice(), &recovered.doubtful].concat(),
            is_closed: false,
        }
    }

    pub fn push(&mut self, log: ClosedLog) {
        self.closed.push_back(log);
    }

    pub fn flushed(&mut self, region: RegionKey, sequence_id: u64) {
        let known = self.flushed.entry(region).or_default();
        *known = sequence_id.max(*known);
    }

    fn unflushed<'a>(&'a self, log: &'a ClosedLog) -> impl Iterator<Item = RegionKey> + 'a {
        let is_unflushed = |(region, highest): &(&RegionKey, &u64)| self.flushed.get(*region) < Some(*highest);
        log.regions.iter().filter(is_unflushed).map(|(region, _)| *region)
    }

    pub fn regions_in_oldest(&self) -> Vec<RegionKey> {
        self.closed.front().map_or(Vec::new(), |log| self.unflushed(log).collect())
    }

    /// Number of closed logs, and their bytes.
    pub fn size(&self) -> (u64, u64) {
        (self.closed.len() as u64, self.closed.iter().map(|log| log.end.length).sum())
    }

    /// Stops moving files: the directory may get another owner.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Removes logs that are no longer needed from the register. Returns its number of commits if that changed it.
    ///
    /// # Errors
    /// The register's errors. The logs stay, and the next call tries again.
    pub fn forget_unneeded(&mut self, register: &dyn LogRegister) -> Result<Option<u64>> {
        let count = self.closed.iter().take_while(|log| self.unflushed(log).next().is_none()).count();
        let Some(last) = count.checked_sub(1).and_then(|index| self.closed.get(index)).filter(|_| !self.is_closed)
        else {
            return Ok(None);
        };
        let commits = register.remove_before(last.end.number + 1)?;
        self.forgotten.extend(self.closed.drain(..count).map(|log| (log.end.number, log.path)));
        Ok(Some(commits))
    }

    /// Moves the files of removed logs to `oldWALs`, and deletes those that are too old or too many.
    ///
    /// # Errors
    /// `Io`, `DiskFull`: the next call continues.
    pub fn tidy(&mut self, system: &System, directory: &Path, options: &WalOptions) -> Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let now = system.clock.now_ms();
        while let Some((number, path)) = self.forgotten.first() {
            archive_log(system, path, &old_path(directory, *number, now))?;
            self.forgotten.remove(0);
        }
        delete_expired(system, directory, now, options)
    }

    /// Deletes all logs that are not needed, to free space on a full disk. Returns whether there were any.
    ///
    /// # Errors
    /// `Io`.
    pub fn free(&mut self, system: &System, directory: &Path) -> Result<bool> {
        if self.is_closed {
            return Ok(false);
        }
        let old = list_old_logs(&*system.files, directory)?.into_iter().map(|(_, _, path)| path);
        let unneeded: Vec<PathBuf> = old.chain(self.forgotten.drain(..).map(|(_, path)| path)).collect();
        unneeded.iter().try_for_each(|path| remove(system, path))?;
        Ok(!unneeded.is_empty())
    }
}

/// Removes logs newer than the last one in use, which were begun and never used.
///
/// # Errors
/// `Io`.
pub(super) fn remove_unused(system: &System, recovered: &mut ReplayReport) -> Result<()> {
    let last = recovered.last_log_number();
    while let Some(index) = recovered.leftovers.iter().position(|(number, _)| *number > last) {
        remove(system, &recovered.leftovers[index].1)?;
        recovered.leftovers.remove(index);
    }
    Ok(())
}

/// Deletes the logs in `oldWALs` of a database whose log is not open, to free space on a full disk. Returns whether
/// there were any.
///
/// # Errors
/// `Io`.
pub fn free_old_logs(system: &System, directory: &Path) -> Result<bool> {
    let old = list_old_logs(&*system.files, directory)?;
    old.iter().try_for_each(|(_, _, path)| remove(system, path))?;
    Ok(!old.is_empty())
}

/// Moves a file to `oldWALs` if it still exists. A full disk has no room for another name, so the file is deleted.
fn archive_log(system: &System, path: &Path, target: &Path) -> Result<()> {
    if !system.files.exists(path) {
        return Ok(());
    }
    let mut folders = [target.parent(), path.parent()].into_iter().flatten();
    let renamed = system.files.rename(path, target);
    let moved = renamed.and_then(|()| folders.try_for_each(|folder| system.files.sync_dir(folder)));
    match moved.map_err(|error| Error::io("archive log", path.display(), &error)) {
        Err(error) if error.kind() == ErrorKind::DiskFull => remove(system, path),
        outcome => outcome,
    }
}

fn remove(system: &System, path: &Path) -> Result<()> {
    system.files.remove_file(path).map_err(|error| Error::io("delete old log", path.display(), &error))
}

/// Deletes logs in `oldWALs` that are older than `hbase.master.logcleaner.ttl` or exceed `rowstone.wal.old.max.bytes`
/// together.
fn delete_expired(system: &System, directory: &Path, now: i64, options: &WalOptions) -> Result<()> {
    let mut bytes = 0;
    for (_, archived_ms, path) in list_old_logs(&*system.files, directory)?.into_iter().rev() {
        let length = system.files.open(&path).and_then(|file| file.len()).unwrap_or(0);
        bytes += length;
        // A log from the future was archived before the clock was set back.
        let is_expired = now.abs_diff(archived_ms) >= options.old_log_ttl_ms.unsigned_abs();
        if is_expired || bytes > options.old_logs_bytes {
            remove(system, &path)?;
        }
    }
    Ok(())
}
