//! Splits, merges and truncations of regions, one after the other: names, files, refusals, later reads, open
//! scanners, and `hbase:meta`.

use crate::regions_support as support;
use md5::{Digest, Md5};
use rowstone_model::admin::CompactionState;
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Get, Scan};
use rowstone_model::schema::{NamespaceDescriptor, TableDescriptor, TableName};
use rowstone_model::ErrorKind;
use support::*;

/// Rows `r000` to `r099` in files, and the odd ones also in memory.
fn filled(attributes: &[(&str, &str)]) -> std::sync::Arc<dyn Backend> {
    let db = database(None, &[]);
    create(&*db, attributes, &[]);
    (0..100).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush(None).unwrap();
    (1..100).step_by(2).for_each(|number| put(&*db, &row(number), number));
    db
}

fn all(db: &dyn Backend) -> Vec<String> {
    let table = db.table(&name()).unwrap();
    rows_of(&mut *table.scan(Scan::default()).unwrap())
}

fn expected() -> Vec<String> {
    (0..100).map(row).collect()
}

fn region(db: &dyn Backend, index: usize) -> Vec<u8> {
    db.admin().regions(&name()).unwrap()[index].encoded_name.clone().into_bytes()
}

fn files(db: &dyn Backend) -> usize {
    db.admin().store_files(&name()).unwrap().len()
}

#[test]
fn a_split_makes_two_regions_named_as_in_hbase() {
    let db = filled(&[]);
    let parent = db.admin().regions(&name()).unwrap().remove(0);
    db.admin().split_region(&parent.region_name(), Some(b"r050")).unwrap();
    let regions = db.admin().regions(&name()).unwrap();
    assert_eq!(bounds(&regions), [("", "r050"), ("r050", "")]);
    assert!(regions
        .iter()
        .all(|region| region.region_id == regions[0].region_id && region.region_id > parent.region_id));
    let hash = Md5::digest(format!("t,r050,{}", regions[1].region_id));
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(regions[1].encoded_name, hash);
    assert_eq!(all(&*db), expected());
    for number in 0..100 {
        assert_eq!(get(&*db, &row(number)), Some(number));
    }
    assert_eq!(get(&*db, "r0495"), None);
}

#[test]
fn a_split_without_a_row_takes_the_middle_of_the_largest_file() {
    let db = filled(&[("BLOCKSIZE", "512")]);
    db.admin().split_region(&region(&*db, 0), None).unwrap();
    let regions = db.admin().regions(&name()).unwrap();
    let middle = String::from_utf8(regions[1].start_key.clone()).unwrap();
    assert!(("r03".to_string().."r07".to_string()).contains(&middle), "{middle}");
    assert_eq!(all(&*db), expected());
}

#[test]
fn a_compaction_rewrites_halves_and_then_the_parents_files_are_removed() {
    let (db, system) = database_and_files(&[]);
    create(&*db, &[], &[]);
    (0..100).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush(None).unwrap();
    let parent = String::from_utf8(region(&*db, 0)).unwrap();
    db.admin().split_region(parent.as_bytes(), Some(b"r050")).unwrap();
    let statistics = |key: &str| db.admin().statistics(Some(&name())).unwrap()[key];
    assert_eq!((statistics("reference_files"), statistics("store_file_cells")), (4, 200));
    let paths = || db.admin().store_files(&name()).unwrap().into_iter().map(|file| file.path).collect::<Vec<_>>();
    assert!(paths().iter().all(|path| path.contains(&parent)));
    // One daughter is done; the other still needs the files.
    db.admin().compact_region(&region(&*db, 0), None, false).unwrap();
    assert_eq!(paths().iter().filter(|path| path.contains(&parent)).count(), 2);
    assert_eq!(all(&*db), expected());
    db.admin().compact_region(&region(&*db, 1), None, true).unwrap();
    assert!(paths().iter().all(|path| !path.contains(&parent)));
    let folder = system.files.list(std::path::Path::new("/base/data/default/t")).unwrap();
    assert_eq!(folder.len(), 2, "the parent's folder is gone: {folder:?}");
    assert_eq!((statistics("reference_files"), statistics("store_file_cells")), (0, 200));
    assert_eq!(all(&*db), expected());
}

