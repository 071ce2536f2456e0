//! Operations of a database, as values that print as their own source text.

use super::machine::Machine;
use rowstone_engine::hfile::{FileFacts, Writer, WriterOptions};
use rowstone_engine::sys::{FileSystem, RealFileSystem};
use rowstone_model::admin::AdminBackend;
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellBuffer, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Mutation, MutationKind, RowMutations};
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableName, TableState};
use rowstone_model::{ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Rows that are written one by one; the others are loaded, and never deleted.
pub const WRITTEN_ROWS: u8 = 12;
const LOADED_ROWS: [&str; 4] = ["l0", "l1", "s0", "s1"];
/// Rows at which regions may begin.
pub const SPLITS: [&str; 3] = ["r01", "r06", "r11"];
/// Index of the split row of tables that are created with two regions.
pub const FIRST_SPLIT: u8 = 1;
/// Columns, in order.
pub const COLUMNS: [&str; 8] = ["a:n", "a:p", "a:q", "a:s", "b:n", "b:q", "b:s", "c:q"];

/// An operation. Its position in the list makes its values distinct from those of all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Create {
        table: u8,
        split: bool,
    },
    /// Writes `a:q` and `b:q`.
    Put {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// Writes `a:q` and `c:q`.
    PutC {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// A put for each row whose bit is set.
    Batch {
        table: u8,
        rows: u16,
        wal: Durability,
    },
    /// Deletes `a:q`; writes `a:p` and `b:q`.
    Atomic {
        table: u8,
        row: u8,
        wal: Durability,
    },
    DeleteRow {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// Deletes all versions of `a:q` and `b:q`.
    DeleteColumns {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// Deletes the newest version of `a:q`.
    DeleteVersion {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// Deletes all cells of `a` with the timestamp of the newest `a:q`.
    DeleteFamilyVersion {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// Increments `a:n` and `b:n`.
    Increment {
        table: u8,
        row: u8,
        amount: i64,
        wal: Durability,
    },
    /// Appends to `a:s` and `b:s`.
    Append {
        table: u8,
        row: u8,
        wal: Durability,
    },
    /// Loads rows of [`LOADED_ROWS`] by their bits, in both families, all with timestamp 1.
    Load {
        table: u8,
        rows: u8,
        variant: u8,
    },
    Flush {
        table: u8,
    },
    Compact {
        table: u8,
        major: bool,
    },
    AddC {
        table: u8,
    },
    DropC {
        table: u8,
    },
    Disable {
        table: u8,
    },
    Enable {
        table: u8,
    },
    Truncate {
        table: u8,
        keeps_splits: bool,
    },
    Drop {
        table: u8,
    },
    /// Splits at a row of [`SPLITS`].
    Split {
        table: u8,
        at: u8,
    },
    /// Merges the regions on both sides of that row.
    Merge {
        table: u8,
        at: u8,
    },
    /// Truncates the region of that row.
    TruncateRegion {
        table: u8,
        row: u8,
    },
    Snapshot {
        table: u8,
        snapshot: u8,
    },
    DropSnapshot {
        snapshot: u8,
    },
    /// Clones to a new table.
    Clone {
        snapshot: u8,
        table: u8,
    },
    /// Restores its own table.
    Restore {
        snapshot: u8,
    },
    /// Closes and opens the database.
    Reopen,
}

pub fn table_name(table: u8) -> TableName {
    TableName::parse(&format!("t{table}")).unwrap()
}

pub fn snapshot_name(snapshot: u8) -> String {
    format!("s{snapshot}")
}

pub fn row_key(row: u8) -> String {
    match row.checked_sub(WRITTEN_ROWS) {
        None => format!("r{row:02}"),
        Some(loaded) => LOADED_ROWS[usize::from(loaded)].to_string(),
    }
}

pub fn row_of(key: &[u8]) -> u8 {
    (0..WRITTEN_ROWS + 4).find(|row| row_key(*row).as_bytes() == key).unwrap_or_else(|| panic!("no row {key:?}"))
}

/// A value that identifies its operation, row and column; its length differs from put to put.
pub fn value(number: usize, row: u8, column: &str) -> Vec<u8> {
    let length = if column.starts_with('a') { 20 + number * 67 % 400 } else { 20 + number * 13 % 60 };
    format!("{:<length$}|", format!("{number} {row} {column}")).into_bytes()
}

pub fn loaded_value(variant: u8, row: u8, column: &str) -> Vec<u8> {
    value(1000 + usize::from(variant), row, column)
}

pub fn descriptor(table: u8, has_c: bool) -> TableDescriptor {
    let many = |name: &str| {
        let mut family = FamilyDescriptor::new(name);
        family.attributes.insert("VERSIONS".into(), "1000".into());
        family
    };
    let descriptor = TableDescriptor::new(table_name(table)).with_family(many("a"));
    // Most of its values are in MOB files.
    let mut mob = FamilyDescriptor::new("b");
    mob.attributes.insert("IS_MOB".into(), "true".into());
    mob.attributes.insert("MOB_THRESHOLD".into(), "30".into());
    let descriptor = descriptor.with_family(mob);
    if has_c {
        return descriptor.with_family(many("c"));
    }
    descriptor
}

fn with(mutation: &mut Mutation, column: &str, cell_type: CellType, timestamp: i64, value: &[u8]) {
    let (family, qualifier) = column.split_once(':').unwrap();
    let (row, family, qualifier) = (&mutation.row, family.as_bytes(), qualifier.as_bytes());
    mutation.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags: &[] });
}

fn put(number: usize, row: u8, columns: &[&str], durability: Durability) -> Mutation {
    let mut mutation = Mutation { durability, ..Mutation::new(MutationKind::Put, row_key(row)) };
    for column in columns {
        with(&mut mutation, column, CellType::Put, LATEST_TIMESTAMP, &value(number, row, column));
    }
    mutation
}

fn delete(row: u8, columns: &[(&str, CellType, i64)], durability: Durability) -> Mutation {
    let mut mutation = Mutation { durability, ..Mutation::new(MutationKind::Delete, row_key(row)) };
    columns.iter().for_each(|(column, kind, timestamp)| with(&mut mutation, column, *kind, *timestamp, &[]));
    mutation
}

fn change(kind: MutationKind, row: u8, columns: [&str; 2], value: &[u8], durability: Durability) -> Mutation {
    let mut mutation = Mutation { durability, ..Mutation::new(kind, row_key(row)) };
    columns.iter().for_each(|column| with(&mut mutation, column, CellType::Put, LATEST_TIMESTAMP, value));
    mutation
}

/// The value that an append adds.
pub fn piece(number: usize) -> Vec<u8> {
    format!("{number},").into_bytes()
}

pub fn bits(set: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |bit| set >> bit & 1 == 1)
}

pub fn split_row(at: u8) -> Vec<u8> {
    SPLITS[usize::from(at)].as_bytes().to_vec()
}

fn region_of(admin: &dyn AdminBackend, table: u8, row: &[u8]) -> Result<RegionInfo> {
    let regions = admin.regions(&table_name(table))?;
    Ok(regions.into_iter().find(|region| region.contains(row)).unwrap_or_else(|| panic!("no region of {row:?}")))
}

/// Splits or merges. If halves of an earlier split prevent it, compacts them first.
fn without_halves(admin: &dyn AdminBackend, table: u8, change: &dyn Fn() -> Result<()>) -> Result<()> {
    match change() {
        Err(error) if error.kind() == ErrorKind::Constraint => {
            admin.compact(&table_name(table), None, true)?;
            change()
        }
        outcome => outcome,
    }
}

impl Op {
    /// Runs the operation. `newest` is the timestamp of the newest `a:q` of the row.
    pub fn run(&self, number: usize, newest: i64, machine: &Machine, db: &mut Arc<dyn Backend>) -> Result<()> {
        if *self == Op::Reopen {
            db.close()?;
            *db = machine.open()?;
            return Ok(());
        }
        let admin = db.admin();
        let mutate = |table: &u8, mutation: Mutation| db.table(&table_name(*table))?.mutate(mutation).map(|_| ());
        match self {
            Op::Create { table, split } => {
                let splits = split.then(|| split_row(FIRST_SPLIT)).into_iter().collect();
                admin.create_table(descriptor(*table, false), splits)
            }
            Op::Put { table, row, wal } => mutate(table, put(number, *row, &["a:q", "b:q"], *wal)),
            Op::PutC { table, row, wal } => mutate(table, put(number, *row, &["a:q", "c:q"], *wal)),
            Op::Batch { table, rows, wal } => {
                let puts = bits(*rows).map(|row| put(number, row, &["a:q", "b:q"], *wal)).collect();
                db.table(&table_name(*table))?.mutate_many(puts).into_iter().collect()
            }
            Op::Atomic { table, row, wal } => {
                let delete = delete(*row, &[("a:q", CellType::DeleteColumn, LATEST_TIMESTAMP)], *wal);
                let mutations = vec![delete, put(number, *row, &["a:p", "b:q"], *wal)];
                let mutations = RowMutations { row: row_key(*row).into_bytes(), mutations };
                db.table(&table_name(*table))?.mutate_row(mutations).map(|_| ())
            }
            Op::DeleteRow { table, row, wal } => mutate(table, delete(*row, &[], *wal)),
            Op::DeleteColumns { table, row, wal } => {
                let all = |column| (column, CellType::DeleteColumn, LATEST_TIMESTAMP);
                mutate(table, delete(*row, &["a:q", "b:q"].map(all), *wal))
            }
            Op::DeleteVersion { table, row, wal } => {
                mutate(table, delete(*row, &[("a:q", CellType::Delete, LATEST_TIMESTAMP)], *wal))
            }
            Op::DeleteFamilyVersion { table, row, wal } => {
                mutate(table, delete(*row, &[("a:", CellType::DeleteFamilyVersion, newest)], *wal))
            }
            Op::Increment { table, row, amount, wal } => {
                mutate(table, change(MutationKind::Increment, *row, ["a:n", "b:n"], &amount.to_be_bytes(), *wal))
            }
            Op::Append { table, row, wal } => {
                mutate(table, change(MutationKind::Append, *row, ["a:s", "b:s"], &piece(number), *wal))
            }
            Op::Load { table, rows, variant } => {
                admin.bulk_load(&table_name(*table), files_to_load(*rows, *variant)).map(|_| ())
            }
            Op::Flush { table } => admin.flush(Some(&table_name(*table))),
            Op::Compact { table, major } => admin.compact(&table_name(*table), None, *major),
            Op::AddC { table } => admin.alter_table(descriptor(*table, true)),
            Op::DropC { table } => admin.alter_table(descriptor(*table, false)),
            Op::Disable { table } => admin.set_table_state(&table_name(*table), TableState::Disabled),
            Op::Enable { table } => admin.set_table_state(&table_name(*table), TableState::Enabled),
            Op::Truncate { table, keeps_splits } => admin.truncate_table(&table_name(*table), *keeps_splits),
            Op::Drop { table } => admin.drop_table(&table_name(*table)),
            _ => self.run_on_regions(admin),
        }
    }

    /// Runs operations on regions and snapshots.
    fn run_on_regions(&self, admin: &dyn AdminBackend) -> Result<()> {
        match self {
            Op::Split { table, at } => without_halves(admin, *table, &|| {
                let region = region_of(admin, *table, &split_row(*at))?;
                admin.split_region(&region.region_name(), Some(&split_row(*at)))
            }),
            Op::Merge { table, at } => without_halves(admin, *table, &|| {
                let (regions, row) = (admin.regions(&table_name(*table))?, split_row(*at));
                let touch = |region: &&RegionInfo| region.start_key == row || region.end_key == row;
                let names: Vec<_> = regions.iter().filter(touch).map(RegionInfo::region_name).collect();
                admin.merge_regions(&names, false)
            }),
            Op::TruncateRegion { table, row } => {
                let region = region_of(admin, *table, row_key(*row).as_bytes())?;
                admin.truncate_region(&region.region_name())
            }
            Op::Snapshot { table, snapshot } => {
                admin.take_snapshot(&snapshot_name(*snapshot), &table_name(*table), true, 0)
            }
            Op::DropSnapshot { snapshot } => admin.delete_snapshot(&snapshot_name(*snapshot)),
            Op::Clone { snapshot, table } => admin.clone_snapshot(&snapshot_name(*snapshot), &table_name(*table)),
            Op::Restore { snapshot } => admin.restore_snapshot(&snapshot_name(*snapshot)),
            _ => Ok(()),
        }
    }

    /// Whether one commit of the manifest decides it: it happens as a whole or not at all, in all regions.
    pub fn is_commit(&self) -> bool {
        use Op::*;
        matches!(
            self,
            Create { .. }
                | Load { .. }
                | AddC { .. }
                | DropC { .. }
                | Disable { .. }
                | Enable { .. }
                | Truncate { .. }
                | Drop { .. }
                | Split { .. }
                | Merge { .. }
                | TruncateRegion { .. }
                | Snapshot { .. }
                | DropSnapshot { .. }
                | Clone { .. }
                | Restore { .. }
        )
    }
}

/// Paths by family.
type Files = Vec<(Vec<u8>, PathBuf)>;

/// Files to load, created once: the same rows and variant always give the same files.
fn files_to_load(rows: u8, variant: u8) -> Files {
    static MADE: Mutex<BTreeMap<(u8, u8), Files>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    let make = || ["a", "b"].map(|family| (family.into(), write_file(rows, variant, family))).to_vec();
    made.entry((rows, variant)).or_insert_with(make).clone()
}

fn write_file(rows: u8, variant: u8, family: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-random-{}", std::process::id()));
    RealFileSystem.create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{rows}-{variant}-{family}"));
    let mut writer = Writer::create(&RealFileSystem, &path, WriterOptions::default()).unwrap();
    let mut cells = CellBuffer::new();
    for row in bits(u16::from(rows)) {
        let (key, value) =
            (row_key(WRITTEN_ROWS + row), loaded_value(variant, WRITTEN_ROWS + row, &format!("{family}:q")));
        let (row, family, qualifier) = (key.as_bytes(), family.as_bytes(), b"q".as_slice());
        cells.push(CellParts {
            row,
            family,
            qualifier,
            timestamp: 1,
            cell_type: CellType::Put,
            value: &value,
            tags: &[],
        });
    }
    cells.iter().for_each(|cell| writer.append(&cell).unwrap());
    writer.finish(&FileFacts::default()).unwrap();
    path
}
