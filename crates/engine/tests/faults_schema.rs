//! Each file call of every schema change fails once, or from there on until the disk is healed, or loses power.
//! Writes continue, and then the power is lost. Acknowledged writes exist afterwards, deleted data stays deleted,
//! and the change is atomic.

use crate::faults_support as faults;
use faults::Machine;
use rowstone_engine::sys::faulty::{CallKind, Crash, Fault};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, NamespaceDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::switches::Switch;
use rowstone_model::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Values by row and family.
type Cells = BTreeMap<(String, String), i64>;

#[derive(Debug, Clone, PartialEq, Default)]
struct Table {
    is_enabled: bool,
    /// Family `f`'s number of versions, as an example of all attributes.
    versions: String,
    families: BTreeSet<String>,
    cells: Cells,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct World {
    tables: BTreeMap<String, Table>,
    /// The property `p` of each.
    namespaces: BTreeMap<String, String>,
    snapshots: BTreeMap<String, Table>,
    splits_are_off: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    DropFamily,
    AddFamily,
    AlterAttributes,
    Create,
    CreateNamespace,
    AlterNamespace,
    DropNamespace,
    TakeSnapshot,
    DeleteSnapshot,
    ImportSnapshot,
    Clone,
    Disable,
    Enable,
    DropTable,
    Truncate,
    Restore,
    SwitchSplitsOff,
}

const CHANGES: [Change; 17] = [
    Change::DropFamily,
    Change::AddFamily,
    Change::AlterAttributes,
    Change::Create,
    Change::CreateNamespace,
    Change::AlterNamespace,
    Change::DropNamespace,
    Change::TakeSnapshot,
    Change::DeleteSnapshot,
    Change::ImportSnapshot,
    Change::Clone,
    Change::Disable,
    Change::Enable,
    Change::DropTable,
    Change::Truncate,
    Change::Restore,
    Change::SwitchSplitsOff,
];

/// A folder with the prepared table as the snapshot `exported`, as its snapshot `s` has it.
fn exported() -> &'static Path {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let db = Machine::new(Durability::FsyncWal).open().unwrap();
        Change::ImportSnapshot.prepare(&*db);
        db.admin().clone_snapshot("s", &name("copy")).unwrap();
        db.admin().take_snapshot("exported", &name("copy"), true, 0).unwrap();
        db.admin().export_snapshot("exported", folder.path()).unwrap();
        folder
    });
    FOLDER.path()
}

fn name(table: &str) -> TableName {
    TableName::parse(table).unwrap()
}

fn descriptor(table: &str, families: &str, versions: &str) -> TableDescriptor {
    families.chars().fold(TableDescriptor::new(name(table)), |table, family| {
        let mut family = FamilyDescriptor::new(family.to_string());
        family.attributes.insert("VERSIONS".into(), versions.into());
        table.with_family(family)
    })
}

fn namespace(name: &str, property: &str) -> NamespaceDescriptor {
    let properties = BTreeMap::from([("p".to_string(), property.to_string())]);
    NamespaceDescriptor { name: name.into(), properties }
}

/// Writes the number to `family:q`, or deletes the row for `None`.
fn write(db: &dyn Backend, table: &str, row: &str, cell: Option<(&str, i64)>) -> Result<()> {
    let kind = if cell.is_some() { MutationKind::Put } else { MutationKind::Delete };
    let mut mutation = Mutation::new(kind, row);
    if let Some((family, number)) = cell {
        mutation.cells.push(CellParts {
            row: row.as_bytes(),
            family: family.as_bytes(),
            qualifier: b"q",
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: &number.to_be_bytes(),
            tags: &[],
        });
    }
    db.table(&name(table))?.mutate(mutation).map(|_| ())
}

fn cells(db: &dyn Backend, table: &str) -> Cells {
    let mut cells = Cells::new();
    let mut scanner = db.table(&name(table)).unwrap().scan(Scan::default()).unwrap();
    while let Some(batch) = scanner.next_batch(1_000, usize::MAX).unwrap() {
        for cell in batch.rows.iter().flat_map(|range| batch.row_cells(*range)) {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let number = i64::from_be_bytes(cell.value().try_into().unwrap());
            assert_eq!(cells.insert((text(cell.row()), text(cell.family())), number), None, "a cell twice");
        }
    }
    cells
}

