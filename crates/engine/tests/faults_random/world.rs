//! Model of a database: for each region its writes in log order, and how many of them are durable.

use super::cells::{column_number, Cells, Change, Found, FoundTable};
use super::operations::{bits, loaded_value, piece, row_key, value, Op, COLUMNS, FIRST_SPLIT, SPLITS, WRITTEN_ROWS};
use rowstone_model::operations::Durability;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One record of the log, or a write that skipped it.
#[derive(Debug, Clone)]
pub struct Write {
    pub is_logged: bool,
    pub changes: Vec<Change>,
}

#[derive(Debug, Clone, Default)]
pub struct Region {
    /// Its cells before the first of `writes`, all of them durable.
    pub base: Arc<Cells>,
    pub live: Arc<Cells>,
    pub writes: Vec<Arc<Write>>,
    /// Number of writes that are in files.
    pub flushed: usize,
    /// All logged writes among the first `synced` ones are on the disk.
    pub synced: usize,
    /// All logged writes among the first `written` ones are in the kernel.
    pub written: usize,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub has_c: bool,
    pub is_enabled: bool,
    /// Start keys of all regions but the first: numbers of [`SPLITS`].
    pub bounds: Vec<u8>,
    pub regions: Vec<Region>,
}

/// A table as stored in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub table: u8,
    pub has_c: bool,
    pub bounds: Vec<u8>,
    pub cells: Cells,
}

/// Tables and snapshots by number.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub tables: BTreeMap<u8, Table>,
    pub snapshots: BTreeMap<u8, Arc<Kept>>,
}

/// Index of the region with the row, among the regions that begin at `bounds`.
pub fn region_of(bounds: &[u8], row: u8) -> usize {
    let key = row_key(row);
    bounds.iter().filter(|at| SPLITS[usize::from(**at)] <= key.as_str()).count()
}

impl Region {
    fn write(&mut self, is_logged: bool, changes: Vec<Change>) {
        let live = Arc::make_mut(&mut self.live);
        changes.iter().for_each(|change| change.apply(live));
        self.writes.push(Arc::new(Write { is_logged, changes }));
    }

    pub fn make_durable(&mut self) {
        let all = self.writes.len();
        (self.flushed, self.synced, self.written) = (all, all, all);
    }

    fn of(cells: Cells) -> Self {
        let live = Arc::new(cells);
        Region { base: Arc::clone(&live), live, ..Region::default() }
    }

    fn drop_c(&mut self) {
        let is_c = |column: u8| COLUMNS[usize::from(column)].starts_with('c');
        let without = |cells: &Cells| -> Cells {
            cells.iter().filter(|(key, _)| !is_c(key.1)).map(|(key, versions)| (*key, versions.clone())).collect()
        };
        (self.base, self.live) = (Arc::new(without(&self.base)), Arc::new(without(&self.live)));
        for write in &mut self.writes {
            let changes = write.changes.iter().filter(|change| !is_c(change.column())).cloned().collect();
            *write = Arc::new(Write { is_logged: write.is_logged, changes });
        }
    }
}

impl Table {
    fn of(has_c: bool, is_enabled: bool, bounds: Vec<u8>, cells: Cells) -> Self {
        let mut parts = vec![Cells::new(); bounds.len() + 1];
        for (key, versions) in cells {
            parts[region_of(&bounds, key.0)].insert(key, versions);
        }
        Table { has_c, is_enabled, bounds, regions: parts.into_iter().map(Region::of).collect() }
    }

    fn region_of(&self, row: u8) -> usize {
        region_of(&self.bounds, row)
    }

    /// Number of bounds before that one: the index of the region that contains it, or ends there.
    fn place_of(&self, at: u8) -> usize {
        self.bounds.iter().filter(|bound| **bound < at).count()
    }

