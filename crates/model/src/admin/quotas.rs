//! Quotas on requests and on space.

use super::unsupported;
use crate::error::{Error, ErrorKind, Result};
use crate::quota::{QuotaChange, QuotaOwner, SpaceUse};
use crate::schema::TableName;

/// The error of a quota call if quotas are disabled; the words before the colon are HBase's.
pub fn without_quotas() -> Error {
    Error::new(ErrorKind::Unsupported, "quota support disabled: open the database with hbase.quota.enabled = true")
}

/// Quotas on requests and on space.
pub trait QuotaAdmin: Send + Sync {
    /// Changes the quotas of an owner.
    fn set_quota(&self, _owner: &QuotaOwner, _change: &QuotaChange) -> Result<()> {
        Err(without_quotas())
    }
    /// Bytes of store files of each table, as quotas count them.
    fn space_sizes(&self) -> Result<Vec<(TableName, u64)>> {
        unsupported("report the size of tables")
    }
    /// Space usage of each table with a space quota, its own or its namespace's; then of the namespaces that have
    /// one.
    fn space_uses(&self) -> Result<Vec<(QuotaOwner, SpaceUse)>> {
        unsupported("report the usage of space quotas")
    }
}
