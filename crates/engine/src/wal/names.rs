//! Names of log files, in use and archived.

use crate::sys::FileSystem;
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};

const DIGITS: usize = 20;

/// The path of log `number` in use.
pub fn log_path(directory: &Path, number: u64) -> PathBuf {
    directory.join(format!("{number:020}.wal"))
}

/// The path of log `number` while it is being created.
pub(super) fn temporary_path(directory: &Path, number: u64) -> PathBuf {
    directory.join(format!("{number:020}.tmp"))
}

/// The folder of archived logs, next to that of logs in use.
pub(super) fn old_directory(directory: &Path) -> PathBuf {
    directory.with_file_name("oldWALs")
}

/// The path of log `number`, archived at `archived_ms`.
pub(super) fn old_path(directory: &Path, number: u64, archived_ms: i64) -> PathBuf {
    old_directory(directory).join(format!("{number:020}.{archived_ms}.wal"))
}

/// Parses a log's name into its number and the time of archiving; `None` for other names.
fn parse(path: &Path) -> Option<(u64, Option<i64>)> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".wal")?;
    let (number, archived) = match stem.split_once('.') {
        Some((number, archived)) => (number, Some(archived.parse().ok()?)),
        None => (stem, None),
    };
    let is_ours = number.len() == DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((number.parse().ok().filter(|_| is_ours)?, archived))
}

fn list(files: &dyn FileSystem, directory: &Path) -> Result<Vec<PathBuf>> {
    files.list(directory).map_err(|error| Error::io("list", directory.display(), &error))
}

/// The logs in use, by number.
pub(super) fn list_logs(files: &dyn FileSystem, directory: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let named = |path: PathBuf| match parse(&path)? {
        (number, None) => Some((number, path)),
        _ => None,
    };
    Ok(list(files, directory)?.into_iter().filter_map(named).collect())
}

/// Finds the logs with these numbers, in use or archived.
pub fn find_logs(
    files: &dyn FileSystem,
    directory: &Path,
    numbers: std::ops::RangeInclusive<u64>,
) -> Result<Vec<(u64, PathBuf)>> {
    let old = list_old_logs(files, directory)?.into_iter().map(|(number, _, path)| (number, path));
    let mut found: Vec<_> =
        list_logs(files, directory)?.into_iter().chain(old).filter(|log| numbers.contains(&log.0)).collect();
    found.sort();
    found.dedup_by_key(|log| log.0);
    Ok(found)
}

/// The archived logs, sorted by number: number, time of archiving, path.
pub(super) fn list_old_logs(files: &dyn FileSystem, directory: &Path) -> Result<Vec<(u64, i64, PathBuf)>> {
    let named = |path: PathBuf| match parse(&path)? {
        (number, Some(archived_ms)) => Some((number, archived_ms, path)),
        _ => None,
    };
    Ok(list(files, &old_directory(directory))?.into_iter().filter_map(named).collect())
}
