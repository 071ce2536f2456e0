//! Snapshots are taken, cloned, restored and deleted, with later writes and after their table was dropped. Power
//! losses and I/O errors occur at every file call of each operation.

use crate::faults_support as faults;
use crate::observer_support as observer;
use crate::regions_support as support;
use faults::Machine;
use observer::Interruption;
use rowstone_engine::check::{check as check_directory, repair, RepairOptions};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault};
use rowstone_engine::sys::{FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::admin::{AdminBackend, SnapshotKind};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Durability, Scan};
use rowstone_model::schema::{NamespaceDescriptor, RegionInfo, TableName, TableState};
use rowstone_model::{ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use support::*;

type Rows = BTreeMap<String, i64>;

fn table_named(table: &str) -> TableName {
    TableName::parse(table).unwrap()
}

/// The rows of a table with their numbers, which must be equal in both families.
fn read(db: &dyn Backend, table: &str) -> Option<Rows> {
    let mut rows = Rows::new();
    let table = db.table(&table_named(table)).ok()?;
    let mut scanner = table.scan(Scan::default()).ok()?;
    while let Some(batch) = scanner.next_batch(1_000, usize::MAX).unwrap() {
        for range in &batch.rows {
            let cells: Vec<_> = batch.row_cells(*range).collect();
            assert_eq!((cells.len(), cells[0].value()), (2, cells[1].value()));
            let row = String::from_utf8(cells[0].row().to_vec()).unwrap();
            rows.insert(row, i64::from_be_bytes(cells[0].value().try_into().unwrap()));
        }
    }
    Some(rows)
}

fn write(db: &dyn Backend, table: &str, rows: impl Iterator<Item = i64>, number: i64) {
    let table = db.table(&table_named(table)).unwrap();
    rows.for_each(|index| drop(table.mutate(mutation(&row(index), number)).unwrap()));
}

fn rows(range: impl Iterator<Item = i64>, number: i64) -> Rows {
    range.map(|index| (row(index), number)).collect()
}

fn paths_below(files: &dyn FileSystem, folder: &Path) -> Vec<PathBuf> {
    let paths = files.list(folder).unwrap().into_iter();
    paths.flat_map(|path| if files.is_dir(&path) { paths_below(files, &path) } else { vec![path] }).collect()
}

fn store_files(files: &dyn FileSystem) -> usize {
    paths_below(files, &faults::directory().join("data")).len()
}

/// The machine's disk at a later time.
fn later(machine: &Machine) -> System {
    let (clock, entropy) = (Arc::new(ManualClock::new(9_000_000)), Arc::new(SeededEntropy::new(9)));
    System { files: Arc::new(machine.files.clone()), clock, entropy }
}

fn disable(admin: &dyn AdminBackend, table: &str) {
    admin.set_table_state(&table_named(table), TableState::Disabled).unwrap();
}

fn names(db: &dyn Backend) -> Vec<String> {
    db.admin().list_snapshots().unwrap().into_iter().map(|snapshot| snapshot.name).collect()
}

#[test]
fn a_snapshot_keeps_its_type() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    db.admin().take_snapshot("a", &name(), true, 0).unwrap();
    db.admin().take_snapshot("b", &name(), false, 0).unwrap();
    disable(db.admin(), "t");
    db.admin().take_snapshot("c", &name(), false, 0).unwrap();
    db.close().unwrap();
    machine.tick();
    let db = machine.open().unwrap();
    let kinds: Vec<_> = db.admin().list_snapshots().unwrap().into_iter().map(|snapshot| snapshot.kind).collect();
    assert_eq!(kinds, [SnapshotKind::Flush, SnapshotKind::SkipFlush, SnapshotKind::Disabled]);
}

