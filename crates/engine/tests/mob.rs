//! MOB families: large values in separate files are read like all others, through all operations of a table.

use crate::faults_support as faults;
use crate::mob_support as support;
use faults::{directory, Machine};
use rowstone_engine::check::{check, repair, Problem, RepairOptions};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::hfile::{Reader, ReaderOptions};
use rowstone_engine::manifest::{is_mob_file, MobEntry};
use rowstone_engine::mob::{MobFile, MobSet};
use rowstone_engine::sys::{FileSystem, ManualClock, RealFileSystem, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{
    find_tag, iterate_tags, CellBuffer, CellParts, CellSource, CellType, MOB_REFERENCE_TAG, MOB_TABLE_TAG,
};
use rowstone_model::filter::{Comparator, Filter};
use rowstone_model::operations::*;
use rowstone_model::schema::TableState;
use rowstone_model::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::*;

fn machine() -> Machine {
    Machine::new(Durability::FsyncWal)
}

fn mob(machine: &Machine) -> Vec<PathBuf> {
    mob_files(&machine.files, &directory())
}

fn disable(db: &dyn Backend, table: &str) {
    db.admin().set_table_state(&table_named(table), TableState::Disabled).unwrap();
}

fn major(db: &dyn Backend, table: &str) {
    db.admin().compact(&table_named(table), None, true).unwrap();
}

fn all(options: ReadOptions) -> Scan {
    Scan { options, ..Scan::default() }
}

fn system(machine: &Machine) -> System {
    let (clock, entropy) = (Arc::new(ManualClock::new(9_000_000)), Arc::new(SeededEntropy::new(9)));
    System { files: Arc::new(machine.files.clone()), clock, entropy }
}

#[test]
fn a_large_value_is_read_as_if_it_were_in_the_store_file() {
    let machine = machine();
    let mut db = machine.open().unwrap();
    create(&*db, &[], &[]);
    put(&*db, "a", &large(1));
    put(&*db, "b", b"exactly twenty bytes");
    put(&*db, "c", &large(3));
    assert!(mob(&machine).is_empty());
    db.admin().flush(None).unwrap();
    assert_eq!((mob(&machine).len(), statistic(&*db, "mob_files")), (1, 1));
    let bytes = machine.files.open(&mob(&machine)[0]).unwrap().len().unwrap();
    assert_eq!(statistic(&*db, "mob_file_bytes"), bytes as i64);
    for _ in 0..2 {
        assert_eq!(get(&*db, "a"), Some(large(1)));
        assert_eq!(get(&*db, "b"), Some(b"exactly twenty bytes".to_vec()));
        let wanted = [("a", large(1)), ("b", b"exactly twenty bytes".to_vec()), ("c", large(3))];
        let wanted: Vec<_> = wanted.map(|(row, value)| (row.to_string(), value)).to_vec();
        assert_eq!(scan(&*db, "t", Scan::default()).unwrap(), wanted);
        let backward = scan(&*db, "t", Scan { reversed: true, ..Scan::default() }).unwrap();
        assert_eq!(backward, wanted.iter().rev().cloned().collect::<Vec<_>>());
        let raw = ReadOptions { raw: true, versions: 9, ..ReadOptions::default() };
        assert_eq!(scan(&*db, "t", all(raw)).unwrap(), wanted);
        // Reads from memory need not wait for a file, but a value in a MOB file is not available at once.
        let (table, mut found) = (db.table(&name()).unwrap(), CellBatch::default());
        assert!(!table.get_at_once(b"a", &ReadOptions::default(), &mut found).unwrap());
        assert_eq!(found, CellBatch::default());
        db.close().unwrap();
        machine.tick();
        db = machine.open().unwrap();
    }
}

/// The layout is HBase's (`MobUtils.createMobRefCell`), so that its tools understand the files.
#[test]
fn a_reference_is_written_as_hbase_writes_it() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    let mut with_ttl = mutation(MutationKind::Put, "a", 7, &large(1));
    with_ttl.ttl_ms = Some(1_000_000_000);
    db.table(&name()).unwrap().mutate(with_ttl).unwrap();
    db.admin().flush(None).unwrap();
    let [(value, tags)] = &stored(&*db, "a")[..] else { panic!("one cell") };
    let file = mob(&machine).remove(0);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert_eq!(value[..4], (large(1).len() as u32).to_be_bytes());
    assert_eq!(&value[4..], name.as_bytes());
    let kinds: Vec<u8> = iterate_tags(tags).map(|tag| tag.0).collect();
    assert_eq!(kinds, [MOB_REFERENCE_TAG, MOB_TABLE_TAG, 8]);
    assert_eq!(find_tag(tags, MOB_REFERENCE_TAG), Some(&[][..]));
    assert_eq!(find_tag(tags, MOB_TABLE_TAG), Some(&b"t"[..]));
    // In `mobdir` of the root, in the region `.mob` of the table, as HBase names it.
    let folder = file.parent().unwrap().strip_prefix(directory()).unwrap();
    assert_eq!(folder, Path::new("mobdir/data/default/t/8710f5362b237e340ba83eeb6e111434/f"));
    let cache = || Arc::new(rowstone_engine::cache::BlockCache::new(1 << 20));
    let reader = Reader::open(&machine.files, &file, cache(), ReaderOptions::default()).unwrap();
    assert_eq!(reader.info().raw.get(b"MOB_CELLS_COUNT"), Some(&1u64.to_be_bytes()[..]));
    let mut source = reader.source(false);
    source.seek(&rowstone_model::cell::first_on_row(b"")).unwrap();
    let cell = source.peek().unwrap();
    assert_eq!((cell.value(), cell.timestamp(), cell.row()), (&large(1)[..], 7, &b"a"[..]));
    let own: Vec<u8> = iterate_tags(cell.tags()).map(|tag| tag.0).collect();
    assert_eq!(own, [8], "a MOB file has the cell as it was written");
    let store = PathBuf::from(&db.admin().store_files(&support::name()).unwrap()[0].path);
    let reader = Reader::open(&machine.files, &store, cache(), ReaderOptions::default()).unwrap();
    assert_eq!(reader.info().raw.get(b"MOB_FILE_REFS"), Some(format!("t/{name}").as_bytes()));
}

