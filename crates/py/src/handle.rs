//! A table of an open database: the part shared by a table's handle and its scanners.

use crate::call::detached;
use crate::descriptors::Schema;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::schema::TableName;
use std::sync::Arc;

/// A table of an open database.
pub struct Handle {
    /// Reads and writes of the table.
    pub table: Arc<dyn TableBackend>,
    /// The database.
    pub database: Arc<dyn Backend>,
    /// The table's name.
    pub name: TableName,
}

impl Handle {
    /// The table's current descriptor.
    pub fn describe(&self, py: Python<'_>) -> PyResult<Schema> {
        detached(py, || self.database.admin().describe_table(&self.name)).map(|table| Schema::new(&table))
    }

    /// The names of the table's families.
    pub fn families<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = detached(py, || self.database.admin().describe_table(&self.name))?;
        Ok(PyList::new(py, table.families.keys().map(|name| PyBytes::new(py, name)))?.into_any())
    }
}
