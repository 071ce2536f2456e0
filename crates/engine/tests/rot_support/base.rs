//! The databases that rot: one closed cleanly, one left behind by a crash.

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
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// A machine with these files.
pub struct Machine {
    pub files: FaultyFileSystem,
    clock: Arc<ManualClock>,
    entropy: Arc<SeededEntropy>,
    is_on_disk: bool,
}

impl Machine {
    pub fn on(files: FaultyFileSystem) -> Self {
        Self::seeded(files, 5)
    }

    fn seeded(files: FaultyFileSystem, seed: u64) -> Self {
        files.create_dir_all(Path::new("/")).unwrap();
        let (clock, entropy) = (Arc::new(ManualClock::new(1_000_000)), Arc::new(SeededEntropy::new(seed)));
        Machine { files, clock, entropy, is_on_disk: false }
    }

    /// A machine with the real file system.
    pub fn on_disk() -> Self {
        Machine { is_on_disk: true, ..Self::on(FaultyFileSystem::new()) }
    }

    pub fn system(&self) -> System {
        let files: Arc<dyn FileSystem> =
            if self.is_on_disk { Arc::new(RealFileSystem) } else { Arc::new(self.files.clone()) };
        System { files, clock: self.clock.clone(), entropy: self.entropy.clone() }
    }

    pub fn open(&self, read_only: bool) -> Result<Arc<dyn Backend>> {
        self.open_at(directory(), read_only)
    }

    /// Opens the existing database, without creating one.
    pub fn open_existing(&self, read_only: bool) -> Result<Arc<dyn Backend>> {
        self.open_in(directory(), read_only)
    }

    /// The same in another directory.
    pub fn open_in(&self, directory: PathBuf, read_only: bool) -> Result<Arc<dyn Backend>> {
        self.open_with(directory, read_only, false)
    }

    pub fn open_at(&self, directory: PathBuf, read_only: bool) -> Result<Arc<dyn Backend>> {
        self.open_with(directory, read_only, !read_only)
    }

    fn open_with(&self, directory: PathBuf, read_only: bool, create: bool) -> Result<Arc<dyn Backend>> {
        let settings = [
            ("rowstone.compaction.background", "false"),
            ("rowstone.wal.sync.interval.ms", "60000"),
            ("hbase.regionserver.logroll.size", "4096"),
            ("hbase.master.logcleaner.ttl", "50"),
        ];
        open(OpenOptions {
            directory: Some(directory),
            read_only,
            create,
            configuration: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            system: Some(self.system()),
            ..OpenOptions::default()
        })
    }
}

/// A database and all of its read results.
pub struct Base {
    pub name: &'static str,
    files: FaultyFileSystem,
    pub paths: Vec<PathBuf>,
    pub answers: Answers,
    /// The last log, if it may have a torn tail.
    pub last_log: Option<PathBuf>,
    /// The results if the last log ended at each offset.
    pub earlier: Vec<(u64, Answers)>,
}

impl Base {
    /// A copy of the disk.
    pub fn files(&self) -> FaultyFileSystem {
        self.files.crash(Crash::Everything)
    }
}

/// Prefix of a database's values.
const WORD: &str = "value";
/// Prefix for another database that is otherwise created in the same way.
pub const OTHER_WORD: &str = "alien";

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
        // Blocks are smaller than HBase permits, so that there are many.
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
            // Half of a deleted row is removed.
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

/// A file with an index of several levels and a Bloom filter of several chunks.
fn load(db: &dyn Backend, value: &str) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rot-{}-{number}", std::process::id()));
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

/// Fills a database with some of everything; `word` begins each value.
fn fill(machine: &Machine, db: &dyn Backend, word: &str) {
    let put = |table: &str, row: usize, value: &str| {
        machine.clock.advance(3);
        write(db, table, MutationKind::Put, row, value, Durability::SyncWal);
    };
    create_tables(db);
    for table in ["plain", "wide"] {
        (0..40).for_each(|row| put(table, row, &format!("{word} {row:02} of the first round")));
    }
    db.admin().flush(None).unwrap();
    for table in ["plain", "wide"] {
        (0..40).step_by(3).for_each(|row| put(table, row, &format!("{word} {row:02} of the second round")));
        for row in (0..40).step_by(5) {
            machine.clock.advance(3);
            write(db, table, MutationKind::Delete, row, "", Durability::SyncWal);
        }
        write(db, table, MutationKind::Delete, 17, "", Durability::SyncWal);
    }
    load(db, &format!("{word} loaded from a file"));
    db.admin().flush(Some(&TableName::parse("plain").unwrap())).unwrap();
}

