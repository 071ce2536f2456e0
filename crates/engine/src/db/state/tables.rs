//! The open tables and their regions.

use super::required_observer::{unseen, wants_observer};
use super::space::check_writes;
use crate::region::{Region, Witness};
use crate::sys::lock::RwLock;
use arc_swap::ArcSwap;
use rowstone_model::codec::{listed, printable};
use rowstone_model::heat::Heat;
use rowstone_model::observe::TableObserver;
use rowstone_model::operations::Mutation;
use rowstone_model::quota::SpacePolicy;
use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::Arc;

/// Maximum number of look-ups of a row's region while regions are split and merged.
pub(in crate::db) const LOOKS: usize = 1_000;

/// Repeats `work` while it reaches a region that was just split or merged. Tables route to new regions before the
/// old ones refuse, so one more look-up is enough unless the new ones were replaced too.
#[inline]
pub(in crate::db) fn while_moving<T>(mut work: impl FnMut() -> Result<T>) -> Result<T> {
    match work() {
        Err(error) if error.kind() == ErrorKind::RegionNotFound => retry_in_new_region(&mut work, error),
        outcome => outcome,
    }
}

#[cold]
fn retry_in_new_region<T>(work: &mut dyn FnMut() -> Result<T>, mut last: Error) -> Result<T> {
    for _ in 0..LOOKS {
        match work() {
            Err(error) if error.kind() == ErrorKind::RegionNotFound => last = error,
            outcome => return outcome,
        }
    }
    Err(last)
}

/// The observer of a table's operations, and the witness of its regions' writes.
#[derive(Default)]
struct Observers {
    observer: Option<Arc<dyn TableObserver>>,
    witness: Option<Arc<dyn Witness>>,
}

/// An open table.
pub(in crate::db) struct TableHandle {
    name: TableName,
    descriptor: ArcSwap<TableDescriptor>,
    regions: ArcSwap<Vec<Arc<Region>>>,
    is_enabled: AtomicBool,
    is_dropped: AtomicBool,
    is_closed: AtomicBool,
    heat: Heat,
    /// Locked exclusively while observers or the descriptor change, and shared while the list of regions does: so new regions
    /// have the current witness.
    observers: RwLock<Observers>,
    /// Whether there is an observer, or the description requires one. If not, operations skip the look-up.
    is_observed: AtomicBool,
    /// Number of the space policy in force because the table exceeds its limit, or 0.
    space_policy: AtomicI32,
}

impl TableHandle {
    /// Builds a table with these regions, in order of their start keys.
    pub(in crate::db) fn new(descriptor: TableDescriptor, regions: Vec<Arc<Region>>, is_enabled: bool) -> Self {
        TableHandle {
            is_observed: AtomicBool::new(wants_observer(&descriptor)),
            observers: RwLock::default(),
            name: descriptor.name.clone(),
            descriptor: ArcSwap::from_pointee(descriptor),
            regions: ArcSwap::from_pointee(regions),
            is_enabled: AtomicBool::new(is_enabled),
            is_dropped: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            heat: Heat::default(),
            space_policy: AtomicI32::new(0),
        }
    }

    pub(in crate::db) fn name(&self) -> &TableName {
        &self.name
    }

    /// Heat map of reads and writes.
    #[inline]
    pub(in crate::db) fn heat(&self) -> &Heat {
        &self.heat
    }

    pub(in crate::db) fn descriptor(&self) -> Arc<TableDescriptor> {
        self.descriptor.load_full()
    }

    pub(in crate::db) fn set_descriptor(&self, descriptor: TableDescriptor) {
        let observers = self.observers.write();
        self.descriptor.store(Arc::new(descriptor));
        self.note_observer(&observers);
    }

    fn note_observer(&self, observers: &Observers) {
        let is_observed = observers.observer.is_some() || wants_observer(&self.descriptor());
        self.is_observed.store(is_observed, Ordering::Release);
    }