/// A region of HBase wrote the same cells: our references equal its own except for the file's name, and we read its
/// values.
#[test]
fn hbase_writes_the_same_references_and_we_read_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/mob");
    let open = |files: &dyn FileSystem, path: &Path| {
        let cache = Arc::new(rowstone_engine::cache::BlockCache::new(1 << 20));
        Reader::open(files, path, cache, ReaderOptions::default()).unwrap()
    };
    let cells = |reader: &Arc<Reader>| {
        let (mut source, mut found) = (reader.source(false), CellBuffer::new());
        source.seek(&rowstone_model::cell::first_on_row(b"")).unwrap();
        while let Some(cell) = source.peek() {
            found.push_cell(&cell);
            source.advance().unwrap();
        }
        found
    };
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    for (row, qualifier, timestamp, value) in
        [("r1", "a", 5, b"small".to_vec()), ("r1", "b", 6, vec![b'x'; 60]), ("r2", "a", 7, vec![b'y'; 70])]
    {
        let mut put = Mutation::new(MutationKind::Put, row);
        let (row, family, qualifier) = (row.as_bytes(), b"f", qualifier.as_bytes());
        let (cell_type, tags, value) = (CellType::Put, &[], &value);
        put.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags });
        db.table(&name()).unwrap().mutate(put).unwrap();
    }
    db.admin().flush(None).unwrap();
    let theirs = open(&RealFileSystem, &folder.join("store_file"));
    let ours = open(&machine.files, Path::new(&db.admin().store_files(&name()).unwrap()[0].path));
    let (their_cells, our_cells) = (cells(&theirs), cells(&ours));
    assert_eq!(our_cells.iter().count(), 3);
    for (their, our) in their_cells.iter().zip(&our_cells) {
        assert_eq!((our.key(), our.tags(), &our.value()[..4]), (their.key(), their.tags(), &their.value()[..4]));
        assert_eq!(our.value().len(), their.value().len());
    }
    let their_mob = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let their_mob = their_mob.into_iter().find(|name| is_mob_file(name)).unwrap();
    assert_eq!(theirs.info().raw.get(b"MOB_FILE_REFS"), Some(format!("t/{their_mob}").as_bytes()));
    let of_file = |reader: &Arc<Reader>, name: &[u8]| reader.info().raw.get(name).map(<[u8]>::to_vec);
    let reader = open(&RealFileSystem, &folder.join(&their_mob));
    let our_mob = open(&machine.files, &mob(&machine)[0]);
    assert_eq!(of_file(&our_mob, b"MOB_CELLS_COUNT"), of_file(&reader, b"MOB_CELLS_COUNT"));
    assert_eq!(cells(&our_mob), cells(&reader));

    let info = reader.info();
    let (size_bytes, entry_count) = (info.size_bytes, info.entry_count);
    let entry = MobEntry { path: format!("mobdir/{their_mob}"), size_bytes, entry_count, references: 2, digest: None };
    let file = Arc::new(MobFile::new(&entry, move |_| Ok(Arc::clone(&reader))));
    let set = MobSet::new([&file], "mobdir", true).unwrap();
    let wanted = [b"small".to_vec(), vec![b'x'; 60], vec![b'y'; 70]];
    for (cell, value) in their_cells.iter().zip(wanted) {
        let loaded = if set.refers(&cell) {
            set.load(&cell, |whole| Ok((whole.value().to_vec(), whole.tags().to_vec()))).unwrap()
        } else {
            (cell.value().to_vec(), cell.tags().to_vec())
        };
        assert_eq!(loaded, (value, Vec::new()));
    }
}

