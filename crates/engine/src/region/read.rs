//! Gets: one row, family by family, without a scanner's state.

use super::Region;
use crate::store::{ReadRequest, Store, Stores};
use rowstone_model::cell::{check_row, CellBuffer};
use rowstone_model::operations::{CellBatch, Get, ReadOptions, RowRange};
use rowstone_model::{Error, Result};
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// How often a get takes a newer read point because a flush has passed its own, before it registers one.
const ATTEMPTS: usize = 3;

/// A store and the columns to read of it; `None` for all.
type FamilyToRead<'s, 'g> = (&'s Arc<Store>, Option<&'g Vec<Vec<u8>>>);

impl Region {
    /// Appends the row to `out`: a range of its cells, empty where nothing is found. Returns how many cells there are.
    pub fn get(&self, get: &Get, out: &mut CellBatch) -> Result<u32> {
        let start = out.cells.byte_len();
        let cell_count = self.read_row(get, usize::MAX, &mut out.cells)?;
        out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count, is_partial: false });
        Ok(cell_count)
    }

    /// Whether a get would find a cell.
    pub fn exists(&self, get: &Get) -> Result<bool> {
        Ok(self.read_row(get, 1, &mut CellBuffer::new())? > 0)
    }

    /// Reads at a point that is not registered, which costs nothing; a flush or compaction that ended meanwhile may have left
    /// out versions that the point needs: then once more.
    fn read_row(&self, get: &Get, max_cells: usize, out: &mut CellBuffer) -> Result<u32> {
        check_row(&get.row)?;
        check_options(&get.options)?;
        self.check_open()?;
        self.reads.fetch_add(1, Ordering::Relaxed);
        let start = out.byte_len();
        if get.options.read_uncommitted {
            return self
                .read_at(get, u64::MAX, max_cells, out)?
                .ok_or_else(|| Error::internal("no read point is newer"));
        }
        for _ in 0..ATTEMPTS {
            if let Some(count) = self.read_at(get, self.mvcc.read_point(), max_cells, out)? {
                return Ok(count);
            }
            out.truncate(start);
        }
        // Flushes follow each other closely: a registered read point is respected by all that begin from now on.
        let read_point = self.mvcc.register_reader();
        let found = self.read_at(get, read_point, max_cells, out);
        self.mvcc.release_reader(read_point);
        found?.ok_or_else(|| Error::internal("a flush passed a registered read point"))
    }

    /// Reads the row as of `read_point`; `None` where a flush or compaction has passed it.
    fn read_at(&self, get: &Get, read_point: u64, max_cells: usize, out: &mut CellBuffer) -> Result<Option<u32>> {
        let stores = self.stores();
        let mut now = None;
        let mut count = 0;
        for index in 0..stores.len().max(get.options.columns.families.len()) {
            let Some((store, qualifiers)) = self.family_to_read(&stores, get, index)? else { break };
            let now_ms = match store.has_expiry() {
                true => *now.get_or_insert_with(|| self.services.system().clock.now_ms()),
                false => 0,
            };
            let request = ReadRequest { options: &get.options, qualifiers, read_point, now_ms };
            let Some(found) = store.read_row(&request, &get.row, max_cells - count, out)? else { return Ok(None) };
            count += found;
            if count >= max_cells {
                break;
            }
        }
        Ok(Some(count as u32))
    }

    /// The `index`-th family that the get asks for, and its columns.
    fn family_to_read<'s, 'g>(
        &self,
        stores: &'s Stores,
        get: &'g Get,
        index: usize,
    ) -> Result<Option<FamilyToRead<'s, 'g>>> {
        let columns = &get.options.columns;
        if columns.is_all() {
            return Ok(stores.iter().nth(index).map(|store| (store, None)));
        }
        let Some((family, qualifiers)) = columns.families.iter().nth(index) else { return Ok(None) };
        let store = stores.get(family).ok_or_else(|| self.no_such_family(family))?;
        Ok(Some((store, qualifiers.as_ref())))
    }
}

/// Refuses options that contradict each other.
pub(super) fn check_options(options: &ReadOptions) -> Result<()> {
    if options.versions == 0 {
        return Err(Error::invalid("versions must be at least 1"));
    }
    if options.raw && options.columns.families.values().any(Option::is_some) {
        return Err(Error::invalid("Cannot specify any column for a raw scan (families are allowed)"));
    }
    Ok(())
}