#[test]
fn a_file_with_rows_of_one_daughter_only_is_not_halved() {
    let db = filled(&[]);
    db.admin().split_region(&region(&*db, 0), Some(b"s")).unwrap();
    assert_eq!(db.admin().statistics(Some(&name())).unwrap()["reference_files"], 0);
    // The daughter can be split at once.
    db.admin().split_region(&region(&*db, 0), Some(b"r020")).unwrap();
    assert_eq!(bounds(&db.admin().regions(&name()).unwrap()), [("", "r020"), ("r020", "s"), ("s", "")]);
    assert_eq!(all(&*db), expected());
}

#[test]
fn splits_and_merges_that_hbase_rejects_are_rejected() {
    let db = filled(&[]);
    let refused = |row: &[u8]| {
        let error = db.admin().split_region(&region(&*db, 1), Some(row)).unwrap_err();
        (error.kind(), error.message().to_string())
    };
    assert_eq!(db.admin().split_region(b"nowhere", None).unwrap_err().kind(), ErrorKind::RegionNotFound);
    db.admin().split_region(&region(&*db, 0), Some(b"r050")).unwrap();
    let (kind, message) = refused(b"r070");
    assert!(kind == ErrorKind::Constraint && message.contains("halves"), "{message}");
    let merged = db.admin().merge_regions(&[region(&*db, 0), region(&*db, 1)], false).unwrap_err();
    assert!(merged.message().contains("halves"), "{merged}");
    db.admin().compact(&name(), None, true).unwrap();
    for (row, what) in [(&b"r050"[..], "start key"), (b"r001", "not inside"), (b"", "")] {
        let (kind, message) = refused(row);
        assert!(kind == ErrorKind::InvalidArgument && message.contains(what), "{message}");
    }
    assert_eq!(db.admin().regions(&name()).unwrap().len(), 2);
    db.admin().set_table_state(&name(), rowstone_model::schema::TableState::Disabled).unwrap();
    assert_eq!(refused(b"r070").0, ErrorKind::TableNotEnabled);
}

#[test]
fn a_region_without_a_middle_is_not_split() {
    let db = database(None, &[]);
    create(&*db, &[], &[]);
    let refused = || db.admin().split_region(&region(&*db, 0), None).unwrap_err();
    assert_eq!(refused().kind(), ErrorKind::Constraint);
    put(&*db, "only", 1);
    assert!(refused().message().contains("name a row"));
}

#[test]
fn tables_can_forbid_splits_and_merges() {
    let db = filled(&[("SPLIT_ENABLED", "false"), ("MERGE_ENABLED", "false")]);
    let error = db.admin().split_region(&region(&*db, 0), Some(b"r050")).unwrap_err();
    assert!(error.message().contains("SPLIT_ENABLED"), "{error}");
    create_named(&*db, "u", &[("MERGE_ENABLED", "false")], &["m"]);
    let names: Vec<Vec<u8>> = db
        .admin()
        .regions(&TableName::parse("u").unwrap())
        .unwrap()
        .iter()
        .map(|region| region.region_name())
        .collect();
    let error = db.admin().merge_regions(&names, false).unwrap_err();
    assert!(error.message().contains("MERGE_ENABLED"), "{error}");
}

/// The policy also rejects requested splits, whether it is named by the attribute `SPLIT_POLICY` or by the setting.
#[test]
fn a_disabled_split_policy_rejects_requested_splits() {
    let class = "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";
    for key in ["SPLIT_POLICY", "hbase.regionserver.region.split.policy"] {
        let db = filled(&[(key, class)]);
        let error = db.admin().split_region(&region(&*db, 0), Some(b"r050")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Constraint);
        assert!(error.message().contains("DisabledRegionSplitPolicy"), "{error}");
    }
}

