//! A crash or a failure at every call: a commit that returned exists afterwards; one that did not exists as a whole
//! or not at all.

use super::*;
use crate::sys::faulty::{CallKind, Crash, Fault, FaultyFileSystem};

fn on_disk(files: &FaultyFileSystem) -> System {
    files.create_dir_all(Path::new("/")).unwrap();
    system_on(files.clone())
}

fn put(index: usize) -> Edit {
    let namespace = NamespaceDescriptor { name: format!("n{index}"), properties: Default::default() };
    Edit::PutNamespace { namespace }
}

/// The commits of the script. Each creates a namespace of its own, so a state shows which of them it has.
fn commits() -> Vec<Vec<Edit>> {
    let mut commits = vec![vec![put(0), create("t", &["f"], &[], 1)], vec![put(1), create("n1:u", &["f"], &[b"m"], 2)]];
    let region = regions(&table("t", &["f"]), &[], 1)[0].info.encoded_name.clone();
    for index in 2..6 {
        let add = (0..12).map(|part| file(&format!("data/{index}-{part}"), index as u64)).collect();
        let remove = (0..12).filter(|_| index > 2).map(|part| format!("data/{}-{part}", index - 1)).collect();
        let (region, family) = (region.clone(), b"f".to_vec());
        let replace = Edit::ReplaceFiles {
            region,
            family,
            remove,
            add,
            flushed_sequence_id: Some(index as u64),
            last_write_ms: None,
        };
        commits.push(vec![put(index), replace]);
    }
    commits.push(vec![put(6), Edit::DropTable { table: name("n1:u") }]);
    commits
}

/// Number of commits that a state has. They must be the first ones, and complete.
fn count(state: &State) -> usize {
    let count = state.namespaces.len() - 2;
    let mut expected = State::new(state.database_id.clone());
    for edits in &commits()[..count] {
        expected = expected.after(edits).unwrap();
    }
    assert_eq!(*state, expected);
    count
}

/// Opens the manifest and makes the missing commits, reopening it in between. Counts the acknowledged ones.
fn script(system: &System, acknowledged: &mut usize) -> rowstone_model::Result<()> {
    for until in [4, 7] {
        let manifest = Manifest::open(system, directory(), true)?;
        *acknowledged = count(&manifest.state());
        for edits in commits().into_iter().take(until).skip(*acknowledged) {
            manifest.commit(&edits)?;
            *acknowledged += 1;
        }
    }
    Ok(())
}

/// Number of commits after a restart; none if the database was not created yet.
fn reopened(files: &FaultyFileSystem, acknowledged: usize) -> usize {
    let system = on_disk(files);
    match read(&*system.files, directory()) {
        Ok(state) => count(&state),
        Err(error) => {
            assert_eq!((error.kind(), acknowledged), (ErrorKind::NotADatabase, 0), "{error}");
            0
        }
    }
}

#[test]
fn a_crash_at_every_call_keeps_what_was_committed() {
    let mut states = 0;
    for number in 1.. {
        let files = FaultyFileSystem::new();
        let system = on_disk(&files);
        files.fail(CallKind::Change, files.calls(CallKind::Change) + number, Fault::Halt);
        let mut acknowledged = 0;
        if script(&system, &mut acknowledged).is_ok() {
            break;
        }
        for crash in
            [Crash::Synced, Crash::Everything].into_iter().chain((0..8).map(|seed| Crash::Subset(number * 10 + seed)))
        {
            let disk = files.crash(crash);
            let survived = reopened(&disk, acknowledged);
            assert!(
                survived >= acknowledged && survived <= acknowledged + 1,
                "{survived} of {acknowledged}, {crash:?}"
            );
            // Then a second crash while it continues.
            for second in 1.. {
                let again = disk.crash(Crash::Synced);
                let system = on_disk(&again);
                again.fail(CallKind::Change, again.calls(CallKind::Change) + second, Fault::Halt);
                let mut more = survived;
                let result = script(&system, &mut more);
                assert!(reopened(&again.crash(Crash::Subset(second)), more) >= more.max(survived));
                states += 1;
                if result.is_ok() {
                    break;
                }
            }
        }
    }
    assert!(states > 2000, "{states} states");
}

#[test]
fn state_read_at_open_stays_despite_a_failed_sync() {
    for number in 1.. {
        let files = FaultyFileSystem::new();
        let system = on_disk(&files);
        let due = files.calls(CallKind::Change) + number;
        files.fail(CallKind::Change, due, Fault::Io);
        let mut acknowledged = 0;
        let _ = script(&system, &mut acknowledged);
        if files.calls(CallKind::Change) < due {
            break;
        }
        let Ok(manifest) = Manifest::open(&system, directory(), true) else { panic!("call {number}") };
        manifest.make_durable().unwrap();
        let seen = count(&manifest.state());
        assert!(seen >= acknowledged);
        for crash in [Crash::Synced, Crash::Subset(number)] {
            assert!(reopened(&files.crash(crash), seen) >= seen, "acted upon, then lost");
        }
    }
}

#[test]
fn after_a_failed_commit_the_next_one_works_and_the_failed_one_never_happened() {
    for fault in [Fault::Io, Fault::DiskFull, Fault::ShortWrite, Fault::Interrupted] {
        for offset in 1..=6 {
            let files = FaultyFileSystem::new();
            let system = on_disk(&files);
            let manifest = Manifest::open(&system, directory(), true).unwrap();
            manifest.commit(&[put(100)]).unwrap();
            files.fail(CallKind::Change, files.calls(CallKind::Change) + offset, fault);
            let mut expected = vec!["default", "hbase", "n100"];
            for (index, text) in [(101, "n101"), (102, "n102"), (103, "n103")] {
                let before = manifest.state();
                match manifest.commit(&[put(index)]) {
                    Ok(_) => expected.push(text),
                    Err(_) => assert_eq!(manifest.state(), before),
                }
            }
            assert!(expected.len() >= 5);
            assert_eq!(manifest.state().namespaces.keys().collect::<Vec<_>>(), expected);
            let state = read(&files.crash(Crash::Synced), directory()).unwrap();
            assert_eq!(state.namespaces.keys().collect::<Vec<_>>(), expected);
        }
    }
}
