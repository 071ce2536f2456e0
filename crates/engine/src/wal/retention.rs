//! Which closed logs are still needed, and what becomes of the others.
//!
//! A closed log is needed while a region in it has records that are in no file yet. Logs are put away oldest first, each move
//! synced before the next, so that a crash never leaves a gap in the chain; and are deleted some time later.

use super::names::{list_old_logs, old_directory, old_path};
use super::record::RegionKey;
use super::replay::{LogEnd, ReplayReport};
use crate::sys::System;
use rowstone_model::{Error, Result};
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
    /// After a failure nothing is moved any more: the next move might reach the disk before the one that failed.
    is_stuck: bool,
    failure: Option<Error>,
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
            is_stuck: false,
            failure: None,
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

    /// How many closed logs there are, and their bytes.
    pub fn size(&self) -> (u64, u64) {
        (self.closed.len() as u64, self.closed.iter().map(|log| log.end.length).sum())
    }

    /// Moves logs that are not needed any more to `oldWALs`, and deletes those that were there for `ttl_ms`.
    pub fn put_away(&mut self, system: &System, directory: &Path, ttl_ms: i64) {
        if self.is_stuck {
            return;
        }
        if let Err(error) = self.try_put_away(system, directory, ttl_ms) {
            self.is_stuck = true;
            self.failure = Some(error);
        }
    }

    /// From now on nothing is moved: the directory may get another owner.
    pub fn close(&mut self) {
        self.is_stuck = true;
    }

    /// The failure of [`Retention::put_away`], told once.
    pub fn take_failure(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn try_put_away(&mut self, system: &System, directory: &Path, ttl_ms: i64) -> Result<()> {
        let now = system.clock.now_ms();
        while let Some(log) = self.closed.front() {
            if self.unflushed(log).next().is_some() {
                break;
            }
            let target = old_path(directory, log.end.number, now);
            let put_away = || {
                system.files.rename(&log.path, &target)?;
                system.files.sync_dir(&old_directory(directory))?;
                system.files.sync_dir(directory)
            };
            put_away().map_err(|error| Error::io("put away log", log.path.display(), &error))?;
            self.closed.pop_front();
        }
        delete_expired(system, directory, now, ttl_ms)
    }
}

fn delete_expired(system: &System, directory: &Path, now: i64, ttl_ms: i64) -> Result<()> {
    for (_, archived_ms, path) in list_old_logs(&*system.files, directory)? {
        // A log from the future was put away before the clock was set back.
        if now.abs_diff(archived_ms) >= ttl_ms.unsigned_abs() {
            system.files.remove_file(&path).map_err(|error| Error::io("delete old log", path.display(), &error))?;
        }
    }
    Ok(())
}