#[test]
fn a_split_beyond_the_quota_of_the_namespace_is_rejected() {
    let db = database(None, &[]);
    let properties = [("hbase.namespace.quota.maxregions".to_string(), "1".to_string())].into();
    db.admin().create_namespace(NamespaceDescriptor { name: "n".into(), properties }).unwrap();
    create_named(&*db, "n:u", &[], &[]);
    let regions = db.admin().regions(&TableName::parse("n:u").unwrap()).unwrap();
    let error = db.admin().split_region(&regions[0].region_name(), Some(b"m")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::QuotaExceeded);
}

#[test]
fn a_merge_makes_one_region_of_many() {
    let db = filled(&[]);
    for (index, row) in [(0, "r050"), (0, "r020"), (2, "r070")] {
        db.admin().compact(&name(), None, true).unwrap();
        db.admin().split_region(&region(&*db, index), Some(row.as_bytes())).unwrap();
    }
    db.admin().compact(&name(), None, true).unwrap();
    put(&*db, "r0205", 7);
    let merge = |indices: &[usize], force| {
        let names: Vec<_> = indices.iter().map(|index| region(&*db, *index)).collect();
        db.admin().merge_regions(&names, force)
    };
    for (indices, what) in [(&[0][..], "at least two"), (&[0, 2], "not adjacent"), (&[1, 1], "twice")] {
        let error = merge(indices, false).unwrap_err();
        assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains(what), "{error}");
    }
    merge(&[1, 0], false).unwrap();
    assert_eq!(bounds(&db.admin().regions(&name()).unwrap()), [("", "r050"), ("r050", "r070"), ("r070", "")]);
    assert_eq!(db.admin().statistics(Some(&name())).unwrap()["reference_files"], 0);
    merge(&[0, 2], true).unwrap();
    assert_eq!(bounds(&db.admin().regions(&name()).unwrap()), [("", "")]);
    assert_eq!(all(&*db).len(), 101);
    // Later writes have larger sequence ids than all writes of the parents.
    put(&*db, "r001", 1001);
    assert_eq!((get(&*db, "r001"), get(&*db, "r0205")), (Some(1001), Some(7)));
    db.admin().compact(&name(), None, true).unwrap();
    assert_eq!((get(&*db, "r001"), files(&*db)), (Some(1001), 2));
    create_named(&*db, "u", &[], &[]);
    let other = db.admin().regions(&TableName::parse("u").unwrap()).unwrap()[0].region_name();
    assert!(db.admin().merge_regions(&[region(&*db, 0), other], true).unwrap_err().message().contains("two tables"));
}

#[test]
fn open_scanners_continue_across_splits_and_merges() {
    for reversed in [false, true] {
        let db = filled(&[]);
        db.admin().split_region(&region(&*db, 0), Some(b"r050")).unwrap();
        db.admin().compact(&name(), None, true).unwrap();
        let table = db.table(&name()).unwrap();
        let mut wanted = expected();
        if reversed {
            wanted.reverse();
        }
        let mut scanner = table.scan(Scan { reversed, ..Scan::default() }).unwrap();
        let mut found = some_rows(&mut *scanner, 10);
        // The region being read is split, then all are merged: rows are not read twice.
        db.admin()
            .split_region(&region(&*db, usize::from(reversed)), Some(if reversed { b"r090" } else { b"r005" }))
            .unwrap();
        found.extend(some_rows(&mut *scanner, 10));
        db.admin().compact(&name(), None, true).unwrap();
        let names: Vec<_> = (0..3).map(|index| region(&*db, index)).collect();
        db.admin().merge_regions(&names, false).unwrap();
        found.extend(rows_of(&mut *scanner));
        assert_eq!(found, wanted, "reversed {reversed}");
    }
}

