//! Gets: one row, family by family, without a scanner's state.

use super::{Region, RegionScanner};
use crate::hfile::Patience;
use crate::store::{ReadRequest, RowRead, Store, Stores};
use rowstone_model::cell::{check_row, CellBuffer};
use rowstone_model::operations::{CellBatch, Get, MobValues, Qualifiers, ReadOptions, RowRange, Scan};
use rowstone_model::{Error, Result};
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Number of attempts with a newer read point when a flush has passed the previous one, before a get registers its
/// own.
const ATTEMPTS: usize = 3;

/// A get's request to a region.
#[derive(Clone, Copy)]
struct RegionGet<'g> {
    row: &'g [u8],
    options: &'g ReadOptions,
    /// Behavior if a block is not in memory.
    patience: Patience,
    mob_values: MobValues,
}

impl<'g> From<&'g Get> for RegionGet<'g> {
    fn from(get: &'g Get) -> Self {
        RegionGet {
            row: &get.row,
            options: &get.options,
            patience: Patience::Waits,
            mob_values: get.options.mob_values,
        }
    }
}

/// A store and the columns to read of it; `None` for all.
type FamilyToRead<'s, 'g> = (&'s Arc<Store>, Option<&'g Qualifiers>);

impl Region {
    /// Appends the row to `out` as a range of its cells, empty if nothing is found. Returns the number of cells.
    pub fn get(&self, get: &Get, out: &mut CellBatch) -> Result<u32> {
        if get.options.is_filtered() {
            return self.get_filtered(get, out);
        }
        let start = out.cells.byte_len();
        let cell_count = self.read_row(get.into(), usize::MAX, &mut out.cells)?;
        out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count, is_partial: false });
        Ok(cell_count)
    }

    /// Like [`Region::get`] if no file has to be waited for. Otherwise returns `false` and appends nothing.
    pub fn get_at_once(&self, row: &[u8], options: &ReadOptions, out: &mut CellBatch) -> Result<bool> {
        let wanted = RegionGet { row, options, patience: Patience::AtOnce, mob_values: options.mob_values };
        self.get_impatiently(wanted, out)
    }

    /// Like [`Region::get`] if its data blocks are in memory. Otherwise announces them to the file system, returns `false`
    /// and appends nothing.
    pub fn get_or_announce(&self, get: &Get, out: &mut CellBatch) -> Result<bool> {
        self.get_impatiently(RegionGet { patience: Patience::Announces, ..get.into() }, out)
    }

    fn get_impatiently(&self, wanted: RegionGet<'_>, out: &mut CellBatch) -> Result<bool> {
        check_row(wanted.row)?;
        check_options(wanted.options)?;
        self.check_open()?;
        if wanted.options.read_uncommitted || wanted.options.is_filtered() {
            return Ok(false);
        }
        let start = out.cells.byte_len();
        let RowRead::Cells(count) = self.read_at(wanted, self.mvcc.read_point(), usize::MAX, &mut out.cells)? else {
            out.cells.truncate(start);
            return Ok(false);
        };
        self.reads.fetch_add(1, Ordering::Relaxed);
        out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count: count as u32, is_partial: false });
        Ok(true)
    }

    /// Whether a get would find a cell.
    pub fn exists(&self, get: &Get) -> Result<bool> {
        if get.options.is_filtered() {
            return Ok(self.get_filtered(get, &mut CellBatch::default())? > 0);
        }
        // Values are not needed.
        let wanted = RegionGet { mob_values: MobValues::References, ..RegionGet::from(get) };
        Ok(self.read_row(wanted, 1, &mut CellBuffer::new())? > 0)
    }

    /// Gets through a scan of the one row: filters work as in every other scan.
    #[cold]
    fn get_filtered(&self, get: &Get, out: &mut CellBatch) -> Result<u32> {
        check_row(&get.row)?;
        self.reads.fetch_add(1, Ordering::Relaxed);
        let (start, stop) = (get.row.clone(), get.row.clone());
        let scan = Scan { start, stop, include_stop: true, options: (*get.options).clone(), ..Scan::default() };
        let rows = out.rows.len();
        RegionScanner::open(self, Arc::new(scan))?.fill(rows + 1, usize::MAX, 1, None, out)?;
        if out.rows.len() == rows {
            let end = out.cells.byte_len();
            out.rows.push(RowRange { start: end, end, cell_count: 0, is_partial: false });
        }
        Ok(out.rows.last().map_or(0, |row| row.cell_count))
    }

    /// Reads at a point that is not registered, which costs nothing. A flush or compaction that ended meanwhile may
    /// have dropped versions that the point needs; the read is then repeated.
    fn read_row(&self, wanted: RegionGet<'_>, max_cells: usize, out: &mut CellBuffer) -> Result<u32> {
        check_row(wanted.row)?;
        check_options(wanted.options)?;
        self.check_open()?;
        self.reads.fetch_add(1, Ordering::Relaxed);
        let start = out.byte_len();
        if wanted.options.read_uncommitted {
            return match self.read_at(wanted, u64::MAX, max_cells, out)? {
                RowRead::Cells(count) => Ok(count as u32),
                _ => Err(Error::internal("no read point is newer")),
            };
        }
        for _ in 0..ATTEMPTS {
            if let RowRead::Cells(count) = self.read_at(wanted, self.mvcc.read_point(), max_cells, out)? {
                return Ok(count as u32);
            }
            out.truncate(start);
        }
        // Flushes follow each other closely. All that begin from now on respect a registered read point.
        let read_point = self.mvcc.register_reader();
        let found = self.read_at(wanted, read_point, max_cells, out);
        self.mvcc.release_reader(read_point);
        match found? {
            RowRead::Cells(count) => Ok(count as u32),
            _ => Err(Error::internal("a flush passed a registered read point")),
        }
    }

    /// Reads the row as of `read_point`, family by family. Stops early if a family needs a newer read point or a
    /// file to wait for; a read that announces blocks goes on with the other families, to announce theirs.
    fn read_at(
        &self,
        wanted: RegionGet<'_>,
        read_point: u64,
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        let RegionGet { row, options, patience, mob_values } = wanted;
        let stores = self.stores();
        let mut now = None;
        let (mut count, mut waits) = (0, false);
        let mut read = SmallVec::<[&Arc<Store>; 4]>::new();
        for family in self.families_to_read(&stores, options) {
            let (store, qualifiers) = family?;
            let now_ms =
                if store.has_expiry() { *now.get_or_insert_with(|| self.services.system().clock.now_ms()) } else { 0 };
            let request = ReadRequest { options, qualifiers, read_point, now_ms, patience, mob_values, last_row: None };
            match store.read_row(&request, row, max_cells - count, out)? {
                RowRead::Cells(found) => {
                    read.push(store);
                    count += found;
                }
                RowRead::Waits if patience == Patience::Announces => waits = true,
                otherwise => return Ok(otherwise),
            }
            if count >= max_cells {
                break;
            }
        }
        if waits {
            return Ok(RowRead::Waits);
        }
        // Not before: a read that waits is repeated.
        read.into_iter().for_each(|store| store.count_read());
        Ok(RowRead::Cells(count))
    }

    /// The families that the get asks for, and their columns.
    #[inline]
    fn families_to_read<'s, 'g: 's>(
        &'s self,
        stores: &'s Stores,
        options: &'g ReadOptions,
    ) -> impl Iterator<Item = Result<FamilyToRead<'s, 'g>>> {
        let columns = &options.columns;
        let all = if columns.is_all() { stores.iter() } else { [].iter() };
        let named = columns.families.iter().map(move |(family, qualifiers)| {
            let store = stores.get(family).ok_or_else(|| self.no_such_family(family))?;
            Ok((store, qualifiers.as_ref()))
        });
        all.map(|store| Ok((store, None))).chain(named)
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