impl Table {
    fn read(db: &dyn Backend, table: &str) -> Self {
        let schema = db.admin().describe_table(&name(table)).unwrap();
        let families = schema.families.keys().map(|family| String::from_utf8(family.clone()).unwrap()).collect();
        let versions = schema.families[&b"f"[..]].attribute("VERSIONS").unwrap().to_string();
        let is_enabled = db.admin().table_state(&name(table)).unwrap() == TableState::Enabled;
        let cells = if is_enabled { cells(db, table) } else { Cells::new() };
        Table { is_enabled, versions, families, cells }
    }
}

impl World {
    /// Reads the state that is visible without a change: no cells of a disabled table, and only the names of
    /// snapshots.
    fn read_visible(db: &dyn Backend) -> Self {
        let tables = db.admin().list_tables(None).unwrap().into_iter().map(|table| table.to_string());
        let names = db.admin().list_snapshots().unwrap().into_iter().map(|snapshot| snapshot.name);
        let namespaces = db.admin().list_namespaces().unwrap().into_iter();
        let property = |space: NamespaceDescriptor| space.properties.get("p").map(|text| (space.name, text.clone()));
        World {
            tables: tables.map(|table| (table.clone(), Table::read(db, &table))).collect(),
            namespaces: namespaces.filter_map(property).collect(),
            snapshots: names.map(|name| (name, Table::default())).collect(),
            splits_are_off: !db.admin().switch(Switch::Split).unwrap(),
        }
    }

    /// Reads the whole state. Disabled tables are enabled for that.
    fn read(db: &dyn Backend) -> Self {
        let mut world = World::read_visible(db);
        for (table, known) in world.tables.iter_mut().filter(|(_, known)| !known.is_enabled) {
            db.admin().set_table_state(&name(table), TableState::Enabled).unwrap();
            known.cells = cells(db, table);
        }
        for (snapshot, known) in &mut world.snapshots {
            db.admin().clone_snapshot(snapshot, &name("look")).unwrap();
            *known = Table::read(db, "look");
            db.admin().set_table_state(&name("look"), TableState::Disabled).unwrap();
            db.admin().drop_table(&name("look")).unwrap();
        }
        world
    }

    /// The state as [`World::read_visible`] would return it.
    fn visible(&self) -> Self {
        let mut seen = self.clone();
        seen.tables.values_mut().filter(|table| !table.is_enabled).for_each(|table| table.cells.clear());
        seen.snapshots.values_mut().for_each(|snapshot| *snapshot = Table::default());
        seen
    }
}

impl Change {
    /// Creates two tables with rows in files and in memory, a snapshot and a namespace. `t` is disabled if the
    /// change requires that.
    fn prepare(self, db: &dyn Backend) {
        let admin = db.admin();
        admin.create_namespace(namespace("n", "1")).unwrap();
        admin.create_table(descriptor("t", "fgh", "1"), vec![b"r005".to_vec()]).unwrap();
        admin.create_table(descriptor("u", "fg", "1"), Vec::new()).unwrap();
        let all = |table: &str, families: &str, rows: std::ops::Range<i64>, number: i64| {
            for (row, family) in rows.flat_map(|row| families.chars().map(move |family| (row, family.to_string()))) {
                write(db, table, &format!("r{row:03}"), Some((&family, number))).unwrap();
            }
        };
        all("t", "fgh", 0..8, 1);
        all("u", "fg", 0..4, 1);
        admin.take_snapshot("s", &name("t"), true, 0).unwrap();
        all("t", "fh", 2..7, 2);
        admin.flush(Some(&name("t"))).unwrap();
        all("t", "gh", 3..6, 3);
        write(db, "t", "r004", None).unwrap();
        if matches!(self, Change::Enable | Change::DropTable | Change::Truncate | Change::Restore) {
            admin.set_table_state(&name("t"), TableState::Disabled).unwrap();
        }
    }