#[test]
fn a_snapshot_survives_changes_of_its_table_and_reopening() {
    let machine = Machine::new(Durability::FsyncWal);
    let mut db = machine.open().unwrap();
    let again = |db: &mut Arc<dyn Backend>| {
        db.close().unwrap();
        machine.tick();
        *db = machine.open().unwrap();
    };
    create(&*db, &[], &["r005"]);
    write(&*db, "t", 0..10, 1);
    db.admin().flush(None).unwrap();
    write(&*db, "t", 2..4, 2);
    let mut then = rows(0..10, 1);
    then.extend(rows(2..4, 2));
    db.admin().take_snapshot("s", &name(), true, 0).unwrap();
    again(&mut db);
    let listed = db.admin().list_snapshots().unwrap();
    assert_eq!((listed.len(), listed[0].name.as_str(), listed[0].table.as_str()), (1, "s", "t"));

    write(&*db, "t", 0..20, 3);
    db.admin().compact(&name(), None, true).unwrap();
    again(&mut db);
    assert_eq!(read(&*db, "t").unwrap(), rows(0..20, 3));

    db.admin().clone_snapshot("s", &table_named("u")).unwrap();
    assert_eq!(read(&*db, "u").unwrap(), then);
    write(&*db, "u", 8..12, 4);
    let mut cloned = then.clone();
    cloned.extend(rows(8..12, 4));
    again(&mut db);
    assert_eq!(read(&*db, "u").unwrap(), cloned);
    assert_eq!(read(&*db, "t").unwrap(), rows(0..20, 3));

    disable(db.admin(), "t");
    db.admin().restore_snapshot("s").unwrap();
    again(&mut db);
    assert_eq!(db.admin().table_state(&name()).unwrap(), TableState::Disabled);
    db.admin().set_table_state(&name(), TableState::Enabled).unwrap();
    assert_eq!(read(&*db, "t").unwrap(), then);
    write(&*db, "t", 5..6, 5);
    assert_eq!(get(&*db, "r005"), Some(5));
    again(&mut db);
    assert_eq!(get(&*db, "r005"), Some(5));

    disable(db.admin(), "t");
    db.admin().drop_table(&name()).unwrap();
    again(&mut db);
    assert_eq!((read(&*db, "t"), read(&*db, "u").unwrap()), (None, cloned.clone()));
    db.admin().compact(&table_named("u"), None, true).unwrap();
    db.admin().split_region(&db.admin().regions(&table_named("u")).unwrap()[0].region_name(), Some(b"r003")).unwrap();
    again(&mut db);
    assert_eq!(read(&*db, "u").unwrap(), cloned);
    db.admin().clone_snapshot("s", &table_named("t")).unwrap();
    assert_eq!(read(&*db, "t").unwrap(), then);
    db.admin().delete_snapshot("s").unwrap();
    again(&mut db);
    assert_eq!((read(&*db, "t").unwrap(), read(&*db, "u").unwrap()), (then, cloned));
    for table in ["t", "u"] {
        disable(db.admin(), table);
        db.admin().drop_table(&table_named(table)).unwrap();
    }
    assert_eq!(store_files(&machine.files), 0);
}

#[test]
fn halves_of_a_split_are_cloned_and_compacted() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    write(&*db, "t", 0..10, 1);
    db.admin().split_region(&db.admin().regions(&name()).unwrap()[0].region_name(), Some(b"r005")).unwrap();
    db.admin().take_snapshot("s", &name(), true, 0).unwrap();
    db.admin().compact(&name(), None, true).unwrap();
    db.admin().clone_snapshot("s", &table_named("u")).unwrap();
    assert_eq!(db.admin().regions(&table_named("u")).unwrap().len(), 2);
    db.admin().compact(&table_named("u"), None, true).unwrap();
    let before = store_files(&machine.files);
    db.admin().delete_snapshot("s").unwrap();
    assert_eq!(store_files(&machine.files), before - 2, "the file of each family that was split");
    drop(db);
    let db = machine.open().unwrap();
    assert_eq!((read(&*db, "t"), read(&*db, "u")), (Some(rows(0..10, 1)), Some(rows(0..10, 1))));
}

#[test]
fn rejected_calls_change_nothing() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    let admin = db.admin();
    let kind = |outcome: Result<()>| outcome.unwrap_err().kind();
    create(&*db, &[], &[]);
    write(&*db, "t", 0..1, 1);
    admin.take_snapshot("s", &name(), true, 0).unwrap();
    assert_eq!(kind(admin.take_snapshot("s", &name(), true, 0)), ErrorKind::SnapshotExists);
    assert_eq!(kind(admin.take_snapshot("a b", &name(), true, 0)), ErrorKind::InvalidName);
    assert_eq!(kind(admin.take_snapshot("v", &table_named("none"), true, 0)), ErrorKind::TableNotFound);
    assert_eq!(kind(admin.clone_snapshot("v", &table_named("u"))), ErrorKind::SnapshotNotFound);
    assert_eq!(kind(admin.clone_snapshot("s", &name())), ErrorKind::TableExists);
    assert_eq!(kind(admin.clone_snapshot("s", &table_named("n:u"))), ErrorKind::NamespaceNotFound);
    assert_eq!(kind(admin.restore_snapshot("v")), ErrorKind::SnapshotNotFound);
    assert_eq!(kind(admin.restore_snapshot("s")), ErrorKind::TableNotDisabled);
    assert_eq!(kind(admin.delete_snapshot("v")), ErrorKind::SnapshotNotFound);
    assert_eq!((names(&*db), read(&*db, "t")), (vec!["s".to_string()], Some(rows(0..1, 1))));
}