#[test]
fn only_filters_on_values_read_mob_files() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    (1..6).for_each(|number| put(&*db, &format!("r{number}"), &large(number)));
    db.admin().flush(None).unwrap();
    let table = db.table(&name()).unwrap();
    let filtered = |filter: Filter| {
        let filter = Some(Arc::new(filter.check().unwrap()));
        scan(&*db, "t", all(ReadOptions { filter, ..ReadOptions::default() }))
    };
    let is_third = || (CompareOperator::Equal, Comparator::BinaryComparator { value: large(3) });
    let third = vec![("r3".to_string(), large(3))];
    let (operator, comparator) = is_third();
    assert_eq!(filtered(Filter::ValueFilter { operator, comparator }).unwrap(), third);
    let (operator, comparator) = is_third();
    let (family, qualifier) = (b"f".to_vec(), b"q".to_vec());
    let single = Filter::SingleColumnValueFilter {
        family: family.clone(),
        qualifier: qualifier.clone(),
        operator,
        comparator,
        filter_if_missing: true,
        latest_version_only: true,
    };
    assert_eq!(filtered(single).unwrap(), third);
    let lengths = filtered(Filter::KeyOnlyFilter { length_as_value: true }).unwrap();
    assert_eq!(lengths[2].1, (large(3).len() as u32).to_be_bytes());
    let check = |value: Vec<u8>| {
        let mutations = vec![mutation(MutationKind::Put, "r3", 9, &large(9))];
        let mutations = RowMutations { row: b"r3".to_vec(), mutations };
        let (operator, time_range) = (CompareOperator::Equal, TimeRange::ALL);
        let (family, qualifier) = (family.clone(), qualifier.clone());
        let condition = ValueCondition { family, qualifier, operator, value: Some(value), time_range };
        table
            .check_and_mutate(CheckAndMutate { condition: Condition::Value(condition), mutations, guard: None })
            .unwrap()
            .success
    };
    assert!(!check(large(2)));
    assert!(check(large(3)));
    table.mutate(mutation(MutationKind::Append, "r4", i64::MAX, b"-more")).unwrap();
    assert_eq!(get(&*db, "r4"), Some([large(4), b"-more".to_vec()].concat()));
    let width = table.mutate(mutation(MutationKind::Increment, "r5", i64::MAX, &1i64.to_be_bytes())).unwrap_err();
    assert_eq!(width.kind(), ErrorKind::NotALong);

    for path in mob(&machine) {
        machine.files.remove_file(&path).unwrap();
    }
    let db = {
        db.close().unwrap();
        machine.tick();
        machine.open().unwrap()
    };
    assert!(db.table(&name()).unwrap().exists(&Get::of(b"r1")).unwrap());
    let filter = Some(Arc::new(Filter::KeyOnlyFilter { length_as_value: false }));
    let keys = scan(&*db, "t", all(ReadOptions { filter, ..ReadOptions::default() })).unwrap();
    assert_eq!(keys.len(), 5);
    assert!(keys.iter().all(|key| key.1.is_empty()));
}

