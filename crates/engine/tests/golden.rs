//! A directory with a file of a newer format version: manifest, log, store file, MOB file. Opening it, a check and a
//! repair are refused with an error that names the file, its version and the supported one. Nothing is changed.
//!
//! The directories are those in `tests/golden`, whose contents `tests/golden/test_golden.py` compares. A file's version
//! is raised as a newer program would write it: with the checksums that depend on it.

use rowstone_engine::check::{check, repair, RepairOptions};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::faulty::FaultyFileSystem;
use rowstone_engine::sys::{FileSystem, ManualClock, SeededEntropy, System};
use rowstone_model::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden");
const MANIFEST_HEADER_BYTES: usize = 32;
const LOG_HEADER_BYTES: usize = 64;
const FRAME_HEAD_BYTES: usize = 8;
const TRAILER_BYTES: usize = 4096;
const MARK_BIT: u32 = 0x8000_0000;

fn root() -> PathBuf {
    PathBuf::from("/db")
}

fn goldens() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(GOLDEN).unwrap().map(|entry| entry.unwrap().path().join("db"));
    let found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    assert!(!found.is_empty());
    found
}

/// A copy of a directory in memory.
fn copied(from: &Path) -> FaultyFileSystem {
    fn copy(files: &FaultyFileSystem, from: &Path, to: &Path) {
        files.create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let target = to.join(path.file_name().unwrap());
            if path.is_dir() {
                copy(files, &path, &target);
            } else {
                let mut file = files.create(&target).unwrap();
                file.append(&std::fs::read(&path).unwrap()).unwrap();
                file.sync().unwrap();
            }
        }
    }
    let files = FaultyFileSystem::new();
    copy(&files, from, &root());
    files
}

fn system(files: &FaultyFileSystem) -> System {
    let (clock, entropy) = (Arc::new(ManualClock::new(1_760_000_000_000)), Arc::new(SeededEntropy::new(7)));
    System { files: Arc::new(files.clone()), clock, entropy }
}

/// All files and their bytes, except the lock, whose text names the last opener.
fn everything(files: &FaultyFileSystem) -> BTreeMap<PathBuf, Vec<u8>> {
    fn below(files: &FaultyFileSystem, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for path in files.list(folder).unwrap() {
            match files.is_dir(&path) {
                true => below(files, &path, found),
                false if path.ends_with("LOCK") => {}
                false => drop(found.insert(path.clone(), files.read(&path).unwrap())),
            }
        }
    }
    let mut found = BTreeMap::new();
    below(files, Path::new("/"), &mut found);
    found
}

/// Files below a folder of the database, in order.
fn files_below(files: &FaultyFileSystem, folder: &str) -> Vec<PathBuf> {
    everything(files).into_keys().filter(|path| path.starts_with(root().join(folder))).collect()
}

fn opening(files: &FaultyFileSystem, read_only: bool) -> Result<(), Error> {
    let configuration = [("rowstone.compaction.background", "false"), ("hbase.quota.enabled", "true")];
    let options = OpenOptions {
        directory: Some(root()),
        read_only,
        configuration: configuration.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        system: Some(system(files)),
        is_passive: true,
        ..OpenOptions::default()
    };
    open(options).and_then(|db| db.close()).map(drop)
}

fn checking(files: &FaultyFileSystem) -> Result<(), Error> {
    check(&system(files), &root(), &mut |_, _, _| {}).map(drop)
}

fn repairing(files: &FaultyFileSystem) -> Result<(), Error> {
    repair(&system(files), &root(), Path::new("/saved"), RepairOptions::default(), &mut |_, _, _| {}).map(drop)
}

