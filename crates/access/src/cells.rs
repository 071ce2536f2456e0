//! Per-cell permissions: decides which cells of a read are visible to callers whose table permissions do not suffice,
//! and which existing cells must permit a write. Pure functions, as in [`decide`](mod@super::decide).
//!
//! Sources: `AccessController.internalPreRead` and `checkCoveringPermission`,
//! `PermissionStorage.getCellPermissionsForUser`. HBase checks the markers of a delete one by one, only the first one
//! of each column; here a cell is covered if any marker covers it.

use super::decide::{Decision, Verdict};
use super::grant_index::names;
use super::operations::{Operation, Reach};
use rowstone_model::access::{Caller, CellPermissions, Permission};
use rowstone_model::cell::{compare_columns, iterate_tags, Cell, CellType, ACL_TAG, LATEST_TIMESTAMP};
use rowstone_model::operations::{ColumnSelection, MobValues, ReadOptions, TimeRange};

/// Adapts a decision if per-cell permissions count (`hbase.security.access.early_out` is false): whatever the table
/// permissions deny is left to the permissions of each cell.
pub fn asking_cells(operation: Operation, decision: Decision) -> Decision {
    match (operation.rule().reach, decision.verdict) {
        (Reach::SomeColumns, Verdict::Narrowed(_) | Verdict::Denied(_)) => {
            Decision { verdict: Verdict::CellByCell, reason: "Access allowed with filter" }
        }
        (Reach::EachColumn, Verdict::Denied(_)) => {
            Decision { verdict: Verdict::CellByCell, reason: "Covering cell set" }
        }
        (_, verdict) => Decision { verdict, ..decision },
    }
}

/// Whether the permissions in a cell's own tags allow `caller` the operation. Unreadable tags grant nothing.
pub fn cell_allows(caller: &Caller, tags: &[u8], permission: Permission) -> bool {
    let own = iterate_tags(tags).filter(|(kind, _)| *kind == ACL_TAG);
    own.filter_map(|(_, value)| CellPermissions::decode(value))
        .any(|permissions| names(caller).any(|name| permissions.of(&name).has(permission)))
}

/// The versions of a column or family that an operation covers.
struct Mark<'c> {
    family: &'c [u8],
    /// `None` for the whole family.
    qualifier: Option<&'c [u8]>,
    /// The newest version covered.
    timestamp: i64,
    /// Whether all versions up to that are covered, or only the newest of them.
    takes_all: bool,
}

impl Mark<'_> {
    fn is_of(&self, cell: &Cell<'_>) -> bool {
        self.family == cell.family() && self.qualifier.is_none_or(|qualifier| qualifier == cell.qualifier())
    }
}

/// The cells that an operation covers. Each of them must permit it, and there must be at least one.
pub struct Covering<'c> {
    marks: Vec<Mark<'c>>,
}

impl<'c> Covering<'c> {
    /// Covers for a put or delete that is about to write `cells`, which have their final timestamps. A put covers the
    /// newest version up to its own timestamp, a marker covers the versions that it hides.
    pub fn of_written(cells: &'c [Cell<'c>]) -> Self {
        let mark = |cell: &'c Cell<'c>| {
            let kind = cell.cell_type();
            let is_family = matches!(kind, CellType::DeleteFamily | CellType::DeleteFamilyVersion);
            Mark {
                family: cell.family(),
                qualifier: (!is_family).then(|| cell.qualifier()),
                timestamp: cell.timestamp(),
                takes_all: matches!(kind, CellType::DeleteFamily | CellType::DeleteColumn),
            }
        };
        Covering { marks: cells.iter().map(mark).collect() }
    }

    /// Covers for an increment or append, which reads the newest version before `end` in each column of `cells`.
    pub fn of_changed(cells: &'c [Cell<'c>], end: i64) -> Self {
        let mark = |cell: &'c Cell<'c>| Mark {
            family: cell.family(),
            qualifier: Some(cell.qualifier()),
            timestamp: end,
            takes_all: false,
        };
        Covering { marks: cells.iter().map(mark).collect() }
    }

    /// Covers for a condition: the newest version of each column.
    pub fn of_columns(columns: &'c ColumnSelection) -> Self {
        let mut marks = Vec::new();
        for (family, qualifiers) in &columns.families {
            for qualifier in qualifiers.iter().flat_map(|qualifiers| qualifiers.iter()) {
                marks.push(Mark { family, qualifier: Some(qualifier), timestamp: LATEST_TIMESTAMP, takes_all: false });
            }
        }
        Covering { marks }
    }

    /// The columns to read; a family as a whole if any mark covers all of it.
    pub fn columns(&self) -> ColumnSelection {
        let mut columns = ColumnSelection::default();
        for mark in &self.marks {
            match mark.qualifier {
                Some(qualifier) => columns.add_column(mark.family, qualifier),
                None => columns.add_family(mark.family),
            }
        }
        for mark in self.marks.iter().filter(|mark| mark.qualifier.is_none()) {
            columns.add_family(mark.family);
        }
        columns
    }

    /// Options for reading the covered cells of the row, for an operation with its own `timestamp` if it has one.
    /// Versions newer than `now` are only read if the operation says so. All older versions are read, so that those
    /// hidden by newer ones are recognized.
    pub fn read_options(&self, timestamp: i64, now: i64) -> ReadOptions {
        let times = self.marks.iter().map(|mark| mark.timestamp).chain([timestamp]);
        let latest = times.map(|time| if time == LATEST_TIMESTAMP { now } else { time }).max().unwrap_or(now);
        ReadOptions {
            columns: self.columns(),
            versions: i32::MAX as u32,
            time_range: TimeRange { min: 0, max: latest.saturating_add(1) },
            mob_values: MobValues::References,
            ..ReadOptions::default()
        }
    }

    /// Whether the covered ones among the `present` cells, which are sorted, permit the operation: there is at least
    /// one, and all permit it. A user without any permission in a table thus cannot start writing there.
    pub fn lets_pass<'p>(&self, present: impl IntoIterator<Item = Cell<'p>>, may: impl Fn(&Cell<'p>) -> bool) -> bool {
        let mut met = vec![false; self.marks.len()];
        let mut before: Option<Cell<'p>> = None;
        let mut is_granted = false;
        for cell in present {
            if before.as_ref().is_none_or(|before| compare_columns(before.key(), cell.key()).is_ne()) {
                met.fill(false);
            }
            let mut is_covered = false;
            for (mark, met) in self.marks.iter().zip(&mut met) {
                if mark.is_of(&cell) && cell.timestamp() <= mark.timestamp && (mark.takes_all || !*met) {
                    (*met, is_covered) = (true, true);
                }
            }
            if is_covered && !may(&cell) {
                return false;
            }
            is_granted |= is_covered;
            before = Some(cell);
        }
        is_granted
    }
}
