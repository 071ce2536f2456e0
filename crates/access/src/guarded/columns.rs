//! Which columns a mutation names, as `AccessController` looks at them.

use rowstone_model::cell::{find_tag, CellType};
use rowstone_model::operations::{ColumnSelection, Mutation};
use rowstone_model::schema::TableDescriptor;

/// The tag of a cell in which HBase keeps who may do what with it.
const ACL_TAG: u8 = 1;

/// All families of a table.
pub fn all_of(table: &TableDescriptor) -> ColumnSelection {
    let mut columns = ColumnSelection::default();
    table.families.keys().for_each(|family| columns.add_family(family));
    columns
}

/// The columns that a mutation changes; `None` for a delete of a whole row, which names none.
pub fn of_mutation(mutation: &Mutation) -> Option<ColumnSelection> {
    let mut columns = ColumnSelection::default();
    for cell in &mutation.cells {
        match cell.cell_type() {
            CellType::DeleteFamily | CellType::DeleteFamilyVersion => columns.add_family(cell.family()),
            // A whole family stays one, whatever else of it is named.
            _ if matches!(columns.families.get(cell.family()), Some(None)) => {}
            _ => columns.add_column(cell.family(), cell.qualifier()),
        }
    }
    (!columns.is_all()).then_some(columns)
}

/// Whether a mutation brings cells that say themselves who may read them.
pub fn has_own_rights(mutation: &Mutation) -> bool {
    mutation.cells.iter().any(|cell| !cell.tags().is_empty() && find_tag(cell.tags(), ACL_TAG).is_some())
}
