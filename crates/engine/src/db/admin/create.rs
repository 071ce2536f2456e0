//! Creating, truncating and dropping tables.

use super::super::regions::check_policy;
use super::super::Database;
use super::namespaces::check_quota;
use crate::db::operations::witness::add_table;
use crate::db::state::open_region::open_region;
use crate::db::state::tables::TableHandle;
use crate::manifest::{new_region, Edit, RegionEntry, TableEntry};
use crate::region::{table_durability, Quiet, Region};
use crate::settings::Settings;
use crate::store::{Services, Store};
use rowstone_model::schema::{SanityLimits, TableDescriptor, TableName, TableState};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

impl Database {
    pub(super) fn do_create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()> {
        self.shared.check_changeable()?;
        if table.name.is_system() {
            return Err(Error::new(
                ErrorKind::Constraint,
                format!("table '{}': the namespace 'hbase' is for system tables", table.name),
            ));
        }
        self.make_table(table, splits)
    }

    /// Creates a table in the namespace `hbase` unless it exists.
    pub(in crate::db) fn make_system_table(&self, table: TableDescriptor) -> Result<()> {
        if self.shared.tables.find(&table.name).is_ok() {
            return Ok(());
        }
        self.shared.check_changeable()?;
        self.make_table(table, Vec::new())
    }

    fn make_table(&self, mut table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()> {
        apply_version_default(&mut table, &self.shared.settings);
        check_descriptor(&table, &self.shared.settings)?;
        let splits = sorted_splits(splits)?;
        let _ddl = self.shared.begin_schema_change()?;
        self.find_namespace(table.name.namespace())?;
        if self.shared.state().tables.contains_key(&table.name) {
            let message = format!("table '{}' exists already (TableExistsException)", table.name);
            return Err(Error::new(ErrorKind::TableExists, message));
        }
        check_quota(&self.shared.state(), table.name.namespace(), 1, splits.len() + 1)?;
        let entry = self.new_table(table, &splits);
        let regions = self.open_all(&entry)?;
        let TableEntry { descriptor: table, regions: entries, .. } = entry;
        self.shared.commit_change(vec![Edit::CreateTable { descriptor: table.clone(), regions: entries }], || ())?;
        self.make_directories(&table.name);
        add_table(&self.shared, TableHandle::new(table, regions, true));
        Ok(())
    }

    /// Builds the manifest entry of a table without data.
    fn new_table(&self, descriptor: TableDescriptor, splits: &[Vec<u8>]) -> TableEntry {
        let regions = self.new_regions(&descriptor, splits);
        TableEntry { descriptor, state: TableState::Enabled, regions }
    }

    fn new_regions(&self, table: &TableDescriptor, splits: &[Vec<u8>]) -> Vec<RegionEntry> {
        let region_id = self.shared.state().next_region_id(self.shared.system.clock.now_ms());
        let starts = std::iter::once(Vec::new()).chain(splits.iter().cloned());
        let ends = splits.iter().cloned().chain(std::iter::once(Vec::new()));
        let infos = starts.zip(ends).map(|(start, end)| new_region(&table.name, start, end, region_id));
        infos.map(|info| RegionEntry::new(info, table)).collect()
    }

    /// Creates the directories of all stores, so that a family without data has an empty one. They only serve users
    /// who list the folder; the first file of a store creates its own directory.
    pub(super) fn make_directories(&self, name: &TableName) {
        let state = self.shared.state();
        for region in state.tables.get(name).iter().flat_map(|table| &table.regions) {
            for family in region.stores.keys() {
                let path = self.shared.path(&crate::manifest::store_directory(&region.info, family));
                let _ = self.shared.system.files.create_dir_all(&path);
            }
        }
    }

    /// Opens the regions of a table that the manifest does not name yet. If one cannot be opened, nothing has
    /// changed.
    pub(super) fn open_all(&self, table: &TableEntry) -> Result<Vec<Arc<Region>>> {
        table.regions.iter().map(|entry| open_region(&self.shared, table, entry)).collect()
    }

    pub(super) fn do_drop_table(&self, name: &TableName) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let handle = self.shared.tables.find(name)?;
        check_disabled(&handle, "dropped")?;
        let regions = handle.regions();
        let quiet: Vec<Quiet<'_>> = regions.iter().map(|region| region.quiesce()).collect();
        self.shared.commit_change(vec![Edit::DropTable { table: name.clone() }], || ())?;
        self.shared.tables.remove(name);
        self.discard_regions(&regions, &quiet);
        self.remove_directory(&format!("data/{}/{}", name.namespace(), name.qualifier()));
        Ok(())
    }