#[test]
fn a_lost_mob_file_costs_its_values_and_nothing_else() {
    for is_missing in [true, false] {
        let machine = machine();
        let db = machine.open().unwrap();
        create(&*db, &[], &[]);
        put(&*db, "a", &large(1));
        put(&*db, "b", b"small");
        db.admin().flush(None).unwrap();
        let lost = mob(&machine).remove(0);
        put(&*db, "c", &large(3));
        db.close().unwrap();
        if is_missing {
            machine.files.remove_file(&lost).unwrap()
        } else {
            machine.files.damage(&lost, |bytes| bytes[60] ^= 0xff).unwrap()
        }
        machine.tick();
        let db = machine.open().unwrap();
        // A compaction retains references that it cannot read.
        for _ in 0..2 {
            let error = get_with(&*db, "t", "a", ReadOptions::default()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corruption);
            assert_eq!(error.place().unwrap().file, lost.display().to_string());
            assert_eq!(scan(&*db, "t", Scan::default()).unwrap_err().kind(), ErrorKind::Corruption);
            let empty = ReadOptions { mob_values: MobValues::EmptyWhereLost, ..ReadOptions::default() };
            assert_eq!(get_with(&*db, "t", "a", empty.clone()).unwrap(), [(vec![], vec![])]);
            assert_eq!(scan(&*db, "t", all(empty)).unwrap().len(), 3);
            assert_eq!((get(&*db, "b"), get(&*db, "c")), (Some(b"small".to_vec()), Some(large(3))));
            db.admin().flush(None).unwrap();
            major(&*db, "t");
        }
        let mut delete = Mutation::new(MutationKind::Delete, "a");
        delete.timestamp = i64::MAX;
        db.table(&name()).unwrap().mutate(delete).unwrap();
        db.admin().flush(None).unwrap();
        major(&*db, "t");
        assert_eq!(scan(&*db, "t", Scan::default()).unwrap().len(), 2);
        assert!(!machine.files.exists(&lost), "nobody refers to it any more");
    }
}

#[test]
fn compactions_carry_references_and_a_major_one_merges_mob_files_and_drops_unused_ones() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    for number in 0..3 {
        put(&*db, &format!("r{number}"), &large(number));
        db.admin().flush(None).unwrap();
    }
    let before = mob(&machine);
    assert_eq!(before.len(), 3);
    db.admin().compact(&name(), None, false).unwrap();
    assert_eq!(db.admin().store_files(&name()).unwrap().len(), 1, "the minor compaction took all");
    assert_eq!(mob(&machine), before);
    let all_rows = |db: &dyn Backend| scan(db, "t", Scan::default()).unwrap();
    let wanted: Vec<_> = (0..3).map(|number| (format!("r{number}"), large(number))).collect();
    assert_eq!(all_rows(&*db), wanted);
    // A scanner that was opened before sees everything, although the files are deleted.
    let mut scanner = db.table(&name()).unwrap().scan(Scan::default()).unwrap();
    major(&*db, "t");
    let merged = mob(&machine);
    assert!(merged.len() == 1 && !before.contains(&merged[0]), "{merged:?}");
    assert_eq!(all_rows(&*db), wanted);
    let batch = scanner.next_batch(9, usize::MAX).unwrap().unwrap();
    assert_eq!(
        batch.cells.iter().map(|cell| cell.value().to_vec()).collect::<Vec<_>>(),
        [large(0), large(1), large(2)]
    );
    drop(scanner);
    // One file, all of it in use: nothing to gain.
    major(&*db, "t");
    assert_eq!(mob(&machine), merged);
    // Most of it is no longer in use: the next compaction but one rewrites the rest.
    for row in ["r0", "r1"] {
        db.table(&name()).unwrap().mutate(Mutation::new(MutationKind::Delete, row)).unwrap();
    }
    major_after_flush(&*db);
    assert_eq!(mob(&machine), merged, "now it is known that one of three is left");
    major_after_flush(&*db);
    let small = mob(&machine);
    assert!(small.len() == 1 && small != merged);
    assert_eq!(all_rows(&*db), wanted[2..]);
    db.table(&name()).unwrap().mutate(Mutation::new(MutationKind::Delete, "r2")).unwrap();
    major_after_flush(&*db);
    assert!(mob(&machine).is_empty());
}

