//! Nonces in logs that were put away.

use super::names::list_old_logs;
use super::replay::{open_log, read_log};
use crate::sys::FileSystem;
use rowstone_model::operations::Nonce;
use rowstone_model::Result;
use std::path::Path;

/// Gives every nonce in the logs put away since `oldest_ms`, with its record's time: oldest first, of the newest logs that have
/// `most_bytes` together. A log that cannot be read is passed over: what it holds is in files.
///
/// # Errors
/// `Io` where the folder cannot be listed.
pub fn visit_old_nonces(
    files: &dyn FileSystem,
    directory: &Path,
    oldest_ms: i64,
    most_bytes: u64,
    visitor: &mut dyn FnMut(i64, Nonce),
) -> Result<()> {
    let mut logs = Vec::new();
    let mut left = most_bytes;
    for (number, archived_ms, path) in list_old_logs(files, directory)?.into_iter().rev() {
        let Ok(log) = open_log(files, number, path) else { continue };
        if archived_ms < oldest_ms || log.length > left {
            break;
        }
        left -= log.length;
        logs.push(log);
    }
    for log in logs.iter().rev() {
        let read = read_log(log, None, &mut |record| {
            if let Some(nonce) = Nonce::new(record.nonce_group, record.nonce) {
                visitor(record.write_time_ms, nonce);
            }
            Ok(())
        });
        drop(read);
    }
    Ok(())
}
