//! Requests to change the table `hbase:meta`. It is a read-only view of the manifest.

use crate::proto;
use crate::server::messages::exception::Exception;
use crate::server::services::meta;

/// Whether a table is `hbase:meta`.
pub(super) fn is_meta(table: &proto::TableName) -> bool {
    (table.namespace.as_slice(), table.qualifier.as_slice()) == (b"hbase", b"meta")
}

/// Rejects a call that would change `hbase:meta`, with HBase's exception class.
pub(super) fn refuse(table: &proto::TableName, method: &str) -> Result<(), Exception> {
    if !is_meta(table) {
        return Ok(());
    }
    let (class, what) = match method {
        "CreateTable" => ("TableExistsException", "exists already"),
        "DisableTable" => ("constraint.ConstraintException", "cannot be disabled"),
        "EnableTable" | "truncateTable" => ("TableNotDisabledException", "is always enabled"),
        _ => ("DoNotRetryIOException", "cannot be changed: it shows the tables and regions that there are"),
    };
    Err(Exception::last(class, format!("{} {what}", meta::TABLE)))
}
