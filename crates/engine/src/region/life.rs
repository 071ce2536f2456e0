//! Changes of a region's families while it is open, and its end: closed with the database, or removed with its
//! table.
//!
//! Locks are taken in this order: `flushing`, `compacting`, `updates`.

use super::Region;
use crate::settings::Settings;
use crate::store::{Store, Stores};
use crate::sys::lock::{MutexGuard, RwLockWriteGuard};
use rowstone_model::operations::Durability;
use rowstone_model::schema::TableDescriptor;
use rowstone_model::{Error, Result};
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// While it exists, no flush and no compaction of the region runs: its files stay as the manifest says.
pub struct Quiet<'r> {
    _flushing: MutexGuard<'r, ()>,
    _compacting: RwLockWriteGuard<'r, ()>,
}

/// Value of the table's attribute `DURABILITY`; `UseDefault` if it is not set.
///
/// # Errors
/// `InvalidArgument` for a durability that HBase does not have.
pub fn table_durability(table: &TableDescriptor) -> Result<Durability> {
    match table.attributes.get("DURABILITY").map(|text| text.to_ascii_uppercase()).as_deref() {
        None | Some("USE_DEFAULT") => Ok(Durability::UseDefault),
        Some("SKIP_WAL") => Ok(Durability::SkipWal),
        Some("ASYNC_WAL") => Ok(Durability::AsyncWal),
        Some("SYNC_WAL") => Ok(Durability::SyncWal),
        Some("FSYNC_WAL") => Ok(Durability::FsyncWal),
        Some(other) => Err(Error::invalid(format!(
            "DURABILITY => '{other}' is unknown; HBase has USE_DEFAULT, SKIP_WAL, ASYNC_WAL, SYNC_WAL and FSYNC_WAL"
        ))),
    }
}

impl Region {
    /// Waits for the running flush, ends running compactions early, and keeps others from beginning.
    pub fn quiesce(&self) -> Quiet<'_> {
        self.stop_compactions();
        let quiet = Quiet { _flushing: self.flushing.lock(), _compacting: self.compacting.write() };
        self.stores().iter().for_each(|store| store.stop_compactions(false));
        quiet
    }

    /// Whether memory holds writes that skipped the log.
    pub fn has_unlogged_writes(&self) -> bool {
        self.has_unlogged.load(Ordering::Relaxed)
    }

    /// Ends running compactions early.
    pub fn stop_compactions(&self) {
        self.stores().iter().for_each(|store| store.stop_compactions(true));
    }

    /// Closes the region with its database. Running writes end; with `can_flush`, cells that only memory holds are
    /// flushed. After that no operation uses a file.
    pub fn shut(&self, can_flush: bool) -> Result<()> {
        self.close();
        let is_unsafe = self.has_unlogged.load(Ordering::Relaxed) || self.services.log_has_failed();
        let flushed = if can_flush && is_unsafe { self.flush().map(|_| ()) } else { Ok(()) };
        let _quiet = self.quiesce();
        self.is_gone.store(true, Ordering::SeqCst);
        flushed
    }

    /// Ends a region that the manifest no longer names. The log need not retain its records.
    pub fn discard(&self, _quiet: &Quiet<'_>) {
        self.close();
        self.is_gone.store(true, Ordering::SeqCst);
        let bytes = self.memstore_bytes.swap(0, Ordering::Relaxed);
        self.services.memory_grew(-(bytes as i64));
        // Logs that cannot be archived now are archived after another flush, or at the next open.
        let _ = self.services.log_flushed(self.key, u64::MAX);
    }

    /// Makes reads and writes fail from now on. Running ones have ended.
    fn close(&self) {
        let _updates = self.updates.write();
        self.is_closed.store(true, Ordering::SeqCst);
    }

    /// Refuses flushes and compactions of files that no longer belong to the region.
    pub(super) fn check_not_gone(&self) -> Result<()> {
        if self.is_gone.load(Ordering::Acquire) {
            return self.check_open();
        }
        Ok(())
    }

    /// Applies the table's new families and settings. Stores of remaining families keep their data; `new_stores`
    /// are those of added families. If families are removed, the region must be quiet.
    pub fn alter(&self, table: &TableDescriptor, settings: Settings, new_stores: Vec<Store>) -> Result<()> {
        let new_stores: Vec<Arc<Store>> = new_stores.into_iter().map(Arc::new).collect();
        let (options, durability) = (table.family_options()?, table_durability(table)?);
        let table_options = table.options()?;
        let _updates = self.updates.write();
        let present = self.stores();
        let mut stores = Vec::with_capacity(options.len());
        for family in options {
            let mut known = present.iter().chain(&new_stores);
            let Some(store) = known.find(|store| store.family_name() == family.name) else {
                return Err(Error::internal("a family without a store"));
            };
            let family_settings = match table.families.get(&family.name) {
                Some(descriptor) => settings.overridden_by(&descriptor.settings())?,
                None => settings.clone(),
            };
            store.set_options(family, &family_settings);
            stores.push(Arc::clone(store));
        }
        if present.iter().any(|store| !table.families.contains_key(store.family_name())) {
            self.lost_families.store(true, Ordering::Relaxed);
        }
        self.stores.store(Arc::new(Stores::new(stores)));
        self.limits.set(&settings, &table_options);
        self.locks.set_wait(settings.size("hbase.rowlock.wait.duration"));
        *self.settings.write() = settings;
        self.set_table_durability(durability);
        self.recount_memory();
        Ok(())
    }

    /// Fills the cache for families whose altered options request it.
    pub fn prefetch(&self) {
        self.stores().iter().filter(|store| store.wants_prefetch()).for_each(|store| store.prefetch(&|| false));
    }

    pub(super) fn set_table_durability(&self, durability: Durability) {
        let durability = match durability {
            Durability::UseDefault => self.services.default_durability(),
            other => other,
        };
        self.durability.store(durability as u8, Ordering::Relaxed);
    }
}
