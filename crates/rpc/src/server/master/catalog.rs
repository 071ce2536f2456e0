//! `hbase:meta` as a table that clients want to change: it is a view of the manifest, which nothing changes.

use crate::proto;
use crate::server::exception::Exception;
use crate::server::meta;

/// Refuses a call that changes `hbase:meta`, with HBase's class.
pub(super) fn refuse(table: &proto::TableName, method: &str) -> Result<(), Exception> {
    if (table.namespace.as_slice(), table.qualifier.as_slice()) != (b"hbase", b"meta") {
        return Ok(());
    }
    let (class, what) = match method {
        "DisableTable" => ("constraint.ConstraintException", "cannot be disabled"),
        "EnableTable" | "truncateTable" => ("TableNotDisabledException", "is always enabled"),
        _ => ("DoNotRetryIOException", "cannot be changed: it shows the tables and regions that there are"),
    };
    Err(Exception::last(class, format!("{} {what}", meta::TABLE)))
}