fn major_after_flush(db: &dyn Backend) {
    put(db, "z", b"small");
    db.admin().flush(None).unwrap();
    let mut delete = Mutation::new(MutationKind::Delete, "z");
    delete.timestamp = i64::MAX;
    db.table(&name()).unwrap().mutate(delete).unwrap();
    db.admin().flush(None).unwrap();
    major(db, "t");
}

#[test]
fn mob_files_end_at_their_largest_size_and_versions_keep_theirs() {
    let machine = machine();
    let db = machine.open().unwrap();
    let mut table = descriptor(&[]);
    table.configuration.insert("hbase.mob.compactions.max.file.size".into(), "300".into());
    db.admin().create_table(table, Vec::new()).unwrap();
    for number in 0..20 {
        put_at(&*db, "r", 100 + number, &large(number));
        put(&*db, &format!("s{number:02}"), &large(number));
    }
    db.admin().flush(None).unwrap();
    assert!(mob(&machine).len() > 2, "{:?}", mob(&machine).len());
    let three = ReadOptions { versions: 9, ..ReadOptions::default() };
    let values = |db: &dyn Backend| get_with(db, "t", "r", three.clone()).unwrap().into_iter().map(|cell| cell.0);
    assert_eq!(values(&*db).collect::<Vec<_>>(), [large(19), large(18), large(17)]);
    major(&*db, "t");
    assert_eq!(values(&*db).collect::<Vec<_>>(), [large(19), large(18), large(17)]);
    assert_eq!(scan(&*db, "t", Scan { start: b"s".to_vec(), ..Scan::default() }).unwrap().len(), 20);
}

#[test]
fn two_writes_of_one_key_are_kept_apart() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    put_at(&*db, "r", 5, &large(1));
    // The reader keeps the first write alive.
    let mut scanner = db.table(&name()).unwrap().scan(Scan::default()).unwrap();
    put_at(&*db, "r", 5, &large(2));
    db.admin().flush(None).unwrap();
    let mut late = db.table(&name()).unwrap().scan(Scan::default()).unwrap();
    put_at(&*db, "r", 5, &large(3));
    db.admin().flush(None).unwrap();
    major(&*db, "t");
    assert_eq!(get(&*db, "r"), Some(large(3)));
    let first = |scanner: &mut dyn rowstone_model::backend::ScannerBackend| {
        let batch = scanner.next_batch(1, usize::MAX).unwrap().unwrap();
        let value = batch.cells.iter().next().unwrap().value().to_vec();
        value
    };
    assert_eq!((first(&mut *scanner), first(&mut *late)), (large(1), large(2)));
    drop((scanner, late));
    put(&*db, "s", b"");
    db.admin().flush(None).unwrap();
    major(&*db, "t");
    assert_eq!(get(&*db, "r"), Some(large(3)));
}

