//! The open tables and their regions.

use crate::region::Region;
use crate::sys::lock::RwLock;
use arc_swap::ArcSwap;
use rowstone_model::codec::printable;
use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// An open table.
pub(super) struct TableHandle {
    name: TableName,
    descriptor: ArcSwap<TableDescriptor>,
    regions: ArcSwap<Vec<Arc<Region>>>,
    is_enabled: AtomicBool,
    is_dropped: AtomicBool,
}

impl TableHandle {
    /// A table with these regions, in order of their start keys.
    pub(super) fn new(descriptor: TableDescriptor, regions: Vec<Arc<Region>>, is_enabled: bool) -> Self {
        TableHandle {
            name: descriptor.name.clone(),
            descriptor: ArcSwap::from_pointee(descriptor),
            regions: ArcSwap::from_pointee(regions),
            is_enabled: AtomicBool::new(is_enabled),
            is_dropped: AtomicBool::new(false),
        }
    }

    pub(super) fn name(&self) -> &TableName {
        &self.name
    }

    pub(super) fn descriptor(&self) -> Arc<TableDescriptor> {
        self.descriptor.load_full()
    }

    pub(super) fn set_descriptor(&self, descriptor: TableDescriptor) {
        self.descriptor.store(Arc::new(descriptor));
    }

    pub(super) fn regions(&self) -> Arc<Vec<Arc<Region>>> {
        self.regions.load_full()
    }

    pub(super) fn set_regions(&self, regions: Vec<Arc<Region>>) {
        self.regions.store(Arc::new(regions));
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Acquire)
    }

    pub(super) fn set_enabled(&self, is_enabled: bool) {
        self.is_enabled.store(is_enabled, Ordering::Release);
    }

    pub(super) fn is_dropped(&self) -> bool {
        self.is_dropped.load(Ordering::Acquire)
    }

    pub(super) fn mark_dropped(&self) {
        self.is_dropped.store(true, Ordering::Release);
    }

    /// Refuses reads and writes of a disabled table.
    pub(super) fn check_enabled(&self) -> Result<()> {
        if !self.is_enabled() {
            return Err(Error::new(
                ErrorKind::TableNotEnabled,
                format!("table '{}' is disabled; enable it to read and write (TableNotEnabledException)", self.name),
            ));
        }
        Ok(())
    }

    /// The region that holds `row`.
    #[inline]
    pub(super) fn region_of(&self, row: &[u8]) -> Result<Arc<Region>> {
        self.with_region(row, |region| Ok(Arc::clone(region)))
    }

    /// What `work` makes of the region that holds `row`.
    #[inline]
    pub(super) fn with_region<T>(&self, row: &[u8], work: impl FnOnce(&Arc<Region>) -> Result<T>) -> Result<T> {
        let regions = self.regions.load();
        let region = match regions.as_slice() {
            [only] => Some(only),
            all => all[..all.partition_point(|region| region.info().start_key.as_slice() <= row)].last(),
        };
        match region.filter(|region| region.info().contains(row)) {
            Some(region) => work(region),
            None => Err(self.no_region(row)),
        }
    }

    fn no_region(&self, row: &[u8]) -> Error {
        Error::new(
            ErrorKind::RegionNotFound,
            format!("no region of table '{}' holds row '{}'", self.name, printable(row)),
        )
    }
}

/// All open tables, by name.
#[derive(Default)]
pub(super) struct Tables {
    tables: RwLock<BTreeMap<TableName, Arc<TableHandle>>>,
}

impl Tables {
    pub(super) fn insert(&self, table: Arc<TableHandle>) {
        self.tables.write().insert(table.name.clone(), table);
    }

    pub(super) fn remove(&self, name: &TableName) {
        if let Some(table) = self.tables.write().remove(name) {
            table.mark_dropped();
        }
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        self.tables.write().clear();
    }

    pub(super) fn all(&self) -> Vec<Arc<TableHandle>> {
        self.tables.read().values().cloned().collect()
    }

    /// # Errors
    /// `TableNotFound`, with the tables there are.
    pub(super) fn find(&self, name: &TableName) -> Result<Arc<TableHandle>> {
        let tables = self.tables.read();
        tables.get(name).cloned().ok_or_else(|| {
            let known: Vec<String> = tables.keys().take(10).map(ToString::to_string).collect();
            let known = if known.is_empty() { "no table yet".to_string() } else { known.join(", ") };
            Error::new(
                ErrorKind::TableNotFound,
                format!("no table '{name}' (TableNotFoundException); there is: {known}"),
            )
        })
    }

    /// The region of that encoded name, in whichever table.
    pub(super) fn region(&self, encoded_name: &str) -> Option<Arc<Region>> {
        let tables = self.tables.read();
        tables.values().find_map(|table| {
            table.regions.load().iter().find(|region| region.info().encoded_name == encoded_name).cloned()
        })
    }
}
