//! Queue of background work.

use crate::store::Work;
use crate::sys::lock::{Condvar, Mutex};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Delay of the next flush after one that found the disk full, unless space is freed. An earlier retry would only fill
/// the disk and fail again.
const PATIENCE_WITH_DISK: Duration = Duration::from_secs(1);

/// Queue of background work.
#[derive(Default)]
pub(in crate::db) struct WorkQueue {
    state: Mutex<Waiting>,
    wake: Condvar,
}

#[derive(Default)]
struct Waiting {
    upkeep: VecDeque<String>,
    flushes: VecDeque<String>,
    compactions: VecDeque<String>,
    /// Regions with a compaction that is too large for the thread of small ones.
    large_compactions: VecDeque<String>,
    leftovers: VecDeque<String>,
    splits: VecDeque<String>,
    flush_largest: bool,
    stops: bool,
    last_error: Option<String>,
    /// Time and error of the last flush, if it found the disk full.
    full: Option<(Instant, Error)>,
}

impl Waiting {
    fn next_small(&mut self) -> Option<Task> {
        match self.compactions.pop_front() {
            Some(region) => Some(Task::Compact(region)),
            None => self.leftovers.pop_front().map(Task::MergeLeftovers),
        }
    }
}

/// Kind of work that a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::db) enum Role {
    /// Memstore upkeep.
    Upkeep,
    /// Flushes, and the periodic tick.
    Flushes,
    /// Compactions that are not large.
    SmallCompactions,
    /// Compactions of any size, the large ones first. Source: HBase's `StealJobQueue`.
    LargeCompactions,
    Splits,
}

/// Next task of a thread.
pub(in crate::db) enum Task {
    Upkeep(String),
    Flush(String),
    FlushLargest,
    Compact(String),
    /// A compaction that may be large.
    CompactLarge(String),
    MergeLeftovers(String),
    Split(String),
    Tick,
    Stop,
}

impl WorkQueue {
    pub(in crate::db) fn push(&self, work: Work) {
        let mut state = self.state.lock();
        let (queue, region) = match work {
            Work::Upkeep(region) => (&mut state.upkeep, region),
            Work::Flush(region) => (&mut state.flushes, region),
            Work::Compact(region) => (&mut state.compactions, region),
            Work::CompactLarge(region) => (&mut state.large_compactions, region),
            Work::MergeLeftovers(region) => (&mut state.leftovers, region),
            Work::Split(region) => (&mut state.splits, region),
        };
        if !queue.contains(&region) {
            queue.push_back(region);
            self.wake.notify_all();
        }
    }

    pub(in crate::db) fn push_flush_of_largest(&self) {
        let mut state = self.state.lock();
        if !state.flush_largest {
            state.flush_largest = true;
            self.wake.notify_all();
        }
    }

    pub(in crate::db) fn last_error(&self) -> Option<String> {
        self.state.lock().last_error.clone()
    }

    /// Error of the last flush, if it found the disk full a moment ago.
    pub(in crate::db) fn disk_full(&self) -> Option<Error> {
        let state = self.state.lock();
        let recent = state.full.as_ref().filter(|(at, _)| at.elapsed() < PATIENCE_WITH_DISK);
        recent.map(|(_, error)| error.clone())
    }

    /// Notes that disk space was freed: flushes may try again at once.
    pub(in crate::db) fn note_space(&self) {
        self.state.lock().full = None;
    }

    pub(in crate::db) fn note_flush<T>(&self, outcome: &Result<T>) {
        let mut state = self.state.lock();
        match outcome {
            Err(error) if error.kind() == ErrorKind::DiskFull => state.full = Some((Instant::now(), error.clone())),
            _ => state.full = None,
        }
    }

    pub(in crate::db) fn stops(&self) -> bool {
        self.state.lock().stops
    }

    pub(in crate::db) fn note(&self, outcome: Result<()>) {
        if let Err(error) = outcome {
            self.state.lock().last_error = Some(error.to_string());
        }
    }

    pub(in crate::db) fn stop(&self) {
        self.state.lock().stops = true;
        self.wake.notify_all();
    }

    /// Waits for the next task. From `next_tick` on, the tick takes precedence over all queued flushes.
    pub(in crate::db) fn next(&self, role: Role, next_tick: Instant) -> Task {
        let mut state = self.state.lock();
        loop {
            if state.stops {
                return Task::Stop;
            }
            let other = match role {
                Role::Upkeep => state.upkeep.pop_front().map(Task::Upkeep),
                Role::Flushes => None,
                Role::SmallCompactions => state.next_small(),
                Role::LargeCompactions => match state.large_compactions.pop_front() {
                    Some(region) => Some(Task::CompactLarge(region)),
                    None => state.next_small(),
                },
                Role::Splits => state.splits.pop_front().map(Task::Split),
            };
            if let Some(task) = other {
                return task;
            }
            if role != Role::Flushes {
                self.wake.wait(&mut state);
                continue;
            }
            if Instant::now() >= next_tick {
                return Task::Tick;
            }
            if let Some(region) = state.flushes.pop_front() {
                return Task::Flush(region);
            }
            if std::mem::take(&mut state.flush_largest) {
                return Task::FlushLargest;
            }
            self.wake.wait_until(&mut state, next_tick);
        }
    }
}
