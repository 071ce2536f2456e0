//! Writes of several regions as one record of the log, and the witness that can request them.
//!
//! 1. The rows of every region are locked, and its cells planned, as for a write of its own.
//! 2. While none of them is being flushed, each region checks whether it accepts writes. The log then stores one
//!    record with a part for each region. A crash leaves all parts or none.
//! 3. The parts are applied, and become visible in their order: a reader who sees a later part sees those before
//!    it.
//!
//! A region's files may come to contain its part while another's is still only in the log: a flush syncs the log
//! first. After the log failed that is not possible, so regions that were written together are flushed together
//! ([`flush_together`]).

use super::plan::WritePlan;
use super::row_locks::RowGuards;
use super::Region;
use crate::wal::Part;
use rowstone_model::cell::{CellBuffer, CellType, LATEST_TIMESTAMP};
use rowstone_model::codec::printable;
use rowstone_model::operations::{Durability, Mutation, MutationKind};
use rowstone_model::schema::RegionInfo;
use rowstone_model::{Error, Result};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Called for every write of a region, when its rows are locked and its cells are final.
pub trait Witness: Send + Sync {
    /// Performs the write, alone or with other changes that belong to it.
    fn write(&self, write: &Write<'_>) -> Result<()>;
    /// Called before the region's recent cells are flushed.
    fn pre_flush(&self, region: &RegionInfo) -> Result<()>;
    /// Called after a flush.
    fn post_flush(&self, region: &RegionInfo) -> Result<()>;
    /// Called before files of the region are merged.
    fn pre_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()>;
    /// Called after files were merged.
    fn post_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()>;
}

/// A planned write. Its rows are locked.
pub struct Write<'w> {
    region: &'w Region,
    plan: &'w WritePlan,
    now: i64,
    looked_at: Option<&'w [u8]>,
}

impl<'w> Write<'w> {
    pub(super) fn new(region: &'w Region, plan: &'w WritePlan, now: i64, looked_at: Option<&'w [u8]>) -> Self {
        Write { region, plan, now, looked_at }
    }

    /// The final cells.
    pub fn cells(&self) -> &CellBuffer {
        &self.plan.cells
    }

    /// The rows, each once, in the order of their first cells.
    pub fn rows(&self) -> Vec<&[u8]> {
        let mut rows = rows_of(&self.plan.cells);
        rows.extend(self.looked_at);
        rows
    }

    /// The time of the write.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Performs the write by itself.
    pub fn alone(&self) -> Result<()> {
        self.region.write_alone(self.plan, self.now)
    }

    /// Performs the write by itself, and always logs it. Other writes that follow from it are in the log, and must
    /// not survive without it.
    pub fn alone_logged(&self) -> Result<()> {
        if self.plan.durability > Durability::SkipWal {
            return self.alone();
        }
        let WritePlan { cells, nonce, .. } = self.plan;
        let plan = WritePlan { cells: cells.clone(), durability: Durability::AsyncWal, nonce: *nonce };
        self.region.write_alone(&plan, self.now)
    }

    /// Performs the write together with others, which become visible first.
    pub fn with(&self, others: &[Planned<'_>]) -> Result<()> {
        let own = (self.region, self.plan);
        let parts = others.iter().map(|other| (other.region, &other.plan)).chain([own]);
        let parts: Vec<_> = parts.filter(|(_, plan)| !plan.cells.is_empty()).collect();
        write_record(&parts, durability_of(&parts), self.now)
    }
}

/// The rows of cells, each once, in the order of their first cells.
pub fn rows_of(cells: &CellBuffer) -> Vec<&[u8]> {
    let mut seen = BTreeSet::new();
    cells.iter().map(|cell| cell.row()).filter(|row| seen.insert(*row)).collect()
}

/// A planned write to a region. Its rows are locked until this is dropped.
pub struct Planned<'r> {
    region: &'r Region,
    plan: WritePlan,
    _locks: RowGuards<'r>,
}

impl Planned<'_> {
    /// The final cells.
    pub fn cells(&self) -> &CellBuffer {
        &self.plan.cells
    }
}

