//! Tables and namespaces.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::{NamespaceDescriptor, TableDescriptor, TableName, TableState};

/// Tables and namespaces.
pub trait SchemaAdmin: Send + Sync {
    /// Creates a table with one region more than `splits` has keys.
    fn create_table(&self, table: TableDescriptor, splits: Vec<Vec<u8>>) -> Result<()>;
    /// Replaces the table's descriptor.
    fn alter_table(&self, table: TableDescriptor) -> Result<()>;
    /// Replaces the table's descriptor `old` by `new`, so that changes made at the same time do not undo each other.
    ///
    /// # Errors
    /// `SchemaChanged` if the descriptor is not `old`; it stays as it is.
    fn replace_table(&self, old: &TableDescriptor, new: TableDescriptor) -> Result<()>;
    /// The table's descriptor.
    fn describe_table(&self, name: &TableName) -> Result<TableDescriptor>;
    /// Whether the table is enabled.
    fn table_state(&self, name: &TableName) -> Result<TableState>;
    /// Enables or disables the table.
    fn set_table_state(&self, name: &TableName, state: TableState) -> Result<()>;
    /// Removes a disabled table and its data.
    fn drop_table(&self, name: &TableName) -> Result<()>;
    /// Removes the data of a disabled table; `preserve_splits` retains its region boundaries.
    fn truncate_table(&self, name: &TableName, preserve_splits: bool) -> Result<()>;
    /// All tables, or those of a namespace, sorted by name.
    fn list_tables(&self, namespace: Option<&str>) -> Result<Vec<TableName>>;
    /// Creates a namespace.
    fn create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()>;
    /// Replaces a namespace's properties.
    fn alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()>;
    /// Removes an empty namespace.
    fn drop_namespace(&self, name: &str) -> Result<()>;
    /// All namespaces, sorted by name.
    fn list_namespaces(&self) -> Result<Vec<NamespaceDescriptor>>;
    /// The names of all namespaces, sorted.
    fn namespace_names(&self) -> Result<Vec<String>> {
        Ok(self.list_namespaces()?.into_iter().map(|namespace| namespace.name).collect())
    }
    /// A namespace's properties.
    fn describe_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        let all = self.list_namespaces()?;
        let missing = || Error::new(ErrorKind::NamespaceNotFound, name);
        all.into_iter().find(|namespace| namespace.name == name).ok_or_else(missing)
    }
}
