//! The database: its state and its threads.

use super::state::shared::Shared;
use crate::store::Services;
use crate::sys::lock::Mutex;
use crate::sys::raw::thread::JoinHandle;
use std::sync::Arc;

/// An open database in a directory or in memory.
pub struct Database {
    pub(super) shared: Arc<Shared>,
    /// The threads of background work.
    pub(super) threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Database {
    /// Services that regions of this database use.
    pub(super) fn services(&self) -> Arc<dyn Services> {
        Arc::clone(&self.shared) as Arc<dyn Services>
    }

    /// Ends the threads after their current work.
    pub(super) fn stop_threads(&self) {
        self.shared.queue.stop();
        self.shared.workers.stop();
        for thread in self.threads.lock().drain(..) {
            // Errors of a panicked thread are already recorded.
            let _ = thread.join();
        }
    }
}
