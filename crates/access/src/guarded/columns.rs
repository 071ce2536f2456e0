//! The columns that a mutation names, for checks like those of `AccessController`.

use rowstone_model::cell::{find_tag, ACL_TAG};
use rowstone_model::operations::{ColumnSelection, Mutation};
use rowstone_model::schema::TableDescriptor;
use rowstone_model::Result;

/// All families of a table.
pub fn all_of(table: &TableDescriptor) -> ColumnSelection {
    let mut columns = ColumnSelection::default();
    table.families.keys().for_each(|family| columns.add_family(family));
    columns
}

/// The columns that a mutation changes. A family's delete marker has the empty qualifier, so permissions on single
/// columns do not suffice for it. A row delete without cells counts as a delete of every family of `table`.
///
/// # Errors
/// Errors of `table`, which is only called if needed.
pub fn of_mutation(mutation: &Mutation, table: impl FnOnce() -> Result<TableDescriptor>) -> Result<ColumnSelection> {
    let mut columns = ColumnSelection::default();
    for cell in &mutation.cells {
        columns.add_column(cell.family(), cell.qualifier());
    }
    if columns.is_all() {
        table()?.families.keys().for_each(|family| columns.add_column(family, b""));
    }
    Ok(columns)
}

/// Whether a mutation contains cells with permissions of their own.
pub fn has_own_permissions(mutation: &Mutation) -> bool {
    mutation.cells.iter().any(|cell| !cell.tags().is_empty() && find_tag(cell.tags(), ACL_TAG).is_some())
}
