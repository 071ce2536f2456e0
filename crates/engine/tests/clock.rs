//! A clock that is set back: HBase's behavior is the default, monotone time is an option, and either way it is
//! detected.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "regions_support/mod.rs"]
mod support;

use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::{Clock, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::backend::Backend;
use std::collections::BTreeMap;
use std::sync::Arc;
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

fn behind_ms(db: &dyn Backend) -> i64 {
    db.admin().statistics(None).unwrap()["clock_behind_ms"]
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
fn with_monotone_timestamps_the_last_put_is_seen_whatever_the_clock_says() {
    let machine = Machine::new(true);
    let mut db = machine.open();
    create(&*db, &[], &[]);
    for number in 1..6 {
        put(&*db, number);
        assert_eq!(get(&*db, "row"), Some(number));
        machine.set_back();
        match number {
            // The region's time is first in the log, then only in the manifest, then in the regions after a split.
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
