//! Exporting a snapshot from the database.

use super::{refuse_mob, OUTSIDE};
use crate::db::Database;
use crate::manifest::{FileEntry, RegionEntry, SnapshotEntry};
use crate::root::messages::{write_description, write_manifest, Manifest, NamedFile, RegionFiles};
use crate::root::{family_folder, snapshot_folder, DESCRIPTION, MANIFEST};
use crate::store::copy_file;
use crate::sys::{make_folders, FileSystem};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::Path;

/// End of the name of a file while it is copied.
const UNFINISHED: &str = ".unfinished";

impl Database {
    pub(in crate::db::admin) fn do_export_snapshot(&self, name: &str, folder: &Path) -> Result<()> {
        self.shared.check_open()?;
        // Files that are dropped meanwhile are retained until they are copied.
        let _pin = self.shared.pin_files();
        let snapshot = self.find_snapshot(name)?;
        refuse_mob(&snapshot.descriptor, name, "exported")?;
        let target = snapshot_folder(folder, name);
        if OUTSIDE.exists(&target.join(DESCRIPTION)) {
            let message = format!("{} has a snapshot '{name}' already (SnapshotExistsException)", folder.display());
            return Err(Error::new(ErrorKind::SnapshotExists, message));
        }
        let regions = snapshot.regions.iter().map(|region| self.export_region(&snapshot, region, folder));
        let manifest = Manifest { descriptor: snapshot.descriptor.clone(), regions: regions.collect::<Result<_>>()? };
        make(&target)?;
        write(&target.join(MANIFEST), &write_manifest(&manifest))?;
        // Written last: without this file the folder is not a snapshot.
        write(&target.join(DESCRIPTION), &write_description(&snapshot))?;
        OUTSIDE.sync_dir(&target).map_err(|error| Error::io("sync directory", target.display(), &error))
    }

    fn export_region(&self, snapshot: &SnapshotEntry, region: &RegionEntry, folder: &Path) -> Result<RegionFiles> {
        let mut families = Vec::new();
        for (family, store) in &region.stores {
            let mut files = Vec::new();
            for file in &store.files {
                files.push(self.export_file(snapshot, region, family, file, folder)?);
            }
            families.push((family.clone(), files));
        }
        Ok(RegionFiles { info: region.info.clone(), is_shadow: false, families })
    }

    /// Copies a file to the location where HBase resolves its name in the manifest. A whole file goes to the folder
    /// of the region that names it, a half to that of its parent region.
    fn export_file(
        &self,
        snapshot: &SnapshotEntry,
        region: &RegionEntry,
        family: &[u8],
        file: &FileEntry,
        folder: &Path,
    ) -> Result<NamedFile> {
        let mut parts = file.path.rsplit('/');
        let base = parts.next().unwrap_or_default();
        let origin = parts.nth(1).unwrap_or_default();
        let (place, name) = match file.reference {
            None => (region.info.encoded_name.as_str(), base.to_string()),
            Some(_) => (origin, format!("{base}.{origin}")),
        };
        let table = &snapshot.descriptor.name;
        let archive = folder.join("archive/data").join(table.namespace()).join(table.qualifier());
        let target = archive.join(place).join(family_folder(family));
        make(&target)?;
        let path = target.join(base);
        // Both halves refer to the same file. An export that was interrupted leaves whole files under their names.
        if !OUTSIDE.exists(&path) {
            let unfinished = target.join(format!("{base}{UNFINISHED}"));
            let copied =
                copy_file(&*self.shared.system.files, &self.shared.root.join(&file.path), &OUTSIDE, &unfinished);
            if copied.is_err() {
                // It would take up the rest of a full disk.
                let _ = OUTSIDE.remove_file(&unfinished);
            }
            copied?;
            OUTSIDE.rename(&unfinished, &path).map_err(|error| Error::io("rename", unfinished.display(), &error))?;
            OUTSIDE.sync_dir(&target).map_err(|error| Error::io("sync directory", target.display(), &error))?;
        }
        Ok(NamedFile { name, half: file.reference.clone(), size_bytes: file.size_bytes })
    }
}

fn make(folder: &Path) -> Result<()> {
    make_folders(&OUTSIDE, folder).map_err(|error| Error::io("make directory", folder.display(), &error))
}

/// Writes a file that is there as a whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut unfinished = path.as_os_str().to_os_string();
    unfinished.push(UNFINISHED);
    let unfinished = Path::new(&unfinished);
    let make = || {
        let mut file = OUTSIDE.create(unfinished)?;
        file.append(bytes)?;
        file.sync()?;
        OUTSIDE.rename(unfinished, path)
    };
    make().map_err(|error| {
        let _ = OUTSIDE.remove_file(unfinished);
        Error::io("write", path.display(), &error)
    })
}
