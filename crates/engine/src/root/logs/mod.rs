//! Writes that are only in HBase's logs: what region servers had in memory when they ended.
//!
//! ```text
//! <root>/WALs/<server>/<log>, <root>/WALs/<server>-splitting/<log>      logs of the servers
//!       /data/<namespace>/<table>/<region>/recovered.edits/<number>     logs that a master has split by region
//! ```
//!
//! Regions skip what their files have, as at a region's opening in HBase. Entries of regions that no longer exist are
//! skipped: a region is flushed before it is split or merged. Sources: HBase's `WALSplitter`, `HRegion.replayRecoveredEditsIfAny`.

mod dictionary;
mod file;

use super::names::family_folder;
use super::places::{list, name_of, read};
use crate::manifest::State;
use crate::sys::FileSystem;
use file::Stop;
use rowstone_model::cell::CellBuffer;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

const SERVERS: &str = "WALs";
const SPLIT: &str = "recovered.edits";
/// The same in another form, with `hbase.wal.split.to.hfile`.
const SPLIT_FILES: &str = "recovered.hfiles";
/// End of the names of logs of `hbase:meta`.
const META: &str = ".meta";

/// An atomic write to a region.
pub struct LoggedWrite<'a> {
    /// The encoded name of the region.
    pub region: &'a str,
    /// Its position in the order of the region's writes.
    pub sequence_id: u64,
    /// Time of the write, in milliseconds.
    pub write_time_ms: i64,
    /// Its cells.
    pub cells: &'a CellBuffer,
}

/// Passes the writes in all logs below `root` to `visit`. Those of a region are in order within a log. A log may end
/// inside a write, which was then not acknowledged. With `hides_open_blocks` an empty log is refused.
///
/// # Errors
/// `InvalidArgument` without a folder `WALs`; `Unsupported` for a log that is encrypted, has compressed values or cells in
/// another form; `Corruption`; `Io`.
pub fn read_logs(
    files: &dyn FileSystem,
    root: &Path,
    state: &State,
    hides_open_blocks: bool,
    visit: &mut dyn FnMut(LoggedWrite<'_>),
) -> Result<()> {
    let of_servers = server_logs(files, root)?.into_iter().map(|path| (path, false));
    let of_regions = region_logs(files, root, state)?.into_iter().map(|path| (path, true));
    for (path, is_of_region) in of_servers.chain(of_regions) {
        let bytes = read(files, &path)?;
        if bytes.is_empty() && hides_open_blocks {
            return Err(hidden(&path));
        }
        let outcome = file::read(&bytes, is_of_region, &mut |entry| {
            let region = String::from_utf8_lossy(&entry.region);
            let (sequence_id, write_time_ms) = (entry.sequence_id, entry.write_time_ms);
            visit(LoggedWrite { region: &region, sequence_id, write_time_ms, cells: &entry.cells });
        });
        match outcome {
            Ok(()) | Err(Stop::Torn) => {}
            Err(Stop::Damaged(damage, offset)) => return Err(damage.at(&path, offset)),
            Err(Stop::Unsupported(what)) => {
                let message = format!("log {}: {what}, which is not read", path.display());
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
    }
    Ok(())
}

fn hidden(path: &Path) -> Error {
    let path = path.display();
    Error::new(
        ErrorKind::Unsupported,
        format!(
            "log {path} is empty or open, and HDFS hides the last block of an open file: stop its region server, run \
             'hdfs debug recoverLease -path PATH -retries 5', and try again; if it is empty then, move it away"
        ),
    )
}

fn server_logs(files: &dyn FileSystem, root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join(SERVERS);
    if !files.is_dir(&folder) {
        let place = folder.display();
        let message = format!("there is no {place} to read logs from; copy there what hbase.wal.dir/{SERVERS} has");
        return Err(Error::invalid(message));
    }
    let mut paths = Vec::new();
    for server in list(files, &folder)?.into_iter().filter(|path| files.is_dir(path)) {
        paths.extend(list(files, &server)?.into_iter().filter(|path| !name_of(path).ends_with(META)));
    }
    Ok(paths)
}

fn region_logs(files: &dyn FileSystem, root: &Path, state: &State) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for table in state.tables.values() {
        let folder = root.join("data").join(table.descriptor.name.namespace()).join(table.descriptor.name.qualifier());
        for region in &table.regions {
            let folder = folder.join(&region.info.encoded_name);
            // Logs that are still being written have a suffix.
            let is_log = |path: &PathBuf| name_of(path).bytes().all(|byte| byte.is_ascii_digit());
            paths.extend(list(files, &folder.join(SPLIT))?.into_iter().filter(is_log));
            for family in table.descriptor.families.keys() {
                let path = folder.join(family_folder(family)).join(SPLIT_FILES);
                if !list(files, &path)?.is_empty() {
                    let message = format!("{}: logs that were split into HFiles are not read", path.display());
                    return Err(Error::new(ErrorKind::Unsupported, message));
                }
            }
        }
    }
    Ok(paths)
}
