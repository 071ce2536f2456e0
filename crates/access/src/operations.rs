//! The table of operations: the permissions that each requires, and the scope in which they are checked.
//!
//! The table is written once. The decision, the tests, and the matrix in `docs/reference/access.md` derive from it.

use rowstone_model::access::Permission::{self, Admin, Create, Exec, Read, Write};

/// The way in which an operation's permissions are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// One of the permissions, globally. Source: `AccessChecker.requireGlobalPermission`.
    Everywhere,
    /// One of the permissions, on the target or a scope that contains it. Source: `requirePermission`,
    /// `requireNamespacePermission`.
    Here,
    /// One of the permissions anywhere in the table, even if only for one column. Source: `requireAccess`.
    Anywhere,
    /// All of the permissions for each named column. Source: `AccessController.permissionGranted`.
    EachColumn,
    /// The same, but if only some of the columns may be read, those are. Source: `AccessController.internalPreRead`.
    SomeColumns,
    /// Ownership of the snapshot; other users need one of the permissions globally.
    Owner,
    /// Ownership of the snapshot, into the table it was taken from; other users need one of the permissions globally.
    OwnerOfSameTable,
    /// Ownership of the snapshot and one of the permissions in its table; other users need it globally.
    OwnerWithPermission,
}

/// An operation of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "RULES says of each what HBase calls it and what it needs")]
pub enum Operation {
    CreateTable,
    ModifyTable,
    DeleteTable,
    TruncateTable,
    EnableTable,
    DisableTable,
    GetTableDescriptors,
    GetTableNames,
    FlushTable,
    Move,
    Assign,
    Unassign,
    Split,
    MergeRegions,
    TruncateRegion,
    Balance,
    BalanceSwitch,
    Normalize,
    Operate,
    SetQuota,
    SetTableQuota,
    Snapshot,
    ListSnapshot,
    CloneSnapshot,
    RestoreSnapshot,
    DeleteSnapshot,
    CreateNamespace,
    DeleteNamespace,
    ModifyNamespace,
    GetNamespaceDescriptor,
    ListNamespaces,
    Flush,
    Compact,
    Get,
    Exists,
    Scan,
    Put,
    Delete,
    Increment,
    Append,
    CheckAndMutate,
    BulkLoad,
    Invoke,
    Grant,
    Revoke,
    UserPermissions,
    HasPermission,
    ListStoreFiles,
    Heat,
    ExportFiles,
    ExportSnapshot,
    ImportSnapshot,
    Backup,
    Observe,
}

/// A rule of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The operation.
    pub operation: Operation,
    /// HBase's interface for it: `Master`, `Region`, `Endpoint`, `AccessController`; `-` if HBase has no such
    /// operation.
    pub interface: &'static str,
    /// HBase's name for it.
    pub name: &'static str,
    /// The way in which the permissions are checked.
    pub reach: Reach,
    /// The permissions: one of them suffices, except for columns, which need all.
    pub permissions: &'static [Permission],
}

const fn rule(
    operation: Operation,
    interface: &'static str,
    name: &'static str,
    reach: Reach,
    permissions: &'static [Permission],
) -> Rule {
    Rule { operation, interface, name, reach, permissions }
}

const ANY: &[Permission] = &[Read, Write, Exec, Create, Admin];
const SCHEMA: &[Permission] = &[Admin, Create];