#[test]
fn the_family_may_become_another_and_its_values_follow_with_a_compaction() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[("IS_MOB", "false")], &[]);
    put(&*db, "a", &large(1));
    db.admin().flush(None).unwrap();
    assert!(mob(&machine).is_empty());
    let alter = |attributes: &[(&str, &str)]| db.admin().alter_table(descriptor(attributes)).unwrap();
    alter(&[]);
    assert!(mob(&machine).is_empty());
    major(&*db, "t");
    assert_eq!((mob(&machine).len(), get(&*db, "a")), (1, Some(large(1))));
    alter(&[("IS_MOB", "false")]);
    assert_eq!(get(&*db, "a"), Some(large(1)), "read all the same");
    put(&*db, "b", &large(2));
    db.admin().flush(None).unwrap();
    assert_eq!(mob(&machine).len(), 1);
    major(&*db, "t");
    assert!(mob(&machine).is_empty());
    assert_eq!((get(&*db, "a"), get(&*db, "b")), (Some(large(1)), Some(large(2))));
    alter(&[]);
    major(&*db, "t");
    assert_eq!(mob(&machine).len(), 1);
    // Values below a raised threshold stay where they are until their file is rewritten.
    alter(&[("MOB_THRESHOLD", "1000")]);
    put(&*db, "c", &large(3));
    db.admin().flush(None).unwrap();
    major(&*db, "t");
    assert_eq!((mob(&machine).len(), get(&*db, "a"), get(&*db, "c")), (1, Some(large(1)), Some(large(3))));
    let mut without = descriptor(&[]);
    without.families.remove(&b"f"[..]);
    db.admin().alter_table(without).unwrap();
    assert!(mob(&machine).is_empty(), "the family went with its files");
}

#[test]
fn splits_and_merges_share_mob_files_until_unreferenced() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    (0..10).for_each(|number| put(&*db, &format!("r{number}"), &large(number)));
    db.admin().flush(None).unwrap();
    let first = mob(&machine);
    let wanted: Vec<_> = (0..10).map(|number| (format!("r{number}"), large(number))).collect();
    let region = db.admin().regions(&name()).unwrap().remove(0);
    db.admin().split_region(&region.region_name(), Some(b"r4")).unwrap();
    assert_eq!((mob(&machine), scan(&*db, "t", Scan::default()).unwrap()), (first.clone(), wanted.clone()));
    major(&*db, "t");
    assert_eq!((mob(&machine), scan(&*db, "t", Scan::default()).unwrap()), (first.clone(), wanted.clone()));
    let db = {
        db.close().unwrap();
        machine.tick();
        machine.open().unwrap()
    };
    assert_eq!(scan(&*db, "t", Scan::default()).unwrap(), wanted);
    // r0 to r3 are less than half of the file: their region rewrites them, the other still uses the file.
    let regions = db.admin().regions(&name()).unwrap();
    put(&*db, "r0", &large(0));
    put(&*db, "r9", &large(9));
    db.admin().flush(None).unwrap();
    db.admin().compact_region(&regions[0].region_name(), None, true).unwrap();
    assert_eq!((mob(&machine).len(), scan(&*db, "t", Scan::default()).unwrap()), (3, wanted.clone()));
    assert!(mob(&machine).contains(&first[0]));
    let names: Vec<_> = regions.iter().map(|region| region.region_name()).collect();
    db.admin().merge_regions(&names, false).unwrap();
    assert_eq!(scan(&*db, "t", Scan::default()).unwrap(), wanted);
    major(&*db, "t");
    assert_eq!((mob(&machine).len(), scan(&*db, "t", Scan::default()).unwrap()), (1, wanted));
    assert!(!mob(&machine).contains(&first[0]));
    db.admin().truncate_region(&db.admin().regions(&name()).unwrap()[0].region_name()).unwrap();
    assert!(mob(&machine).is_empty());
}

