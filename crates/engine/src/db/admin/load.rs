//! Bulk load: adding externally written files to the regions of a table. Sources: HBase's `BulkLoadHFilesTool`,
//! which cuts files at region boundaries, and `SecureBulkLoadManager`.
//!
//! 1. Every file is opened and checked. If one is refused, nothing has changed.
//! 2. Each is copied into the stores it belongs to: unchanged if it is within one region, else cut, cell by cell.
//! 3. Recent cells are flushed, as in HBase. Then all regions take their copies (`Region::begin_load`), and one
//!    edit of the manifest names them all. Unlike in HBase, a load over several regions is atomic.

use super::super::quotas::check_bulk_load;
use super::super::Database;
use crate::db::state::required_observer::check_way_around;
use crate::db::state::tables::TableHandle;
use crate::hfile::Reader;
use crate::mob::refuse_references;
use crate::region::{Load, Loaded, Loading, Region};
use crate::store::{Services, StagedFile, Store};
use crate::sys::{FileSystem, RealFileSystem};
use rowstone_model::admin::StoreFileInfo;
use rowstone_model::cell::Cell;
use rowstone_model::codec::printable;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A checked file.
struct Incoming {
    family: Vec<u8>,
    reader: Arc<Reader>,
    first_row: Vec<u8>,
    last_row: Vec<u8>,
}

impl Incoming {
    fn is_within(&self, region: &Region) -> bool {
        region.info().contains(&self.first_row) && region.info().contains(&self.last_row)
    }

    fn overlaps(&self, region: &Region) -> bool {
        let info = region.info();
        info.start_key.as_slice() <= self.last_row.as_slice()
            && (info.end_key.is_empty() || self.first_row.as_slice() < info.end_key.as_slice())
    }
}

/// The machine's file system. Files outside the database are on it even if the database is in memory.
const OUTSIDE: RealFileSystem = RealFileSystem;

/// Total size of the files. A file whose size cannot be read counts as 0; opening it reports the error.
fn outside_bytes(files: &[(Vec<u8>, PathBuf)]) -> u64 {
    files.iter().filter_map(|(_, path)| OUTSIDE.open(path).and_then(|file| file.len()).ok()).sum()
}

impl Database {
    pub(super) fn do_bulk_load(&self, name: &TableName, files: &[(Vec<u8>, PathBuf)]) -> Result<Vec<StoreFileInfo>> {
        self.shared.check_changeable()?;
        // Regions and families do not change meanwhile.
        let _ddl = self.shared.begin_schema_change()?;
        let table = self.shared.tables.find(name)?;
        table.check_enabled()?;
        check_way_around(&table.descriptor(), "a bulk load")?;
        check_bulk_load(&self.shared, &table, files, outside_bytes(files))?;
        let mut incoming = Vec::with_capacity(files.len());
        for (family, path) in files {
            incoming.extend(self.check(&table, family, path)?);
        }
        let staged = self.stage(&table, &incoming)?;
        let outcome = self.take(&staged);
        if outcome.is_err() {
            // Copies that already have their final names are not found under the staged ones.
            staged.iter().for_each(|(_, loads)| unstage(loads));
        }
        outcome
    }

    /// Adds the staged copies to their regions with one edit.
    fn take(&self, staged: &[(Arc<Region>, Vec<Load>)]) -> Result<Vec<StoreFileInfo>> {
        for (region, _) in staged {
            region.flush()?;
        }
        let mut loadings: Vec<Loading<'_>> = Vec::with_capacity(staged.len());
        for (region, loads) in staged {
            match region.begin_load(loads) {
                Ok(loading) => loadings.push(loading),
                Err(error) => {
                    give_up(loadings, &Error::internal("nothing refers to it"));
                    return Err(error);
                }
            }
        }
        let changes = loadings.iter().flat_map(Loading::changes).collect();
        if let Err(error) = self.shared.commit_files(changes) {
            give_up(loadings, &error);
            return Err(error);
        }
        let loaded = staged.iter().zip(loadings).map(|((region, _), loading)| (region, loading.finish()));
        Ok(loaded.flat_map(|(region, files)| self.describe_loaded(region, &files)).collect())
    }

    fn describe_loaded(&self, region: &Region, loaded: &[Loaded]) -> Vec<StoreFileInfo> {
        let files = loaded.iter().flat_map(|(store, files)| files.iter().map(move |file| (store, file)));
        files.map(|(store, file)| self.describe_file(region, store, file)).collect()
    }

    /// Opens a file and checks that the family can take it. `None` for a file without cells.
    fn check(&self, table: &TableHandle, family: &[u8], path: &Path) -> Result<Option<Incoming>> {
        if !table.descriptor().families.contains_key(family) {
            return Err(Error::new(
                ErrorKind::NoSuchColumnFamily,
                format!("table '{}' has no column family '{}' for {}", table.name(), printable(family), path.display()),
            ));
        }
        let reader = self.shared.open_outside(&OUTSIDE, path)?;
        let info = reader.info();
        let (Some(first), Some(last)) = (&info.first_key, &info.last_key) else { return Ok(None) };
        let row = |key: &[u8]| -> Result<Vec<u8>> {
            let cell = Cell::new(key, &[], &[], 0).map_err(|error| Error::internal(error.reason))?;
            if cell.family() != family {
                return Err(Error::invalid(format!(
                    "{} holds cells of family '{}', not of '{}'",
                    path.display(),
                    printable(cell.family()),
                    printable(family)
                )));
            }
            Ok(cell.row().to_vec())
        };
        let (first_row, last_row) = (row(first)?, row(last)?);
        refuse_references(&reader)?;
        Ok(Some(Incoming { family: family.to_vec(), first_row, last_row, reader }))
    }

    /// Copies the files into the stores they belong to, or none of them.
    fn stage(&self, table: &TableHandle, incoming: &[Incoming]) -> Result<Vec<(Arc<Region>, Vec<Load>)>> {
        let mut staged: Vec<(Arc<Region>, Vec<Load>)> = Vec::new();
        for region in table.regions().iter() {
            let mut loads: Vec<Load> = Vec::new();
            let copied = incoming.iter().filter(|file| file.overlaps(region)).try_for_each(|file| {
                let Some(store) = region.stores().get(&file.family).cloned() else { return Ok(()) };
                let copy = stage_file(&store, region, file)?;
                add(&mut loads, store, copy);
                Ok(())
            });
            if let Err(error) = copied {
                unstage(&loads);
                staged.iter().for_each(|(_, loads)| unstage(loads));
                return Err(error);
            }
            if !loads.is_empty() {
                staged.push((Arc::clone(region), loads));
            }
        }
        Ok(staged)
    }
}

fn stage_file(store: &Store, region: &Region, file: &Incoming) -> Result<Option<StagedFile>> {
    if file.is_within(region) {
        store.stage_copy(&OUTSIDE, &file.reader).map(Some)
    } else {
        store.stage_part(&file.reader, region.info())
    }
}

/// Adds a region's copy. A region without one takes no part: all rows of the file may lie before or after it.
fn add(loads: &mut Vec<Load>, store: Arc<Store>, copy: Option<StagedFile>) {
    let Some(copy) = copy else { return };
    match loads.iter_mut().find(|load| Arc::ptr_eq(&load.store, &store)) {
        Some(load) => load.files.push(copy),
        None => loads.push(Load { store, files: vec![copy] }),
    }
}

fn give_up(loadings: Vec<Loading<'_>>, error: &Error) {
    loadings.into_iter().for_each(|loading| loading.give_up(error));
}

fn unstage(loads: &[Load]) {
    loads.iter().for_each(|load| load.store.unstage(&load.files));
}
