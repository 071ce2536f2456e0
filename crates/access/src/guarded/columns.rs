//! Which columns a mutation names, as `AccessController` looks at them.

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

/// The columns that a mutation changes. The marker of a family has the empty qualifier, for which nobody has rights alone; so has
/// the delete of a row, which names nothing, in every family of the `table`.
///
/// # Errors
/// Those of `table`, which is asked for only where it is needed.
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

/// Whether a mutation brings cells that say themselves who may read them.
pub fn has_own_rights(mutation: &Mutation) -> bool {
    mutation.cells.iter().any(|cell| !cell.tags().is_empty() && find_tag(cell.tags(), ACL_TAG).is_some())
}
