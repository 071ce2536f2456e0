//! Compactions that clients requested.

use crate::sync::lock;
use rowstone_model::{Error, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Encoded names of the regions with an unfinished requested compaction.
#[derive(Default)]
pub(in crate::server) struct Compactions {
    running: Arc<Mutex<HashMap<String, usize>>>,
}

impl Compactions {
    /// Whether a compaction of the region is unfinished.
    pub fn is_running(&self, region: &str) -> bool {
        lock(&self.running).contains_key(region)
    }

    /// Runs `work` in the background, as HBase does. Its error is not reported, as in HBase.
    pub fn start(&self, region: &str, work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        *lock(&self.running).entry(region.to_string()).or_insert(0) += 1;
        let (running, region) = (Arc::clone(&self.running), region.to_string());
        let for_thread = Done { running, region };
        let spawned = std::thread::Builder::new().name("rowstone-compact".into()).spawn(move || {
            let _done = for_thread;
            let _ = work();
        });
        spawned.map(drop).map_err(|error| Error::io("start a thread for", "a compaction", &error))
    }
}

/// Removes a compaction from the list on drop.
struct Done {
    running: Arc<Mutex<HashMap<String, usize>>>,
    region: String,
}

impl Drop for Done {
    fn drop(&mut self) {
        let mut running = lock(&self.running);
        if let Some(count) = running.get_mut(&self.region) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.region);
            }
        }
    }
}
