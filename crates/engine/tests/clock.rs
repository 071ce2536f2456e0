//! Timestamps that the clock gives to writes: several in one millisecond, and after the clock was set back. HBase's
//! behavior is the default, monotone time is an option, and a clock that was set back is detected either way.

use crate::observer_support as observer;
use crate::regions_support as support;
use observer::Interruption;
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{Clock, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::cell::CellBuffer;
use rowstone_model::operations::{Mutation, MutationKind};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use support::*;

const HOUR_MS: i64 = 3_600_000;

struct Machine {
    files: Arc<MemoryFileSystem>,
    clock: Arc<ManualClock>,
    is_monotone: bool,
}

impl Machine {
    fn new(is_monotone: bool) -> Self {
        let (files, clock) = (Arc::new(MemoryFileSystem::new()), Arc::new(ManualClock::new(10 * HOUR_MS)));
        Machine { files, clock, is_monotone }
    }

    fn open(&self) -> Arc<dyn Backend> {
        let setting = ("rowstone.monotone.timestamps".to_string(), self.is_monotone.to_string());
        let background = ("rowstone.compaction.background".to_string(), "false".to_string());
        let (files, clock) = (Arc::clone(&self.files) as _, Arc::clone(&self.clock) as _);
        let entropy = Arc::new(SeededEntropy::new(1));
        open(OpenOptions {
            directory: Some("/base".into()),
            create: true,
            configuration: BTreeMap::from([setting, background]),
            system: Some(System { files, clock, entropy }),
            ..OpenOptions::default()
        })
        .unwrap()
    }

    fn set_back(&self) {
        self.clock.set(self.clock.now_ms() - HOUR_MS);
    }
}

fn put(db: &dyn Backend, number: i64) {
    db.table(&name()).unwrap().mutate(mutation("row", number)).unwrap();
}

fn increment(db: &dyn Backend, amount: i64) {
    let increment = Mutation { kind: MutationKind::Increment, ..mutation("row", amount) };
    db.table(&name()).unwrap().mutate(increment).unwrap();
}

fn behind_ms(db: &dyn Backend) -> i64 {
    db.admin().statistics(None).unwrap()["clock_behind_ms"]
}

/// An increment's timestamp is the current time, or the old cell's timestamp plus 1 if that is greater. Apache's
/// `testCellSizeLimit` fails when its put, increment and put fall within one millisecond. Source: HBase's
/// `HRegion.reckonDelta`.
#[test]
fn a_put_within_the_millisecond_of_a_put_and_an_increment_is_hidden_as_in_hbase() {
    let machine = Machine::new(false);
    let db = machine.open();
    create(&*db, &[], &[]);
    put(&*db, 1);
    increment(&*db, 1);
    put(&*db, 10);
    assert_eq!(get(&*db, "row"), Some(2));
    // At equal timestamps the later write wins.
    machine.clock.advance(1);
    put(&*db, 20);
    assert_eq!(get(&*db, "row"), Some(20));
    // Once the clock is ahead of the old value, the increment's timestamp is the present.
    machine.clock.advance(1);
    increment(&*db, 1);
    put(&*db, 30);
    assert_eq!(get(&*db, "row"), Some(30));
}

/// In a trial the clock was set back by an hour: acknowledged puts stayed invisible, as in HBase.
#[test]
fn after_the_clock_was_set_back_a_put_hides_behind_the_one_before_it_as_in_hbase() {
    let machine = Machine::new(false);
    let db = machine.open();
    create(&*db, &[], &[]);
    put(&*db, 1);
    assert_eq!(behind_ms(&*db), 0);
    machine.set_back();
    put(&*db, 2);
    assert_eq!(get(&*db, "row"), Some(1));
    assert_eq!(behind_ms(&*db), HOUR_MS);
    machine.clock.advance(HOUR_MS + 1);
    put(&*db, 3);
    assert_eq!((get(&*db, "row"), behind_ms(&*db)), (Some(3), 0));
}

#[test]
fn monotone_timestamps_show_the_last_put_despite_the_clock() {
    let machine = Machine::new(true);
    let mut db = machine.open();
    create(&*db, &[], &[]);
    for number in 1..6 {
        put(&*db, number);
        assert_eq!(get(&*db, "row"), Some(number));
        machine.set_back();
        match number {
            // The region's latest timestamp is first in the log, then only in the manifest, then in the regions after
            // a split.
            1 => {}
            2 => {
                db.admin().flush(None).unwrap();
                db.admin().compact(&name(), None, true).unwrap();
            }
            3 => {
                let region = db.admin().regions(&name()).unwrap().remove(0).encoded_name;
                db.admin().split_region(region.as_bytes(), Some(b"m")).unwrap();
            }
            _ => continue,
        }
        db.close().unwrap();
        db = machine.open();
        assert_eq!(get(&*db, "row"), Some(number));
    }
}

/// A put that waited for a split kept its time in the region that was split. The next writes of its row could get
/// earlier times in the new region, and stayed hidden. `make linearizability` found it.
#[test]
fn a_put_that_waited_for_a_split_gets_its_time_from_the_new_region() {
    let (db, _) = database_and_files(&[("rowstone.unique.timestamps", "true")]);
    create(&*db, &[], &[]);
    let (times, own) = (Arc::new(Mutex::new(Vec::new())), Arc::downgrade(&db));
    let seen = Arc::clone(&times);
    let split_once = move |cells: &CellBuffer| {
        let mut times = seen.lock().unwrap();
        times.push(cells.iter().map(|cell| cell.timestamp()).collect::<Vec<_>>());
        match (times.len(), own.upgrade()) {
            (1, Some(db)) => {
                let region = db.admin().regions(&name())?.remove(0).encoded_name;
                db.admin().split_region(region.as_bytes(), Some(b"m"))
            }
            _ => Ok(()),
        }
    };
    db.observe_table(&name(), Some(Interruption::before_write(split_once))).unwrap();
    put(&*db, 1);
    let times = times.lock().unwrap();
    assert_eq!((times.len(), get(&*db, "row")), (2, Some(1)));
    assert!(times[1] > times[0], "{times:?}");
}

#[test]
fn a_clock_that_is_behind_what_was_written_is_noticed_at_the_next_opening() {
    for is_flushed in [false, true] {
        let machine = Machine::new(false);
        let db = machine.open();
        create(&*db, &[], &[]);
        put(&*db, 1);
        if is_flushed {
            db.admin().flush(None).unwrap();
        }
        db.close().unwrap();
        machine.set_back();
        assert_eq!(behind_ms(&*machine.open()), HOUR_MS);
    }
}
