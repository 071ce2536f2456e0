//! Shared parts of the MOB tests: a table `t` with the MOB family `f`, threshold 20 bytes, and the ordinary family
//! `g`.

use rowstone_engine::sys::FileSystem;
use rowstone_model::backend::Backend;
use rowstone_model::cell::{Cell, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Get, MobValues, Mutation, MutationKind, ReadOptions, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;
use std::path::{Path, PathBuf};

pub fn table_named(table: &str) -> TableName {
    TableName::parse(table).unwrap()
}

pub fn name() -> TableName {
    table_named("t")
}

/// The table, with these attributes of its MOB family in addition to IS_MOB and MOB_THRESHOLD.
pub fn descriptor(attributes: &[(&str, &str)]) -> TableDescriptor {
    let mut family = FamilyDescriptor::new("f");
    let own = [("IS_MOB", "true"), ("MOB_THRESHOLD", "20"), ("VERSIONS", "3")];
    for (key, value) in own.iter().chain(attributes) {
        family.attributes.insert(key.to_string(), value.to_string());
    }
    TableDescriptor::new(name()).with_family(family).with_family(FamilyDescriptor::new("g"))
}

pub fn create(db: &dyn Backend, attributes: &[(&str, &str)], splits: &[&str]) {
    let splits = splits.iter().map(|split| split.as_bytes().to_vec()).collect();
    db.admin().create_table(descriptor(attributes), splits).unwrap();
}

/// A unique value over the threshold: 40 bytes and more.
pub fn large(number: i64) -> Vec<u8> {
    format!("{number:010}-{}", "x".repeat(30 + (number % 7) as usize)).into_bytes()
}

pub fn mutation(kind: MutationKind, row: &str, timestamp: i64, value: &[u8]) -> Mutation {
    let mut mutation = Mutation::new(kind, row);
    let (row, family, qualifier, cell_type) = (row.as_bytes(), b"f", b"q", CellType::Put);
    mutation.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags: &[] });
    mutation
}

pub fn put_at(db: &dyn Backend, row: &str, timestamp: i64, value: &[u8]) {
    db.table(&name()).unwrap().mutate(mutation(MutationKind::Put, row, timestamp, value)).unwrap();
}

pub fn put(db: &dyn Backend, row: &str, value: &[u8]) {
    put_at(db, row, LATEST_TIMESTAMP, value);
}

pub fn get_with(db: &dyn Backend, table: &str, row: &str, options: ReadOptions) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let batch = db.table(&table_named(table)).unwrap().get(&Get::new(row, options))?;
    Ok(batch.cells.iter().map(|cell| (cell.value().to_vec(), cell.tags().to_vec())).collect())
}

/// The row's value. Cells from MOB files have no trace of their location.
pub fn get_of(db: &dyn Backend, table: &str, row: &str) -> Option<Vec<u8>> {
    let mut cells = get_with(db, table, row, ReadOptions::default()).unwrap();
    assert!(cells.len() <= 1 && cells.iter().all(|cell| cell.1.is_empty()), "{cells:?}");
    cells.pop().map(|cell| cell.0)
}

pub fn get(db: &dyn Backend, row: &str) -> Option<Vec<u8>> {
    get_of(db, "t", row)
}

/// The reference: tags and value as they are in the store file.
pub fn stored(db: &dyn Backend, row: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let options = ReadOptions { mob_values: MobValues::References, ..ReadOptions::default() };
    get_with(db, "t", row, options).unwrap()
}

/// Rows and values of a scan.
pub fn scan(db: &dyn Backend, table: &str, scan: Scan) -> Result<Vec<(String, Vec<u8>)>> {
    let mut scanner = db.table(&table_named(table))?.scan(scan)?;
    let mut found = Vec::new();
    while let Some(batch) = scanner.next_batch(2, 1 << 20)? {
        let text = |cell: Cell<'_>| (String::from_utf8_lossy(cell.row()).into_owned(), cell.value().to_vec());
        found.extend(batch.cells.iter().map(text));
    }
    Ok(found)
}

pub fn paths_below(files: &dyn FileSystem, folder: &Path) -> Vec<PathBuf> {
    let paths = files.list(folder).unwrap().into_iter();
    paths.flat_map(|path| if files.is_dir(&path) { paths_below(files, &path) } else { vec![path] }).collect()
}

/// The MOB files on the disk, sorted.
pub fn mob_files(files: &dyn FileSystem, directory: &Path) -> Vec<PathBuf> {
    let mut paths = paths_below(files, &directory.join("mobdir"));
    paths.sort();
    paths
}

pub fn statistic(db: &dyn Backend, key: &str) -> i64 {
    db.admin().statistics(Some(&name())).unwrap()[key]
}
