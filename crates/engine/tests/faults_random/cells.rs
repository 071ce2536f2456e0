//! Cells as the tests know them, and what is found in a database.

use super::operations::{row_of, table_name, COLUMNS};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{ReadOptions, Scan};
use rowstone_model::schema::TableState;
use rowstone_model::Result;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Versions of columns by timestamp, by row and number of the column.
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
    /// All versions.
    Clear {
        row: u8,
        column: u8,
    },
    /// That version.
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
                    // The family keeps one version.
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

/// A table as it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTable {
    pub has_c: bool,
    pub is_enabled: bool,
    pub regions: usize,
    /// Unknown while the table is disabled.
    pub cells: Option<Cells>,
}

/// What the database says. Tables that are disabled are enabled where `enables`.
pub fn read(db: &dyn Backend, enables: bool) -> Result<BTreeMap<u8, FoundTable>> {
    let mut found = BTreeMap::new();
    let admin = db.admin();
    let present = admin.list_tables(None)?;
    for table in (0..2).filter(|table| present.contains(&table_name(*table))) {
        let name = table_name(table);
        let is_enabled = admin.table_state(&name)? == TableState::Enabled;
        if enables && !is_enabled {
            admin.set_table_state(&name, TableState::Enabled)?;
        }
        let has_c = admin.describe_table(&name)?.families.contains_key(b"c".as_slice());
        let cells = if is_enabled || enables { Some(read_cells(db, table)?) } else { None };
        found.insert(table, FoundTable { has_c, is_enabled, regions: admin.regions(&name)?.len(), cells });
    }
    Ok(found)
}

fn read_cells(db: &dyn Backend, table: u8) -> Result<Cells> {
    let options = ReadOptions { versions: 1000, ..ReadOptions::default() };
    let mut scanner = db.table(&table_name(table))?.scan(Scan { options, ..Scan::default() })?;
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

/// The cells, short.
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
