//! The script: all operations of a database, in an order that leaves as many unfinished states as possible.

use super::files::files_of;
use super::state::{State, Value};
use super::table_name;
use rowstone_engine::sys::{FileSystem, RealFileSystem};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind, RowMutations};
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableState};
use rowstone_model::{ErrorKind, Result};

/// One step. A number makes its values distinct from those of all other steps.
#[derive(Debug, Clone)]
pub enum Step {
    Create {
        split: Option<&'static str>,
    },
    /// The same value in both families: a row that has it in only one is torn.
    Put(&'static str, u32),
    /// One family only, so that the other may have nothing to flush.
    PutA(&'static str, u32),
    PutC(&'static str, u32),
    Batch(&'static [&'static str], u32),
    Delete(&'static str),
    /// Puts and deletes of one row in one.
    Atomic(&'static str, u32),
    Increment(&'static str, i64),
    /// Loads external files of both families with these rows. All of them have timestamp 1, so later loads win only
    /// by their sequence ids.
    Load(&'static [&'static str], u32),
    Flush,
    Compact {
        major: bool,
    },
    AddC,
    DropC,
    /// Splits the region that contains the row, unless a region begins there.
    Split(&'static str),
    /// Merges all regions into one.
    Merge,
    Disable,
    Enable,
    Truncate,
    Drop,
    Snapshot(&'static str),
    /// Restores the disabled table.
    Restore(&'static str),
    DropSnapshot(&'static str),
}

/// The script. `split` adds a second region.
pub fn script(split: Option<&'static str>) -> Vec<Step> {
    use Step::*;
    let big = Compact { major: true };
    let small = Compact { major: false };
    vec![
        Create { split },
        Put("r1", 1),
        Put("r2", 2),
        Increment("r2", 5),
        PutA("r5", 3),
        Flush,
        Delete("r1"),
        Batch(&["r2", "r3", "r4", "r5"], 4),
        Increment("r2", 7),
        Atomic("r4", 5),
        Flush,
        PutA("r1", 6),
        Load(&["l1", "s2"], 20),
        Flush,
        PutA("r2", 7),
        small.clone(),
        Load(&["l1", "l3"], 21),
        Put("r6", 8),
        Split("r4"),
        Delete("r3"),
        AddC,
        PutC("r6", 9),
        // Taken over halves of files and recent cells.
        Snapshot("early"),
        Put("r3", 10),
        Flush,
        PutC("r2", 11),
        DropC,
        Put("r2", 12),
        AddC,
        big.clone(),
        PutC("r5", 13),
        Merge,
        Delete("r6"),
        Increment("r7", 1),
        Batch(&["r1", "r4", "r6"], 14),
        Flush,
        Delete("r4"),
        big,
        Load(&["s2"], 22),
        Split("r2"),
        Snapshot("late"),
        Delete("r2"),
        Disable,
        Restore("early"),
        Enable,
        Put("r1", 15),
        DropSnapshot("early"),
        Disable,
        Truncate,
        Put("r2", 16),
        Increment("r2", 2),
        PutC("r2", 17),
        Flush,
        Put("r3", 18),
        Split("r3"),
        Disable,
        Drop,
        Create { split },
        Put("r3", 19),
    ]
}

fn value(number: u32) -> Vec<u8> {
    // Long enough that logs of 4 KiB roll every few steps.
    format!("{number:<200}").into_bytes()
}

fn with(mutation: &mut Mutation, family: &str, qualifier: &str, cell_type: CellType, value: &[u8]) {
    mutation.cells.push(CellParts {
        row: &mutation.row,
        family: family.as_bytes(),
        qualifier: qualifier.as_bytes(),
        timestamp: LATEST_TIMESTAMP,
        cell_type,
        value,
        tags: &[],
    });
}

fn put(row: &str, families: &[&str], number: u32) -> Mutation {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    families.iter().for_each(|family| with(&mut mutation, family, "q", CellType::Put, &value(number)));
    mutation
}

/// The family `b` stores its values in MOB files.
fn descriptor(families: &[&str]) -> TableDescriptor {
    let family = |name: &&str| {
        let mut family = FamilyDescriptor::new(*name);
        if *name == "b" {
            family.attributes.insert("IS_MOB".into(), "true".into());
            family.attributes.insert("MOB_THRESHOLD".into(), "100".into());
        }
        family
    };
    families.iter().map(family).fold(TableDescriptor::new(table_name()), TableDescriptor::with_family)
}

fn atomic(row: &str, number: u32) -> RowMutations {
    let mut delete = Mutation::new(MutationKind::Delete, row);
    with(&mut delete, "a", "q", CellType::DeleteColumn, &[]);
    let mut put = Mutation::new(MutationKind::Put, row);
    with(&mut put, "b", "q", CellType::Put, &value(number));
    RowMutations { row: row.into(), mutations: vec![delete, put] }
}

/// Compacts halves first: an earlier compaction may have failed, and not have been repeated.
fn without_halves(db: &dyn Backend, work: impl Fn() -> Result<()>) -> Result<()> {
    match work() {
        Err(error) if error.kind() == ErrorKind::Constraint => {
            db.admin().compact(&table_name(), None, true)?;
            work()
        }
        outcome => outcome,
    }
}

impl Step {
    /// Runs the step.
    pub fn run(&self, db: &dyn Backend) -> Result<()> {
        let (name, admin) = (table_name(), db.admin());
        let mutate = |mutation: Mutation| db.table(&name)?.mutate(mutation).map(|_| ());
        match self {
            Step::Create { split } => {
                admin.create_table(descriptor(&["a", "b"]), split.iter().map(|key| key.as_bytes().to_vec()).collect())
            }
            Step::Put(row, number) => mutate(put(row, &["a", "b"], *number)),
            Step::PutA(row, number) => mutate(put(row, &["a"], *number)),
            Step::PutC(row, number) => mutate(put(row, &["c"], *number)),
            Step::Batch(rows, number) => {
                let mutations = rows.iter().map(|row| put(row, &["a", "b"], *number)).collect();
                db.table(&name)?.mutate_many(mutations).into_iter().collect()
            }
            Step::Delete(row) => mutate(Mutation::new(MutationKind::Delete, *row)),
            Step::Atomic(row, number) => db.table(&name)?.mutate_row(atomic(row, *number)).map(|_| ()),
            Step::Increment(row, amount) => {
                let mut mutation = Mutation::new(MutationKind::Increment, *row);
                with(&mut mutation, "a", "n", CellType::Put, &amount.to_be_bytes());
                with(&mut mutation, "b", "n", CellType::Put, &amount.to_be_bytes());
                mutate(mutation)
            }
            Step::Load(rows, number) => {
                let files = files_of(rows, &value(*number));
                let loaded = admin.bulk_load(&name, files.clone()).map(|_| ());
                files.iter().for_each(|(_, path)| RealFileSystem.remove_file(path).unwrap());
                loaded
            }
            Step::Flush => admin.flush(Some(&name)),
            Step::Compact { major } => admin.compact(&name, None, *major),
            Step::Split(row) => {
                let region = admin.regions(&name)?.into_iter().find(|region| region.contains(row.as_bytes()));
                match region.filter(|region| region.start_key != row.as_bytes()) {
                    Some(region) => {
                        without_halves(db, || admin.split_region(&region.region_name(), Some(row.as_bytes())))
                    }
                    None => Ok(()),
                }
            }
            Step::Merge => {
                let names: Vec<_> = admin.regions(&name)?.iter().map(RegionInfo::region_name).collect();
                match names.len() {
                    1 => Ok(()),
                    _ => without_halves(db, || admin.merge_regions(&names, false)),
                }
            }
            Step::AddC => admin.alter_table(descriptor(&["a", "b", "c"])),
            Step::DropC => admin.alter_table(descriptor(&["a", "b"])),
            Step::Disable => admin.set_table_state(&name, TableState::Disabled),
            Step::Enable => admin.set_table_state(&name, TableState::Enabled),
            Step::Truncate => admin.truncate_table(&name, true),
            Step::Drop => admin.drop_table(&name),
            Step::Snapshot(snapshot) => admin.take_snapshot(snapshot, &name, true, 0),
            Step::Restore(snapshot) => admin.restore_snapshot(snapshot),
            Step::DropSnapshot(snapshot) => admin.delete_snapshot(snapshot),
        }
    }

    /// The state after the step.
    pub fn apply(&self, state: &State) -> State {
        let mut next = state.clone();
        let mut set = |row: &str, families: &[&str], number: u32| {
            let columns = next.rows.entry(row.to_string()).or_default();
            families.iter().for_each(|family| drop(columns.insert(format!("{family}:q"), Value(value(number)))));
        };
        match self {
            Step::Put(row, number) => set(row, &["a", "b"], *number),
            Step::PutA(row, number) => set(row, &["a"], *number),
            Step::PutC(row, number) => set(row, &["c"], *number),
            Step::Batch(rows, number) | Step::Load(rows, number) => {
                rows.iter().for_each(|row| set(row, &["a", "b"], *number));
            }
            Step::Atomic(row, number) => {
                set(row, &["b"], *number);
                next.rows.entry(row.to_string()).or_default().remove("a:q");
            }
            Step::Delete(row) => drop(next.rows.remove(*row)),
            Step::Increment(row, amount) => {
                let columns = next.rows.entry(row.to_string()).or_default();
                for column in ["a:n", "b:n"] {
                    let old =
                        columns.get(column).map_or(0, |value| i64::from_be_bytes(value.0[..].try_into().unwrap()));
                    columns.insert(column.to_string(), Value((old + amount).to_be_bytes().to_vec()));
                }
            }
            Step::Flush | Step::Compact { .. } | Step::Split(_) | Step::Merge => {}
            _ => next.alter(self),
        }
        next
    }
}

impl State {
    fn without_table(&self) -> State {
        State { snapshots: self.snapshots.clone(), saved: self.saved.clone(), ..State::default() }
    }

    fn alter(&mut self, step: &Step) {
        match step {
            Step::Create { .. } => {
                let families = ["a", "b"].map(String::from).into();
                *self = State { exists: true, is_enabled: true, families, ..self.without_table() };
            }
            Step::AddC => drop(self.families.insert("c".into())),
            Step::DropC => {
                self.families.remove("c");
                self.rows.values_mut().for_each(|columns| columns.retain(|column, _| !column.starts_with("c:")));
                self.rows.retain(|_, columns| !columns.is_empty());
            }
            Step::Disable => self.is_enabled = false,
            Step::Enable => self.is_enabled = true,
            Step::Truncate => {
                self.rows.clear();
                self.is_enabled = true;
            }
            Step::Drop => *self = self.without_table(),
            Step::Snapshot(snapshot) => {
                self.snapshots.insert(snapshot.to_string());
                self.saved.0.insert(snapshot.to_string(), (self.families.clone(), self.rows.clone()));
            }
            Step::Restore(snapshot) => (self.families, self.rows) = self.saved.0[*snapshot].clone(),
            Step::DropSnapshot(snapshot) => drop(self.snapshots.remove(*snapshot)),
            _ => {}
        }
    }
}
