//! A database whose store files share few handles: it reads more files than it has handles, and open scans keep reading
//! files that were deleted meanwhile.

use crate::regions_support;
use regions_support::{create, get, name, put, row, rows_of, some_rows};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{
    FileSystem, HandlePool, ManualClock, MemoryFileSystem, PooledFileSystem, SeededEntropy, System,
};
use rowstone_model::backend::Backend;
use rowstone_model::operations::Scan;
use rowstone_model::schema::TableState;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HANDLES: usize = 3;
const FLUSHES: i64 = 12;

/// A database with `HANDLES` handles, and the file system below.
fn database() -> (Arc<dyn Backend>, MemoryFileSystem) {
    let files = MemoryFileSystem::new();
    let pooled = PooledFileSystem::new(Arc::new(files.clone()), HandlePool::new(|| HANDLES));
    let system = System {
        files: Arc::new(pooled),
        clock: Arc::new(ManualClock::new(1_000)),
        entropy: Arc::new(SeededEntropy::new(1)),
    };
    let db = open(OpenOptions {
        directory: Some("/base".into()),
        create: true,
        configuration: BTreeMap::from([("rowstone.compaction.background".into(), "false".into())]),
        system: Some(system),
        is_passive: true,
        ..OpenOptions::default()
    })
    .unwrap();
    (db, files)
}

/// Writes a row and flushes it, `FLUSHES` times; each family gets as many files.
fn write_files(db: &dyn Backend) {
    create(db, &[], &[]);
    for number in 0..FLUSHES {
        put(db, &row(number), number);
        db.admin().flush(Some(&name())).unwrap();
    }
}

fn store_files(files: &MemoryFileSystem, folder: &Path) -> usize {
    let (folders, here): (Vec<PathBuf>, Vec<PathBuf>) =
        files.list(folder).unwrap().into_iter().partition(|path| files.is_dir(path));
    here.len() + folders.iter().map(|folder| store_files(files, folder)).sum::<usize>()
}

fn handles(db: &dyn Backend) -> (i64, i64, i64) {
    let numbers = db.admin().statistics(None).unwrap();
    (numbers["file_handles"], numbers["file_handle_limit"], numbers["file_handles_reopened"])
}

fn all_rows() -> Vec<String> {
    (0..FLUSHES).map(row).collect()
}

#[test]
fn a_database_reads_more_files_than_it_has_handles() {
    let (db, files) = database();
    write_files(&*db);
    assert_eq!(store_files(&files, Path::new("/base/data")), 2 * FLUSHES as usize);
    let mut scanner = db.table(&name()).unwrap().scan(Scan::default()).unwrap();
    assert_eq!(rows_of(&mut *scanner), all_rows());
    drop(scanner);
    (0..FLUSHES).for_each(|number| assert_eq!(get(&*db, &row(number)), Some(number)));
    let (open, limit, reopened) = handles(&*db);
    assert_eq!((open, limit), (HANDLES as i64, HANDLES as i64));
    assert!(reopened > 0, "no handle was closed");
}

#[test]
fn an_open_scan_reads_files_that_a_compaction_deleted() {
    let (db, files) = database();
    write_files(&*db);
    let mut scanner = db.table(&name()).unwrap().scan(Scan::default()).unwrap();
    let mut rows = some_rows(&mut *scanner, 2);
    db.admin().compact(&name(), None, true).unwrap();
    rows.extend(rows_of(&mut *scanner));
    assert_eq!(rows, all_rows());
    drop(scanner);
    assert_eq!(store_files(&files, Path::new("/base/data")), 2, "the replaced files are gone");
    (0..FLUSHES).for_each(|number| assert_eq!(get(&*db, &row(number)), Some(number)));
}

#[test]
fn an_open_scan_reads_files_of_a_dropped_table() {
    let (db, files) = database();
    write_files(&*db);
    let mut scanner = db.table(&name()).unwrap().scan(Scan::default()).unwrap();
    let before = some_rows(&mut *scanner, 2).len();
    db.admin().set_table_state(&name(), TableState::Disabled).unwrap();
    db.admin().drop_table(&name()).unwrap();
    let rest = scanner.next_batch(100, usize::MAX);
    assert!(rest.is_err() || before + rest.unwrap().map_or(0, |batch| batch.rows.len()) == FLUSHES as usize);
    drop(scanner);
    assert_eq!(store_files(&files, Path::new("/base/data")), 0);
}