    /// Sets the observer of operations, and the witness of the regions' writes.
    pub(in crate::db) fn set_observer(
        &self,
        observer: Option<Arc<dyn TableObserver>>,
        witness: Option<Arc<dyn Witness>>,
    ) {
        let mut observers = self.observers.write();
        let regions = self.regions();
        let unwatched: Vec<_> = regions.iter().filter(|region| region.set_witness(witness.clone())).collect();
        let old = std::mem::replace(&mut *observers, Observers { observer, witness });
        self.note_observer(&observers);
        // Writes look up the observer with their rows locked.
        drop(observers);
        unwatched.into_iter().for_each(|region| region.wait_for_writes());
        // They may end other threads, or call back.
        drop(old);
    }

    /// Whether operations have to look up an observer.
    #[inline]
    pub(in crate::db) fn is_observed(&self) -> bool {
        self.is_observed.load(Ordering::Acquire)
    }

    pub(in crate::db) fn observer(&self) -> Option<Arc<dyn TableObserver>> {
        self.observers.read().observer.clone()
    }

    /// Refuses writes if a required observer is missing.
    pub(in crate::db) fn check_seen(&self) -> Result<()> {
        if self.is_observed() && self.observer().is_none() && wants_observer(&self.descriptor()) {
            Err(unseen(&self.name))
        } else {
            Ok(())
        }
    }

    pub(in crate::db) fn regions(&self) -> Arc<Vec<Arc<Region>>> {
        self.regions.load_full()
    }

    pub(in crate::db) fn set_regions(&self, regions: Vec<Arc<Region>>) {
        let observers = self.observers.read();
        for region in &regions {
            // No write has begun in a new region.
            region.set_witness(observers.witness.clone());
        }
        self.regions.store(Arc::new(regions));
    }

    /// Drops the regions when the database closes. The program's handles may live on. They must not keep files open, nor
    /// memory in use.
    pub(in crate::db) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.set_regions(Vec::new());
    }

    pub(in crate::db) fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Acquire)
    }

    pub(in crate::db) fn set_enabled(&self, is_enabled: bool) {
        self.is_enabled.store(is_enabled, Ordering::Release);
    }

    pub(in crate::db) fn is_dropped(&self) -> bool {
        self.is_dropped.load(Ordering::Acquire)
    }

    pub(in crate::db) fn mark_dropped(&self) {
        self.is_dropped.store(true, Ordering::Release);
    }

    /// Refuses reads and writes of a disabled or dropped table.
    pub(in crate::db) fn check_enabled(&self) -> Result<()> {
        if self.is_dropped() {
            let message = format!("table '{}' was dropped (TableNotFoundException)", self.name);
            return Err(Error::new(ErrorKind::TableNotFound, message));
        }
        if !self.is_enabled() {
            return Err(Error::new(
                ErrorKind::TableNotEnabled,
                format!("table '{}' is disabled; enable it to read and write (TableNotEnabledException)", self.name),
            ));
        }
        Ok(())
    }

    /// Sets the space policy for writes.
    pub(in crate::db) fn set_space_policy(&self, policy: Option<SpacePolicy>) {
        self.space_policy.store(policy.map_or(0, SpacePolicy::number), Ordering::Relaxed);
    }

    #[inline]
    pub(in crate::db) fn space_policy(&self) -> Option<SpacePolicy> {
        match self.space_policy.load(Ordering::Relaxed) {
            0 => None,
            number => SpacePolicy::from_number(number),
        }
    }

    /// Refuses writes that a limit on space forbids.
    #[inline]
    pub(in crate::db) fn check_space(&self, mutations: &[Mutation]) -> Result<()> {
        self.space_policy().map_or(Ok(()), |policy| check_writes(policy, mutations))
    }

    /// Refuses to enable a table that is disabled because it exceeds its space limit.
    pub(in crate::db) fn check_enabling(&self) -> Result<()> {
        if self.space_policy() != Some(SpacePolicy::Disable) {
            return Ok(());
        }
        let message = format!("Enabling the table '{}' is disallowed due to a violated space quota.", self.name);
        Err(Error::new(ErrorKind::AccessDenied, message))
    }

    /// Runs `work` on the region that holds `row`. If that region was just split or merged, runs it on the one that
    /// holds the row now.
    #[inline]
    pub(in crate::db) fn in_region<T>(&self, row: &[u8], mut work: impl FnMut(&Arc<Region>) -> Result<T>) -> Result<T> {
        while_moving(|| self.with_region(row, &mut work))
    }

    /// The region that holds `row`.
    #[inline]
    pub(in crate::db) fn region_of(&self, row: &[u8]) -> Result<Arc<Region>> {
        self.with_region(row, |region| Ok(Arc::clone(region)))
    }

    /// The region that holds all of `rows`, if there is one.
    pub(in crate::db) fn only_region_of<'r>(&self, rows: impl IntoIterator<Item = &'r [u8]>) -> Option<Arc<Region>> {
        let mut rows = rows.into_iter();
        let region = self.region_of(rows.next()?).ok()?;
        rows.all(|row| region.info().contains(row)).then_some(region)
    }

    /// Runs `work` on the region that holds `row`.
    #[inline]
    pub(in crate::db) fn with_region<T>(&self, row: &[u8], work: impl FnOnce(&Arc<Region>) -> Result<T>) -> Result<T> {
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
        if self.is_closed.load(Ordering::Acquire) {
            return closed_meanwhile();
        }
        Error::new(
            ErrorKind::RegionNotFound,
            format!("no region of table '{}' holds row '{}'", self.name, printable(row)),
        )
    }
}

