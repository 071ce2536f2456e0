//! Gets: one row, family by family, without a scanner's state. Gets of one call share what they look up ([`ManyGets`]).

use super::{Region, RegionScanner};
use crate::hfile::Patience;
use crate::store::{ReadRequest, RowRead, Store, StoreView, Stores};
use rowstone_model::cell::{check_row, CellBuffer};
use rowstone_model::operations::{CellBatch, Get, MobValues, Qualifiers, ReadOptions, RowRange, Scan};
use rowstone_model::{Error, Result};
use smallvec::SmallVec;
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
        self.check_open()?;
        let read_point = self.mvcc.read_point();
        let is_read = read_impatiently(wanted, out, |cells| self.read_at(wanted, read_point, usize::MAX, cells))?;
        if is_read {
            self.count_reads(1);
        }
        Ok(is_read)
    }

    /// Runs `work` with the region at one moment, to read many rows.
    pub fn with_many_gets<T>(&self, work: impl FnOnce(&mut ManyGets<'_>) -> T) -> Result<T> {
        self.check_open()?;
        let (read_point, stores) = (self.mvcc.read_point(), self.stores());
        let mut gets = ManyGets { region: self, stores: &stores, read_point, views: SmallVec::new(), reads: 0 };
        Ok(work(&mut gets))
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
        self.count_reads(1);
        let (start, stop) = (get.row.to_vec(), get.row.to_vec());
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
        wanted.options.check()?;
        self.check_open()?;
        self.count_reads(1);
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

    /// Reads the row as of `read_point`.
    fn read_at(
        &self,
        wanted: RegionGet<'_>,
        read_point: u64,
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<RowRead> {
        self.read_families(&self.stores(), wanted, read_point, max_cells, |store, request, max_cells| {
            store.view().read_row(request, wanted.row, max_cells, out)
        })
    }

    /// Reads the row family by family with `read_store`. Stops early if a family needs a newer read point or a file to
    /// wait for; a read that announces blocks goes on with the other families, to announce theirs.
    #[inline]
    fn read_families<'s>(
        &self,
        stores: &'s Stores,
        wanted: RegionGet<'_>,
        read_point: u64,
        max_cells: usize,
        mut read_store: impl FnMut(&'s Store, &ReadRequest<'_>, usize) -> Result<RowRead>,
    ) -> Result<RowRead> {
        let RegionGet { options, patience, mob_values, .. } = wanted;
        let mut now = None;
        let (mut count, mut waits) = (0, false);
        let mut read = SmallVec::<[&Arc<Store>; 4]>::new();
        for family in self.families_to_read(stores, options) {
            let (store, qualifiers) = family?;
            let now_ms =
                if store.has_expiry() { *now.get_or_insert_with(|| self.services.system().clock.now_ms()) } else { 0 };
            let request = ReadRequest { options, qualifiers, read_point, now_ms, patience, mob_values, last_row: None };
            match read_store(store, &request, max_cells - count)? {
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
    fn families_to_read<'s, 'g>(
        &'g self,
        stores: &'s Stores,
        options: &'g ReadOptions,
    ) -> impl Iterator<Item = Result<FamilyToRead<'s, 'g>>> + use<'s, 'g> {
        let columns = &options.columns;
        let all = if columns.is_all() { stores.iter() } else { [].iter() };
        let named = columns.families.iter().map(move |(family, qualifiers)| {
            let store = stores.get(family).ok_or_else(|| self.no_such_family(family))?;
            Ok((store, qualifiers.as_ref()))
        });
        all.map(|store| Ok((store, None))).chain(named)
    }
}

/// Appends a row that `read` reads without waiting. Otherwise returns `false` and appends nothing.
#[inline]
fn read_impatiently(
    wanted: RegionGet<'_>,
    out: &mut CellBatch,
    read: impl FnOnce(&mut CellBuffer) -> Result<RowRead>,
) -> Result<bool> {
    check_row(wanted.row)?;
    wanted.options.check()?;
    if wanted.options.read_uncommitted || wanted.options.is_filtered() {
        return Ok(false);
    }
    let start = out.cells.byte_len();
    let RowRead::Cells(count) = read(&mut out.cells)? else {
        out.cells.truncate(start);
        return Ok(false);
    };
    out.rows.push(RowRange { start, end: out.cells.byte_len(), cell_count: count as u32, is_partial: false });
    Ok(true)
}

/// A region at one moment, for the gets of one call: all of them read the same memstores and files at the same read point.
pub struct ManyGets<'r> {
    region: &'r Region,
    stores: &'r Stores,
    read_point: u64,
    /// The stores that were read.
    views: SmallVec<[StoreView<'r>; 2]>,
    /// Number of rows read.
    reads: usize,
}

impl ManyGets<'_> {
    /// Like [`Region::get`] if its data blocks are in memory. Otherwise announces them to the file system, returns `false`
    /// and appends nothing.
    pub fn get_or_announce(&mut self, get: &Get, out: &mut CellBatch) -> Result<bool> {
        let wanted = RegionGet { patience: Patience::Announces, ..get.into() };
        let ManyGets { region, stores, read_point, views, reads } = self;
        let is_read = read_impatiently(wanted, out, |cells| {
            region.read_families(stores, wanted, *read_point, usize::MAX, |store, request, max_cells| {
                view_of(views, store).read_row(request, wanted.row, max_cells, cells)
            })
        })?;
        *reads += usize::from(is_read);
        Ok(is_read)
    }
}

impl Drop for ManyGets<'_> {
    fn drop(&mut self) {
        self.region.count_reads(self.reads);
    }
}

/// The store at the moment of `views`, to which it is added if it is not there.
#[inline]
fn view_of<'v, 'r>(views: &'v mut SmallVec<[StoreView<'r>; 2]>, store: &'r Store) -> &'v StoreView<'r> {
    let at = views.iter().position(|view| view.is_of(store)).unwrap_or_else(|| {
        views.push(store.view());
        views.len() - 1
    });
    &views[at]
}
