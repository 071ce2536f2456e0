//! Writes that are only in HBase's logs: what region servers had in memory when they ended.
//!
//! ```text
//! <root>/WALs/<server>/<log>, <root>/WALs/<server>-splitting/<log>      logs of the servers
//!       /data/<namespace>/<table>/<region>/recovered.edits/<number>     logs that a master has split by region
//! ```
//!
//! Regions skip what their files have, as at a region's opening in HBase. A region without an entry here was closed, and
//! thus flushed. Sources: HBase's `WALSplitter`, `HRegion.replayRecoveredEditsIfAny`.

mod dictionary;
mod file;

use super::places::{list, name_of, read};
use crate::manifest::State;
use crate::sys::FileSystem;
use file::Stop;
use rowstone_model::cell::CellBuffer;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

const SERVERS: &str = "WALs";
const SPLIT: &str = "recovered.edits";
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
/// inside a write, which was then not acknowledged.
///
/// # Errors
/// `Unsupported` for an encrypted log, and for one with compressed values; `Corruption`; `Io`.
pub fn read_logs(
    files: &dyn FileSystem,
    root: &Path,
    state: &State,
    visit: &mut dyn FnMut(LoggedWrite<'_>),
) -> Result<()> {
    for path in log_paths(files, root, state)? {
        let bytes = read(files, &path)?;
        let outcome = file::read(&bytes, &mut |entry| {
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

fn log_paths(files: &dyn FileSystem, root: &Path, state: &State) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for server in list(files, &root.join(SERVERS))?.into_iter().filter(|path| files.is_dir(path)) {
        paths.extend(list(files, &server)?.into_iter().filter(|path| !name_of(path).ends_with(META)));
    }
    for table in state.tables.values() {
        let folder = root.join("data").join(table.descriptor.name.namespace()).join(table.descriptor.name.qualifier());
        for region in &table.regions {
            // Logs that are still being written have a suffix.
            let is_log = |path: &PathBuf| name_of(path).bytes().all(|byte| byte.is_ascii_digit());
            let edits = list(files, &folder.join(&region.info.encoded_name).join(SPLIT))?;
            paths.extend(edits.into_iter().filter(is_log));
        }
    }
    Ok(paths)
}