type Operation = (&'static str, fn(&FaultyFileSystem) -> Result<(), Error>);
const OPENING: [Operation; 2] = [("open", |files| opening(files, false)), ("read", |files| opening(files, true))];
const CHECKING: [Operation; 2] = [("check", checking), ("repair", repairing)];

/// Every operation is refused because of `path`, and changes nothing.
fn assert_refused(files: &FaultyFileSystem, operations: &[Operation], path: &Path, found: &str, supported: &str) {
    let before = everything(files);
    for (what, operation) in operations {
        let error = operation(files).err().unwrap_or_else(|| panic!("{what} accepts {found} of {}", path.display()));
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{what}: {error}");
        for word in [path.to_str().unwrap(), found, supported] {
            assert!(error.message().contains(word), "{what}: '{word}' is not in: {error}");
        }
        assert!(everything(files) == before, "{what} changed the directory");
    }
}

fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Raises the version of a manifest's or a log's header, whose checksum is its last field.
fn raise_version(bytes: &mut [u8], header_bytes: usize) -> u32 {
    let version = u32_at(bytes, 8) + 1;
    put_u32(bytes, 8, version);
    let checksum = crc32c::crc32c(&bytes[..header_bytes - 4]);
    put_u32(bytes, header_bytes - 4, checksum);
    version
}

/// Replaces numbers in the manifest's payloads, and writes its frames again. Marks are left out.
fn edit_manifest(files: &FaultyFileSystem, edits: &[(u32, u32)]) {
    files
        .damage(&root().join("MANIFEST"), |bytes| {
            let seed = u32_at(bytes, MANIFEST_HEADER_BYTES - 4);
            let (mut at, mut out) = (MANIFEST_HEADER_BYTES, bytes[..MANIFEST_HEADER_BYTES].to_vec());
            while at < bytes.len() {
                let length = u32_at(bytes, at + 4);
                let payload = &bytes[at + FRAME_HEAD_BYTES..][..(length & !MARK_BIT) as usize];
                at += FRAME_HEAD_BYTES + payload.len();
                if length & MARK_BIT != 0 {
                    continue;
                }
                let mut text = String::from_utf8(payload.to_vec()).unwrap();
                for (old, new) in edits {
                    text = text.replace(&format!(":{old}"), &format!(":{new}"));
                }
                let mut frame = (text.len() as u32).to_be_bytes().to_vec();
                frame.extend_from_slice(text.as_bytes());
                let checksum = crc32c::crc32c_append(seed, &(out.len() as u64).to_be_bytes());
                out.extend_from_slice(&crc32c::crc32c_append(checksum, &frame).to_be_bytes());
                out.extend_from_slice(&frame);
            }
            *bytes = out;
        })
        .unwrap();
}

/// Gives an HFile another version, and the manifest the file's new checksums.
fn set_hfile_version(files: &FaultyFileSystem, path: &Path, major: u32, minor: u32) {
    let before = files.read(path).unwrap();
    files
        .damage(path, |bytes| {
            let at = bytes.len() - 4;
            put_u32(bytes, at, minor << 24 | major);
        })
        .unwrap();
    let after = files.read(path).unwrap();
    // Field 2 of the trailer's message: the offset from which a file is loaded when it is opened.
    let trailer = &before[before.len() - TRAILER_BYTES..];
    let start = rowstone_engine::hfile::format::Trailer::parse(trailer).unwrap().load_on_open_offset as usize;
    let digests = |from: usize| (crc32c::crc32c(&before[from..]), crc32c::crc32c(&after[from..]));
    edit_manifest(files, &[digests(0), digests(start)]);
}

/// A table's store file that this version reads: not one of a system table, and not of a snapshot alone.
fn store_file(files: &FaultyFileSystem) -> PathBuf {
    files_below(files, "data/default/formats").into_iter().next().unwrap()
}

#[test]
fn the_copies_are_accepted_as_they_are() {
    for golden in goldens() {
        for (what, operation) in CHECKING.iter().chain(&OPENING).rev() {
            let files = copied(&golden);
            operation(&files).unwrap_or_else(|error| panic!("{what}: {error}"));
            let files = copied(&golden);
            edit_manifest(&files, &[]);
            operation(&files).unwrap_or_else(|error| panic!("{what} with frames written again: {error}"));
        }
    }
}

#[test]
fn a_newer_manifest_is_refused() {
    for golden in goldens() {
        let (files, path) = (copied(&golden), root().join("MANIFEST"));
        let mut version = 0;
        files.damage(&path, |bytes| version = raise_version(bytes, MANIFEST_HEADER_BYTES)).unwrap();
        let (found, supported) = (format!("format {version},"), format!("knows {}", version - 1));
        for operations in [OPENING, CHECKING] {
            assert_refused(&files, &operations, &path, &found, &supported);
        }
        assert!(!files.exists(&root().join("LOCK")), "the lock was taken before the version was known");
    }
}

#[test]
fn a_newer_log_is_refused() {
    for golden in goldens() {
        let logs = files_below(&copied(&golden), "WALs");
        for path in [logs.first().unwrap(), logs.last().unwrap()] {
            let (files, mut version) = (copied(&golden), 0);
            let old = u32_at(&files.read(path).unwrap(), LOG_HEADER_BYTES - 4);
            files.damage(path, |bytes| version = raise_version(bytes, LOG_HEADER_BYTES)).unwrap();
            edit_manifest(&files, &[(old, u32_at(&files.read(path).unwrap(), LOG_HEADER_BYTES - 4))]);
            let (found, supported) = (format!("format {version},"), format!("knows {}", version - 1));
            for operations in [OPENING, CHECKING] {
                assert_refused(&files, &operations, path, &found, &supported);
            }
        }
    }
}

#[test]
fn a_newer_log_that_the_manifest_does_not_name_is_refused() {
    for golden in goldens() {
        let files = copied(&golden);
        let last = files_below(&files, "WALs").pop().unwrap();
        let mut bytes = files.read(&last).unwrap();
        let number = u64::from_be_bytes(bytes[16..24].try_into().unwrap()) + 1;
        bytes[16..24].copy_from_slice(&number.to_be_bytes());
        let version = raise_version(&mut bytes, LOG_HEADER_BYTES);
        let path = last.with_file_name(format!("{number:020}.wal"));
        files.create(&path).unwrap().append(&bytes).unwrap();
        let (found, supported) = (format!("format {version},"), format!("knows {}", version - 1));
        for operations in [OPENING, CHECKING] {
            assert_refused(&files, &operations, &path, &found, &supported);
        }
    }
}

#[test]
fn a_newer_store_file_is_refused() {
    for golden in goldens() {
        for (major, minor) in [(3, 4), (4, 0)] {
            let files = copied(&golden);
            let path = store_file(&files);
            set_hfile_version(&files, &path, major, minor);
            let (found, supported) = (format!("version {major}.{minor},"), "3.0 to 3.3");
            for operations in [OPENING, CHECKING] {
                assert_refused(&files, &operations, &path, &found, supported);
            }
        }
    }
}

#[test]
fn a_newer_mob_file_is_refused_by_check_and_repair() {
    for golden in goldens() {
        let files = copied(&golden);
        let path = files_below(&files, "mobdir").pop().unwrap();
        set_hfile_version(&files, &path, 4, 0);
        assert_refused(&files, &CHECKING, &path, "version 4.0,", "3.0 to 3.3");
    }
}

/// A changed byte in a version is damage, not a newer version: `check` reports it, and `repair` saves the rest.
#[test]
fn a_damaged_version_is_damage() {
    for golden in goldens() {
        let logs = files_below(&copied(&golden), "WALs");
        let file = store_file(&copied(&golden));
        for (path, at) in [(root().join("MANIFEST"), 11), (logs[0].clone(), 11), (file, usize::MAX)] {
            let files = copied(&golden);
            files
                .damage(&path, |bytes| {
                    let at = at.min(bytes.len() - 1);
                    bytes[at] ^= 4;
                })
                .unwrap();
            let report = check(&system(&files), &root(), &mut |_, _, _| {}).unwrap();
            assert!(report.findings.iter().any(|finding| finding.place.file == path.display().to_string()));
            repairing(&files).unwrap();
        }
    }
}