/// The table, in the order of [`Operation`].
pub const RULES: [Rule; 54] = [
    rule(Operation::CreateTable, "Master", "createTable", Reach::Here, SCHEMA),
    rule(Operation::ModifyTable, "Master", "modifyTable", Reach::Here, SCHEMA),
    rule(Operation::DeleteTable, "Master", "deleteTable", Reach::Here, SCHEMA),
    rule(Operation::TruncateTable, "Master", "truncateTable", Reach::Here, SCHEMA),
    rule(Operation::EnableTable, "Master", "enableTable", Reach::Here, SCHEMA),
    rule(Operation::DisableTable, "Master", "disableTable", Reach::Here, SCHEMA),
    rule(Operation::GetTableDescriptors, "Master", "getTableDescriptors", Reach::Here, SCHEMA),
    rule(Operation::GetTableNames, "Master", "getTableNames", Reach::Anywhere, ANY),
    rule(Operation::FlushTable, "Master", "flushTable", Reach::Here, SCHEMA),
    rule(Operation::Move, "Master", "move", Reach::Here, &[Admin]),
    rule(Operation::Assign, "Master", "assign", Reach::Here, &[Admin]),
    rule(Operation::Unassign, "Master", "unassign", Reach::Here, &[Admin]),
    rule(Operation::Split, "Master", "split", Reach::Here, &[Admin]),
    rule(Operation::MergeRegions, "Master", "mergeRegions", Reach::Here, &[Admin]),
    rule(Operation::TruncateRegion, "Master", "truncateRegion", Reach::Here, SCHEMA),
    rule(Operation::Balance, "Master", "balance", Reach::Everywhere, &[Admin]),
    rule(Operation::BalanceSwitch, "Master", "balanceSwitch", Reach::Everywhere, &[Admin]),
    rule(Operation::Normalize, "Master", "normalize", Reach::Everywhere, &[Admin]),
    rule(Operation::Operate, "Master", "other switches and services", Reach::Everywhere, &[Admin]),
    rule(Operation::SetQuota, "Master", "setQuota", Reach::Everywhere, &[Admin]),
    rule(Operation::SetTableQuota, "Master", "setTableQuota", Reach::Here, &[Admin]),
    rule(Operation::Snapshot, "Master", "snapshot", Reach::Here, &[Admin]),
    rule(Operation::ListSnapshot, "Master", "listSnapshot", Reach::Owner, &[Admin]),
    rule(Operation::CloneSnapshot, "Master", "cloneSnapshot", Reach::OwnerOfSameTable, &[Admin]),
    rule(Operation::RestoreSnapshot, "Master", "restoreSnapshot", Reach::OwnerWithPermission, &[Admin]),
    rule(Operation::DeleteSnapshot, "Master", "deleteSnapshot", Reach::Owner, &[Admin]),
    rule(Operation::CreateNamespace, "Master", "createNamespace", Reach::Everywhere, &[Admin]),
    rule(Operation::DeleteNamespace, "Master", "deleteNamespace", Reach::Everywhere, &[Admin]),
    rule(Operation::ModifyNamespace, "Master", "modifyNamespace", Reach::Everywhere, &[Admin]),
    rule(Operation::GetNamespaceDescriptor, "Master", "getNamespaceDescriptor", Reach::Here, &[Admin]),
    rule(Operation::ListNamespaces, "Master", "listNamespaces", Reach::Here, &[Admin]),
    rule(Operation::Flush, "Region", "flush", Reach::Here, SCHEMA),
    rule(Operation::Compact, "Region", "compact", Reach::Here, SCHEMA),
    rule(Operation::Get, "Region", "get", Reach::SomeColumns, &[Read]),
    rule(Operation::Exists, "Region", "exists", Reach::SomeColumns, &[Read]),
    rule(Operation::Scan, "Region", "scan", Reach::SomeColumns, &[Read]),
    rule(Operation::Put, "Region", "put", Reach::EachColumn, &[Write]),
    rule(Operation::Delete, "Region", "delete", Reach::EachColumn, &[Write]),
    rule(Operation::Increment, "Region", "increment", Reach::EachColumn, &[Write]),
    rule(Operation::Append, "Region", "append", Reach::EachColumn, &[Write]),
    rule(Operation::CheckAndMutate, "Region", "checkAndMutate", Reach::EachColumn, &[Read, Write]),
    rule(Operation::BulkLoad, "Region", "bulkLoadHFile", Reach::Here, &[Create]),
    rule(Operation::Invoke, "Endpoint", "invoke", Reach::Here, &[Exec]),
    rule(Operation::Grant, "AccessController", "grant", Reach::Here, &[Admin]),
    rule(Operation::Revoke, "AccessController", "revoke", Reach::Here, &[Admin]),
    rule(Operation::UserPermissions, "AccessController", "userPermissions", Reach::Here, &[Admin]),
    rule(Operation::HasPermission, "AccessController", "hasPermission", Reach::Here, &[Admin]),
    rule(Operation::ListStoreFiles, "-", "listStoreFiles", Reach::Here, SCHEMA),
    rule(Operation::Heat, "-", "heat", Reach::Here, &[Read]),
    rule(Operation::ExportFiles, "-", "exportFiles", Reach::Here, &[Read]),
    rule(Operation::ExportSnapshot, "-", "exportSnapshot", Reach::Owner, &[Admin]),
    rule(Operation::ImportSnapshot, "-", "importSnapshot", Reach::Everywhere, &[Admin]),
    rule(Operation::Backup, "-", "backup", Reach::Everywhere, &[Admin]),
    rule(Operation::Observe, "-", "observe", Reach::Everywhere, &[Admin]),
];

impl Operation {
    /// Its rule.
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// HBase's name for it.
    pub fn name(self) -> &'static str {
        self.rule().name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_operations_and_each_needs_something() {
        for (place, rule) in RULES.iter().enumerate() {
            assert_eq!(rule.operation as usize, place, "{}", rule.name);
            assert!(!rule.permissions.is_empty(), "{}", rule.name);
        }
        assert_eq!(Operation::Observe as usize + 1, RULES.len());
    }
}
