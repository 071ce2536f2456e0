//! Copies and repairs that fail or are interrupted. After a failure, the target is as it was before. After a crash, it
//! is a complete database, or the next copy replaces what is there.

use crate::faults_support as faults;
use crate::regions_support as support;
use faults::{directory, Machine};
use rowstone_engine::check::{check, copy_closed, repair, RepairOptions, Target};
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::operations::Durability;
use rowstone_model::{ErrorKind, Result};
use std::path::Path;
use std::sync::Arc;
use support::{create, put, row};

const NEW: &str = "/new/folder/copy";

type Copying = fn(&System) -> Result<()>;
const COPIES: [Copying; 2] = [restore, save];

fn restore(system: &System) -> Result<()> {
    let target = Target { system, directory: Path::new(NEW), links: false };
    copy_closed(system, &directory(), &target, &mut |_, _, _| {}).map(|_| ())
}

fn save(system: &System) -> Result<()> {
    repair(system, &directory(), Path::new(NEW), RepairOptions::default(), &mut |_, _, _| {}).map(|_| ())
}

/// A disk with a database of a store file and a log.
fn disk() -> FaultyFileSystem {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    create(&*db, &[], &[]);
    put(&*db, &row(1), 1);
    db.admin().flush(None).unwrap();
    put(&*db, &row(2), 2);
    db.close().unwrap();
    machine.files
}

fn system(files: &FaultyFileSystem) -> System {
    let (clock, entropy) = (Arc::new(ManualClock::new(9_000_000)), Arc::new(SeededEntropy::new(9)));
    System { files: Arc::new(files.clone()), clock, entropy }
}

fn assert_complete(system: &System, what: &str) {
    let report = check(system, Path::new(NEW), &mut |_, _, _| {}).unwrap();
    assert!(report.is_clean(), "{what}: {:?}", report.findings);
    assert_eq!((report.store_files > 0, report.records > 0), (true, true), "{what}");
    assert!(!system.files.exists(&Path::new(NEW).join("MANIFEST.unfinished")), "{what}");
}

#[test]
fn a_failed_copy_leaves_nothing_behind() {
    let disk = disk();
    for copy in COPIES {
        for point in 1.. {
            let (files, what) = (disk.crash(Crash::Killed), format!("change {point}"));
            files.fail(CallKind::Change, point, Fault::Io);
            let outcome = copy(&system(&files));
            if files.failures() == 0 {
                assert!(point > 10, "{point}");
                break;
            }
            files.heal();
            if let Err(error) = outcome {
                assert_eq!(error.kind(), ErrorKind::Io, "{what}: {error}");
                assert!(!files.exists(Path::new("/new")), "{what}: {:?}", files.list(Path::new(NEW)));
                copy(&system(&files)).unwrap_or_else(|error| panic!("{what}: {error}"));
            }
            assert_complete(&system(&files), &what);
        }
    }
}

#[test]
fn an_interrupted_copy_is_repeated() {
    let disk = disk();
    for copy in COPIES {
        let files = disk.crash(Crash::Killed);
        files.record();
        copy(&system(&files)).unwrap();
        for (number, moment) in files.history().iter().enumerate() {
            for crash in [Crash::Killed, Crash::Synced, Crash::Everything, Crash::Subset(number as u64)] {
                let (system, what) = (system(&moment.crash(crash)), format!("{crash:?} after change {number}"));
                if system.files.exists(&Path::new(NEW).join("MANIFEST")) {
                    assert_eq!(copy(&system).unwrap_err().kind(), ErrorKind::InvalidArgument, "{what}");
                } else {
                    copy(&system).unwrap_or_else(|error| panic!("{what}: {error}"));
                }
                assert_complete(&system, &what);
            }
        }
    }
}

#[test]
fn only_an_unfinished_copy_is_replaced() {
    let files = disk();
    let (system, folder) = (system(&files), Path::new(NEW));
    files.create_dir_all(&folder.join("data")).unwrap();
    let refused = restore(&system).unwrap_err().to_string();
    assert!(refused.contains("is not empty, there is /new/folder/copy/data"), "{refused}");
    files.create(&folder.join("MANIFEST.unfinished")).unwrap();
    files.create(&folder.join("data/thesis.tex")).unwrap();
    files.create(&folder.join("notes.txt")).unwrap();
    let refused = restore(&system).unwrap_err().to_string();
    assert!(refused.contains("notes.txt"), "{refused}");
    assert!(files.exists(&folder.join("data/thesis.tex")));
    files.remove_file(&folder.join("notes.txt")).unwrap();
    let lock = files.lock(&folder.join("MANIFEST.unfinished"), "process 7").unwrap();
    let refused = restore(&system).unwrap_err().to_string();
    assert!(refused.contains("being written by another copy, in process 7"), "{refused}");
    drop(lock);
    restore(&system).unwrap();
    assert!(!files.exists(&folder.join("data/thesis.tex")));
    assert_complete(&system, "replaced");
}
