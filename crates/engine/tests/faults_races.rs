//! Races between threads: reads and flushes, writes and closing, flushes and schema changes.

use crate::faults_support::files;
use crate::observer_support as observer;
use files::files_of;
use observer::Interruption;
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::{CallKind, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, SeededEntropy, System, SystemClock};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellBuffer, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Get, Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

fn database(files: &FaultyFileSystem) -> Arc<dyn Backend> {
    files.create_dir_all(Path::new("/")).unwrap();
    open(OpenOptions {
        directory: Some(PathBuf::from("/db")),
        create: true,
        system: Some(System {
            files: Arc::new(files.clone()),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SeededEntropy::new(3)),
        }),
        ..OpenOptions::default()
    })
    .unwrap()
}

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

fn descriptor(families: &[&str]) -> TableDescriptor {
    families
        .iter()
        .fold(TableDescriptor::new(name()), |table, family| table.with_family(FamilyDescriptor::new(*family)))
}

fn put(db: &dyn Backend, row: &str, families: &[&str], value: u64) -> Result<()> {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    for family in families {
        mutation.cells.push(CellParts {
            row: row.as_bytes(),
            family: family.as_bytes(),
            qualifier: b"q",
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: &value.to_be_bytes(),
            tags: &[],
        });
    }
    db.table(&name())?.mutate(mutation).map(|_| ())
}

fn values(db: &dyn Backend, row: &str) -> Result<Vec<u64>> {
    let batch = db.table(&name())?.get(&Get::of(row))?;
    Ok(batch.cells.iter().map(|cell| u64::from_be_bytes(cell.value().try_into().unwrap())).collect())
}

/// HBASE-2856: a get takes its read point, a newer version is written and flushed, and the older one is left out of
/// the file.
#[test]
fn a_get_beside_flushes_always_finds_the_row_and_finds_it_whole() {
    let files = FaultyFileSystem::new();
    let db = database(&files);
    db.admin().create_table(descriptor(&["a", "b"]), Vec::new()).unwrap();
    put(&*db, "row", &["a", "b"], 0).unwrap();
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for value in 1.. {
                put(&*db, "row", &["a", "b"], value).unwrap();
                if ends.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        scope.spawn(|| {
            while !ends.load(Ordering::Relaxed) {
                db.admin().flush(None).unwrap();
                db.admin().compact(&name(), None, true).unwrap();
            }
        });
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = 0;
                    while !ends.load(Ordering::Relaxed) {
                        let found = values(&*db, "row").unwrap();
                        assert!(matches!(found[..], [a, b] if a == b && a >= last), "{found:?} after {last}");
                        last = found[0];
                    }
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(1500));
        ends.store(true, Ordering::Relaxed);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}

/// No thread touches the directory once `close` has returned: it may then have another owner.
#[test]
fn after_closing_nothing_changes_and_all_that_was_acknowledged_is_there() {
    for round in 0..15 {
        let files = FaultyFileSystem::new();
        let db = database(&files);
        db.admin().create_table(descriptor(&["a", "b"]), vec![b"5".to_vec()]).unwrap();
        let acknowledged: Vec<AtomicU64> = (0..4).map(|_| AtomicU64::new(0)).collect();
        thread::scope(|scope| {
            for (index, acknowledged) in acknowledged.iter().enumerate() {
                let db = &*db;
                scope.spawn(move || {
                    for value in 1.. {
                        match put(db, &format!("{}", index * 3), &["a", "b"], value) {
                            Ok(()) => acknowledged.store(value, Ordering::SeqCst),
                            Err(error) => return assert_eq!(error.kind(), ErrorKind::DatabaseClosed, "{error}"),
                        }
                    }
                });
            }
            let maintain = |what: fn(&dyn Backend) -> Result<()>| {
                let db = &*db;
                scope.spawn(move || loop {
                    match what(db) {
                        Err(error) if error.kind() == ErrorKind::DatabaseClosed => return,
                        // A compaction gives up when the database begins to close.
                        Err(error) => assert_eq!(error.kind(), ErrorKind::TableNotEnabled, "{error}"),
                        Ok(()) => {}
                    }
                });
            };
            maintain(|db| db.admin().flush(None));
            maintain(|db| db.admin().compact(&name(), None, true));
            maintain(|db| {
                static FILES: OnceLock<Vec<(Vec<u8>, PathBuf)>> = OnceLock::new();
                let files = FILES.get_or_init(|| files_of(&["l1", "s2"], b"loaded"));
                db.admin().bulk_load(&name(), files.clone()).map(|_| ())
            });
            maintain(|db| {
                db.admin().alter_table(descriptor(&["a", "b", "c"]))?;
                db.admin().alter_table(descriptor(&["a", "b"]))
            });
            thread::sleep(Duration::from_millis(5 + round * 3));
            db.close().unwrap();
            let calls = files.calls(CallKind::Change);
            thread::sleep(Duration::from_millis(20));
            assert_eq!(files.calls(CallKind::Change), calls, "something was written after closing");
        });
        drop(db);
        let db = database(&files);
        for (index, acknowledged) in acknowledged.iter().enumerate() {
            let (found, least) =
                (values(&*db, &format!("{}", index * 3)).unwrap(), acknowledged.load(Ordering::SeqCst));
            let is_right = match found[..] {
                [] => least == 0,
                [a, b] => a == b && a >= least,
                _ => false,
            };
            assert!(is_right, "row {index}: found {found:?}, acknowledged {least}");
        }
    }
}

