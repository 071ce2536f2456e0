//! Names of tables.

use crate::proto;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};

/// Builds the message for `name`.
pub fn table_name(name: &TableName) -> proto::TableName {
    proto::TableName { namespace: name.namespace().into(), qualifier: name.qualifier().into() }
}

/// Extracts the name from a message.
pub fn from_table_name(name: &proto::TableName) -> Result<TableName> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    TableName::new(&text(&name.namespace), &text(&name.qualifier))
        .map_err(|error| Error::new(rowstone_model::ErrorKind::Remote, error.message()))
}
