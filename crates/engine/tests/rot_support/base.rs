//! The databases that rot: one closed in peace, one left behind by a crash.

use super::reading::{read_all, Answers};
use super::{all_files, directory};
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::hfile::{FileFacts, Writer, WriterOptions};
use rowstone_engine::sys::faulty::{Crash, FaultyFileSystem};
use rowstone_engine::sys::{FileSystem, ManualClock, RealFileSystem, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{write_tag, CellBuffer, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A machine with these files.
pub struct Machine {
    pub files: FaultyFileSystem,
    clock: Arc<ManualClock>,
    entropy: Arc<SeededEntropy>,
}

impl Machine {
    pub fn on(files: FaultyFileSystem) -> Self {
        files.create_dir_all(Path::new("/")).unwrap();
        Machine { files, clock: Arc::new(ManualClock::new(1_000_000)), entropy: Arc::new(SeededEntropy::new(5)) }
    }

    pub fn system(&self) -> System {
        System { files: Arc::new(self.files.clone()), clock: self.clock.clone(), entropy: self.entropy.clone() }
    }

    pub fn open(&self, read_only: bool) -> Result<Arc<dyn Backend>> {
        self.open_at(directory(), read_only)
    }

    pub fn open_at(&self, directory: PathBuf, read_only: bool) -> Result<Arc<dyn Backend>> {
        let settings = [
            ("rowstone.compaction.background", "false"),
            ("rowstone.wal.sync.interval.ms", "60000"),
            ("hbase.regionserver.logroll.size", "4096"),
            ("hbase.master.logcleaner.ttl", "50"),
        ];
        open(OpenOptions {
            directory: Some(directory),
            read_only,
            create: !read_only,
            configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            system: Some(self.system()),
            ..OpenOptions::default()
        })
    }
}

/// A database and every answer it gives.
pub struct Base {
    pub name: &'static str,
    files: FaultyFileSystem,
    pub paths: Vec<PathBuf>,
    pub answers: Answers,
    /// The last log, where it may have a torn tail.
    pub last_log: Option<PathBuf>,
    /// The answers when the last log ended there.
    pub earlier: Vec<(u64, Answers)>,
}

impl Base {
    /// A copy of the disk.
    pub fn files(&self) -> FaultyFileSystem {
        self.files.crash(Crash::Everything)
    }
}

fn family(name: &str, attributes: &[(&str, &str)]) -> FamilyDescriptor {
    let mut family = FamilyDescriptor::new(name);
    family.attributes = attributes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    family
}

/// Names of tables with their families.
pub const TABLES: [(&str, &[&str]); 3] = [("plain", &["a", "b"]), ("wide", &["c", "d", "e", "m"]), ("loaded", &["f"])];

fn create_tables(db: &dyn Backend) {
    let table = |name: &str| {
        let mut table = TableDescriptor::new(TableName::parse(name).unwrap());
        // Blocks are smaller than HBase lets them be, so that there are many.
        table.configuration.insert("hbase.table.sanity.checks".into(), "false".into());
        table
    };
    let plain = table("plain").with_family(family("a", &[("BLOCKSIZE", "400")])).with_family(family(
        "b",
        &[("BLOCKSIZE", "400"), ("DATA_BLOCK_ENCODING", "FAST_DIFF"), ("COMPRESSION", "GZ"), ("BLOOMFILTER", "ROWCOL")],
    ));
    db.admin().create_table(plain, vec![b"row20".to_vec()]).unwrap();
    let wide = table("wide")
        .with_family(family(
            "c",
            &[
                ("BLOCKSIZE", "300"),
                ("DATA_BLOCK_ENCODING", "ROW_INDEX_V1"),
                ("COMPRESSION", "SNAPPY"),
                ("BLOOMFILTER", "NONE"),
            ],
        ))
        .with_family(family(
            "d",
            &[("BLOCKSIZE", "300"), ("DATA_BLOCK_ENCODING", "PREFIX"), ("COMPRESSION", "LZ4"), ("VERSIONS", "3")],
        ))
        .with_family(family("e", &[("DATA_BLOCK_ENCODING", "DIFF"), ("COMPRESSION", "ZSTD")]))
        .with_family(family("m", &[("BLOCKSIZE", "300"), ("IS_MOB", "true"), ("MOB_THRESHOLD", "10")]));
    db.admin().create_table(wide, Vec::new()).unwrap();
    db.admin().create_table(table("loaded").with_family(family("f", &[])), Vec::new()).unwrap();
    db.admin().create_table(table("gone").with_family(family("f", &[])), Vec::new()).unwrap();
    db.admin()
        .set_table_state(&TableName::parse("gone").unwrap(), rowstone_model::schema::TableState::Disabled)
        .unwrap();
    db.admin().drop_table(&TableName::parse("gone").unwrap()).unwrap();
}

fn write(db: &dyn Backend, table: &str, kind: MutationKind, row: usize, value: &str, durability: Durability) {
    let families = TABLES.iter().find(|(name, _)| *name == table).unwrap().1;
    let mut mutation = Mutation::new(kind, format!("row{row:02}").as_str());
    mutation.durability = durability;
    let mut tags = Vec::new();
    if row.is_multiple_of(7) {
        write_tag(&mut tags, 70, b"tagged");
    }
    for family in families {
        for qualifier in ["p", "q"] {
            let cell_type = if kind == MutationKind::Delete { CellType::DeleteColumn } else { CellType::Put };
            // Half of a deleted row goes.
            if kind == MutationKind::Delete && qualifier == "p" {
                continue;
            }
            let value = if kind == MutationKind::Delete { "" } else { value };
            mutation.cells.push(CellParts {
                row: format!("row{row:02}").as_bytes(),
                family: family.as_bytes(),
                qualifier: qualifier.as_bytes(),
                timestamp: LATEST_TIMESTAMP,
                cell_type,
                value: value.as_bytes(),
                tags: if kind == MutationKind::Delete { &[] } else { &tags },
            });
        }
    }
    db.table(&TableName::parse(table).unwrap()).unwrap().mutate(mutation).unwrap();
}

/// A file with an index of several levels and a Bloom filter of several pieces.
fn load(db: &dyn Backend, value: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rot-{}-{value}", std::process::id()));
    RealFileSystem.create_dir_all(&folder).unwrap();
    let path = folder.join("file");
    let options =
        WriterOptions { block_bytes: 200, index_block_bytes: 150, bloom_block_bytes: 64, ..WriterOptions::default() };
    let mut writer = Writer::create(&RealFileSystem, &path, options).unwrap();
    let mut cells = CellBuffer::new();
    for row in 0..60 {
        let row = format!("row{row:02}");
        let (row, family, qualifier) = (row.as_bytes(), b"f".as_slice(), b"q".as_slice());
        let value = value.as_bytes();
        cells.push(CellParts { row, family, qualifier, timestamp: 7, cell_type: CellType::Put, value, tags: &[] });
    }
    cells.iter().for_each(|cell| writer.append(&cell).unwrap());
    writer.finish(&FileFacts::default()).unwrap();
    db.admin().bulk_load(&TableName::parse("loaded").unwrap(), vec![(b"f".to_vec(), path.clone())]).unwrap();
    RealFileSystem.remove_file(&path).unwrap();
}

fn fill(machine: &Machine, db: &dyn Backend) {
    let put = |table: &str, row: usize, value: &str| {
        machine.clock.advance(3);
        write(db, table, MutationKind::Put, row, value, Durability::SyncWal);
    };
    create_tables(db);
    for table in ["plain", "wide"] {
        (0..40).for_each(|row| put(table, row, &format!("value {row:02} of the first round")));
    }
    db.admin().flush(None).unwrap();
    for table in ["plain", "wide"] {
        (0..40).step_by(3).for_each(|row| put(table, row, &format!("value {row:02} of the second round")));
        for row in (0..40).step_by(5) {
            machine.clock.advance(3);
            write(db, table, MutationKind::Delete, row, "", Durability::SyncWal);
        }
        write(db, table, MutationKind::Delete, 17, "", Durability::SyncWal);
    }
    load(db, "loaded from a file");
    db.admin().flush(Some(&TableName::parse("plain").unwrap())).unwrap();
}

/// Writes that are in the log only; `after` hears of each.
fn fill_log(machine: &Machine, db: &dyn Backend, after: &mut dyn FnMut()) {
    for row in (0..40).step_by(4) {
        for table in ["plain", "wide", "loaded"] {
            machine.clock.advance(3);
            let durability = if row == 20 { Durability::FsyncWal } else { Durability::SyncWal };
            write(db, table, MutationKind::Put, row, &format!("value {row:02} of the third round"), durability);
            after();
        }
    }
}

/// The databases.
pub fn bases() -> Vec<Base> {
    vec![closed(), crashed()]
}

fn closed() -> Base {
    let machine = Machine::on(FaultyFileSystem::new());
    let db = machine.open(false).unwrap();
    fill(&machine, &*db);
    fill_log(&machine, &*db, &mut || {});
    db.close().unwrap();
    drop(db);
    finish("closed", machine.files.crash(Crash::Everything), None, Vec::new())
}

fn crashed() -> Base {
    let machine = Machine::on(FaultyFileSystem::new());
    let db = machine.open(false).unwrap();
    fill(&machine, &*db);
    let last_log = || all_files(&machine.files, &directory().join("WALs")).pop().unwrap();
    let end = || (last_log(), machine.files.read(&last_log()).unwrap().len() as u64);
    let mut states = vec![(end(), read_all(&*db, None).answers())];
    fill_log(&machine, &*db, &mut || states.push((end(), read_all(&*db, None).answers())));
    for row in 1..30 {
        let of_last = states.iter().filter(|((path, _), _)| *path == last_log()).count();
        if of_last >= 9 {
            break;
        }
        machine.clock.advance(3);
        let durability = if of_last == 4 { Durability::FsyncWal } else { Durability::SyncWal };
        write(&*db, ["plain", "wide", "loaded"][row % 3], MutationKind::Put, row, &format!("late {row}"), durability);
        states.push((end(), read_all(&*db, None).answers()));
    }
    let log = last_log();
    // With nothing of the last log there are the writes of the logs before it.
    let first = states.iter().position(|((path, _), _)| *path == log).unwrap();
    let before = (0, states[first.saturating_sub(1)].1.clone());
    let of_last = states.split_off(first).into_iter().map(|((_, end), answers)| (end, answers));
    let earlier: Vec<(u64, Answers)> = std::iter::once(before).chain(of_last).collect();
    assert!(earlier.len() > 3, "the last log is to hold some writes");
    let base = finish("crashed", machine.files.crash(Crash::Everything), Some(log), earlier);
    db.close().unwrap();
    base
}

fn finish(
    name: &'static str,
    files: FaultyFileSystem,
    last_log: Option<PathBuf>,
    earlier: Vec<(u64, Answers)>,
) -> Base {
    let answers = {
        let machine = Machine::on(files.crash(Crash::Everything));
        let db = machine.open(true).unwrap();
        read_all(&*db, None).answers()
    };
    Base { name, paths: all_files(&files, &directory()), files, answers, last_log, earlier }
}
