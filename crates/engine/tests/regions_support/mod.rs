//! Shared parts of the region tests: a table `t` with families `f` and `g`, whose rows have one number in both.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::backend::{Backend, ScannerBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Get, Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableName};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub fn name() -> TableName {
    TableName::parse("t").unwrap()
}

pub fn row(number: i64) -> String {
    format!("r{number:03}")
}

fn configuration(settings: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([("rowstone.compaction.background".to_string(), "false".to_string())]);
    all.extend(settings.iter().map(|(key, value)| (key.to_string(), value.to_string())));
    all
}

/// A database in memory, or in a directory.
pub fn database(directory: Option<&Path>, settings: &[(&str, &str)]) -> Arc<dyn Backend> {
    open(OpenOptions {
        directory: directory.map(Path::to_path_buf),
        create: true,
        configuration: configuration(settings),
        ..OpenOptions::default()
    })
    .unwrap()
}

/// A database in `/base` of a file system in memory, which tests can inspect.
pub fn database_and_files(settings: &[(&str, &str)]) -> (Arc<dyn Backend>, System) {
    let (clock, entropy) = (Arc::new(ManualClock::new(1_000)), Arc::new(SeededEntropy::new(1)));
    let system = System { files: Arc::new(MemoryFileSystem::new()), clock, entropy };
    let db = open(OpenOptions {
        directory: Some("/base".into()),
        create: true,
        configuration: configuration(settings),
        system: Some(system.clone()),
        ..OpenOptions::default()
    });
    (db.unwrap(), system)
}

/// Attributes of a family are set on both families.
pub fn descriptor(table: &str, attributes: &[(&str, &str)]) -> TableDescriptor {
    let mut table = TableDescriptor::new(TableName::parse(table).unwrap());
    let (of_families, of_table): (Vec<_>, Vec<_>) = attributes.iter().partition(|(key, _)| *key == "BLOCKSIZE");
    table.attributes = of_table.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    // The tests' sizes are smaller than HBase's sanity checks permit.
    table.configuration.insert("hbase.table.sanity.checks".into(), "false".into());
    for family in ["f", "g"] {
        let mut family = FamilyDescriptor::new(family);
        family.attributes = of_families.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        table = table.with_family(family);
    }
    table
}

pub fn create_named(db: &dyn Backend, table: &str, attributes: &[(&str, &str)], splits: &[&str]) {
    let splits = splits.iter().map(|split| split.as_bytes().to_vec()).collect();
    db.admin().create_table(descriptor(table, attributes), splits).unwrap();
}

pub fn create(db: &dyn Backend, attributes: &[(&str, &str)], splits: &[&str]) {
    create_named(db, "t", attributes, splits);
}

/// A put of the number in both families.
pub fn mutation(row: &str, number: i64) -> Mutation {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    for family in ["f", "g"] {
        mutation.cells.push(CellParts {
            row: row.as_bytes(),
            family: family.as_bytes(),
            qualifier: b"q",
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: &number.to_be_bytes(),
            tags: &[],
        });
    }
    mutation
}

pub fn put(db: &dyn Backend, row: &str, number: i64) {
    db.table(&name()).unwrap().mutate(mutation(row, number)).unwrap();
}

/// The row's number, which both families have.
pub fn get(db: &dyn Backend, row: &str) -> Option<i64> {
    let batch = db.table(&name()).unwrap().get(&Get::of(row)).unwrap();
    let numbers: Vec<i64> =
        batch.cells.iter().map(|cell| i64::from_be_bytes(cell.value().try_into().unwrap())).collect();
    match numbers.as_slice() {
        [] => None,
        [one, two] if one == two => Some(*one),
        torn => panic!("row {row} is torn: {torn:?}"),
    }
}

/// The next rows, at most `count`.
pub fn some_rows(scanner: &mut dyn ScannerBackend, count: usize) -> Vec<String> {
    let mut rows = Vec::new();
    while rows.len() < count {
        let Some(batch) = scanner.next_batch(count - rows.len(), usize::MAX).unwrap() else { break };
        for range in &batch.rows {
            let row = batch.row_cells(*range).next().unwrap().row().to_vec();
            rows.push(String::from_utf8_lossy(&row).into_owned());
        }
    }
    rows
}

pub fn rows_of(scanner: &mut dyn ScannerBackend) -> Vec<String> {
    some_rows(scanner, usize::MAX)
}

pub fn bounds(regions: &[RegionInfo]) -> Vec<(&str, &str)> {
    let text = |key| std::str::from_utf8(key).unwrap();
    regions.iter().map(|region| (text(&region.start_key[..]), text(&region.end_key[..]))).collect()
}
