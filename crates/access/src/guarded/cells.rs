//! Guards for per-cell permissions. The store calls them, because it has the cells.

use super::super::cells::{cell_allows, Covering};
use super::super::control::{denied, Control};
use super::super::decide::{covering_message, Decision, Target, Verdict};
use super::super::operations::Operation;
use rowstone_model::access::{Caller, Permission};
use rowstone_model::cell::{iterate_tags, write_tag, Cell, CellBuffer, CellParts, ACL_TAG, LATEST_TIMESTAMP};
use rowstone_model::codec::printable;
use rowstone_model::operations::{
    CellGuard, ColumnSelection, Guard, Mutation, MutationKind, ReadOptions, ReadRow, RowGuard,
};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Maximum size of a tag in HBase.
const MOST_TAG_BYTES: usize = 65_533;

/// The operation of a mutation.
pub fn operation_of(mutation: &Mutation) -> Operation {
    match mutation.kind {
        MutationKind::Put => Operation::Put,
        MutationKind::Delete => Operation::Delete,
        MutationKind::Increment => Operation::Increment,
        MutationKind::Append => Operation::Append,
    }
}

/// Moves the permissions that came with a mutation into the tags of its cells. Source:
/// `AccessController.addCellPermissions`.
///
/// # Errors
/// `InvalidArgument` for a delete, where an ACL would have no effect, and for permissions that do not fit into a tag.
pub fn with_own_permissions(mut mutation: Mutation) -> Result<Mutation> {
    let Some(acl) = mutation.acl.take() else { return Ok(mutation) };
    if mutation.kind == MutationKind::Delete {
        let row = printable(&mutation.row);
        return Err(Error::invalid(format!("ACL on delete has no effect: row '{row}'")));
    }
    let mut cells = CellBuffer::with_capacity(mutation.cells.byte_len());
    for cell in &mutation.cells {
        if acl.len() + cell.tags().len() + 3 > MOST_TAG_BYTES {
            return Err(Error::invalid(format!("permissions of {} bytes do not fit into a cell's tags", acl.len())));
        }
        let mut tags = Vec::with_capacity(acl.len() + cell.tags().len() + 3);
        write_tag(&mut tags, ACL_TAG, &acl);
        iterate_tags(cell.tags()).for_each(|(kind, value)| write_tag(&mut tags, kind, value));
        cells.push(CellParts { tags: &tags, ..(&cell).into() });
    }
    mutation.cells = cells;
    Ok(mutation)
}

/// Shows cells of readable columns, and cells whose own permissions allow reading. Source: `AccessControlFilter`.
pub struct Shown {
    pub caller: Arc<Caller>,
    /// The columns of the read that the caller may read; `None` if there are none.
    pub columns: Option<ColumnSelection>,
}

impl CellGuard for Shown {
    fn shows(&self, cell: &Cell<'_>) -> bool {
        self.columns.as_ref().is_some_and(|columns| columns.has(cell.family(), cell.qualifier()))
            || cell_allows(&self.caller, cell.tags(), Permission::Read)
    }
}

/// Allows changes that the covered cells permit. Source: `AccessController.checkCoveringPermission`.
pub struct Covered {
    pub control: Arc<Control>,
    pub caller: Arc<Caller>,
    pub table: TableName,
}

impl Covered {
    /// Wraps it as the guard of a mutation.
    pub fn guard(self) -> Guard<dyn RowGuard> {
        Guard(Arc::new(self))
    }

    /// Decides according to the covered cells, which are read from the row with the options `wanted`.
    fn decide(
        &self,
        (operation, permission): (Operation, Permission),
        covering: &Covering<'_>,
        wanted: ReadOptions,
        row: ReadRow<'_>,
    ) -> Result<()> {
        let found = row(wanted)?;
        let passes = covering.lets_pass(found.cells.iter(), |cell| cell_allows(&self.caller, cell.tags(), permission));
        let columns = covering.columns();
        let verdict = if passes {
            Verdict::Allowed
        } else {
            Verdict::Denied(covering_message(&self.caller, &self.table, &columns, permission))
        };
        let decision = Decision { verdict, reason: "Covering cell set" };
        self.control.report(&self.caller, operation, &Target::Columns(&self.table, &columns), &decision);
        match decision.verdict {
            Verdict::Denied(message) => Err(denied(message)),
            _ => Ok(()),
        }
    }
}

impl RowGuard for Covered {
    fn check_write(&self, mutation: &Mutation, cells: &[Cell<'_>], now: i64, row: ReadRow<'_>) -> Result<()> {
        let (covering, timestamp) = match mutation.kind {
            MutationKind::Put | MutationKind::Delete => (Covering::of_written(cells), mutation.timestamp),
            MutationKind::Increment | MutationKind::Append => {
                let end = mutation.time_range.max;
                (Covering::of_changed(cells, end), end)
            }
        };
        self.decide((operation_of(mutation), Permission::Write), &covering, covering.read_options(timestamp, now), row)
    }

    fn check_read(&self, columns: &ColumnSelection, now: i64, row: ReadRow<'_>) -> Result<()> {
        let covering = Covering::of_columns(columns);
        let wanted = covering.read_options(LATEST_TIMESTAMP, now);
        self.decide((Operation::CheckAndMutate, Permission::Read), &covering, wanted, row)
    }
}
