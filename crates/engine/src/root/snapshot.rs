//! Snapshots below a root: which there are, and the regions and files of one.

use super::messages::{read_description, read_manifest, Description, Manifest, RegionFiles, LAYOUT_VERSION};
use super::places::{list, name_of, read};
use crate::hfile::format::Damage;
use crate::sys::FileSystem;
use rowstone_model::codec::{listed, printable};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// File with the table and the time of a snapshot.
pub const DESCRIPTION: &str = ".snapshotinfo";
/// File with its schema, its regions and the names of their files.
pub const MANIFEST: &str = "data.manifest";
const FOLDER: &str = ".hbase-snapshot";

/// Folder of a snapshot's description and manifest.
pub fn snapshot_folder(root: &Path, snapshot: &str) -> PathBuf {
    root.join(FOLDER).join(snapshot)
}

/// The names of the finished snapshots.
pub fn snapshot_names(files: &dyn FileSystem, root: &Path) -> Result<Vec<String>> {
    let names = list(files, &root.join(FOLDER))?.iter().map(|path| name_of(path)).collect::<Vec<_>>();
    Ok(names.into_iter().filter(|name| !name.starts_with('.')).collect())
}

/// Reads a snapshot's description and its manifest. The manifest's regions have rows and are in key order.
///
/// # Errors
/// `SnapshotNotFound` with the names of those that exist; `Corruption`; `Unsupported` for a snapshot of HBase 0.94
/// to 0.98; `InvalidArgument` for regions with gaps or overlaps.
pub fn read_snapshot(files: &dyn FileSystem, root: &Path, name: &str) -> Result<(Description, Manifest)> {
    let place = snapshot_folder(root, name);
    let path = place.join(DESCRIPTION);
    let description = match files.read(&path) {
        Ok(bytes) => understood(read_description(&bytes), &path)?,
        Err(error) => return Err(explain(files, root, name, Error::io("read", path.display(), &error))),
    };
    if description.version != LAYOUT_VERSION {
        let message = format!("snapshot '{name}' has layout {}, not {LAYOUT_VERSION}", description.version);
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let path = place.join(MANIFEST);
    let mut manifest = understood(read_manifest(&read(files, &path)?), &path)??;
    manifest.regions.retain(|region| !region.is_shadow);
    manifest.regions.sort_by(|left, right| left.info.start_key.cmp(&right.info.start_key));
    check_regions(&manifest, name)?;
    Ok((description, manifest))
}

/// Rejects unknown families, and regions with gaps or overlaps.
fn check_regions(manifest: &Manifest, snapshot: &str) -> Result<()> {
    let table = &manifest.descriptor;
    let refuse = |what: String| Err(Error::invalid(format!("snapshot '{snapshot}' of table '{}': {what}", table.name)));
    let mut end: &[u8] = b"";
    for (index, RegionFiles { info, families, .. }) in manifest.regions.iter().enumerate() {
        if info.start_key != end || (index > 0 && end.is_empty()) {
            return refuse(format!("region {} does not start where the previous one ends", info.encoded_name));
        }
        let is_known = |family: &Vec<u8>| table.families.contains_key(family);
        if let Some((family, _)) = families.iter().find(|(family, _)| !is_known(family)) {
            return refuse(format!("the table has no family '{}', but a region has files of it", printable(family)));
        }
        end = &info.end_key;
    }
    if manifest.regions.is_empty() || !end.is_empty() {
        return refuse("its regions do not extend to the end of the table".to_string());
    }
    Ok(())
}

/// The error for a snapshot whose description cannot be read.
fn explain(files: &dyn FileSystem, root: &Path, name: &str, error: Error) -> Error {
    let Ok(known) = snapshot_names(files, root) else { return error };
    if known.iter().any(|known| known == name) {
        return error;
    }
    let message = format!("no snapshot '{name}' in {}; its snapshots: {}", root.display(), listed(known));
    Error::new(ErrorKind::SnapshotNotFound, message)
}

/// Adds the file to the damage that was found in it.
pub(super) fn understood<T>(read: Result<T, Damage>, path: &Path) -> Result<T> {
    read.map_err(|damage| damage.at(path, 0))
}