    pub(super) fn do_truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let handle = self.shared.tables.find(name)?;
        check_disabled(&handle, "truncated")?;
        let old = handle.regions();
        let splits: Vec<Vec<u8>> = if preserve_splits {
            old.iter().skip(1).map(|region| region.info().start_key.clone()).collect()
        } else {
            Vec::new()
        };
        let entry = self.new_table(TableDescriptor::clone(&handle.descriptor()), &splits);
        let new = self.open_all(&entry)?;
        let enable = Edit::SetTableState { table: name.clone(), state: TableState::Enabled };
        let quiet: Vec<Quiet<'_>> = old.iter().map(|region| region.quiesce()).collect();
        let edit = Edit::SetRegions { table: name.clone(), regions: entry.regions };
        self.shared.commit_change(vec![edit, enable], || ())?;
        self.make_directories(name);
        handle.set_regions(new);
        handle.set_enabled(true);
        self.discard_regions(&old, &quiet);
        Ok(())
    }

    /// Closes regions that the manifest no longer names and removes their files.
    pub(super) fn discard_regions(&self, regions: &[Arc<Region>], quiet: &[Quiet<'_>]) {
        for (region, quiet) in regions.iter().zip(quiet) {
            region.discard(quiet);
            region.stores().iter().for_each(|store| self.remove_store(store));
            let info = region.info();
            self.remove_directory(&format!(
                "data/{}/{}/{}",
                info.table.namespace(),
                info.table.qualifier(),
                info.encoded_name
            ));
        }
    }

    /// Removes the files of a store that the manifest no longer names.
    pub(super) fn remove_store(&self, store: &Store) {
        let paths: Vec<String> = store.files().iter().flat_map(|file| file.paths().collect::<Vec<_>>()).collect();
        self.shared.remove_files(&paths);
        self.shared.remove_folder_of_gone(store.mob_directory());
        self.remove_directory(store.directory());
    }

    /// Removes a directory if it is empty. A non-empty one is swept at the next open.
    pub(super) fn remove_directory(&self, relative: &str) {
        let _ = self.shared.system.files.remove_dir(&self.shared.path(relative));
    }
}

pub(super) fn check_disabled(handle: &TableHandle, what: &str) -> Result<()> {
    if handle.is_enabled() {
        return Err(Error::new(
            ErrorKind::TableNotDisabled,
            format!("table '{}' must be disabled before it is {what} (TableNotDisabledException)", handle.name()),
        ));
    }
    Ok(())
}

/// Stores the number of versions in families that do not set it, so that a later change of the default does not
/// affect them.
pub(super) fn apply_version_default(table: &mut TableDescriptor, settings: &Settings) {
    for family in table.families.values_mut() {
        let default = settings.number("hbase.column.max.version").to_string();
        family.attributes.entry("VERSIONS".into()).or_insert(default);
    }
}

/// Refuses families and settings that a store could not open.
pub(super) fn check_descriptor(table: &TableDescriptor, settings: &Settings) -> Result<()> {
    table.family_options()?;
    table.options()?;
    table_durability(table)?;
    check_encryption(table)?;
    if settings.flag("hbase.table.sanity.checks") {
        table.check_sanity(SanityLimits {
            max_file_bytes: settings.number("hbase.hregion.max.filesize.limit"),
            flush_bytes: settings.number("hbase.hregion.memstore.flush.size.limit"),
        })?;
    }
    check_policy(table, settings)?;
    settings.overridden_by(&table.settings())?;
    table.families.values().try_for_each(|family| settings.overridden_by(&family.settings()).map(|_| ()))
}

/// Refuses encryption settings: users must not believe that files are encrypted when they are not.
fn check_encryption(table: &TableDescriptor) -> Result<()> {
    for family in table.families.values() {
        if let Some(cipher) = family.attribute("ENCRYPTION") {
            let name = rowstone_model::codec::printable(&family.name);
            let message =
                format!("family '{name}': ENCRYPTION => '{cipher}' is not supported: store files are never encrypted");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    }
    Ok(())
}

fn sorted_splits(mut splits: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
    splits.sort();
    if splits.first().is_some_and(Vec::is_empty) {
        return Err(Error::invalid("a split key is empty; the first region always starts at the empty key"));
    }
    if let Some(pair) = splits.windows(2).find(|pair| pair[0] == pair[1]) {
        let key = rowstone_model::codec::printable(&pair[0]);
        return Err(Error::invalid(format!("split key '{key}' is given twice")));
    }
    for split in &splits {
        rowstone_model::cell::check_row(split)?;
    }
    Ok(splits)
}
