//! Applying edits to a state. An edit that refers to something unknown is an error, and the state must then be
//! discarded.

use super::edit::Edit;
use super::state::{FileEntry, LogEntry, RegionEntry, SnapshotEntry, State, StoreEntry, TableEntry, BORN_NAMESPACES};
use rowstone_model::codec::printable;
use rowstone_model::schema::{TableDescriptor, TableName, TableState};
use rowstone_model::{Error, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

fn broken<T>(message: String) -> Result<T> {
    Err(Error::internal(format!("manifest edit: {message}")))
}

impl State {
    /// The state after a commit of `edits`.
    ///
    /// # Errors
    /// `Internal` for an edit that does not fit the state.
    pub fn after(&self, edits: &[Edit]) -> Result<State> {
        self.clone().into_after(edits)
    }

    /// The same for a state without other owners: a table is then changed in place, however many regions it has.
    pub fn into_after(self, edits: &[Edit]) -> Result<State> {
        let commits = self.commits + 1;
        Ok(State { commits, ..self.with(edits)? })
    }

    /// Applies `edits` without counting a commit.
    pub(super) fn with(mut self, edits: &[Edit]) -> Result<State> {
        edits.iter().try_for_each(|edit| self.apply(edit))?;
        Ok(self)
    }

    fn apply(&mut self, edit: &Edit) -> Result<()> {
        match edit {
            Edit::PutNamespace { namespace } => {
                self.namespaces.insert(namespace.name.clone(), namespace.clone());
                Ok(())
            }
            Edit::DropNamespace { name } => self.drop_namespace(name),
            Edit::CreateTable { descriptor, regions } => self.create_table(descriptor, regions),
            Edit::AlterTable { descriptor } => {
                self.table(&descriptor.name)?.alter(descriptor);
                Ok(())
            }
            Edit::SetTableState { table, state } => {
                self.table(table)?.state = *state;
                Ok(())
            }
            Edit::DropTable { table } => match self.tables.remove(table) {
                Some(_) => Ok(()),
                None => broken(format!("no table '{table}' to drop")),
            },
            Edit::ReplaceFiles { region, family, remove, add, flushed_sequence_id, last_write_ms } => {
                let entry = self.region_mut(region)?;
                entry.last_write_ms = entry.last_write_ms.max(*last_write_ms);
                entry.replace_files(family, remove, add, *flushed_sequence_id)
            }
            Edit::ReplaceRegions { table, remove, add } => {
                self.note_region_ids(add);
                self.table(table)?.replace_regions(remove, add)
            }
            Edit::SetRegions { table, regions } => {
                check_regions(&self.table(table)?.descriptor, regions)?;
                self.note_region_ids(regions);
                self.table(table)?.regions = regions.clone();
                Ok(())
            }
            Edit::PutSnapshot { snapshot } => self.put_snapshot(snapshot.clone()),
            Edit::DropSnapshot { name } => match self.snapshots.remove(name) {
                Some(_) => Ok(()),
                None => broken(format!("no snapshot '{name}' to drop")),
            },
            Edit::RecordSequenceId { region, sequence_id } => {
                let entry = self.region_mut(region)?;
                entry.last_sequence_id = entry.last_sequence_id.max(*sequence_id);
                Ok(())
            }
            Edit::AddLog { log } => self.add_log(log),
            Edit::RemoveLogs { before } => {
                self.logs = self.logs.split_off(before);
                Ok(())
            }
            Edit::RecordLogEnd { number, synced_bytes } => {
                self.record_log_end(*number, *synced_bytes);
                Ok(())
            }
            Edit::TurnSwitch { switch, on } => {
                if *on {
                    self.off.remove(switch)
                } else {
                    self.off.insert(*switch)
                };
                Ok(())
            }
        }
    }

    fn add_log(&mut self, log: &LogEntry) -> Result<()> {
        if self.logs.last_key_value().is_some_and(|(last, _)| *last >= log.number) {
            return broken(format!("log {} does not follow on the last", log.number));
        }
        self.logs.insert(log.number, log.clone());
        Ok(())
    }

    fn record_log_end(&mut self, number: u64, synced_bytes: u64) {
        if let Some(log) = self.logs.get_mut(&number) {
            log.synced_bytes = log.synced_bytes.max(synced_bytes);
        }
    }

    fn put_snapshot(&mut self, snapshot: SnapshotEntry) -> Result<()> {
        if self.snapshots.contains_key(&snapshot.name) {
            return broken(format!("snapshot '{}' is there already", snapshot.name));
        }
        check_regions(&snapshot.descriptor, &snapshot.regions)?;
        self.snapshots.insert(snapshot.name.clone(), Arc::new(snapshot));
        Ok(())
    }

    fn drop_namespace(&mut self, name: &str) -> Result<()> {
        if BORN_NAMESPACES.contains(&name) || self.tables.keys().any(|table| table.namespace() == name) {
            return broken(format!("namespace '{name}' cannot be dropped"));
        }
        match self.namespaces.remove(name) {
            Some(_) => Ok(()),
            None => broken(format!("no namespace '{name}' to drop")),
        }
    }

    fn create_table(&mut self, descriptor: &TableDescriptor, regions: &[RegionEntry]) -> Result<()> {
        let name = &descriptor.name;
        if !self.namespaces.contains_key(name.namespace()) {
            return broken(format!("no namespace '{}' for table '{name}'", name.namespace()));
        }
        if self.tables.contains_key(name) {
            return broken(format!("table '{name}' is there already"));
        }
        check_regions(descriptor, regions)?;
        self.note_region_ids(regions);
        let (descriptor, regions) = (descriptor.clone(), regions.to_vec());
        let table = TableEntry { descriptor, state: TableState::Enabled, regions };
        self.tables.insert(name.clone(), Arc::new(table));
        Ok(())
    }

    fn note_region_ids(&mut self, regions: &[RegionEntry]) {
        let highest = regions.iter().map(|region| region.info.region_id).max();
        self.last_region_id = self.last_region_id.max(highest.unwrap_or(0));
    }

    fn table(&mut self, name: &TableName) -> Result<&mut TableEntry> {
        match self.tables.get_mut(name) {
            Some(table) => Ok(Arc::make_mut(table)),
            None => broken(format!("no table '{name}'")),
        }
    }

    fn region_mut(&mut self, encoded_name: &str) -> Result<&mut RegionEntry> {
        let is_it = |region: &RegionEntry| region.info.encoded_name == encoded_name;
        // Finds the table first, because making it mutable copies a shared one.
        let table = self.tables.values_mut().find(|table| table.regions.iter().any(is_it));
        match table.and_then(|table| Arc::make_mut(table).regions.iter_mut().find(|region| is_it(region))) {
            Some(region) => Ok(region),
            None => broken(format!("no region {encoded_name}")),
        }
    }
}

impl TableEntry {
    fn alter(&mut self, descriptor: &TableDescriptor) {
        for region in &mut self.regions {
            region.stores.retain(|family, _| descriptor.families.contains_key(family));
            for family in descriptor.families.keys() {
                region.stores.entry(family.clone()).or_default();
            }
        }
        self.descriptor = descriptor.clone();
    }

    fn replace_regions(&mut self, remove: &[String], add: &[RegionEntry]) -> Result<()> {
        for name in remove {
            match self.regions.iter().position(|region| region.info.encoded_name == *name) {
                Some(index) => drop(self.regions.remove(index)),
                None => return broken(format!("no region {name} to remove")),
            }
        }
        self.regions.extend_from_slice(add);
        self.regions.sort_by(|left, right| left.info.start_key.cmp(&right.info.start_key));
        check_regions(&self.descriptor, &self.regions)
    }
}

impl RegionEntry {
    fn replace_files(
        &mut self,
        family: &[u8],
        remove: &[String],
        add: &[FileEntry],
        flushed: Option<u64>,
    ) -> Result<()> {
        let Some(store) = self.stores.get_mut(family) else {
            return broken(format!("region {} has no family '{}'", self.info.encoded_name, printable(family)));
        };
        store.replace_files(remove, add, flushed)?;
        let highest = add.iter().map(|file| file.max_sequence_id).chain(flushed).max();
        self.last_sequence_id = self.last_sequence_id.max(highest.unwrap_or(0));
        if !self.has_references() {
            self.split = None;
        }
        Ok(())
    }
}

impl StoreEntry {
    fn replace_files(&mut self, remove: &[String], add: &[FileEntry], flushed: Option<u64>) -> Result<()> {
        for path in remove {
            match self.files.iter().position(|file| file.path == *path) {
                Some(index) => drop(self.files.remove(index)),
                None => return broken(format!("no file '{path}' to remove")),
            }
        }
        for file in add {
            if self.files.iter().any(|known| known.path == file.path) {
                return broken(format!("file '{}' is there already", file.path));
            }
            self.files.push(file.clone());
        }
        self.flushed_sequence_id = self.flushed_sequence_id.max(flushed.unwrap_or(0));
        Ok(())
    }
}

/// Checks that the regions belong to the table, cover all rows once, in order, and have a store for each family.
fn check_regions(descriptor: &TableDescriptor, regions: &[RegionEntry]) -> Result<()> {
    let name = &descriptor.name;
    let mut encoded_names = BTreeSet::new();
    let mut end: &[u8] = b"";
    for (index, region) in regions.iter().enumerate() {
        let info = &region.info;
        let starts_right = info.start_key == end && (index == 0 || !end.is_empty());
        let ends_right = info.end_key.is_empty() || info.start_key < info.end_key;
        if info.table != *name || !starts_right || !ends_right || !encoded_names.insert(&info.encoded_name) {
            return broken(format!("region {} does not fit into table '{name}'", info.encoded_name));
        }
        if !region.stores.keys().eq(descriptor.families.keys()) {
            return broken(format!("region {} has other families than table '{name}'", info.encoded_name));
        }
        end = &info.end_key;
    }
    if regions.is_empty() || !end.is_empty() {
        broken(format!("the regions of table '{name}' do not reach its end"))
    } else {
        Ok(())
    }
}