#[test]
fn a_snapshot_without_a_flush_has_only_files_and_expires() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    write(&*db, "t", 0..2, 1);
    db.admin().flush(None).unwrap();
    write(&*db, "t", 0..4, 2);
    db.admin().take_snapshot("s", &name(), false, 1).unwrap();
    db.admin().clone_snapshot("s", &table_named("u")).unwrap();
    assert_eq!(read(&*db, "u"), Some(rows(0..2, 1)));
    disable(db.admin(), "u");
    db.admin().drop_table(&table_named("u")).unwrap();
    db.admin().compact(&name(), None, true).unwrap();
    (0..400).for_each(|_| machine.tick());
    assert_eq!(names(&*db), Vec::<String>::new());
    assert_eq!(db.admin().clone_snapshot("s", &table_named("u")).unwrap_err().kind(), ErrorKind::SnapshotNotFound);
    db.admin().truncate_region(&db.admin().regions(&name()).unwrap()[0].region_name()).unwrap();
    assert_eq!(store_files(&machine.files), 0);
}

#[test]
fn a_backup_has_the_snapshots() {
    let (folder, copy) = (tempfile(), tempfile());
    let db = database(Some(&folder), &[]);
    create(&*db, &[], &[]);
    write(&*db, "t", 0..10, 1);
    db.admin().split_region(&db.admin().regions(&name()).unwrap()[0].region_name(), Some(b"r005")).unwrap();
    db.admin().take_snapshot("s", &name(), true, 0).unwrap();
    disable(db.admin(), "t");
    db.admin().truncate_table(&name(), false).unwrap();
    db.admin().clone_snapshot("s", &table_named("u")).unwrap();
    db.admin().backup(&copy).unwrap();
    assert_eq!(read(&*db, "u"), Some(rows(0..10, 1)));
    db.close().unwrap();
    for folder in [&folder, &copy] {
        let db = database(Some(folder), &[]);
        db.admin().clone_snapshot("s", &table_named("v")).unwrap();
        assert_eq!((read(&*db, "v"), read(&*db, "t")), (Some(rows(0..10, 1)), Some(Rows::new())));
        db.close().unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }
}

fn tempfile() -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("rowstone-snapshots-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    std::env::temp_dir().join(name)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Action {
    Take,
    Clone,
    Restore,
    Compact,
    Drop,
    Delete,
}

const ACTIONS: [Action; 6] =
    [Action::Take, Action::Clone, Action::Restore, Action::Compact, Action::Drop, Action::Delete];

/// Contents of a database: the tables t and u, and the snapshot cloned to a table.
type Seen = (Option<Rows>, Option<Rows>, Option<Rows>);

impl Action {
    fn prepare(self, machine: &Machine) -> Arc<dyn Backend> {
        let db = machine.open().unwrap();
        create(&*db, &[], &["r005"]);
        write(&*db, "t", 0..10, 1);
        if self != Action::Take {
            db.admin().take_snapshot("s", &name(), true, 0).unwrap();
            write(&*db, "t", 3..8, 2);
        }
        if matches!(self, Action::Restore | Action::Drop) {
            disable(db.admin(), "t");
        }
        if self == Action::Delete {
            db.admin().compact(&name(), None, true).unwrap();
        }
        machine.tick();
        db
    }

    fn run(self, db: &dyn Backend) -> Result<()> {
        match self {
            Action::Take => db.admin().take_snapshot("s", &name(), true, 0),
            Action::Clone => db.admin().clone_snapshot("s", &table_named("u")),
            Action::Restore => db.admin().restore_snapshot("s"),
            Action::Compact => db.admin().compact(&name(), None, true),
            Action::Drop => db.admin().drop_table(&name()),
            Action::Delete => db.admin().delete_snapshot("s"),
        }
    }

