//! Nonces of the operations in the log. A restarted server reads them, so that a retried increment is not applied
//! twice. Source: `ServerNonceManager`, which HBase also fills from the log.

use crate::sys::lock::Mutex;
use crate::sys::System;
use crate::wal::visit_old_nonces;
use rowstone_model::operations::Nonce;
use rowstone_model::Result;
use std::collections::VecDeque;
use std::path::Path;

/// Lifetime of a nonce; the default of HBase's `hbase.server.hashNonce.gracePeriod`.
const MEMORY_MS: i64 = 30 * 60 * 1000;
/// Maximum number of nonces; the oldest are dropped.
const MOST: usize = 1 << 20;
/// Maximum bytes of archived logs to read. Older records are unlikely to be retried: they are flushed to files, and
/// their clients got an answer long ago or lost the connection while the server was still running.
const MOST_OLD_BYTES: u64 = 64 << 20;

/// Nonces of the records that the log had when this database was opened, and of those written since; oldest first.
#[derive(Default)]
pub(in crate::db) struct WrittenNonces(Mutex<VecDeque<(i64, Nonce)>>);

impl WrittenNonces {
    /// Notes the nonce of a record written at `written_ms`.
    pub(in crate::db) fn note(&self, written_ms: i64, nonce: Nonce, now_ms: i64) {
        let oldest = now_ms.saturating_sub(MEMORY_MS);
        let mut all = self.0.lock();
        all.push_back((written_ms, nonce));
        while all.len() > MOST || all.front().is_some_and(|(at, _)| *at < oldest) {
            all.pop_front();
        }
    }

    fn since(&self, oldest: i64) -> Vec<Nonce> {
        self.0.lock().iter().filter(|(at, _)| *at >= oldest).map(|(_, nonce)| *nonce).collect()
    }

    /// Returns all unexpired nonces: first those of archived logs, then the others.
    pub(in crate::db) fn all(&self, system: &System, log_directory: &Path) -> Result<Vec<Nonce>> {
        let oldest = system.clock.now_ms().saturating_sub(MEMORY_MS);
        let mut found = Vec::new();
        visit_old_nonces(system.files.as_ref(), log_directory, oldest, MOST_OLD_BYTES, &mut |written_ms, nonce| {
            if written_ms >= oldest && found.len() < MOST {
                found.push(nonce);
            }
        })?;
        found.extend(self.since(oldest));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expired_nonces_are_dropped() {
        let nonces = WrittenNonces::default();
        let numbered: Vec<Nonce> = (1..4).filter_map(|number| Nonce::new(7, number)).collect();
        for (at, nonce) in (0..).zip(&numbered) {
            nonces.note(at, *nonce, at);
        }
        assert_eq!(nonces.since(1), numbered[1..]);
        nonces.note(MEMORY_MS + 2, numbered[0], MEMORY_MS + 2);
        assert_eq!(nonces.since(0), [numbered[2], numbered[0]]);
    }
}