#[test]
fn snapshots_and_clones_keep_mob_files_and_free_them() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    (0..4).for_each(|number| put(&*db, &format!("r{number}"), &large(number)));
    db.admin().take_snapshot("s", &name(), true, 0).unwrap();
    let first = mob(&machine);
    let then: Vec<_> = (0..4).map(|number| (format!("r{number}"), large(number))).collect();
    (0..4).for_each(|number| put(&*db, &format!("r{number}"), &large(number + 10)));
    db.admin().flush(None).unwrap();
    disable(&*db, "t");
    db.admin().truncate_table(&name(), false).unwrap();
    assert_eq!(mob(&machine), first);
    db.admin().clone_snapshot("s", &table_named("u")).unwrap();
    disable(&*db, "t");
    db.admin().restore_snapshot("s").unwrap();
    db.admin().set_table_state(&name(), TableState::Enabled).unwrap();
    for table in ["t", "u"] {
        assert_eq!(scan(&*db, table, Scan::default()).unwrap(), then);
    }
    disable(&*db, "t");
    db.admin().drop_table(&name()).unwrap();
    db.admin().delete_snapshot("s").unwrap();
    let db = {
        db.close().unwrap();
        machine.tick();
        machine.open().unwrap()
    };
    assert_eq!((mob(&machine), scan(&*db, "u", Scan::default()).unwrap()), (first, then.clone()));
    // The clone's values move to its own folder when they are rewritten.
    let more = mutation(MutationKind::Put, "r9", 1, &large(9));
    db.table(&table_named("u")).unwrap().mutate(more).unwrap();
    db.admin().flush(None).unwrap();
    major(&*db, "u");
    let [own] = &mob(&machine)[..] else { panic!("one file") };
    assert!(own.starts_with(directory().join("mobdir/data/default/u")), "{own:?}");
    assert_eq!(scan(&*db, "u", Scan::default()).unwrap()[..4], then);
    let folders = machine.files.list(&directory().join("mobdir/data/default/t")).unwrap();
    assert!(folders.is_empty(), "an empty folder goes with its table: {folders:?}");
    disable(&*db, "u");
    db.admin().drop_table(&table_named("u")).unwrap();
    assert!(mob(&machine).is_empty());
}

#[test]
fn exported_files_have_the_values_themselves() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    put(&*db, "a", &large(1));
    db.admin().flush(None).unwrap();
    put(&*db, "b", &large(2));
    let folder = tempfile::tempdir().unwrap();
    let exported = db.admin().export_files(&name(), folder.path()).unwrap();
    assert_eq!(exported.len(), 1);
    let cache = Arc::new(rowstone_engine::cache::BlockCache::new(1 << 20));
    let reader = Reader::open(&RealFileSystem, Path::new(&exported[0].path), cache, ReaderOptions::default()).unwrap();
    let mut source = reader.source(false);
    source.seek(&rowstone_model::cell::first_on_row(b"")).unwrap();
    for number in 1..3 {
        let cell = source.peek().unwrap();
        assert_eq!((cell.value(), cell.tags()), (&large(number)[..], &[][..]));
        source.advance().unwrap();
    }
    disable(&*db, "t");
    db.admin().truncate_table(&name(), false).unwrap();
    assert!(mob(&machine).is_empty());
    db.admin().bulk_load(&name(), vec![(b"f".to_vec(), PathBuf::from(&exported[0].path))]).unwrap();
    assert_eq!((get(&*db, "a"), get(&*db, "b"), mob(&machine).len()), (Some(large(1)), Some(large(2)), 0));
    major(&*db, "t");
    assert_eq!((get(&*db, "a"), get(&*db, "b"), mob(&machine).len()), (Some(large(1)), Some(large(2)), 1));
}

#[test]
fn a_sweep_takes_unknown_mob_files_and_leaves_all_else() {
    let machine = machine();
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    put(&*db, "a", &large(1));
    db.admin().flush(None).unwrap();
    db.close().unwrap();
    let live = mob(&machine).remove(0);
    let name = live.file_name().unwrap().to_str().unwrap();
    let orphan = live.with_file_name(format!("0{}", &name[1..]));
    let foreign = live.with_file_name("notes.txt");
    for path in [&orphan, &foreign] {
        machine.files.create(path).unwrap().append(b"x").unwrap();
    }
    let report = check(&system(&machine), &directory(), &mut |_, _, _| {}).unwrap();
    let problems: Vec<_> = report.findings.iter().map(|finding| finding.problem).collect();
    assert_eq!(problems, [Problem::Unreachable, Problem::Unknown], "{:?}", report.findings);
    machine.tick();
    let db = machine.open().unwrap();
    assert_eq!(get(&*db, "a"), Some(large(1)));
    assert!(!machine.files.exists(&orphan) && machine.files.exists(&foreign) && machine.files.exists(&live));
    let archived = directory().join("archive").join(orphan.strip_prefix(directory()).unwrap());
    assert!(machine.files.exists(&archived));
}

