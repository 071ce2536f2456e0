//! Nonces in archived logs.

use super::names::list_old_logs;
use super::replay::{open_log, read_log};
use crate::sys::FileSystem;
use rowstone_model::operations::Nonce;
use rowstone_model::Result;
use std::path::Path;

/// Passes every nonce in the logs archived since `oldest_ms` to `visitor`, with its record's time, oldest first.
/// Only the newest logs that together have at most `most_bytes` are read. An unreadable log is skipped: its cells
/// are in files.
///
/// # Errors
/// `Io` if the folder cannot be listed.
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