    fn run(self, db: &dyn Backend) -> Result<()> {
        let (admin, t) = (db.admin(), name("t"));
        match self {
            Change::DropFamily => admin.alter_table(descriptor("t", "fg", "1")),
            Change::AddFamily => admin.alter_table(descriptor("t", "fghi", "1")),
            Change::AlterAttributes => admin.alter_table(descriptor("t", "fgh", "5")),
            Change::Create => admin.create_table(descriptor("v", "f", "1"), vec![b"m".to_vec()]),
            Change::CreateNamespace => admin.create_namespace(namespace("m", "1")),
            Change::AlterNamespace => admin.alter_namespace(namespace("n", "2")),
            Change::DropNamespace => admin.drop_namespace("n"),
            Change::TakeSnapshot => admin.take_snapshot("later", &t, true, 0),
            Change::DeleteSnapshot => admin.delete_snapshot("s"),
            Change::ImportSnapshot => admin.import_snapshot("exported", exported()),
            Change::Clone => admin.clone_snapshot("s", &name("c")),
            Change::Disable => admin.set_table_state(&t, TableState::Disabled),
            Change::Enable => admin.set_table_state(&t, TableState::Enabled),
            Change::DropTable => admin.drop_table(&t),
            Change::Truncate => admin.truncate_table(&t, true),
            Change::Restore => admin.restore_snapshot("s"),
            Change::SwitchSplitsOff => admin.set_switch(Switch::Split, false).map(|_| ()),
        }
    }

    fn apply(self, before: &World) -> World {
        let mut after = before.clone();
        let t = after.tables.get_mut("t").unwrap();
        match self {
            Change::DropFamily => {
                t.families.remove("h");
                t.cells.retain(|(_, family), _| family != "h");
            }
            Change::AddFamily => drop(t.families.insert("i".into())),
            Change::AlterAttributes => t.versions = "5".into(),
            Change::Disable => t.is_enabled = false,
            Change::Enable => t.is_enabled = true,
            Change::Truncate => {
                t.cells.clear();
                t.is_enabled = true;
            }
            Change::Restore => *t = Table { is_enabled: false, ..before.snapshots["s"].clone() },
            Change::DropTable => drop(after.tables.remove("t")),
            Change::Create => {
                let families = ["f".to_string()].into();
                let table = Table { is_enabled: true, versions: "1".into(), families, cells: Cells::new() };
                after.tables.insert("v".into(), table);
            }
            Change::CreateNamespace => drop(after.namespaces.insert("m".into(), "1".into())),
            Change::AlterNamespace => drop(after.namespaces.insert("n".into(), "2".into())),
            Change::DropNamespace => drop(after.namespaces.remove("n")),
            Change::TakeSnapshot => drop(after.snapshots.insert("later".into(), before.tables["t"].clone())),
            Change::DeleteSnapshot => drop(after.snapshots.remove("s")),
            Change::ImportSnapshot => drop(after.snapshots.insert("exported".into(), before.snapshots["s"].clone())),
            Change::Clone => drop(after.tables.insert("c".into(), before.snapshots["s"].clone())),
            Change::SwitchSplitsOff => after.splits_are_off = true,
        }
        after
    }
}

/// Acknowledged operations after the change.
enum Later {
    Enabled(String),
    Wrote(String, String, Option<(String, i64)>),
}

impl Later {
    /// `None` if it cannot have happened.
    fn apply(&self, mut world: World) -> Option<World> {
        match self {
            Later::Enabled(table) => world.tables.get_mut(table)?.is_enabled = true,
            Later::Wrote(table, row, cell) => {
                // If disabling the table failed but happened after all, it has them anyway.
                let table = world.tables.get_mut(table)?;
                match cell {
                    Some((family, number)) if table.families.contains(family) => {
                        table.cells.insert((row.clone(), family.clone()), *number);
                    }
                    Some(_) => return None,
                    None => table.cells.retain(|(other, _), _| other != row),
                }
            }
        }
        Some(world)
    }
}

