//! A table of many regions opens with a few file calls per region, however many there are and however often they
//! were flushed. The memory per region is measured from Python (`tests/checklist/test_idle_regions.py`).

use crate::faults_support as faults;
use crate::regions_support as support;
use faults::Machine;
use rowstone_engine::sys::faulty::CallKind;
use rowstone_model::operations::Durability;
use support::*;

/// Maximum number of file calls per region. Each of its two families has a file, which is checked for existence,
/// opened, and read twice. The folders are listed to find unused files.
const MOST_CALLS: u64 = 16;

/// Number of reading calls at an open after every region was flushed.
fn calls_to_open(regions: i64) -> u64 {
    let machine = Machine::new(Durability::SyncWal);
    let db = machine.open().unwrap();
    let splits: Vec<String> = (1..regions).map(row).collect();
    create(&*db, &[], &splits.iter().map(String::as_str).collect::<Vec<_>>());
    (0..regions).for_each(|number| put(&*db, &row(number), number));
    db.admin().flush(None).unwrap();
    db.close().unwrap();
    drop(db);
    let before = machine.files.calls(CallKind::Read);
    let db = machine.open().unwrap();
    let calls = machine.files.calls(CallKind::Read) - before;
    assert_eq!(get(&*db, &row(regions - 1)), Some(regions - 1));
    calls
}

#[test]
fn opening_takes_a_few_file_calls_per_region() {
    let (few, many) = (calls_to_open(10), calls_to_open(200));
    println!("10 regions of 2 families: {few} calls to open; 200: {many}");
    assert!(many - few <= 190 * MOST_CALLS, "{few} calls for 10 regions, {many} for 200");
}
