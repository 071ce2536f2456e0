//! Folders that survive a power loss: a folder's own name is durable after a sync of its parent.

use super::FileSystem;
use std::io;
use std::path::Path;

/// Syncs the folders from the parent of `folder` up to `root`. After a power loss `folder` then exists if `root`
/// does.
pub fn sync_folders(files: &dyn FileSystem, root: &Path, folder: &Path) -> io::Result<()> {
    let above = folder.ancestors().skip(1).take_while(|above| above.starts_with(root));
    above.collect::<Vec<_>>().into_iter().rev().try_for_each(|above| files.sync_dir(above))
}

/// Syncs all folders above `folder`, as far as permissions allow. In a folder that may not be synced, the process
/// created none.
pub fn sync_ancestors(files: &dyn FileSystem, folder: &Path) -> io::Result<()> {
    let here = Path::new(".");
    let above = folder.ancestors().skip(1).map(|above| if above.as_os_str().is_empty() { here } else { above });
    above.into_iter().try_for_each(|above| match files.sync_dir(above) {
        Err(error) if cannot_hold_ours(error.kind()) => Ok(()),
        outcome => outcome,
    })
}

fn cannot_hold_ours(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem};
    matches!(kind, PermissionDenied | InvalidInput | ReadOnlyFilesystem)
}

/// Creates `folder` and its missing parents; all of it is durable on return.
pub fn make_folders(files: &dyn FileSystem, folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !files.exists(above));
    let Some(first) = missing.last() else { return Ok(()) };
    files.create_dir_all(folder)?;
    match first.parent() {
        // A relative path begins in the working directory.
        Some(parent) if parent.as_os_str().is_empty() => {
            files.sync_dir(Path::new("."))?;
            sync_folders(files, first, folder)
        }
        Some(parent) => sync_folders(files, parent, folder),
        None => Ok(()),
    }
}
