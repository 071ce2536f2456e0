//! Which numbered operations the log has: a server that is started again asks, so that an increment is not done twice. Source:
//! `ServerNonceManager`, which HBase fills from the log too.

use super::shared::Shared;
use crate::sys::lock::Mutex;
use crate::wal::visit_old_nonces;
use rowstone_model::operations::Nonce;
use rowstone_model::Result;
use std::collections::VecDeque;

/// How long a nonce counts; the default of HBase's `hbase.server.hashNonce.gracePeriod`.
const MEMORY_MS: i64 = 30 * 60 * 1000;
/// Nonces kept at most; the oldest go first.
const MOST: usize = 1 << 20;
/// Bytes of logs put away that are looked through. What is in them is in files, and was acknowledged long since, or its client was
/// cut off from a server that went on.
const MOST_OLD_BYTES: u64 = 64 << 20;

/// Nonces of records that are in the log now, or were while this database was open; oldest first.
#[derive(Default)]
pub(super) struct WrittenNonces(Mutex<VecDeque<(i64, Nonce)>>);

impl WrittenNonces {
    /// Notes what a record of `written_ms` has.
    pub(super) fn note(&self, written_ms: i64, nonce: Nonce, now_ms: i64) {
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
}

/// All that still count: of logs put away, then the others.
pub(super) fn all(shared: &Shared) -> Result<Vec<Nonce>> {
    let oldest = shared.system.clock.now_ms().saturating_sub(MEMORY_MS);
    let files = shared.system.files.as_ref();
    let mut found = Vec::new();
    visit_old_nonces(files, &shared.root.join("WALs"), oldest, MOST_OLD_BYTES, &mut |written_ms, nonce| {
        if written_ms >= oldest && found.len() < MOST {
            found.push(nonce);
        }
    })?;
    found.extend(shared.nonces.since(oldest));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_old_is_forgotten() {
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
