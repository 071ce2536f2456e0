//! What cells say themselves, where it counts: which cells of a read are shown to whom rights of the table do not suffice, and which
//! cells have to let a write pass. Pure, as [`decide`](super::decide).
//!
//! Sources: `AccessController.internalPreRead` and `checkCoveringPermission`, `PermissionStorage.getCellPermissionsForUser`. There the
//! markers of a delete are looked at one by one, the first of a column alone; here a cell is covered if any marker covers it.

use super::decide::{Decision, Verdict};
use super::held::names;
use super::operations::{Operation, Reach};
use rowstone_model::access::{Caller, CellRights, Right};
use rowstone_model::cell::{compare_columns, iterate_tags, Cell, CellType, ACL_TAG, LATEST_TIMESTAMP};
use rowstone_model::operations::{ColumnSelection, MobValues, ReadOptions, TimeRange};

/// What becomes of a decision where cells have a say (`hbase.security.access.early_out` is false): of what the table does not allow
/// each cell is asked.
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

/// Whether the rights in a cell's own tags let `caller` do it. Tags that cannot be read say nothing.
pub fn cell_allows(caller: &Caller, tags: &[u8], right: Right) -> bool {
    let own = iterate_tags(tags).filter(|(kind, _)| *kind == ACL_TAG);
    own.filter_map(|(_, value)| CellRights::decode(value))
        .any(|rights| names(caller).any(|name| rights.of(&name).has(right)))
}

/// What of a column, or family, an operation covers.
struct Mark<'c> {
    family: &'c [u8],
    /// `None` is the whole family.
    qualifier: Option<&'c [u8]>,
    /// Up to this version.
    timestamp: i64,
    /// All of those, or the newest alone.
    takes_all: bool,
}

impl Mark<'_> {
    fn is_of(&self, cell: &Cell<'_>) -> bool {
        self.family == cell.family() && self.qualifier.is_none_or(|qualifier| qualifier == cell.qualifier())
    }
}

/// The cells that an operation covers: all of them must let it pass, and there must be one.
pub struct Covering<'c> {
    marks: Vec<Mark<'c>>,
}

impl<'c> Covering<'c> {
    /// Those of a put or a delete that is about to write `cells`, dated: a put covers the newest version that is not newer; a
    /// marker what it hides.
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

    /// Those of an increment or append, which reads the newest version before `end` of the columns of `cells`.
    pub fn of_changed(cells: &'c [Cell<'c>], end: i64) -> Self {
        let mark = |cell: &'c Cell<'c>| Mark {
            family: cell.family(),
            qualifier: Some(cell.qualifier()),
            timestamp: end,
            takes_all: false,
        };
        Covering { marks: cells.iter().map(mark).collect() }
    }

    /// Those at which a condition looks: the newest versions.
    pub fn of_columns(columns: &'c ColumnSelection) -> Self {
        let mut marks = Vec::new();
        for (family, qualifiers) in &columns.families {
            for qualifier in qualifiers.iter().flatten() {
                marks.push(Mark { family, qualifier: Some(qualifier), timestamp: LATEST_TIMESTAMP, takes_all: false });
            }
        }
        Covering { marks }
    }

    /// The columns, a family whole where it is covered whole.
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

    /// What to read of the row for an operation at `timestamp`, where it has one. Nothing beyond `now` is looked at, unless the
    /// operation says so; and nothing less, or versions would be looked at that newer ones hide.
    pub fn wanted(&self, timestamp: i64, now: i64) -> ReadOptions {
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

    /// Whether the covered of the `present` cells, which are sorted, let it pass: each of them, and there is one. Who may nothing
    /// in a table cannot begin anything there.
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