/// Puts in every family and deletes, in both regions. `None` if one failed, because its outcome is unknown.
fn go_on(db: &dyn Backend, seen: &World, enables: bool) -> Option<Vec<Later>> {
    let mut done = Vec::new();
    for (table, known) in &seen.tables {
        if !known.is_enabled {
            if !enables {
                continue;
            }
            db.admin().set_table_state(&name(table), TableState::Enabled).ok()?;
            done.push(Later::Enabled(table.clone()));
        }
        for (row, family) in
            ["r001", "r0045", "r007"].into_iter().flat_map(|row| known.families.iter().map(move |f| (row, f)))
        {
            write(db, table, row, Some((family, 50))).ok()?;
            done.push(Later::Wrote(table.clone(), row.into(), Some((family.clone(), 50))));
        }
        for row in ["r000", "r006"] {
            write(db, table, row, None).ok()?;
            done.push(Later::Wrote(table.clone(), row.into(), None));
        }
    }
    Some(done)
}

fn prepared(change: Change) -> (Machine, Arc<dyn Backend>) {
    let machine = Machine::new(Durability::FsyncWal);
    let db = machine.open().unwrap();
    change.prepare(&*db);
    machine.tick();
    (machine, db)
}

/// Makes the `point`-th call of the change fail, `failures` calls in a row. Returns whether there are more.
fn fail_at(change: Change, before: &World, (fault, failures): (Fault, u64), point: u64, enables: bool) -> bool {
    let (machine, db) = prepared(change);
    let first = machine.files.calls(CallKind::Change);
    // A failing disk fails a few times, a full one stays full for a while.
    match fault {
        Fault::DiskFull => machine.files.fail_from(CallKind::Change, first + point, fault),
        _ => (0..failures).for_each(|later| machine.files.fail(CallKind::Change, first + point + later, fault)),
    }
    let outcome = change.run(&*db);
    let what = format!("{change:?}, {failures} {fault:?} at change {point}, enables {enables}: {outcome:?}");
    let is_past = machine.files.calls(CallKind::Change) < first + point;
    let after = change.apply(before);
    let (mut bases, mut later) = (vec![&after], Vec::new());
    if fault != Fault::Halt {
        let seen = World::read_visible(&*db);
        bases = [before, &after].into_iter().filter(|base| base.visible() == seen).collect();
        assert!(!bases.is_empty(), "{what}: {seen:?}");
        assert!(outcome.is_err() || bases.contains(&&after), "{what}");
        machine.files.heal();
        machine.tick();
        match go_on(&*db, &seen, enables) {
            Some(done) => later = done,
            None => return !is_past,
        }
    }
    // Until another change succeeds, a failed one may turn out to have happened.
    if outcome.is_err() && !later.iter().any(|later| matches!(later, Later::Enabled(_))) {
        bases = vec![before, &after];
    }
    let add = |base: &World| later.iter().try_fold(base.clone(), |world, later| later.apply(world));
    let wanted: Vec<World> = bases.into_iter().filter_map(add).collect();
    for mode in [Crash::Synced, Crash::Everything, Crash::Subset(point)] {
        let crashed = Machine::on(machine.files.crash(mode), 1, Durability::FsyncWal);
        let db = crashed.open().unwrap_or_else(|error| panic!("{what}, {mode:?}: cannot be opened: {error}"));
        let found = World::read(&*db);
        assert!(wanted.contains(&found), "{what}, {mode:?}: found {found:#?}, not one of {wanted:#?}");
    }
    !is_past
}

#[test]
fn a_schema_change_that_fails_costs_no_later_write() {
    for change in CHANGES {
        let before = World::read(&*prepared(change).1);
        let mut count = 0;
        for (fault, enables) in [
            ((Fault::Io, 1), false),
            ((Fault::Io, 1), true),
            // The commit, and what settles it after a failure. What is removed afterwards is removed.
            ((Fault::Io, 2), false),
            ((Fault::Io, 3), false),
            ((Fault::Io, 4), false),
            ((Fault::DiskFull, 1), false),
            ((Fault::DiskFull, 1), true),
            ((Fault::Halt, 1), false),
        ] {
            count += (1..).take_while(|point| fail_at(change, &before, fault, *point, enables)).count();
        }
        println!("{change:?}: {count} failed calls");
        assert!(count > 5, "{change:?}");
    }
}