    fn split(&mut self, at: u8) {
        let place = self.place_of(at);
        self.bounds.insert(place, at);
        let cells = Cells::clone(&self.regions.remove(place).live);
        let (top, bottom) = cells.into_iter().partition(|(key, _)| region_of(&[at], key.0) == 1);
        self.regions.splice(place..place, [Region::of(bottom), Region::of(top)]);
    }

    fn merge(&mut self, at: u8) {
        let place = self.place_of(at);
        self.bounds.remove(place);
        let mut cells = Cells::clone(&self.regions.remove(place).live);
        cells.extend(Cells::clone(&self.regions[place].live));
        self.regions[place] = Region::of(cells);
    }

    fn capture(&self, table: u8) -> Kept {
        Kept { table, has_c: self.has_c, bounds: self.bounds.clone(), cells: self.cells() }
    }

    fn live(&self, row: u8, column: &str) -> Option<(&i64, &Arc<[u8]>)> {
        self.regions[self.region_of(row)].live.get(&(row, column_number(column)))?.last_key_value()
    }

    /// The timestamp of the newest `a:q`; 0 if there is none.
    pub fn newest(&self, row: u8) -> i64 {
        self.live(row, "a:q").map_or(0, |(timestamp, _)| *timestamp)
    }
}

impl World {
    /// The state read from a database, all of it durable. Cells that were not read, those of disabled tables and of
    /// snapshots, are taken from `before`.
    pub fn of(found: &Found, before: &World) -> World {
        let table = |(number, found): (&u8, &FoundTable)| {
            let cells = match &found.cells {
                Some(cells) => cells.clone(),
                None => before.tables.get(number).map_or(Cells::new(), Table::cells),
            };
            (*number, Table::of(found.has_c, found.is_enabled, found.bounds.clone(), cells))
        };
        let kept = |(number, found): (&u8, &Option<Kept>)| {
            let kept = found.clone().map(Arc::new).or_else(|| before.snapshots.get(number).cloned());
            (*number, kept.unwrap_or_else(|| panic!("snapshot {number} was not looked at")))
        };
        World {
            tables: found.tables.iter().map(table).collect(),
            snapshots: found.snapshots.iter().map(kept).collect(),
        }
    }

    /// The same, all of it durable.
    pub fn as_durable(&self) -> World {
        let mut world = self.clone();
        world.regions().for_each(Region::make_durable);
        world
    }

    fn regions(&mut self) -> impl Iterator<Item = &mut Region> {
        self.tables.values_mut().flat_map(|table| &mut table.regions)
    }

    /// Whether the database should accept it.
    pub fn allows(&self, op: &Op) -> bool {
        let with = |table: &u8, test: &dyn Fn(&Table) -> bool| self.tables.get(table).is_some_and(test);
        match op {
            Op::Create { table, .. } => !self.tables.contains_key(table),
            Op::PutC { table, .. } => with(table, &|table| table.is_enabled && table.has_c),
            Op::Put { table, .. }
            | Op::Batch { table, .. }
            | Op::Atomic { table, .. }
            | Op::DeleteRow { table, .. }
            | Op::DeleteColumns { table, .. }
            | Op::DeleteVersion { table, .. }
            | Op::Increment { table, .. }
            | Op::Append { table, .. }
            | Op::Load { table, .. }
            | Op::Disable { table } => with(table, &|table| table.is_enabled),
            Op::DeleteFamilyVersion { table, row, .. } => {
                with(table, &|table| table.is_enabled && table.newest(*row) > 0)
            }
            Op::Flush { table } | Op::Compact { table, .. } => with(table, &|_| true),
            Op::AddC { table } => with(table, &|table| !table.has_c),
            Op::DropC { table } => with(table, &|table| table.has_c),
            Op::Enable { table } | Op::Truncate { table, .. } | Op::Drop { table } => {
                with(table, &|table| !table.is_enabled)
            }
            Op::Split { table, at } => with(table, &|table| table.is_enabled && !table.bounds.contains(at)),
            Op::Merge { table, at } => with(table, &|table| table.is_enabled && table.bounds.contains(at)),
            Op::TruncateRegion { table, .. } => with(table, &|table| table.is_enabled),
            Op::Snapshot { table, snapshot } => with(table, &|_| !self.snapshots.contains_key(snapshot)),
            Op::DropSnapshot { snapshot } => self.snapshots.contains_key(snapshot),
            Op::Clone { snapshot, table } => self.snapshots.contains_key(snapshot) && !self.tables.contains_key(table),
            Op::Restore { snapshot } => {
                self.snapshots.get(snapshot).is_some_and(|kept| with(&kept.table, &|table| !table.is_enabled))
            }
            Op::Reopen => true,
        }
    }

