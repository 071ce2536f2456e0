//! The tests' model of cells, and reading them from a database.

use super::operations::{row_of, snapshot_name, table_name, COLUMNS, SPLITS};
use super::world::Kept;
use rowstone_model::admin::AdminBackend;
use rowstone_model::backend::Backend;
use rowstone_model::operations::{ReadOptions, Scan};
use rowstone_model::schema::{TableName, TableState};
use rowstone_model::Result;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Versions of columns by timestamp; the key is the row and the column's number.
pub type Cells = BTreeMap<(u8, u8), Versions>;
pub type Versions = BTreeMap<i64, Arc<[u8]>>;

/// A change of the cells of one region.
#[derive(Debug, Clone)]
pub enum Change {
    Put {
        row: u8,
        column: u8,
        timestamp: i64,
        value: Arc<[u8]>,
    },
    /// Removes all versions.
    Clear {
        row: u8,
        column: u8,
    },
    /// Removes that version.
    Remove {
        row: u8,
        column: u8,
        timestamp: i64,
    },
}

pub fn column_number(column: &str) -> u8 {
    COLUMNS.iter().position(|known| *known == column).unwrap() as u8
}

impl Change {
    pub fn row(&self) -> u8 {
        match self {
            Change::Put { row, .. } | Change::Clear { row, .. } | Change::Remove { row, .. } => *row,
        }
    }

    pub fn column(&self) -> u8 {
        match self {
            Change::Put { column, .. } | Change::Clear { column, .. } | Change::Remove { column, .. } => *column,
        }
    }

    pub fn apply(&self, cells: &mut Cells) {
        let key = (self.row(), self.column());
        match self {
            Change::Put { timestamp, value, .. } => {
                let versions = cells.entry(key).or_default();
                if COLUMNS[usize::from(key.1)].starts_with('b') {
                    // The family stores one version.
                    versions.clear();
                }
                versions.insert(*timestamp, Arc::clone(value));
            }
            Change::Clear { .. } => drop(cells.remove(&key)),
            Change::Remove { timestamp, .. } => {
                let versions = cells.entry(key).or_default();
                versions.remove(timestamp);
                if versions.is_empty() {
                    cells.remove(&key);
                }
            }
        }
    }
}

/// State of a table as read from a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTable {
    pub has_c: bool,
    pub is_enabled: bool,
    pub bounds: Vec<u8>,
    /// Unknown while the table is disabled.
    pub cells: Option<Cells>,
}

/// State of a database as read. The contents of a snapshot are unknown unless it was cloned for reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub tables: BTreeMap<u8, FoundTable>,
    pub snapshots: BTreeMap<u8, Option<Kept>>,
}

/// Reads a database's state. With `changes`, disabled tables are enabled and snapshots are cloned for it.
pub fn read(db: &dyn Backend, changes: bool) -> Result<Found> {
    let mut found = Found::default();
    let admin = db.admin();
    let present = admin.list_tables(None)?;
    for table in (0..2).filter(|table| present.contains(&table_name(*table))) {
        let name = table_name(table);
        let is_enabled = admin.table_state(&name)? == TableState::Enabled;
        if changes && !is_enabled {
            admin.set_table_state(&name, TableState::Enabled)?;
        }
        let (has_c, bounds) = shape(admin, &name)?;
        let cells = if is_enabled || changes { Some(read_cells(db, &name)?) } else { None };
        found.tables.insert(table, FoundTable { has_c, is_enabled, bounds, cells });
    }
    for info in admin.list_snapshots()? {
        let number = (0..2).find(|number| snapshot_name(*number) == info.name).unwrap();
        let table = (0..2).find(|table| table_name(*table).to_string() == info.table).unwrap();
        let kept = if changes { Some(read_snapshot(db, number, table)?) } else { None };
        found.snapshots.insert(number, kept);
    }
    Ok(found)
}

/// Whether the table has family `c`, and the start keys of its regions.
fn shape(admin: &dyn AdminBackend, name: &TableName) -> Result<(bool, Vec<u8>)> {
    let has_c = admin.describe_table(name)?.families.contains_key(b"c".as_slice());
    let starts: Vec<_> = admin.regions(name)?.into_iter().skip(1).map(|region| region.start_key).collect();
    let number = |start: Vec<u8>| SPLITS.iter().position(|row| row.as_bytes() == start).unwrap() as u8;
    Ok((has_c, starts.into_iter().map(number).collect()))
}

/// Contents of a clone of the snapshot. The clone is dropped again.
fn read_snapshot(db: &dyn Backend, number: u8, table: u8) -> Result<Kept> {
    let (admin, clone) = (db.admin(), TableName::parse("clone").unwrap());
    drop_clone(admin, &clone)?;
    admin.clone_snapshot(&snapshot_name(number), &clone)?;
    let (has_c, bounds) = shape(admin, &clone)?;
    let cells = read_cells(db, &clone)?;
    drop_clone(admin, &clone)?;
    Ok(Kept { table, has_c, bounds, cells })
}

/// Drops the clone, which may exist if an earlier read failed.
fn drop_clone(admin: &dyn AdminBackend, clone: &TableName) -> Result<()> {
    if !admin.list_tables(None)?.contains(clone) {
        return Ok(());
    }
    if admin.table_state(clone)? == TableState::Enabled {
        admin.set_table_state(clone, TableState::Disabled)?;
    }
    admin.drop_table(clone)
}

fn read_cells(db: &dyn Backend, name: &TableName) -> Result<Cells> {
    let options = ReadOptions { versions: 1000, ..ReadOptions::default() };
    let mut scanner = db.table(name)?.scan(Scan { options, ..Scan::default() })?;
    let mut cells = Cells::new();
    while let Some(batch) = scanner.next_batch(100, 1 << 20)? {
        for row in &batch.rows {
            for cell in batch.row_cells(*row) {
                let column = COLUMNS.iter().position(|column| {
                    column.as_bytes()[..1] == *cell.family() && column.as_bytes()[2..] == *cell.qualifier()
                });
                let versions = cells.entry((row_of(cell.row()), column.unwrap() as u8)).or_default();
                let is_new = versions.insert(cell.timestamp(), cell.value().into()).is_none();
                assert!(is_new, "two cells of one row, column and timestamp");
            }
        }
    }
    Ok(cells)
}

/// Short text of the cells.
pub fn describe(cells: &Cells) -> String {
    let text = |value: &[u8]| match <[u8; 8]>::try_from(value) {
        Ok(counter) => i64::from_be_bytes(counter).to_string(),
        Err(_) => String::from_utf8_lossy(value).split(' ').next().unwrap_or("").to_string(),
    };
    let column = |((row, column), versions): (&(u8, u8), &Versions)| {
        let versions: Vec<String> = versions.iter().map(|(at, value)| format!("{}@{at}", text(value))).collect();
        format!("{row}/{}={}", COLUMNS[usize::from(*column)], versions.join("+"))
    };
    cells.iter().map(column).collect::<Vec<_>>().join(" ")
}
