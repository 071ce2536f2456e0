//! Repair if several regions name one file, or if the manifest has lost a change of regions.

use crate::faults_support as faults;
use crate::regions_support as support;
use faults::{directory, Machine};
use rowstone_engine::check::{check, repair, RepairOptions, Repaired};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Durability, Scan};
use rowstone_model::schema::{NamespaceDescriptor, TableName};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::*;

const ROWS: i64 = 40;

fn rows(range: std::ops::Range<i64>) -> Vec<String> {
    range.map(row).collect()
}

/// A table of `ROWS` rows in one file of many blocks for each family.
fn filled(machine: &Machine) -> Arc<dyn Backend> {
    let db = machine.open().unwrap();
    create(&*db, &[("BLOCKSIZE", "256")], &[]);
    (0..ROWS).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush(None).unwrap();
    db
}

/// Rows that have a cell in family `f`.
fn read_rows(db: &dyn Backend, table: &str) -> Vec<String> {
    let mut scan = Scan::default();
    scan.options.columns.add_family(b"f");
    rows_of(&mut *db.table(&TableName::parse(table).unwrap()).unwrap().scan(scan).unwrap())
}

fn files_of_f(files: &dyn FileSystem) -> Vec<PathBuf> {
    fn below(files: &dyn FileSystem, folder: &Path) -> Vec<PathBuf> {
        let paths = files.list(folder).unwrap().into_iter();
        paths.flat_map(|path| if files.is_dir(&path) { below(files, &path) } else { vec![path] }).collect()
    }
    let mut paths = below(files, &directory().join("data"));
    paths.retain(|path| path.parent().unwrap().ends_with("f"));
    paths
}

/// The repaired copy, opened after a check without findings.
fn saved(machine: &Machine) -> (Repaired, Arc<dyn Backend>) {
    let (clock, entropy) = (Arc::new(ManualClock::new(9_000_000)), Arc::new(SeededEntropy::new(9)));
    let system = System { files: Arc::new(machine.files.clone()), clock, entropy };
    let out = Path::new("/saved");
    assert!(!check(&system, &directory(), &mut |_, _, _| {}).unwrap().is_clean());
    let done = repair(&system, &directory(), out, RepairOptions::default(), &mut |_, _, _| {}).unwrap();
    let report = check(&system, out, &mut |_, _, _| {}).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
    let configuration = BTreeMap::from([("rowstone.compaction.background".to_string(), "false".to_string())]);
    let directory = Some(out.to_path_buf());
    let db = open(OpenOptions { directory, configuration, system: Some(system), ..OpenOptions::default() }).unwrap();
    (done, db)
}

/// Damages a block in the first or in the second half of the rows.
fn spoil(machine: &Machine, path: &Path, in_second: bool) {
    let place = if in_second { 1_400 } else { 100 };
    machine.files.damage(path, |bytes| bytes[place] ^= 0xff).unwrap();
}

#[test]
fn both_halves_of_a_damaged_file_are_saved() {
    for in_second in [false, true] {
        let machine = Machine::new(Durability::FsyncWal);
        let db = filled(&machine);
        db.admin().split_region(&db.admin().regions(&name()).unwrap()[0].region_name(), Some(b"r020")).unwrap();
        db.close().unwrap();
        spoil(&machine, &files_of_f(&machine.files)[0], in_second);
        let (done, db) = saved(&machine);
        assert_eq!((done.rewritten_files, done.lost_files), (2, 0));
        assert_eq!(bounds(&db.admin().regions(&name()).unwrap()), [("", "r020"), ("r020", "")]);
        let left = read_rows(&*db, "t");
        assert!((30..40).contains(&left.len()), "{left:?}");
        // The half without the lost block is complete.
        let (whole, harmed) = if in_second { (rows(0..20), rows(20..40)) } else { (rows(20..40), rows(0..20)) };
        assert!(whole.iter().all(|row| left.contains(row)), "{left:?}");
        assert!(!harmed.iter().all(|row| left.contains(row)), "{left:?}");
        // The regions can be compacted, merged and split again.
        let names =
            || db.admin().regions(&name()).unwrap().iter().map(|region| region.region_name()).collect::<Vec<_>>();
        db.admin().compact(&name(), None, true).unwrap();
        db.admin().merge_regions(&names(), false).unwrap();
        assert_eq!(read_rows(&*db, "t"), left);
    }
}

#[test]
fn a_table_and_its_clone_are_both_saved_from_the_file_that_they_share() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = filled(&machine);
    db.admin().take_snapshot("s", &name(), true, 0).unwrap();
    let clone = TableName::parse("u").unwrap();
    db.admin().clone_snapshot("s", &clone).unwrap();
    db.admin().split_region(&db.admin().regions(&clone).unwrap()[0].region_name(), Some(b"r020")).unwrap();
    db.close().unwrap();
    spoil(&machine, &files_of_f(&machine.files)[0], false);
    let (_, db) = saved(&machine);
    let left = read_rows(&*db, "t");
    assert!((30..40).contains(&left.len()), "{left:?}");
    assert_eq!(read_rows(&*db, "u"), left);
    assert_eq!(db.admin().list_snapshots().unwrap().len(), 0);
}

/// Bytes of the manifest. It is later cut to this length, to lose everything after it.
fn manifest_bytes(machine: &Machine) -> u64 {
    machine.files.open(&directory().join("MANIFEST")).unwrap().len().unwrap()
}

fn cut_manifest(machine: &Machine, length: u64) {
    machine.files.damage(&directory().join("MANIFEST"), |bytes| bytes.truncate(length as usize)).unwrap();
}

#[test]
fn halves_outlive_a_lost_end_of_the_manifest() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = filled(&machine);
    db.admin().split_region(&db.admin().regions(&name()).unwrap()[0].region_name(), Some(b"r020")).unwrap();
    let length = manifest_bytes(&machine);
    db.admin().create_namespace(NamespaceDescriptor { name: "last".into(), properties: BTreeMap::new() }).unwrap();
    db.close().unwrap();
    cut_manifest(&machine, length);
    let (done, db) = saved(&machine);
    assert!(done.is_manifest_rebuilt);
    assert_eq!(read_rows(&*db, "t"), rows(0..ROWS));
    assert_eq!(db.admin().regions(&name()).unwrap().len(), 2);
}

#[test]
fn a_file_over_two_regions_is_saved_where_their_merge_is_lost() {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    create(&*db, &[("BLOCKSIZE", "256")], &["r020"]);
    (0..ROWS).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush(None).unwrap();
    let length = manifest_bytes(&machine);
    let names: Vec<_> = db.admin().regions(&name()).unwrap().iter().map(|region| region.region_name()).collect();
    db.admin().merge_regions(&names, false).unwrap();
    db.admin().compact(&name(), None, true).unwrap();
    db.close().unwrap();
    cut_manifest(&machine, length);
    let (done, db) = saved(&machine);
    assert_eq!((done.is_manifest_rebuilt, done.rewritten_files), (true, 4));
    assert_eq!(bounds(&db.admin().regions(&name()).unwrap()), [("", "r020"), ("r020", "")]);
    assert_eq!(read_rows(&*db, "t"), rows(0..ROWS));
}
