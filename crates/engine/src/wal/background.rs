//! Background thread of the log: writes records without a waiting writer, and syncs what was written, within
//! `rowstone.wal.sync.interval.ms`.

use super::log::{Shared, State};
use crate::sys::lock::MutexGuard;
use crate::sys::raw::thread::{self, JoinHandle};
use rowstone_model::{Error, Result};
use std::sync::Arc;
use std::time::Instant;

pub(super) fn spawn(shared: &Arc<Shared>) -> Result<JoinHandle<()>> {
    let shared = Arc::clone(shared);
    thread::Builder::new()
        .name("rowstone-wal".into())
        .spawn(move || run(&shared))
        .map_err(|error| Error::io("start", "the log's thread", &error))
}

fn run(shared: &Shared) {
    let mut state = shared.state.lock();
    // A record may be appended right after a sync began. So the next one begins half an interval after that, and the
    // other half is for the sync itself. These are intervals, not times of day, so the machine's monotonic clock is
    // right.
    let pause = shared.options.sync_interval / 2;
    let mut began = Instant::now();
    while !state.stops && state.failure.is_none() {
        if state.synced == state.appended {
            state.is_idle = true;
            shared.work.wait(&mut state);
            state.is_idle = false;
            began = Instant::now();
            continue;
        }
        // A failure below poisons the log; the next writer gets the error.
        write_until_deadline(shared, &mut state, began + pause);
        began = Instant::now();
        if !state.stops && state.failure.is_none() {
            let written = state.written;
            let _ = shared.sync_until(&mut state, written);
        }
    }
}

/// Waits for the deadline. Meanwhile, soon writes out records without a waiting writer.
fn write_until_deadline(shared: &Shared, state: &mut MutexGuard<'_, State>, deadline: Instant) {
    while !state.stops && state.failure.is_none() {
        if state.has_async {
            let soon = Instant::now() + shared.options.async_interval;
            while !state.stops && !shared.work.wait_until(state, soon).timed_out() {}
            state.has_async = false;
            let end = state.appended;
            let _ = shared.write_until(state, end);
        } else if shared.work.wait_until(state, deadline).timed_out() {
            return;
        }
        if Instant::now() >= deadline {
            return;
        }
    }
}
