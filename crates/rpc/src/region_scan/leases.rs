//! Background work for scanners. The leases of idle scanners are renewed, so that a slow reader does not lose them.
//! Scanners abandoned while a response was under way are closed when it has arrived.

use super::RegionScan;
use crate::sync::{lock, wait};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::Duration;

/// Maximum interval between two checks of leases.
const LOOK: Duration = Duration::from_millis(500);
/// Interval between two checks of scanners that wait to be closed.
const CLOSE_LOOK: Duration = Duration::from_millis(20);

#[derive(Default)]
struct State {
    watched: Vec<Weak<Mutex<RegionScan>>>,
    closing: Vec<Arc<Mutex<RegionScan>>>,
    is_running: bool,
    is_stopped: bool,
    timeout: Duration,
}

/// The open scanners of a cluster.
#[derive(Default)]
pub struct Leases {
    shared: Arc<(Mutex<State>, Condvar)>,
}

impl Leases {
    /// Keeps `scan` alive on its server as long as it is referenced.
    pub fn watch(&self, scan: &Arc<Mutex<RegionScan>>, timeout: Duration) {
        let mut state = lock(&self.shared.0);
        state.timeout = timeout;
        if state.watched.len() == state.watched.capacity() {
            state.watched.retain(|scan| scan.strong_count() > 0);
        }
        state.watched.push(Arc::downgrade(scan));
        self.start(&mut state);
    }

    /// Closes `scan` on its server, now or when its response has arrived.
    pub fn close(&self, scan: Arc<Mutex<RegionScan>>) {
        if lock(&scan).close() {
            return;
        }
        let mut state = lock(&self.shared.0);
        state.closing.push(scan);
        self.start(&mut state);
        self.shared.1.notify_one();
    }

    /// Ends the thread.
    pub fn stop(&self) {
        let mut state = lock(&self.shared.0);
        state.is_stopped = true;
        state.closing.clear();
        self.shared.1.notify_one();
    }

    fn start(&self, state: &mut State) {
        if state.is_running || state.is_stopped {
            return;
        }
        let shared = Arc::clone(&self.shared);
        // Without the thread leases are not renewed; scanners recover from that.
        let spawned = std::thread::Builder::new().name("rowstone-leases".into()).spawn(move || run(&shared));
        state.is_running = spawned.is_ok();
    }
}

/// Renews and closes scanners until none is left.
fn run(shared: &(Mutex<State>, Condvar)) {
    let mut state = lock(&shared.0);
    loop {
        state.watched.retain(|scan| scan.strong_count() > 0);
        if state.is_stopped || (state.watched.is_empty() && state.closing.is_empty()) {
            state.is_running = false;
            return;
        }
        let (watched, timeout) = (state.watched.clone(), state.timeout);
        let closing = std::mem::take(&mut state.closing);
        drop(state);
        let open: Vec<_> = closing.into_iter().filter(|scan| !lock(scan).close()).collect();
        let shortest = watched.iter().filter_map(Weak::upgrade).filter_map(|scan| {
            // A scanner in use needs no renewal.
            let mut scan = scan.try_lock().ok()?;
            Some(scan.renew_if_idle(timeout))
        });
        let pause = shortest.min().map_or(LOOK, |lease| (lease / 8).min(LOOK)).max(CLOSE_LOOK);
        let pause = if open.is_empty() { pause } else { CLOSE_LOOK };
        state = lock(&shared.0);
        state.closing.extend(open);
        state = wait(&shared.1, state, pause).0;
    }
}

impl Drop for Leases {
    fn drop(&mut self) {
        self.stop();
    }
}
