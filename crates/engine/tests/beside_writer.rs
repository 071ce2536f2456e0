//! A directory is opened read-only while another handle writes to it, and descriptors are changed by several callers.

use crate::compactions_support;
use crate::concurrency_support;
use compactions_support::{Gate, Gated, HELD};
use concurrency_support::{name, put, values};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{FileSystem, MemoryFileSystem, System, SystemClock, SystemEntropy};
use rowstone_model::backend::Backend;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor};
use rowstone_model::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

fn table(families: &[&str]) -> TableDescriptor {
    families
        .iter()
        .fold(TableDescriptor::new(name()), |table, family| table.with_family(FamilyDescriptor::new(*family)))
}

/// Opens the directory read-only. During the open, `change` is made and rows a and z are written. Returns the values that the
/// reader then sees in both rows.
fn read_during(change: impl FnOnce(&dyn Backend), families: &[(&str, &str)]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let gate = Arc::new(Gate::default());
    let files = Gated { files: MemoryFileSystem::new(), held: HELD, gate: Arc::clone(&gate) };
    files.create_dir_all(Path::new("/")).unwrap();
    let system = System { files: Arc::new(files), clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) };
    let directory = Some(PathBuf::from("/db"));
    let options = OpenOptions { directory, create: true, system: Some(system), ..OpenOptions::default() };
    let db = open(options.clone()).unwrap();
    db.admin().create_table(table(&["f"]), vec![b"m".to_vec()]).unwrap();
    let written = db.table(&name()).unwrap();
    written.mutate(put("a", &[("f", "q")], b"1")).unwrap();
    let reads = move || {
        let reader = open(OpenOptions { read_only: true, create: false, ..options }).unwrap();
        let table = reader.table(&name()).unwrap();
        (values(&*table, "a"), values(&*table, "z"))
    };
    let reader = thread::Builder::new().name(HELD.to_string()).spawn(reads).unwrap();
    gate.wait_for_arrival();
    change(&*db);
    written.mutate(put("a", families, b"2")).unwrap();
    written.mutate(put("z", &[("f", "q")], b"3")).unwrap();
    gate.open();
    let found = reader.join().unwrap();
    db.close().unwrap();
    found
}

/// A trial saw later writes without earlier ones, because the region of the earlier ones was newer than the manifest that
/// the reader had read.
#[test]
fn a_region_that_splits_during_a_read_only_open_is_whole() {
    let split = |db: &dyn Backend| {
        let region = db.admin().regions(&name()).unwrap()[0].region_name();
        db.admin().split_region(&region, Some(b"g")).unwrap();
    };
    let two = b"2".to_vec();
    assert_eq!(read_during(split, &[("f", "q")]), (vec![two], vec![b"3".to_vec()]));
}

#[test]
fn a_row_with_a_family_that_is_added_during_a_read_only_open_is_whole() {
    let add = |db: &dyn Backend| db.admin().alter_table(table(&["f", "g"])).unwrap();
    let two = b"2".to_vec();
    assert_eq!(read_during(add, &[("f", "q"), ("g", "q")]), (vec![two.clone(), two], vec![b"3".to_vec()]));
}

/// A trial lost acknowledged writes: the check of a mutation's families skipped an empty one that came first.
#[test]
fn a_write_to_the_empty_family_is_refused() {
    let db = open(OpenOptions { create: true, ..OpenOptions::default() }).unwrap();
    db.admin().create_table(table(&["f"]), Vec::new()).unwrap();
    let written = db.table(&name()).unwrap();
    for columns in [&[("", "q")][..], &[("", "q"), ("f", "q")], &[("f", "q"), ("", "q")]] {
        let error = written.mutate(put("a", columns, b"1")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSuchColumnFamily, "{error}");
    }
    assert!(values(&*written, "a").is_empty());
}

/// A trial lost families with acknowledged rows: each of two callers replaced the descriptor that the other had changed.
#[test]
fn a_descriptor_that_has_changed_is_not_replaced() {
    let db = open(OpenOptions { create: true, ..OpenOptions::default() }).unwrap();
    let admin = db.admin();
    admin.create_table(table(&["f"]), Vec::new()).unwrap();
    let old = admin.describe_table(&name()).unwrap();
    admin.replace_table(&old, table(&["f", "g"])).unwrap();
    let error = admin.replace_table(&old, table(&["f", "h"])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaChanged, "{error}");
    let now = admin.describe_table(&name()).unwrap();
    assert!(now.is_same(&table(&["f", "g"]).with_family(now.families[&b"f"[..]].clone())), "{now:?}");
    admin.replace_table(&now, table(&["f", "g", "h"])).unwrap();
    assert_eq!(admin.describe_table(&name()).unwrap().families.len(), 3);
}