    /// The world when `op` has done its initial flush and nothing else. The world must allow `op`.
    pub fn flushed_for(&self, op: &Op) -> World {
        let mut world = self.clone();
        match *op {
            Op::Load { table, .. } | Op::Snapshot { table, .. } => {
                world.table(table).regions.iter_mut().for_each(Region::make_durable);
            }
            Op::Split { table, at } => {
                let table = world.table(table);
                let place = table.place_of(at);
                table.regions[place].make_durable();
            }
            Op::Merge { table, at } => {
                let table = world.table(table);
                let place = table.place_of(at);
                table.regions[place..=place + 1].iter_mut().for_each(Region::make_durable);
            }
            _ => {}
        }
        world
    }

    /// The world once `op`, which it allows, is acknowledged.
    pub fn after(&self, op: &Op, number: usize, now: i64) -> World {
        let mut world = self.clone();
        match *op {
            Op::Create { table, split } => {
                let bounds = split.then_some(FIRST_SPLIT).into_iter().collect();
                world.tables.insert(table, Table::of(false, true, bounds, Cells::new()));
            }
            Op::Drop { table } => drop(world.tables.remove(&table)),
            Op::Reopen => world.regions().for_each(Region::make_durable),
            Op::Compact { .. } => {}
            Op::Flush { table } => world.table(table).regions.iter_mut().for_each(Region::make_durable),
            Op::AddC { table } => world.table(table).has_c = true,
            Op::DropC { table } => {
                world.table(table).has_c = false;
                world.table(table).regions.iter_mut().for_each(Region::drop_c);
            }
            Op::Disable { table } => world.table(table).is_enabled = false,
            Op::Enable { table } => world.table(table).is_enabled = true,
            Op::Truncate { table, keeps_splits } => {
                let table = world.table(table);
                let bounds = if keeps_splits { table.bounds.clone() } else { Vec::new() };
                *table = Table::of(table.has_c, true, bounds, Cells::new());
            }
            Op::Split { table, at } => world.table(table).split(at),
            Op::Merge { table, at } => world.table(table).merge(at),
            Op::TruncateRegion { table, row } => {
                let table = world.table(table);
                let place = table.region_of(row);
                table.regions[place] = Region::default();
            }
            Op::Snapshot { table, snapshot } => {
                world = world.flushed_for(op);
                let kept = world.table(table).capture(table);
                world.snapshots.insert(snapshot, Arc::new(kept));
            }
            Op::DropSnapshot { snapshot } => drop(world.snapshots.remove(&snapshot)),
            Op::Clone { snapshot, table } => {
                let kept = Kept::clone(&world.snapshots[&snapshot]);
                world.tables.insert(table, Table::of(kept.has_c, true, kept.bounds, kept.cells));
            }
            Op::Restore { snapshot } => {
                let kept = Kept::clone(&world.snapshots[&snapshot]);
                world.tables.insert(kept.table, Table::of(kept.has_c, false, kept.bounds, kept.cells));
            }
            Op::Load { table, rows, variant } => world.load(table, rows, variant),
            _ => world.mutate(op, number, now),
        }
        world
    }

    fn table(&mut self, table: u8) -> &mut Table {
        self.tables.get_mut(&table).unwrap()
    }