#[test]
fn a_check_sees_lost_mob_files_and_a_repair_saves_the_rest() {
    for harm in ["missing", "damaged", "manifest"] {
        let machine = machine();
        let db = machine.open().unwrap();
        let mut table = descriptor(&[("BLOCKSIZE", "64")]);
        table.configuration.insert("hbase.table.sanity.checks".into(), "false".into());
        db.admin().create_table(table, Vec::new()).unwrap();
        (0..4).for_each(|number| put(&*db, &format!("a{number}"), &large(number)));
        db.admin().flush(None).unwrap();
        let first = mob(&machine).remove(0);
        (0..4).for_each(|number| put(&*db, &format!("b{number}"), &large(number)));
        db.admin().take_snapshot("s", &name(), true, 0).unwrap();
        db.close().unwrap();
        let check = |folder: &Path| check(&system(&machine), folder, &mut |_, _, _| {}).unwrap();
        assert!(check(&directory()).findings.is_empty());
        match harm {
            "missing" => machine.files.remove_file(&first).unwrap(),
            "damaged" => machine.files.damage(&first, |bytes| bytes[60] ^= 0xff).unwrap(),
            _ => machine.files.damage(&directory().join("MANIFEST"), |bytes| bytes.truncate(100)).unwrap(),
        }
        let report = check(&directory());
        assert!(!report.is_clean());
        if harm != "manifest" {
            let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
            assert_eq!(finding.place.file, first.display().to_string());
            assert!(finding.losses[0].cells.is_some_and(|cells| cells > 0));
        }
        let out = Path::new("/saved");
        repair(&system(&machine), &directory(), out, RepairOptions::default(), &mut |_, _, _| {}).unwrap();
        assert!(check(out).is_clean(), "{harm}: {:?}", check(out).findings);
        let options =
            OpenOptions { directory: Some(out.into()), system: Some(system(&machine)), ..OpenOptions::default() };
        let db = open(options).unwrap();
        // Lost values are missing; reads of all others succeed.
        let read = scan(&*db, "t", Scan::default()).unwrap().len();
        match harm {
            "missing" => assert_eq!(read, 4),
            "damaged" => assert!((5..8).contains(&read), "{read}"),
            _ => assert_eq!(read, 8),
        }
        assert_eq!(get(&*db, "b3"), Some(large(3)));
        assert_eq!(db.admin().list_snapshots().unwrap().len(), 0);
    }
}

#[test]
fn a_backup_has_the_mob_files() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let options = |path: &Path| OpenOptions { directory: Some(path.into()), create: true, ..OpenOptions::default() };
    let db = open(options(folder.path())).unwrap();
    create(&*db, &[], &[]);
    put(&*db, "a", &large(1));
    db.admin().flush(None).unwrap();
    put(&*db, "b", &large(2));
    let target = copy.path().join("copy");
    db.admin().backup(&target).unwrap();
    db.close().unwrap();
    let db = open(options(&target)).unwrap();
    assert_eq!((get(&*db, "a"), get(&*db, "b")), (Some(large(1)), Some(large(2))));
    assert_eq!(mob_files(&RealFileSystem, &target).len(), 1);
    // Read next to the writer, without its lock.
    let beside = open(OpenOptions { read_only: true, ..options(&target) }).unwrap();
    db.admin().flush(None).unwrap();
    major(&*db, "t");
    assert_eq!((get(&*beside, "a"), get(&*beside, "b")), (Some(large(1)), Some(large(2))));
}
