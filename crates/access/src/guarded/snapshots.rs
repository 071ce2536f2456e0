//! Access control for snapshots. Some operations are allowed only to a snapshot's owner and to global administrators.

use super::super::decide::Target;
use super::super::operations::Operation;
use super::super::stored;
use super::Guarded;
use rowstone_model::admin::SnapshotInfo;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};

impl Guarded {
    pub(super) fn do_take_snapshot(&self, name: &str, table: &TableName, flush: bool, ttl_seconds: i64) -> Result<()> {
        // As in HBase, a missing table is reported before permissions are checked.
        self.inner_admin().table_state(table)?;
        self.require(Operation::Snapshot, &Target::table(table))?;
        self.inner_admin().take_owned_snapshot(&self.caller.name, name, table, flush, ttl_seconds)
    }

    pub(super) fn do_list_snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        let mut found = self.inner_admin().list_snapshots()?;
        found.retain(|info| match target_of(info) {
            Ok(of) => self.may(Operation::ListSnapshot, &target(info, &of, &of)),
            Err(_) => false,
        });
        Ok(found)
    }

    /// Fails unless the operation on a snapshot is allowed for the table `into`, by default the snapshot's own table.
    pub(super) fn require_snapshot(&self, operation: Operation, name: &str, into: Option<&TableName>) -> Result<()> {
        let all = self.inner_admin().list_snapshots()?;
        let missing = || Error::new(ErrorKind::SnapshotNotFound, format!("there is no snapshot '{name}'"));
        let info = all.iter().find(|info| info.name == name).ok_or_else(missing)?;
        let of = target_of(info)?;
        if operation == Operation::RestoreSnapshot && stored::is_table(&of) {
            let message = format!("Not allowed to restore {of} table with AccessController installed");
            return Err(super::super::control::denied(message));
        }
        self.require(operation, &target(info, &of, into.unwrap_or(&of)))
    }
}

fn target_of(info: &SnapshotInfo) -> Result<TableName> {
    TableName::parse(&info.table)
}

fn target<'a>(info: &'a SnapshotInfo, of: &'a TableName, into: &'a TableName) -> Target<'a> {
    Target::Snapshot { name: &info.name, owner: &info.owner, of, into }
}