/// Writes that are only in the log; `after` is called after each.
fn fill_log(machine: &Machine, db: &dyn Backend, word: &str, after: &mut dyn FnMut()) {
    for row in (0..40).step_by(4) {
        for table in ["plain", "wide", "loaded"] {
            machine.clock.advance(3);
            let durability = if row == 20 { Durability::FsyncWal } else { Durability::SyncWal };
            write(db, table, MutationKind::Put, row, &format!("{word} {row:02} of the third round"), durability);
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
    fill(&machine, &*db, WORD);
    fill_log(&machine, &*db, WORD, &mut || {});
    db.close().unwrap();
    drop(db);
    finish("closed", machine.files.crash(Crash::Everything), None, Vec::new())
}

fn crashed() -> Base {
    let machine = Machine::on(FaultyFileSystem::new());
    let db = machine.open(false).unwrap();
    fill(&machine, &*db, WORD);
    let last_log = || all_files(&machine.files, &directory().join("WALs")).pop().unwrap();
    let end = || (last_log(), machine.files.read(&last_log()).unwrap().len() as u64);
    let mut states = vec![(end(), read_all(&*db, None).answers())];
    fill_log(&machine, &*db, WORD, &mut || states.push((end(), read_all(&*db, None).answers())));
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
    // If nothing of the last log is left, the writes of the earlier logs exist.
    let first = states.iter().position(|((path, _), _)| *path == log).unwrap();
    let before = (0, states[first.saturating_sub(1)].1.clone());
    let of_last = states.split_off(first).into_iter().map(|((_, end), answers)| (end, answers));
    let earlier: Vec<(u64, Answers)> = std::iter::once(before).chain(of_last).collect();
    assert!(earlier.len() > 3, "the last log is to hold some writes");
    let base = finish("crashed", machine.files.crash(Crash::Everything), Some(log), earlier);
    db.close().unwrap();
    base
}

/// One database, closed after each of three sessions.
pub fn history(word: &str) -> Vec<Base> {
    let machine = Machine::seeded(FaultyFileSystem::new(), if word == WORD { 5 } else { 6 });
    let mut bases = Vec::new();
    let mut close = |name, db: Arc<dyn Backend>| {
        db.close().unwrap();
        bases.push(finish(name, machine.files.crash(Crash::Everything), None, Vec::new()));
    };
    let db = machine.open(false).unwrap();
    fill(&machine, &*db, word);
    fill_log(&machine, &*db, word, &mut || {});
    close("first", db);
    // Files are removed, added, and change their regions; a change of a family's rules changes the results from its
    // files.
    let db = machine.open(false).unwrap();
    let plain = TableName::parse("plain").unwrap();
    (0..40).step_by(2).for_each(|row| {
        machine.clock.advance(3);
        let value = format!("{word} {row:02} of the fourth round");
        write(&*db, "plain", MutationKind::Put, row, &value, Durability::SyncWal);
    });
    db.admin().compact(&plain, None, true).unwrap();
    load(&*db, &format!("{word} loaded again"));
    let mut wide = db.admin().describe_table(&TableName::parse("wide").unwrap()).unwrap();
    wide.families.get_mut(&b"d"[..]).unwrap().attributes.insert("VERSIONS".into(), "1".into());
    db.admin().alter_table(wide).unwrap();
    close("second", db);
    let db = machine.open(false).unwrap();
    (1..40).step_by(6).for_each(|row| {
        machine.clock.advance(3);
        let value = format!("{word} {row:02} of the fifth round");
        write(&*db, "wide", MutationKind::Put, row, &value, Durability::SyncWal);
    });
    db.admin().flush(Some(&TableName::parse("wide").unwrap())).unwrap();
    (2..40).step_by(9).for_each(|row| write(&*db, "loaded", MutationKind::Put, row, word, Durability::SyncWal));
    close("third", db);
    bases
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