fn closed_meanwhile() -> Error {
    Error::new(ErrorKind::DatabaseClosed, "the database was closed meanwhile")
}

/// All open tables, by name.
#[derive(Default)]
pub(in crate::db) struct Tables {
    tables: RwLock<BTreeMap<TableName, Arc<TableHandle>>>,
    /// Set when the database is closed, so that late requests do not report a missing table.
    is_closed: AtomicBool,
}

impl Tables {
    pub(in crate::db) fn insert(&self, table: Arc<TableHandle>) {
        self.tables.write().insert(table.name.clone(), table);
    }

    pub(in crate::db) fn remove(&self, name: &TableName) {
        if let Some(table) = self.tables.write().remove(name) {
            table.mark_dropped();
        }
    }

    /// Removes all tables when the database closes.
    pub(in crate::db) fn clear(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.tables.write().clear();
    }

    pub(in crate::db) fn all(&self) -> Vec<Arc<TableHandle>> {
        self.tables.read().values().cloned().collect()
    }

    /// # Errors
    /// `TableNotFound`, with the names of existing tables.
    pub(in crate::db) fn find(&self, name: &TableName) -> Result<Arc<TableHandle>> {
        let tables = self.tables.read();
        tables.get(name).cloned().ok_or_else(|| {
            if self.is_closed.load(Ordering::Acquire) {
                return closed_meanwhile();
            }
            let known = listed(tables.keys());
            Error::new(
                ErrorKind::TableNotFound,
                format!("no table '{name}' (TableNotFoundException); existing tables: {known}"),
            )
        })
    }

    /// Finds a region, and its table, by full or encoded name.
    ///
    /// # Errors
    /// `RegionNotFound`.
    pub(in crate::db) fn find_region(&self, name: &[u8]) -> Result<(Arc<TableHandle>, Arc<Region>)> {
        // A full name ends with the encoded name between dots.
        let encoded = name.strip_suffix(b".").and_then(|name| name.rsplit(|byte| *byte == b'.').next()).unwrap_or(name);
        let is_wanted = |region: &&Arc<Region>| {
            let info = region.info();
            info.encoded_name.as_bytes() == encoded && (encoded == name || info.region_name() == name)
        };
        let found = self.tables.read().values().find_map(|table| {
            let region = table.regions.load().iter().find(is_wanted).cloned();
            region.map(|region| (Arc::clone(table), region))
        });
        found.ok_or_else(|| {
            if self.is_closed.load(Ordering::Acquire) {
                return closed_meanwhile();
            }
            let message = format!("there is no region '{}' (UnknownRegionException)", printable(name));
            Error::new(ErrorKind::RegionNotFound, message)
        })
    }

    /// The region with that encoded name, in any table.
    pub(in crate::db) fn region(&self, encoded_name: &str) -> Option<Arc<Region>> {
        let tables = self.tables.read();
        tables.values().find_map(|table| {
            table.regions.load().iter().find(|region| region.info().encoded_name == encoded_name).cloned()
        })
    }
}
