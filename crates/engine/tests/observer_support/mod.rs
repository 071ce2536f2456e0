//! An observer that interrupts an operation at one moment: a race whose outcome is always the same.

use rowstone_model::cell::CellBuffer;
use rowstone_model::observe::{Before, Companion, Hooks, TableObserver};
use rowstone_model::operations::{CellBatch, Get, Mutation, RowMutations, Scan};
use rowstone_model::schema::RegionInfo;
use rowstone_model::Result;
use std::sync::Arc;

type OnFlush = Box<dyn Fn(&RegionInfo) -> Result<()> + Send + Sync>;
type OnBatch = Box<dyn Fn(&CellBuffer) -> Result<()> + Send + Sync>;

/// Calls its function before each flush, or when the cells of a write are final and not yet written.
pub struct Interruption {
    on_flush: Option<OnFlush>,
    on_batch: Option<OnBatch>,
}

impl Interruption {
    pub fn before_flush(call: impl Fn(&RegionInfo) -> Result<()> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Interruption { on_flush: Some(Box::new(call)), on_batch: None })
    }

    pub fn before_write(call: impl Fn(&CellBuffer) -> Result<()> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Interruption { on_flush: None, on_batch: Some(Box::new(call)) })
    }
}

impl TableObserver for Interruption {
    fn hooks(&self) -> Hooks {
        if self.on_flush.is_some() {
            Hooks::FLUSH
        } else {
            Hooks::BATCH
        }
    }
    fn pre_flush(&self, region: &RegionInfo) -> Result<()> {
        self.on_flush.as_ref().map_or(Ok(()), |call| call(region))
    }
    fn pre_batch(&self, _: &[&[u8]], cells: &CellBuffer) -> Result<Vec<Companion>> {
        self.on_batch.as_ref().map_or(Ok(()), |call| call(cells))?;
        Ok(Vec::new())
    }
    fn post_flush(&self, _: &RegionInfo) -> Result<()> {
        Ok(())
    }
    fn pre_get(&self, get: Get) -> Result<Before<Get, CellBatch>> {
        Ok(Before::Go(get))
    }
    fn post_get(&self, _: &Get, found: CellBatch) -> Result<CellBatch> {
        Ok(found)
    }
    fn pre_scan(&self, scan: Scan) -> Result<Scan> {
        Ok(scan)
    }
    fn post_scan(&self, _: &Scan) -> Result<()> {
        Ok(())
    }
    fn pre_mutate(&self, mutation: Mutation) -> Result<Before<Mutation, CellBatch>> {
        Ok(Before::Go(mutation))
    }
    fn post_mutate(&self, _: &Mutation, _: &CellBatch) -> Result<()> {
        Ok(())
    }
    fn pre_check(&self, mutations: RowMutations) -> Result<Before<RowMutations, bool>> {
        Ok(Before::Go(mutations))
    }
    fn post_check(&self, _: &RowMutations, _: bool) -> Result<()> {
        Ok(())
    }
    fn post_batch(&self, _: &CellBuffer) -> Result<()> {
        Ok(())
    }
    fn pre_compact(&self, _: &RegionInfo, _: Option<&[u8]>, _: bool) -> Result<()> {
        Ok(())
    }
    fn post_compact(&self, _: &RegionInfo, _: Option<&[u8]>, _: bool) -> Result<()> {
        Ok(())
    }
}