impl Region {
    /// Locks the rows of puts and deletes and plans their cells. Their time is `now`, or the clock's after locking.
    ///
    /// # Errors
    /// `InvalidArgument` for increments, appends, and deletes of "the newest version", because they read first.
    /// Otherwise the errors of a write.
    pub fn plan(&self, mutations: &[Mutation], now: Option<i64>) -> Result<Planned<'_>> {
        self.check_mutations(mutations)?;
        mutations.iter().try_for_each(check_plain)?;
        let rows = mutations.iter().map(|mutation| mutation.row.as_slice());
        let locks = if self.has_witness() { self.locks.exclusive_many(rows)? } else { self.locks.shared_many(rows)? };
        let now = now.unwrap_or_else(|| self.now());
        let mut plan = WritePlan::default();
        for mutation in mutations {
            // The write as a whole decides for mutations without a durability of their own.
            let durability = match mutation.durability {
                Durability::UseDefault => Durability::SkipWal,
                asked => asked,
            };
            match mutation.kind {
                MutationKind::Put => plan.add_put(mutation, durability, now),
                _ => {
                    let asked = plan.durability;
                    self.plan_delete(&mut plan, mutation, now)?;
                    plan.durability = asked.max(durability);
                }
            }
        }
        self.check_cells(&plan.cells)?;
        Ok(Planned { region: self, plan, _locks: locks })
    }

    /// Passes a row to the witness while no one else can write it.
    pub fn touch(&self, row: &[u8]) -> Result<()> {
        let _lock = self.locks.exclusive(row)?;
        let now = self.now();
        match self.witness() {
            Some(witness) => witness.write(&Write::new(self, &WritePlan::default(), now, Some(row))),
            None => Ok(()),
        }
    }

    /// Sets the witness of every write that begins from now on. Returns whether earlier writes may be running without one:
    /// see [`Region::wait_for_writes`].
    pub fn set_witness(&self, witness: Option<Arc<dyn Witness>>) -> bool {
        let is_there = witness.is_some();
        *self.witness.write() = witness;
        let was_there = self.has_witness.swap(is_there, Ordering::SeqCst);
        is_there && !was_there
    }

    /// Returns when all writes have ended that are running now. The caller must hold no lock that a write may need.
    pub fn wait_for_writes(&self) {
        self.locks.wait_for_all();
    }

    #[inline]
    pub(super) fn has_witness(&self) -> bool {
        self.has_witness.load(Ordering::Acquire)
    }

    pub(super) fn witness(&self) -> Option<Arc<dyn Witness>> {
        self.has_witness().then(|| self.witness.read().clone()).flatten()
    }

    /// Whether it was written together with another region and the log has failed, so that the log no longer keeps
    /// them together.
    pub(super) fn is_tied(&self) -> bool {
        self.was_together.load(Ordering::Acquire) && self.services.log_has_failed()
    }
}

fn check_plain(mutation: &Mutation) -> Result<()> {
    if mutation.guard.is_some() {
        return Err(Error::internal("a guard cannot read rows of several tables at once"));
    }
    let is_newest = |cell: rowstone_model::cell::Cell<'_>| {
        cell.cell_type() == CellType::Delete && cell.timestamp() == LATEST_TIMESTAMP
    };
    let what = match mutation.kind {
        MutationKind::Put => return Ok(()),
        MutationKind::Delete if !mutation.cells.iter().any(is_newest) => return Ok(()),
        MutationKind::Delete => "a delete of the newest version",
        MutationKind::Increment => "an increment",
        MutationKind::Append => "an append",
    };
    let row = printable(&mutation.row);
    Err(Error::invalid(format!("{what} of row '{row}' cannot be part of a change of several tables: it reads first")))
}

/// Writes the plans for several regions as one record. They become visible in this order.
pub fn write_all(parts: &[Planned<'_>], now: i64) -> Result<()> {
    let parts: Vec<_> =
        parts.iter().map(|part| (part.region, &part.plan)).filter(|(_, plan)| !plan.cells.is_empty()).collect();
    write_record(&parts, durability_of(&parts), now)
}

/// The strongest durability requested; if none was, the strongest of the tables.
fn durability_of(parts: &[(&Region, &WritePlan)]) -> Durability {
    let asked = parts.iter().map(|(_, plan)| plan.durability).max().unwrap_or_default();
    if asked > Durability::SkipWal {
        return asked;
    }
    let defaults = parts.iter().map(|(region, _)| region.effective_durability(Durability::UseDefault));
    defaults.max().unwrap_or_default()
}

/// Writes one record for all. It is always logged, which makes it atomic.
fn write_record(parts: &[(&Region, &WritePlan)], durability: Durability, now: i64) -> Result<()> {
    let Some((first, _)) = parts.first() else { return Ok(()) };
    let mut in_order: Vec<&Region> = parts.iter().map(|(region, _)| *region).collect();
    in_order.sort_by(|left, right| {
        let key = |region: &Region| (region.info.table.clone(), region.info.start_key.clone());
        key(left).cmp(&key(right))
    });
    // In the order in which a merge locks them.
    let _updates: Vec<_> = in_order.iter().map(|region| region.updates.read()).collect();
    for (region, plan) in parts {
        region.check_writable()?;
        region.check_planned(&plan.cells)?;
        region.was_together.store(true, Ordering::Release);
    }
    let cells: Vec<Part<'_>> =
        parts.iter().map(|(region, plan)| Part { region: region.key, cells: plan.cells.as_bytes() }).collect();
    let nonce = parts.iter().find_map(|(_, plan)| plan.nonce);
    let mut begun = Vec::with_capacity(parts.len());
    let logged = first.services.log_write(&cells, now, durability.max(Durability::AsyncWal), nonce, &mut |index| {
        let id = parts.get(index).map_or(0, |(region, _)| region.mvcc.begin());
        begun.push(id);
        id
    });
    if logged.is_ok() {
        parts.iter().zip(&begun).for_each(|((region, plan), id)| region.apply(&plan.cells, *id));
    }
    parts.iter().zip(&begun).for_each(|((region, _), id)| {
        region.mvcc.complete(*id);
        region.writes.fetch_add(1, Ordering::Relaxed);
    });
    logged
}
