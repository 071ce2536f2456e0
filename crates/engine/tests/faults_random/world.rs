//! What a database should hold: for each region its writes in the order of the log, and how many of them are safe.

use super::cells::{column_number, Cells, Change, FoundTable};
use super::operations::{bits, loaded_value, piece, row_of, value, Op, COLUMNS, SPLIT, WRITTEN_ROWS};
use rowstone_model::operations::Durability;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One record of the log, or what skipped it.
#[derive(Debug, Clone)]
pub struct Write {
    pub is_logged: bool,
    pub changes: Vec<Change>,
}

#[derive(Debug, Clone, Default)]
pub struct Region {
    /// What it had before the first of `writes`, all of it safe.
    pub base: Arc<Cells>,
    pub live: Arc<Cells>,
    pub writes: Vec<Arc<Write>>,
    /// So many of the writes are in files.
    pub flushed: usize,
    /// Of so many, those that were logged are on the disk.
    pub synced: usize,
    /// Of so many, those that were logged are in the kernel.
    pub written: usize,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub has_c: bool,
    pub is_enabled: bool,
    /// One or two.
    pub regions: Vec<Region>,
}

/// Tables by number.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub tables: BTreeMap<u8, Table>,
}

impl Region {
    fn write(&mut self, is_logged: bool, changes: Vec<Change>) {
        let live = Arc::make_mut(&mut self.live);
        changes.iter().for_each(|change| change.apply(live));
        self.writes.push(Arc::new(Write { is_logged, changes }));
    }

    pub fn settle(&mut self) {
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
    pub fn region_of(&self, row: u8) -> usize {
        usize::from(self.regions.len() == 2 && super::operations::row_key(row).as_str() >= SPLIT)
    }

    fn live(&self, row: u8, column: &str) -> Option<(&i64, &Arc<[u8]>)> {
        self.regions[self.region_of(row)].live.get(&(row, column_number(column)))?.last_key_value()
    }

    /// The timestamp of the newest `a:q`; 0 where there is none.
    pub fn newest(&self, row: u8) -> i64 {
        self.live(row, "a:q").map_or(0, |(timestamp, _)| *timestamp)
    }
}

impl World {
    /// What was found, all of it safe. Cells that could not be seen are those of `before`.
    pub fn of(found: &BTreeMap<u8, FoundTable>, before: &World) -> World {
        let table = |(number, found): (&u8, &FoundTable)| {
            let mut table = Table {
                has_c: found.has_c,
                is_enabled: found.is_enabled,
                regions: vec![Region::default(); found.regions],
            };
            let cells = match &found.cells {
                Some(cells) => cells.clone(),
                None => before.tables.get(number).map_or(Cells::new(), Table::cells),
            };
            let mut parts = vec![Cells::new(); found.regions];
            for (key, versions) in cells {
                parts[table.region_of(key.0)].insert(key, versions);
            }
            table.regions = parts.into_iter().map(Region::of).collect();
            (*number, table)
        };
        World { tables: found.iter().map(table).collect() }
    }

    /// The same, all of it safe.
    pub fn settled(&self) -> World {
        let mut world = self.clone();
        world.regions().for_each(Region::settle);
        world
    }

    fn regions(&mut self) -> impl Iterator<Item = &mut Region> {
        self.tables.values_mut().flat_map(|table| &mut table.regions)
    }

    /// Whether the database should agree to it.
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
            Op::Reopen => true,
        }
    }

    /// The world once `op`, which it allows, is acknowledged.
    pub fn after(&self, op: &Op, number: usize, now: i64) -> World {
        let mut world = self.clone();
        match *op {
            Op::Create { table, split } => {
                let regions = vec![Region::default(); 1 + usize::from(split)];
                world.tables.insert(table, Table { has_c: false, is_enabled: true, regions });
            }
            Op::Drop { table } => drop(world.tables.remove(&table)),
            Op::Reopen => world.regions().for_each(Region::settle),
            Op::Compact { .. } => {}
            Op::Flush { table } => world.table(table).regions.iter_mut().for_each(Region::settle),
            Op::AddC { table } => world.table(table).has_c = true,
            Op::DropC { table } => {
                world.table(table).has_c = false;
                world.table(table).regions.iter_mut().for_each(Region::drop_c);
            }
            Op::Disable { table } => world.table(table).is_enabled = false,
            Op::Enable { table } => world.table(table).is_enabled = true,
            Op::Truncate { table, keeps_splits } => {
                let table = world.table(table);
                let regions = if keeps_splits { table.regions.len() } else { 1 };
                (table.is_enabled, table.regions) = (true, vec![Region::default(); regions]);
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
            table.regions[region].settle();
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
        // The log is one: what makes this write safe makes all before it safe.
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

/// The region of a found row.
pub fn is_in_region(row: u8, region: usize, regions: usize) -> bool {
    debug_assert_eq!(row_of(super::operations::row_key(row).as_bytes()), row);
    let second = regions == 2 && super::operations::row_key(row).as_str() >= SPLIT;
    usize::from(second) == region
}
