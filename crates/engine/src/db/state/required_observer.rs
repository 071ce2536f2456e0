//! Tables that require an observer, because indexes or constraints depend on it.

use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_model::{Error, ErrorKind, Result};

/// Table attribute that forbids writes which bypass its observer.
const OBSERVED: &str = "OBSERVED";

/// Whether a table's description requires an observer.
pub(in crate::db) fn wants_observer(table: &TableDescriptor) -> bool {
    table.attributes.get(OBSERVED).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// Error for a write to a table whose required observer is missing.
pub(in crate::db) fn unseen(table: &TableName) -> Error {
    let message = format!(
        "table '{table}' has OBSERVED => 'true', and its indexes or constraints are not loaded in this process; \
         write through rowstone.connect or rowstone serve, which load them"
    );
    Error::new(ErrorKind::Unsupported, message)
}

/// Refuses operations that would bypass a table's required observer.
pub(in crate::db) fn check_way_around(table: &TableDescriptor, what: &str) -> Result<()> {
    if !wants_observer(table) {
        return Ok(());
    }
    let message = format!(
        "{what} would bypass the indexes or constraints of table '{}' (OBSERVED => 'true'); drop them first, and create them \
         again afterwards",
        table.name
    );
    Err(Error::new(ErrorKind::Unsupported, message))
}
