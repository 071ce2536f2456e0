//! The log and the manifest: files of checksummed frames. Mutated frames get matching checksums.

use super::Target;
use rowstone_engine::frame::{finish, mark, HEAD_BYTES, MARK_BYTES};
use rowstone_engine::manifest::{self, Edit, Manifest, State};
use rowstone_engine::sys::{FileSystem, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_engine::wal::{replay, Entry, LogEnd, LogRegister, Needed, Part, ReplayReport, Wal, WalOptions};
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::operations::Durability;
use rowstone_model::schema::NamespaceDescriptor;
use std::path::Path;
use std::sync::{Arc, Mutex};

const WAL_HEADER_BYTES: usize = 64;
const MANIFEST_HEADER_BYTES: usize = 32;
const LOG: &str = "/db/WALs/00000000000000000001.wal";

pub fn targets() -> Vec<Target> {
    let words: &[&[u8]] =
        &[b"{\"", b"\":", b"},{", b"[]", b"null", b"true", b"-1", b"18446744073709551615", b"\\x00", b"\"\""];
    vec![
        Target { name: "wal", run: wal, seeds: logs, words: &[], most_bytes: 8192 },
        Target { name: "manifest", run: manifest, seeds: manifests, words, most_bytes: 8192 },
    ]
}

fn system(files: &MemoryFileSystem) -> System {
    System {
        files: Arc::new(files.clone()),
        clock: Arc::new(ManualClock::new(1000)),
        entropy: Arc::new(SeededEntropy::new(1)),
    }
}

/// Corrects the checksum of the header, which is its last four bytes, and of each frame after it.
fn mend(bytes: &mut [u8], header: usize) {
    if bytes.len() < header {
        return;
    }
    let seed = crc32c::crc32c(&bytes[..header - 4]);
    bytes[header - 4..header].copy_from_slice(&seed.to_be_bytes());
    let mut at = header;
    while let Some(head) = bytes.get(at..at + HEAD_BYTES) {
        let word = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
        let end = at + HEAD_BYTES + (word & 0x7fff_ffff) as usize;
        if end > bytes.len() {
            // The truncated last frame takes the remaining bytes.
            let end = bytes.len();
            if word >> 31 == 0 && end > at + HEAD_BYTES {
                finish(&mut bytes[..end], at, seed, at as u64);
            }
            return;
        }
        if word >> 31 == 0 {
            finish(&mut bytes[..end], at, seed, at as u64);
        } else if end - at == MARK_BYTES {
            let number = |from: usize| bytes[from..].first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
            let (synced, commits) = (number(at + HEAD_BYTES), number(at + HEAD_BYTES + 8));
            bytes[at..end].copy_from_slice(&mark(seed, at as u64, synced, commits));
        }
        at = end;
    }
}

fn file_of(input: &[u8], header: usize) -> Option<Vec<u8>> {
    let (control, bytes) = input.split_first()?;
    let mut bytes = bytes.to_vec();
    if control & 1 == 0 {
        mend(&mut bytes, header);
    }
    Some(bytes)
}

/// The list of required logs.
#[derive(Default)]
struct List(Mutex<Vec<LogEnd>>);

impl LogRegister for List {
    fn add(&self, log: &LogEnd) -> rowstone_model::Result<u64> {
        self.0.lock().unwrap().push(log.clone());
        Ok(0)
    }

    fn remove_before(&self, number: u64) -> rowstone_model::Result<u64> {
        self.0.lock().unwrap().retain(|log| log.number >= number);
        Ok(0)
    }
}

/// A sequence id, and the rows and values of its cells in one piece.
type ReadPart = (u64, Vec<u8>);

fn read_log(files: &MemoryFileSystem, list: &List) -> rowstone_model::Result<(ReplayReport, Vec<ReadPart>)> {
    let mut parts = Vec::new();
    let logs = list.0.lock().unwrap().clone();
    let needed = Needed { logs: &logs, commits: u64::MAX, ..Needed::default() };
    let report = replay(files, Path::new("/db/WALs"), &needed, &mut |record| {
        for part in &record.parts {
            let values = part.iter().flat_map(|cell| [cell.row(), cell.value()].concat()).collect();
            parts.push((part.sequence_id, values));
        }
        Ok(())
    })?;
    Ok((report, parts))
}

/// Replays; a new log takes over, and a second replay returns the same records.
fn wal(input: &[u8]) {
    let Some(bytes) = file_of(input, WAL_HEADER_BYTES) else { return };
    let files = MemoryFileSystem::new();
    files.create_dir_all(Path::new("/db/WALs")).unwrap();
    files.create(Path::new(LOG)).unwrap().append(&bytes).unwrap();
    let list = Arc::new(List::default());
    let checksum = crc32c::crc32c(&bytes[..bytes.len().min(WAL_HEADER_BYTES - 4)]);
    list.add(&LogEnd { number: 1, length: 0, checksum }).unwrap();
    let Ok((mut report, parts)) = read_log(&files, &list) else { return };
    let options = WalOptions { has_background: false, reserve_bytes: 0, ..WalOptions::default() };
    let register = Arc::clone(&list) as Arc<dyn LogRegister>;
    let Ok(wal) = Wal::open(&system(&files), Path::new("/db/WALs"), options, &mut report, register) else { return };
    wal.close().unwrap();
    drop(wal);
    let (_, again) = read_log(&files, &list).unwrap();
    assert_eq!(parts, again, "a second replay differs");
}

fn logs() -> Vec<Vec<u8>> {
    let options = WalOptions { has_background: false, reserve_bytes: 0, ..WalOptions::default() };
    [1, 4]
        .into_iter()
        .map(|count| {
            let files = MemoryFileSystem::new();
            files.create_dir_all(Path::new("/db")).unwrap();
            let (mut none, register) = (ReplayReport::default(), Arc::new(List::default()));
            let folder = Path::new("/db/WALs");
            let wal = Wal::open(&system(&files), folder, options.clone(), &mut none, register).unwrap();
            for n in 0..count {
                let mut cells = CellBuffer::new();
                let parts = CellParts {
                    row: b"row",
                    family: b"f",
                    qualifier: b"q",
                    timestamp: n,
                    cell_type: CellType::Put,
                    value: b"value",
                    tags: b"",
                };
                cells.push(parts);
                let parts =
                    [*b"region-number-01", *b"region-number-02"].map(|region| Part { region, cells: cells.as_bytes() });
                let entry = Entry { nonce: n as u64, ..Entry::new(&parts[..1 + n as usize % 2], n) };
                wal.append_and_commit(Durability::FsyncWal, &entry, &mut |_| n as u64 + 1).unwrap();
            }
            wal.close().unwrap();
            let list = files.list(Path::new("/db/WALs")).unwrap();
            [vec![0], files.read(&list[0]).unwrap()].concat()
        })
        .collect()
}

/// Reads, opens, commits, and reads again.
fn manifest(input: &[u8]) {
    let Some(bytes) = file_of(input, MANIFEST_HEADER_BYTES) else { return };
    let (files, directory) = (MemoryFileSystem::new(), Path::new("/db"));
    files.create_dir_all(directory).unwrap();
    files.create(Path::new("/db/MANIFEST")).unwrap().append(&bytes).unwrap();
    let Ok(state) = manifest::read(&files, directory) else { return };
    let opened = Manifest::open(&system(&files), directory, false).unwrap();
    assert_eq!(*opened.state(), state, "opened and read differ");
    let _ = state.live_paths();
    let namespace = NamespaceDescriptor { name: "fuzz".into(), properties: Default::default() };
    let committed = opened.commit(&[Edit::PutNamespace { namespace }]);
    opened.close();
    if let Ok(committed) = committed {
        assert_eq!(
            manifest::read(&files, directory).unwrap(),
            State::clone(&committed),
            "a commit is read differently"
        );
    }
}

fn manifests() -> Vec<Vec<u8>> {
    use rowstone_engine::db::{open, OpenOptions};
    use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
    use rowstone_model::switches::Switch;
    let files = MemoryFileSystem::new();
    let options = OpenOptions {
        directory: Some("/db".into()),
        create: true,
        system: Some(system(&files)),
        ..OpenOptions::default()
    };
    let db = open(options).unwrap();
    let first = files.read(Path::new("/db/MANIFEST")).unwrap();
    let name = TableName::parse("t").unwrap();
    let table = TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("a"));
    db.admin().create_table(table, vec![b"m".to_vec()]).unwrap();
    let mut put = rowstone_model::operations::Mutation::new(rowstone_model::operations::MutationKind::Put, "r");
    put.cells.push(CellParts {
        row: b"r",
        family: b"a",
        qualifier: b"q",
        timestamp: 1,
        cell_type: CellType::Put,
        value: b"v",
        tags: b"",
    });
    db.table(&name).unwrap().mutate(put).unwrap();
    db.admin().flush(Some(&name)).unwrap();
    db.admin().set_switch(Switch::Split, false).unwrap();
    db.close().unwrap();
    drop(db);
    let second = files.read(Path::new("/db/MANIFEST")).unwrap();
    vec![[vec![0], first].concat(), [vec![0], second].concat()]
}
