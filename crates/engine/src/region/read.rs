//! Gets: one row, family by family, without a scanner's state.

use super::Region;
use crate::scan::Expiry;
use crate::store::{ReadRequest, Store, Stores};
use rowstone_model::cell::{check_row, CellBuffer};
use rowstone_model::operations::{CellBatch, Get, ReadOptions, RowRange};
use rowstone_model::{Error, Result};
use std::sync::atomic::Ordering;
use std::sync::Arc;

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
        let stores = self.stores();
        let start = out.byte_len();
        loop {
            let read_point = if get.options.read_uncommitted { u64::MAX } else { self.mvcc.read_point() };
            let count = self.read_row_at(read_point, &stores, get, max_cells, out)?;
            if stores.iter().all(|store| store.cut() <= read_point) {
                return Ok(count);
            }
            out.truncate(start);
        }
    }

    fn read_row_at(
        &self,
        read_point: u64,
        stores: &Stores,
        get: &Get,
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<u32> {
        let mut now = None;
        let mut count = 0;
        for index in 0..stores.len().max(get.options.columns.families.len()) {
            let Some((store, qualifiers)) = self.family_to_read(stores, get, index)? else { break };
            let now = match store.has_expiry() {
                true => *now.get_or_insert_with(|| self.services.system().clock.now_ms()),
                false => 0,
            };
            let request = ReadRequest {
                options: &get.options,
                qualifiers,
                read_point,
                row: Some(&get.row),
                expiry: Expiry::new(now, None),
            };
            if let Some(mut reader) = store.reader_for_row(&request)? {
                count += reader.read_page(&get.row, max_cells - count, out)?.0;
                if count >= max_cells {
                    break;
                }
            }
        }
        Ok(count as u32)
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