    fn before_and_after(self) -> [Seen; 2] {
        let then = rows(0..10, 1);
        let mut now = then.clone();
        now.extend(rows(3..8, 2));
        let (then, now) = (Some(then), Some(now));
        let seen = |t: &Option<Rows>, u: &Option<Rows>, s: &Option<Rows>| (t.clone(), u.clone(), s.clone());
        let written = seen(&now, &None, &then);
        match self {
            Action::Take => [seen(&then, &None, &None), seen(&then, &None, &then)],
            Action::Clone => [written, seen(&now, &then, &then)],
            Action::Restore => [written, seen(&then, &None, &then)],
            Action::Compact => [written.clone(), written],
            Action::Drop => [written, seen(&None, &None, &then)],
            Action::Delete => [written, seen(&now, &None, &None)],
        }
    }
}

fn see(db: &dyn Backend) -> Seen {
    let _ = db.admin().set_table_state(&name(), TableState::Enabled);
    let snapshot = names(db).first().map(|name| {
        db.admin().clone_snapshot(name, &table_named("copy")).unwrap();
        read(db, "copy").unwrap()
    });
    (read(db, "t"), read(db, "u"), snapshot)
}

/// Checks that a crash leaves one of `wanted`, and that removing everything removes all files.
fn check(machine: &Machine, mode: Crash, wanted: &[Seen], what: &str) {
    let machine = Machine::on(machine.files.crash(mode), 1, Durability::FsyncWal);
    let db = machine.open().unwrap_or_else(|error| panic!("{what}, {mode:?}: cannot be opened: {error}"));
    let seen = see(&*db);
    assert!(wanted.contains(&seen), "{what}, {mode:?}: found {seen:?}");
    for snapshot in names(&*db) {
        db.admin().delete_snapshot(&snapshot).unwrap();
    }
    assert_eq!((read(&*db, "t"), read(&*db, "u")), (seen.0, seen.1), "{what}, {mode:?}: without the snapshot");
    for table in db.admin().list_tables(Some("default")).unwrap() {
        db.admin().compact(&table, None, true).unwrap();
        disable(db.admin(), &table.to_string());
        db.admin().drop_table(&table).unwrap();
    }
    assert_eq!(store_files(&machine.files), 0, "{what}, {mode:?}");
}

#[test]
fn a_power_loss_at_every_call() {
    for action in ACTIONS {
        let mut states = 0;
        for point in 1.. {
            let machine = Machine::new(Durability::FsyncWal);
            let db = action.prepare(&machine);
            let wanted = action.before_and_after();
            let first = machine.files.calls(CallKind::Change);
            machine.files.fail(CallKind::Change, first + point, Fault::Halt);
            let outcome = action.run(&*db);
            let what = format!("{action:?}, power loss at change {point}");
            for mode in [Crash::Synced, Crash::Everything, Crash::Subset(point), Crash::Subset(point + 1_000)] {
                check(&machine, mode, if outcome.is_ok() { &wanted[1..] } else { &wanted }, &what);
                states += 1;
            }
            if machine.files.calls(CallKind::Change) < first + point {
                assert!(outcome.is_ok(), "{what}: {outcome:?}");
                break;
            }
        }
        println!("{action:?}: {states} crashed disks");
    }
}

#[test]
fn a_failed_call_leaves_the_state_before_or_after() {
    for action in ACTIONS {
        for point in 1.. {
            let machine = Machine::new(Durability::FsyncWal);
            let db = action.prepare(&machine);
            let wanted = action.before_and_after();
            let first = machine.files.calls(CallKind::Change);
            machine.files.fail(CallKind::Change, first + point, Fault::Io);
            let outcome = action.run(&*db);
            let what = format!("{action:?}, failure of change {point}: {outcome:?}");
            for mode in [Crash::Synced, Crash::Everything, Crash::Subset(point)] {
                check(&machine, mode, &wanted, &what);
            }
            if machine.files.calls(CallKind::Change) < first + point {
                break;
            }
        }
    }
}

