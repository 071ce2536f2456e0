//! Altering tables: families and attributes (online by default), enabling and disabling.

use super::super::Database;
use super::create::{apply_version_default, check_descriptor};
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::manifest::Edit;
use crate::region::{Halted, Quiet, Region};
use crate::store::Store;
use rowstone_model::schema::{TableDescriptor, TableName, TableState};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

impl Database {
    /// Replaces the descriptor, which has to be `old`, unless that is `None`. Source: HBase's `ModifyTableProcedure`.
    pub(super) fn do_alter_table(&self, old: Option<&TableDescriptor>, mut table: TableDescriptor) -> Result<()> {
        self.shared.check_changeable()?;
        apply_version_default(&mut table, &self.shared.settings);
        check_descriptor(&table, &self.shared.settings)?;
        let _ddl = self.shared.begin_schema_change()?;
        let handle = self.shared.tables.find(&table.name)?;
        if old.is_some_and(|old| !old.is_same(&handle.descriptor())) {
            let message =
                format!("the schema of table '{}' was changed at the same time: read it and try again", table.name);
            return Err(Error::new(ErrorKind::SchemaChanged, message));
        }
        if handle.is_enabled() && !self.shared.settings.flag("hbase.online.schema.update.enable") {
            return Err(Error::new(
                ErrorKind::TableNotDisabled,
                format!(
                    "table '{}' is enabled and hbase.online.schema.update.enable=false (TableNotDisabledException)",
                    table.name
                ),
            ));
        }
        let regions = handle.regions();
        let settings = self.shared.settings.overridden_by(&table.settings())?;
        let goes = |store: &&Arc<Store>| !table.families.contains_key(store.family_name());
        let old_stores = |region: &Region| region.stores().iter().filter(goes).cloned().collect::<Vec<_>>();
        // Halt regions that lose a family. A flush or compaction of that family would fail half way, and a write to
        // it could be lost while the outcome of the change is unknown.
        let shrinks = |region: &&Arc<Region>| !old_stores(region).is_empty();
        let halted = regions.iter().filter(shrinks).map(|region| region.halt(false)).collect::<Result<Vec<_>>>()?;
        let mut edits = vec![Edit::AlterTable { descriptor: table.clone() }];
        let mut new_stores = Vec::with_capacity(regions.len());
        for region in regions.iter() {
            new_stores.push(self.new_stores(&table, region, &mut edits)?);
        }
        self.shared.commit_change(edits, || halted.iter().for_each(Halted::doubt))?;
        let quiet: Vec<Quiet<'_>> = halted.into_iter().map(Halted::into_quiet).collect();
        self.make_directories(&table.name);
        for (region, new_stores) in regions.iter().zip(new_stores) {
            let old_stores = old_stores(region);
            region.alter(&table, settings.clone(), new_stores)?;
            for store in old_stores {
                self.remove_store(&store);
            }
        }
        drop(quiet);
        handle.set_descriptor(table);
        regions.iter().for_each(|region| region.prefetch());
        Ok(())
    }

    /// Opens stores for the families that are new to `region` and adds their edits. The log may still hold records
    /// of an earlier family of the same name; the same commit must mark them as not belonging to the new one.
    fn new_stores(&self, table: &TableDescriptor, region: &Region, edits: &mut Vec<Edit>) -> Result<Vec<Store>> {
        let mut stores = Vec::new();
        for descriptor in table.families.values().filter(|family| region.stores().get(&family.name).is_none()) {
            let settings = self.shared.settings.overridden_by(&table.settings())?;
            let settings = settings.overridden_by(&descriptor.settings())?;
            let last_id = region.sequence_state().0;
            let store = Store::open(region.info(), descriptor.options()?, &settings, &[], last_id, self.services())?;
            stores.push(store);
            edits.push(Edit::ReplaceFiles {
                region: region.info().encoded_name.clone(),
                family: descriptor.name.clone(),
                remove: Vec::new(),
                add: Vec::new(),
                flushed_sequence_id: Some(last_id),
                last_write_ms: None,
            });
        }
        Ok(stores)
    }

    pub(super) fn do_set_table_state(&self, name: &TableName, state: TableState) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let handle = self.shared.tables.find(name)?;
        let enable = state == TableState::Enabled;
        if enable {
            handle.check_enabling()?;
        }
        if handle.is_enabled() == enable {
            let (kind, message) = if enable {
                (ErrorKind::TableNotDisabled, format!("table '{name}' is enabled already (TableNotDisabledException)"))
            } else {
                (ErrorKind::TableNotEnabled, format!("table '{name}' is disabled already (TableNotEnabledException)"))
            };
            return Err(Error::new(kind, message));
        }
        switch_table(&self.shared, &handle, state)
    }
}

/// Enables or disables a table. The caller holds the schema lock.
pub(in crate::db) fn switch_table(shared: &Shared, handle: &TableHandle, state: TableState) -> Result<()> {
    shared.commit_change(vec![Edit::SetTableState { table: handle.name().clone(), state }], || ())?;
    handle.set_enabled(state == TableState::Enabled);
    Ok(())
}
