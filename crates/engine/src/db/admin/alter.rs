//! Changing tables: families and attributes, online by default; enabled or not.

use super::super::tables::TableHandle;
use super::super::Database;
use super::create::{apply_version_default, check_descriptor};
use crate::manifest::Edit;
use crate::store::{Services, Store};
use rowstone_model::schema::{TableDescriptor, TableName, TableState};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

impl Database {
    pub(super) fn do_alter_table(&self, mut table: TableDescriptor) -> Result<()> {
        self.shared.check_writable()?;
        apply_version_default(&mut table, &self.shared.settings);
        check_descriptor(&table, &self.shared.settings)?;
        let _ddl = self.shared.ddl.lock();
        let handle = self.shared.tables.find(&table.name)?;
        if handle.is_enabled() && !self.shared.settings.flag("hbase.online.schema.update.enable") {
            return Err(Error::new(
                ErrorKind::TableNotDisabled,
                format!(
                    "table '{}' is enabled and hbase.online.schema.update.enable=false (TableNotDisabledException)",
                    table.name
                ),
            ));
        }
        let old_stores: Vec<Arc<Store>> = handle
            .regions()
            .iter()
            .flat_map(|region| region.stores().iter().cloned().collect::<Vec<_>>())
            .filter(|store| !table.families.contains_key(store.family_name()))
            .collect();
        self.shared.commit(alter_edits(&handle, &table))?;
        self.make_directories(&table.name)?;
        let settings = self.shared.settings.overridden_by(&table.configuration)?;
        for region in handle.regions().iter() {
            let new_store = |family: &[u8]| self.new_store(&table, region.info(), family, region.sequence_state().0);
            region.alter(&table, settings.clone(), &new_store)?;
        }
        handle.set_descriptor(table);
        for store in old_stores {
            let paths: Vec<String> = store.files().iter().map(|file| file.entry.path.clone()).collect();
            self.shared.remove_files(&paths);
            self.remove_directory(store.directory());
        }
        Ok(())
    }

    /// A store of a family that the table did not have.
    fn new_store(
        &self,
        table: &TableDescriptor,
        region: &rowstone_model::schema::RegionInfo,
        family: &[u8],
        last_sequence_id: u64,
    ) -> Result<Store> {
        let descriptor = table.families.get(family).ok_or_else(|| Error::internal("a family without description"))?;
        let settings =
            self.shared.settings.overridden_by(&table.configuration)?.overridden_by(&descriptor.configuration)?;
        Store::open(region, descriptor.options()?, &settings, &[], last_sequence_id, self.services())
    }

    pub(super) fn do_set_table_state(&self, name: &TableName, state: TableState) -> Result<()> {
        self.shared.check_writable()?;
        let _ddl = self.shared.ddl.lock();
        let handle = self.shared.tables.find(name)?;
        let enable = state == TableState::Enabled;
        if handle.is_enabled() == enable {
            let (kind, message) = if enable {
                (ErrorKind::TableNotDisabled, format!("table '{name}' is enabled already (TableNotDisabledException)"))
            } else {
                (ErrorKind::TableNotEnabled, format!("table '{name}' is disabled already (TableNotEnabledException)"))
            };
            return Err(Error::new(kind, message));
        }
        self.shared.commit(vec![Edit::SetTableState { table: name.clone(), state }])?;
        handle.set_enabled(enable);
        Ok(())
    }
}

/// The new description, and in the same edit up to where the log has nothing for new families: what an earlier family of that
/// name left there is not theirs.
fn alter_edits(handle: &TableHandle, table: &TableDescriptor) -> Vec<Edit> {
    let known = handle.descriptor();
    let mut edits = vec![Edit::AlterTable { descriptor: table.clone() }];
    for region in handle.regions().iter() {
        let new_families = table.families.keys().filter(|family| !known.families.contains_key(*family));
        edits.extend(new_families.map(|family| Edit::ReplaceFiles {
            region: region.info().encoded_name.clone(),
            family: family.clone(),
            remove: Vec::new(),
            add: Vec::new(),
            flushed_sequence_id: Some(region.sequence_state().0),
        }));
    }
    edits
}