/// The manifest's end is lost, or a file of a snapshot is damaged: repair saves each table with its own data.
#[test]
fn repair_separates_tables_and_saves_intact_snapshots() {
    for harms_manifest in [true, false] {
        let machine = Machine::new(Durability::FsyncWal);
        let db = machine.open().unwrap();
        create(&*db, &[], &[]);
        write(&*db, "t", 0..10, 1);
        db.admin().take_snapshot("s", &name(), true, 0).unwrap();
        db.admin().clone_snapshot("s", &table_named("u")).unwrap();
        write(&*db, "t", 3..8, 2);
        let earlier = paths_below(&machine.files, &faults::directory().join("data"));
        db.admin().take_snapshot("later", &name(), true, 0).unwrap();
        disable(db.admin(), "t");
        db.admin().truncate_table(&name(), false).unwrap();
        write(&*db, "t", 20..21, 3);
        db.admin().create_namespace(NamespaceDescriptor { name: "last".into(), properties: BTreeMap::new() }).unwrap();
        db.close().unwrap();
        drop(db);
        let system = later(&machine);
        let report = check_directory(&system, &faults::directory(), &mut |_, _, _| {}).unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
        // Four files: for each of two families one that the clone and both snapshots have, and one that only
        // "later" has.
        assert_eq!(store_files(&machine.files), 4);
        if harms_manifest {
            // The last commit, of the namespace, is torn, although the log reports it as durable.
            let path = faults::directory().join("MANIFEST");
            machine.files.damage(&path, |bytes| bytes.truncate(bytes.len() - 40)).unwrap();
        } else {
            let mut paths = paths_below(&machine.files, &faults::directory().join("data"));
            paths.retain(|path| !earlier.contains(path));
            machine.files.damage(&paths[0], |bytes| bytes[40] ^= 0xff).unwrap();
        }
        let report = check_directory(&system, &faults::directory(), &mut |_, _, _| {}).unwrap();
        assert!(!report.is_clean(), "{:?}", report.findings);
        let out = Path::new("/saved");
        repair(&system, &faults::directory(), out, RepairOptions::default(), &mut |_, _, _| {}).unwrap();
        let report = check_directory(&system, out, &mut |_, _, _| {}).unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
        let options =
            OpenOptions { directory: Some(out.to_path_buf()), system: Some(system), ..OpenOptions::default() };
        let db = open(options).unwrap();
        assert_eq!(read(&*db, "u"), Some(rows(0..10, 1)), "{harms_manifest}");
        assert_eq!(read(&*db, "t"), Some(rows(20..21, 3)), "{harms_manifest}");
        let wanted: &[&str] = if harms_manifest { &["later", "s"] } else { &["s"] };
        assert_eq!(names(&*db), wanted);
    }
}

/// Writes to the first region, flushes only one of its families, and compacts it. This happens after the region's own
/// flush for the snapshot, and before the snapshot is complete.
fn disturb_first_region(db: &dyn Backend) -> Result<()> {
    let first = db.admin().regions(&name())?.remove(0).encoded_name;
    write(db, "t", 0..5, 2);
    db.admin().flush_region(first.as_bytes(), Some(b"f"))?;
    db.admin().compact_region(first.as_bytes(), None, true)
}

/// Regression: a snapshot had rows whose families were from different moments, because one family of a region was
/// flushed while other regions were still being flushed for the snapshot.
#[test]
fn a_snapshot_has_all_families_of_a_region_as_of_one_flush() {
    let machine = Machine::new(Durability::SyncWal);
    let db = machine.open().unwrap();
    create(&*db, &[], &["r005"]);
    write(&*db, "t", 0..10, 1);
    let weak: Weak<dyn Backend> = Arc::downgrade(&db);
    let observer =
        Interruption::before_flush(move |region: &RegionInfo| match (&region.start_key[..], weak.upgrade()) {
            (b"r005", Some(db)) => disturb_first_region(&*db),
            _ => Ok(()),
        });
    db.observe_table(&name(), Some(observer)).unwrap();
    db.admin().take_snapshot("s", &name(), true, 0).unwrap();
    db.observe_table(&name(), None).unwrap();
    assert_eq!(read(&*db, "t").unwrap(), rows(0..5, 2).into_iter().chain(rows(5..10, 1)).collect());
    db.admin().clone_snapshot("s", &table_named("u")).unwrap();
    assert_eq!(read(&*db, "u").unwrap(), rows(0..10, 1));

    db.close().unwrap();
    let db = machine.open().unwrap();
    assert_eq!(read(&*db, "u").unwrap(), rows(0..10, 1));
    db.close().unwrap();
    let report = check_directory(&later(&machine), &faults::directory(), &mut |_, _, _| {}).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}