    fn load(&mut self, table: u8, rows: u8, variant: u8) {
        let table = self.table(table);
        for row in bits(u16::from(rows)).map(|bit| WRITTEN_ROWS + bit) {
            let put = |column| Change::Put {
                row,
                column: column_number(column),
                timestamp: 1,
                value: loaded_value(variant, row, column).into(),
            };
            let region = table.region_of(row);
            table.regions[region].write(true, vec![put("a:q"), put("b:q")]);
            table.regions[region].make_durable();
        }
    }

    fn mutate(&mut self, op: &Op, number: usize, now: i64) {
        let (table, rows, wal) = match *op {
            Op::Batch { table, rows, wal } => (table, bits(rows).collect(), wal),
            Op::Put { table, row, wal }
            | Op::PutC { table, row, wal }
            | Op::Atomic { table, row, wal }
            | Op::DeleteRow { table, row, wal }
            | Op::DeleteColumns { table, row, wal }
            | Op::DeleteVersion { table, row, wal }
            | Op::DeleteFamilyVersion { table, row, wal }
            | Op::Increment { table, row, wal, .. }
            | Op::Append { table, row, wal } => (table, vec![row], wal),
            _ => unreachable!("{op:?} is no mutation"),
        };
        let mut parts: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
        for row in rows {
            let table = &self.tables[&table];
            let changes = changes(table, op, row, number, now);
            parts.entry(table.region_of(row)).or_default().extend(changes);
        }
        let is_logged = wal != Durability::SkipWal;
        for (region, changes) in parts {
            self.table(table).regions[region].write(is_logged, changes);
        }
        // There is one log: making this write durable also does so for all earlier ones.
        for region in self.regions() {
            let all = region.writes.len();
            if wal >= Durability::SyncWal {
                region.written = all;
            }
            if wal == Durability::FsyncWal {
                region.synced = all;
            }
        }
    }
}

impl Table {
    pub fn cells(&self) -> Cells {
        self.regions.iter().flat_map(|region| region.live.iter()).map(|(key, cells)| (*key, cells.clone())).collect()
    }
}

fn changes(table: &Table, op: &Op, row: u8, number: usize, now: i64) -> Vec<Change> {
    let set = |column: &str, value: Vec<u8>| Change::Put {
        row,
        column: column_number(column),
        timestamp: now,
        value: value.into(),
    };
    let put = |column: &str| set(column, value(number, row, column));
    let clear = |column: &str| Change::Clear { row, column: column_number(column) };
    let remove = |column: &str, timestamp| Change::Remove { row, column: column_number(column), timestamp };
    let bytes = |column: &str| table.live(row, column).map_or(Vec::new(), |(_, value)| value.to_vec());
    match op {
        Op::Put { .. } | Op::Batch { .. } => vec![put("a:q"), put("b:q")],
        Op::PutC { .. } => vec![put("a:q"), put("c:q")],
        Op::Atomic { .. } => vec![clear("a:q"), put("a:p"), put("b:q")],
        Op::DeleteRow { .. } => COLUMNS.iter().map(|column| clear(column)).collect(),
        Op::DeleteColumns { .. } => vec![clear("a:q"), clear("b:q")],
        Op::DeleteVersion { .. } => vec![remove("a:q", table.newest(row))],
        Op::DeleteFamilyVersion { .. } => {
            ["a:n", "a:p", "a:q", "a:s"].map(|column| remove(column, table.newest(row))).to_vec()
        }
        Op::Increment { amount, .. } => {
            let sum = |column| {
                let old = <[u8; 8]>::try_from(bytes(column)).map_or(0, i64::from_be_bytes);
                set(column, (old + amount).to_be_bytes().to_vec())
            };
            vec![sum("a:n"), sum("b:n")]
        }
        Op::Append { .. } => ["a:s", "b:s"].map(|column| set(column, [bytes(column), piece(number)].concat())).to_vec(),
        _ => unreachable!("{op:?} is no mutation"),
    }
}
