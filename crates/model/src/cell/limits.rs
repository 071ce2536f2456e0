//! HBase's limits on rows, families and timestamps. The errors name the value and the limit.

use crate::codec::printable;
use crate::error::{Error, ErrorKind, Result};

/// The longest row key: `Short.MAX_VALUE`.
pub const MAX_ROW_BYTES: usize = 32_767;
/// The longest family name: `Byte.MAX_VALUE`.
pub const MAX_FAMILY_BYTES: usize = 127;
/// `hbase.client.keyvalue.maxsize` and `hbase.server.keyvalue.maxsize`: the longest serialized cell.
pub const DEFAULT_MAX_CELL_BYTES: usize = 10_485_760;

/// Rejects empty rows and rows longer than [`MAX_ROW_BYTES`].
pub fn check_row(row: &[u8]) -> Result<()> {
    if row.is_empty() {
        return Err(Error::invalid("row key is empty; HBase rows have at least one byte"));
    }
    if row.len() > MAX_ROW_BYTES {
        return Err(Error::new(
            ErrorKind::CellTooLarge,
            format!("row key of {} bytes is over the limit of {MAX_ROW_BYTES} (Short.MAX_VALUE)", row.len()),
        ));
    }
    Ok(())
}

/// Rejects family names that HBase rejects.
pub fn check_family(name: &[u8]) -> Result<()> {
    let reason = if name.is_empty() {
        "it is empty"
    } else if name.len() > MAX_FAMILY_BYTES {
        "it is longer than 127 bytes"
    } else if name[0] == b'.' {
        "it starts with a dot"
    } else if name == b"recovered.edits" {
        "that name is reserved"
    } else if name.iter().any(|byte| byte.is_ascii_control()) {
        "control characters are not printable"
    } else if name.iter().any(|byte| b":/\\".contains(byte)) {
        "it contains one of : / \\"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidName, format!("family name '{}' is not legal: {reason}", printable(name))))
}

/// Rejects negative timestamps.
pub fn check_timestamp(timestamp: i64) -> Result<()> {
    if timestamp < 0 {
        return Err(Error::invalid(format!("timestamp {timestamp} is negative; HBase takes 0 to 2^63-1 milliseconds")));
    }
    Ok(())
}
