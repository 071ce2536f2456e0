//! Copying a whole database to a new directory: the files that the manifest names, the logs, and a manifest of its
//! own, last.
//!
//! Store files and closed logs never change, so on the same disk a hard link is as good as a copy. Until its
//! manifest is written, the new directory is marked as an unfinished copy (`target`).

use super::logs::{later_manifest, needed_logs};
use super::take_lock;
use super::target::{check_outside, check_target, Target};
use crate::hfile::Digest;
use crate::manifest::{self, FileEntry, State};
use crate::store::copy_file;
use crate::sys::{make_folders, sync_folders, System};
use crate::wal::{log_path, replay, Needed};
use rowstone_model::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Totals of a copy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CopyReport {
    /// Store files.
    pub store_files: u64,
    /// Logs.
    pub logs: u64,
    /// Bytes of both.
    pub bytes: u64,
    /// Of these, bytes that are shared with the source.
    pub linked_bytes: u64,
}

/// Size and checksum of a file in the manifest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    pub(super) size_bytes: u64,
    /// CRC32C of all bytes, if they are to be compared.
    pub(super) checksum: Option<u32>,
}

/// The files of an entry, by path.
fn facts_of(entry: &FileEntry) -> impl Iterator<Item = (&str, Facts)> {
    let facts = |size_bytes, digest: Option<Digest>| Facts { size_bytes, checksum: digest.map(|digest| digest.whole) };
    let mob = entry.mob_files.iter().map(move |file| (file.path.as_str(), facts(file.size_bytes, file.digest)));
    std::iter::once((entry.path.as_str(), facts(entry.size_bytes, entry.digest))).chain(mob)
}

/// Copies a database that is not open.
///
/// # Errors
/// `DatabaseLocked`, `NotADatabase`, `Corruption`; `InvalidArgument` for a target that is not empty; `Io`, `DiskFull`.
pub fn copy_closed(
    system: &System,
    directory: &Path,
    target: &Target<'_>,
    progress: super::Progress<'_>,
) -> Result<CopyReport> {
    let _lock = take_lock(system, directory)?;
    let state = manifest::read(&*system.files, directory)?;
    let folder = directory.join("WALs");
    let needed = needed_logs(&state);
    // Refuses logs that are missing, damaged or of another manifest, before anything is copied.
    let needed = Needed { database: state.tag(), logs: &needed, commits: state.commits, ..Needed::default() };
    let read = replay(&*system.files, &folder, &needed, &mut |_| Ok(()))?;
    if let Some(error) = later_manifest(&*system.files, directory, &state)? {
        return Err(error);
    }
    check_outside(directory, target.directory)?;
    check_target(&*target.system.files, target.directory)?;
    let logs: Vec<(u64, PathBuf)> = read.logs.into_iter().map(|log| (log.end.number, log.path)).collect();
    target.fill(|| {
        let mut report = copy_files(system, directory, &state, target, progress)?;
        copy_logs(system, &logs, target, &mut report)?;
        finish(target, &state)?;
        Ok(report)
    })
}

/// Copies the store files that `state` names. Their bytes are compared with the manifest's checksums, unless they are linked.
///
/// # Errors
/// `Corruption` for a file that is missing, damaged or of another length; `Io`, `DiskFull`.
pub fn copy_files(
    system: &System,
    directory: &Path,
    state: &State,
    target: &Target<'_>,
    progress: super::Progress<'_>,
) -> Result<CopyReport> {
    // One file may be named several times: by halves after a split, by snapshots and their clones.
    copy_parts(system, directory, &state.live_files().flat_map(facts_of).collect(), target, progress)
}

/// Copies the files of these paths.
///
/// # Errors
/// As [`copy_files`].
pub(super) fn copy_parts(
    system: &System,
    directory: &Path,
    parts: &BTreeMap<&str, Facts>,
    target: &Target<'_>,
    progress: super::Progress<'_>,
) -> Result<CopyReport> {
    let all = parts.values().map(|facts| facts.size_bytes).sum();
    let mut report = CopyReport::default();
    let mut folders = BTreeSet::new();
    for (&path, &Facts { size_bytes, checksum }) in parts {
        progress(path, report.bytes, all);
        let (from, to) = (directory.join(path), target.directory.join(path));
        if !system.files.exists(&from) {
            return Err(Error::corruption(from.display(), 0, "the file that the manifest names", "none"));
        }
        let folder = to.parent().map(Path::to_path_buf).unwrap_or_default();
        if folders.insert(folder.clone()) {
            make_folders(&*target.system.files, &folder)
                .map_err(|error| Error::io("make directory", folder.display(), &error))?;
        }
        let (bytes, found) = place(system, &from, target, &to, &mut report)?;
        if bytes != size_bytes {
            let expected = format!("{size_bytes} bytes, as the manifest says");
            return Err(Error::corruption(from.display(), bytes.min(size_bytes), expected, format!("{bytes}")));
        }
        if let (Some(checksum), Some(found)) = (checksum, found.filter(|found| checksum != Some(*found))) {
            let expected = format!("checksum {checksum:#010x} of all bytes, as the manifest says");
            let found = format!("{found:#010x}; `rowstone check` finds the damaged blocks");
            return Err(Error::corruption(from.display(), 0, expected, found));
        }
        report.store_files += 1;
    }
    sync_target(target, &folders)?;
    Ok(report)
}

/// Copies logs under the names that logs in use have.
///
/// # Errors
/// `Io`, `DiskFull`.
pub fn copy_logs(system: &System, logs: &[(u64, PathBuf)], target: &Target<'_>, report: &mut CopyReport) -> Result<()> {
    let folder = target.directory.join("WALs");
    make_folders(&*target.system.files, &folder)
        .map_err(|error| Error::io("make directory", folder.display(), &error))?;
    for (number, from) in logs {
        place(system, from, target, &log_path(&folder, *number), report)?;
        report.logs += 1;
    }
    sync_target(target, &BTreeSet::from([folder]))
}

/// Writes the manifest, which turns the copy into a database.
///
/// # Errors
/// `Io`, `DiskFull`.
pub fn finish(target: &Target<'_>, state: &State) -> Result<()> {
    manifest::write_copy(target.system, target.directory, state)
}

fn sync_target(target: &Target<'_>, folders: &BTreeSet<PathBuf>) -> Result<()> {
    for folder in folders {
        let files = &*target.system.files;
        let settled = files.sync_dir(folder).and_then(|()| sync_folders(files, target.directory, folder));
        settled.map_err(|error| Error::io("sync directory", folder.display(), &error))?;
    }
    Ok(())
}

/// Links or copies a file. Returns its length and, if it was copied, the CRC32C of its bytes.
fn place(
    system: &System,
    from: &Path,
    target: &Target<'_>,
    to: &Path,
    report: &mut CopyReport,
) -> Result<(u64, Option<u32>)> {
    let reading = |error: std::io::Error| Error::io("read", from.display(), &error);
    let source = system.files.open(from).map_err(reading)?;
    let length = source.len().map_err(reading)?;
    report.bytes += length;
    // If linking fails, for example because of another disk, the file is copied.
    if target.links && target.system.files.link(from, to).is_ok() {
        report.linked_bytes += length;
        return Ok((length, None));
    }
    let (length, checksum) = copy_file(&*system.files, from, &*target.system.files, to)?;
    Ok((length, Some(checksum)))
}
