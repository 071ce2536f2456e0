//! State of a database as a value, both expected and actual.

use super::table_name;
use rowstone_model::backend::Backend;
use rowstone_model::operations::{ReadOptions, Scan};
use rowstone_model::schema::TableState;
use rowstone_model::{ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};

pub type Row = BTreeMap<String, Value>;

/// A value with a short printed form.
#[derive(Clone, PartialEq, Eq)]
pub struct Value(pub Vec<u8>);

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match <[u8; 8]>::try_from(self.0.as_slice()) {
            Ok(counter) => write!(f, "{}", i64::from_be_bytes(counter)),
            Err(_) => write!(f, "'{}'", String::from_utf8_lossy(&self.0).trim_end()),
        }
    }
}

/// Contents of snapshots: families and rows. They are only visible after a restore, so all values compare as equal.
#[derive(Debug, Clone, Eq, Default)]
pub struct Saved(pub BTreeMap<String, (BTreeSet<String>, BTreeMap<String, Row>)>);

impl PartialEq for Saved {
    fn eq(&self, _: &Saved) -> bool {
        true
    }
}

/// The script's only table, and its snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    pub snapshots: BTreeSet<String>,
    pub saved: Saved,
    pub exists: bool,
    pub is_enabled: bool,
    pub families: BTreeSet<String>,
    pub rows: BTreeMap<String, Row>,
}

impl State {
    /// Reads the state of a database.
    pub fn read(db: &dyn Backend) -> Result<State> {
        let name = table_name();
        let snapshots = db.admin().list_snapshots()?.into_iter().map(|snapshot| snapshot.name).collect();
        let descriptor = match db.admin().describe_table(&name) {
            Ok(descriptor) => descriptor,
            Err(error) if error.kind() == ErrorKind::TableNotFound => {
                return Ok(State { snapshots, ..State::default() });
            }
            Err(error) => return Err(error),
        };
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let is_enabled = db.admin().table_state(&name)? == TableState::Enabled;
        let families = descriptor.families.keys().map(|family| text(family)).collect();
        let mut state = State { exists: true, is_enabled, families, snapshots, ..State::default() };
        if !is_enabled {
            // Only an enabled table can be read; the caller compares rows if there are any.
            return Ok(state);
        }
        let options = ReadOptions { versions: 100, ..ReadOptions::default() };
        let mut scanner = db.table(&name)?.scan(Scan { options, ..Scan::default() })?;
        while let Some(batch) = scanner.next_batch(100, 1 << 20)? {
            for row in &batch.rows {
                for cell in batch.row_cells(*row) {
                    let column = format!("{}:{}", text(cell.family()), text(cell.qualifier()));
                    let columns = state.rows.entry(text(cell.row())).or_default();
                    assert!(
                        columns.insert(column, Value(cell.value().to_vec())).is_none(),
                        "two versions of one column"
                    );
                }
            }
        }
        Ok(state)
    }

    fn schema(&self) -> (bool, bool, &BTreeSet<String>, &BTreeSet<String>) {
        (self.exists, self.is_enabled, &self.families, &self.snapshots)
    }
}

/// Rows are invisible while a table is disabled.
fn without_hidden_rows(state: &State) -> State {
    let mut state = state.clone();
    if !state.is_enabled {
        state.rows.clear();
    }
    state
}

/// Returns why `found` is neither `before` nor `after` nor, row by row, a mixture of the two; `None` if it is.
pub fn differs(found: &State, before: &State, after: &State) -> Option<String> {
    let (before, after) = (&without_hidden_rows(before), &without_hidden_rows(after));
    if found == before || found == after {
        return None;
    }
    if before.schema() != after.schema() || found.schema() != before.schema() {
        return Some(format!("found {found:?}\nneither before {before:?}\nnor after {after:?}"));
    }
    let keys: BTreeSet<&String> = found.rows.keys().chain(before.rows.keys()).chain(after.rows.keys()).collect();
    let wrong = keys.into_iter().find(|key| {
        let row = found.rows.get(*key);
        row != before.rows.get(*key) && row != after.rows.get(*key)
    })?;
    let of = |state: &State| format!("{:?}", state.rows.get(wrong));
    Some(format!("row {wrong}: found {}, before {}, after {}", of(found), of(before), of(after)))
}

/// The actual outcome of the step: the state from which to continue.
pub fn settles(found: &State, before: &State) -> State {
    let mut settled = found.clone();
    if found.exists && !found.is_enabled {
        settled.rows = before.rows.clone();
    }
    settled
}