#[test]
fn a_truncated_region_is_empty_and_the_others_are_not() {
    let directory = tempfile::tempdir().unwrap();
    let db = database(Some(directory.path()), &[]);
    create(&*db, &[], &["r050"]);
    (0..100).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush(None).unwrap();
    (0..100).for_each(|number| put(&*db, &row(number), number + 1));
    let before = db.admin().regions(&name()).unwrap();
    db.admin().truncate_region(&region(&*db, 1)).unwrap();
    assert_eq!(db.admin().regions(&name()).unwrap(), before, "it keeps its name");
    assert_eq!(all(&*db), (0..50).map(row).collect::<Vec<_>>());
    put(&*db, "r060", 5);
    // The log still has the old writes.
    db.close().unwrap();
    drop(db);
    let db = database(Some(directory.path()), &[]);
    assert_eq!(all(&*db).len(), 51);
    assert_eq!(get(&*db, "r060"), Some(5));
    let files = db.admin().store_files(&name()).unwrap();
    assert!(files.iter().all(|file| file.region == before[0].encoded_name));
}

#[test]
fn regions_are_flushed_and_compacted_one_by_one_and_by_family() {
    let db = database(None, &[]);
    create(&*db, &[], &["r050"]);
    (0..100).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush_region(&region(&*db, 0), Some(b"f")).unwrap();
    assert_eq!(files(&*db), 1);
    let full_name = db.admin().regions(&name()).unwrap()[0].region_name();
    db.admin().flush_region(&full_name, None).unwrap();
    assert_eq!(files(&*db), 2);
    assert_eq!(db.admin().flush_region(&full_name, Some(b"x")).unwrap_err().kind(), ErrorKind::NoSuchColumnFamily);
    put(&*db, "r001", 7);
    db.admin().flush(None).unwrap();
    assert_eq!(files(&*db), 6);
    db.admin().compact_region(&full_name, Some(b"g"), true).unwrap();
    assert_eq!(files(&*db), 5);
    assert_eq!(db.admin().compaction_state(&full_name).unwrap(), CompactionState::None);
}

#[test]
fn meta_shows_the_parent_until_its_files_are_not_needed() {
    let db = filled(&[]);
    let parent = db.admin().regions(&name()).unwrap().remove(0);
    db.admin().split_region(&parent.region_name(), Some(b"r050")).unwrap();
    let meta = db.table(&TableName::parse("hbase:meta").unwrap()).unwrap();
    let shown = || {
        let batch = meta.get(&Get::of(parent.region_name())).unwrap();
        let column = |cell: rowstone_model::cell::Cell<'_>| String::from_utf8(cell.qualifier().to_vec()).unwrap();
        batch.cells.iter().map(column).collect::<Vec<_>>()
    };
    assert_eq!(shown(), ["regioninfo", "splitA", "splitB", "state"]);
    db.admin().compact_region(&region(&*db, 0), None, true).unwrap();
    assert_eq!(shown().len(), 4);
    db.admin().compact_region(&region(&*db, 1), None, true).unwrap();
    assert!(shown().is_empty());
    let rows = rows_of(&mut *meta.scan(Scan::default()).unwrap());
    assert_eq!(rows.len(), 3, "the table and two regions: {rows:?}");
}

#[test]
fn a_table_splits_by_itself_when_it_grows() {
    let settings = [("hbase.increasing.policy.initial.size", "20000"), ("rowstone.compaction.background", "true")];
    let db = database(None, &settings);
    create(&*db, &[("BLOCKSIZE", "1024"), ("MAX_FILESIZE", "40000"), ("SPLIT_POLICY", "SteppingSplitPolicy")], &[]);
    let mut written = 0;
    // Enough flushes for the background thread to run.
    for _ in 0..400 {
        (0..20).for_each(|_| {
            put(&*db, &format!("r{:06}", written * 7919 % 1_000_000), written);
            written += 1;
        });
        db.admin().flush(None).unwrap();
        if db.admin().regions(&name()).unwrap().len() >= 3 {
            break;
        }
        std::thread::yield_now();
    }
    assert!(db.admin().regions(&name()).unwrap().len() >= 3, "{written} rows");
    assert_eq!(all(&*db).len(), written as usize);
}

#[test]
fn unknown_policies_are_rejected_when_a_table_is_created() {
    let db = database(None, &[]);
    let mut table: TableDescriptor = descriptor("t", &[]);
    table.attributes.insert("SPLIT_POLICY".into(), "Nonsense".into());
    assert_eq!(db.admin().create_table(table, Vec::new()).unwrap_err().kind(), ErrorKind::InvalidArgument);
}