/// A trial got `NoSuchColumnFamily` for a family that the caller of `delete(row)` had never named: it was dropped
/// between the plan of the delete and the write.
#[test]
fn a_delete_of_a_row_beside_a_dropped_family_deletes_what_there_is() {
    for is_batch in [false, true] {
        let files = FaultyFileSystem::new();
        let db = database(&files);
        db.admin().create_table(descriptor(&["a", "c"]), Vec::new()).unwrap();
        put(&*db, "row", &["a", "c"], 1).unwrap();
        let weak = Arc::downgrade(&db);
        let calls = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&calls);
        let drop_once = move |_: &CellBuffer| match (count.fetch_add(1, Ordering::Relaxed), weak.upgrade()) {
            (0, Some(db)) => db.admin().alter_table(descriptor(&["a"])),
            _ => Ok(()),
        };
        db.observe_table(&name(), Some(Interruption::before_write(drop_once))).unwrap();
        let delete = Mutation::new(MutationKind::Delete, "row");
        let table = db.table(&name()).unwrap();
        if is_batch {
            table.mutate_many(vec![delete]).into_iter().for_each(Result::unwrap)
        } else {
            drop(table.mutate(delete).unwrap())
        }
        assert_eq!(calls.load(Ordering::Relaxed), 2, "planned again");
        assert_eq!(values(&*db, "row").unwrap(), Vec::<u64>::new());
        // A family that the caller names does give an error.
        let error = put(&*db, "row", &["c"], 2).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSuchColumnFamily);
    }
}

/// Loads a file of family `a` with rows of both regions in a loop.
fn load_until(db: &dyn Backend, ends: &AtomicBool, allow: &impl Fn(Result<()>)) {
    let files = files_of(&["3l", "7s"], b"loaded")[..1].to_vec();
    while !ends.load(Ordering::Relaxed) {
        allow(db.admin().bulk_load(&name(), files.clone()).map(|_| ()));
        // Loads and schema changes exclude each other: this gives the latter a chance.
        thread::sleep(Duration::from_millis(3));
    }
}

/// Flushes, compactions, writes and scans while families are added and removed, and the table is dropped, truncated
/// and created again.
#[test]
fn changes_of_the_schema_meet_everything_else() {
    let files = FaultyFileSystem::new();
    let db = database(&files);
    db.admin().create_table(descriptor(&["a"]), vec![b"5".to_vec()]).unwrap();
    let ends = AtomicBool::new(false);
    let expected = [
        ErrorKind::TableNotFound,
        ErrorKind::TableNotEnabled,
        ErrorKind::NoSuchColumnFamily,
        ErrorKind::TableNotDisabled,
        ErrorKind::RegionNotFound,
    ];
    let allow = |outcome: Result<()>| match outcome {
        Err(error) if !expected.contains(&error.kind()) => panic!("{:?}: {error}", error.kind()),
        _ => {}
    };
    let scan = || -> Result<()> {
        let mut scanner = db.table(&name())?.scan(Scan::default())?;
        while scanner.next_batch(3, 1000)?.is_some() {}
        Ok(())
    };
    thread::scope(|scope| {
        let (db, ends, scan, allow) = (&*db, &ends, &scan, &allow);
        for index in 0..2 {
            scope.spawn(move || {
                for value in 0.. {
                    allow(put(db, &format!("{}", (value + index) % 10), &["a", "c"], value));
                    allow(put(db, &format!("{}", (value + index) % 10), &["a"], value));
                    if ends.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
        }
        scope.spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                allow(db.admin().flush(None));
                allow(db.admin().compact(&name(), None, false));
                allow(scan());
            }
        });
        scope.spawn(move || load_until(db, ends, allow));
        for round in 0..60 {
            db.admin().alter_table(descriptor(&["a", "c"])).unwrap();
            thread::sleep(Duration::from_millis(3));
            db.admin().alter_table(descriptor(&["a"])).unwrap();
            thread::sleep(Duration::from_millis(3));
            db.admin().set_table_state(&name(), TableState::Disabled).unwrap();
            if round % 2 == 0 {
                db.admin().truncate_table(&name(), true).unwrap();
            } else {
                db.admin().drop_table(&name()).unwrap();
                db.admin().create_table(descriptor(&["a"]), vec![b"5".to_vec()]).unwrap();
            }
        }
        ends.store(true, Ordering::Relaxed);
    });
    // The remaining sizes are consistent: only existing cells count as memory.
    db.admin().flush(None).unwrap();
    db.admin().set_table_state(&name(), TableState::Disabled).unwrap();
    db.admin().drop_table(&name()).unwrap();
    let left: Vec<PathBuf> = files.list(Path::new("/db/data/default")).unwrap();
    assert!(left.is_empty(), "{left:?}");
    db.close().unwrap();
}
