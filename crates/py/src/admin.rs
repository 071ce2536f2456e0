//! Schema, maintenance and statistics.

use crate::arguments::{bytes_of, to_bytes, Name};
use crate::columns::is_single;
use crate::configuration::{settings, sourced, SourcedLimits};
use crate::descriptors::{descriptor, Schema, SchemaParts, Settings};
use crate::errors::wrong_type;
use crate::fork::Guarded;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rowstone_model::admin::{Statistics, StoreFileInfo};
use rowstone_model::backend::Backend;
use rowstone_model::schema::{NamespaceDescriptor, TableName, TableState};
use rowstone_model::Result;
use std::path::PathBuf;
use std::sync::Arc;

fn parsed(name: Option<&Name>) -> Result<Option<TableName>> {
    name.map(|name| TableName::parse(&name.0)).transpose()
}

/// Administration of a database; wrapped by `rowstone.Admin`.
#[pyclass(frozen, module = "rowstone._native")]
pub struct Admin(Guarded<Arc<dyn Backend>>);

impl Admin {
    /// Creates the administration of `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Admin(Guarded::new(backend))
    }
}

#[pymethods]
impl Admin {
    fn create_table(
        &self,
        py: Python<'_>,
        name: Name,
        families: &Bound<'_, PyDict>,
        attributes: &Bound<'_, PyDict>,
        configuration: &Bound<'_, PyDict>,
        splits: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let table = descriptor(&name, families, (attributes, configuration))?;
        if is_single(splits.as_borrowed()) {
            return Err(wrong_type("splits", "an iterable of row keys", splits));
        }
        let keys = splits.try_iter().map_err(|_| wrong_type("splits", "an iterable of row keys", splits))?;
        let keys = keys.map(|key| bytes_of("split key", key?.as_borrowed()).map(|key| key.into_owned()));
        let keys = keys.collect::<PyResult<Vec<_>>>()?;
        self.0.long(py, move |backend| backend.admin().create_table(table, keys))
    }

    fn alter_table(
        &self,
        py: Python<'_>,
        name: Name,
        families: &Bound<'_, PyDict>,
        attributes: &Bound<'_, PyDict>,
        configuration: &Bound<'_, PyDict>,
        old: SchemaParts<'_>,
    ) -> PyResult<()> {
        let table = descriptor(&name, families, (attributes, configuration))?;
        let (old_name, families, attributes, configuration) = old;
        let old = descriptor(&old_name, &families, (&attributes, &configuration))?;
        self.0.long(py, move |backend| backend.admin().replace_table(&old, table))
    }

    fn describe(&self, py: Python<'_>, name: Name) -> PyResult<Schema> {
        self.0
            .quick(py, |backend| backend.admin().describe_table(&TableName::parse(&name.0)?))
            .map(|table| Schema::new(&table))
    }

    fn is_enabled(&self, py: Python<'_>, name: Name) -> PyResult<bool> {
        let state = self.0.quick(py, |backend| backend.admin().table_state(&TableName::parse(&name.0)?))?;
        Ok(state == TableState::Enabled)
    }

    fn set_enabled(&self, py: Python<'_>, name: Name, enabled: bool) -> PyResult<()> {
        let state = if enabled { TableState::Enabled } else { TableState::Disabled };
        self.0.long(py, move |backend| backend.admin().set_table_state(&TableName::parse(&name.0)?, state))
    }

    fn drop_table(&self, py: Python<'_>, name: Name) -> PyResult<()> {
        self.0.long(py, move |backend| backend.admin().drop_table(&TableName::parse(&name.0)?))
    }

    fn truncate_table(&self, py: Python<'_>, name: Name, preserve_splits: bool) -> PyResult<()> {
        self.0.long(py, move |backend| backend.admin().truncate_table(&TableName::parse(&name.0)?, preserve_splits))
    }

    fn tables(&self, py: Python<'_>, namespace: Option<Name>) -> PyResult<Vec<String>> {
        let names =
            self.0.quick(py, |backend| backend.admin().list_tables(namespace.as_ref().map(|name| name.0.as_str())))?;
        Ok(names.iter().map(TableName::to_string).collect())
    }

    fn create_namespace(&self, py: Python<'_>, name: Name, properties: &Bound<'_, PyDict>) -> PyResult<()> {
        let namespace = NamespaceDescriptor { name: name.0, properties: settings(Some(properties))? };
        self.0.long(py, move |backend| backend.admin().create_namespace(namespace))
    }

    fn alter_namespace(&self, py: Python<'_>, name: Name, properties: &Bound<'_, PyDict>) -> PyResult<()> {
        let namespace = NamespaceDescriptor { name: name.0, properties: settings(Some(properties))? };
        self.0.long(py, move |backend| backend.admin().alter_namespace(namespace))
    }

    fn drop_namespace(&self, py: Python<'_>, name: Name) -> PyResult<()> {
        self.0.long(py, move |backend| backend.admin().drop_namespace(&name.0))
    }

    fn namespaces(&self, py: Python<'_>) -> PyResult<Vec<(String, Settings)>> {
        let namespaces = self.0.quick(py, |backend| backend.admin().list_namespaces())?;
        Ok(namespaces.into_iter().map(|namespace| (namespace.name, namespace.properties)).collect())
    }

    fn namespace_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.0.quick(py, |backend| backend.admin().namespace_names())
    }

    /// The properties of a namespace.
    fn describe_namespace(&self, py: Python<'_>, name: Name) -> PyResult<Settings> {
        Ok(self.0.quick(py, |backend| backend.admin().describe_namespace(&name.0))?.properties)
    }

    fn flush(&self, py: Python<'_>, name: Option<Name>) -> PyResult<()> {
        self.0.long(py, move |backend| {
            let name = parsed(name.as_ref())?;
            backend.admin().flush(name.as_ref())
        })
    }

    fn compact(&self, py: Python<'_>, name: Name, family: Option<&Bound<'_, PyAny>>, major: bool) -> PyResult<()> {
        let family = family.map(|family| bytes_of("family", family.as_borrowed()).map(|name| name.into_owned()));
        let family = family.transpose()?;
        self.0.long(py, move |backend| backend.admin().compact(&TableName::parse(&name.0)?, family.as_deref(), major))
    }

    /// The regions as (table, start key, end key, region id, encoded name, region name).
    fn regions<'py>(&self, py: Python<'py>, name: Name) -> PyResult<Bound<'py, PyList>> {
        let regions = self.0.quick(py, |backend| backend.admin().regions(&TableName::parse(&name.0)?))?;
        let bytes = |bytes: &[u8]| to_bytes(py, bytes);
        let rows = regions.iter().map(|region| {
            let (start, end) = (bytes(&region.start_key), bytes(&region.end_key));
            let name = bytes(&region.region_name());
            (region.table.to_string(), start, end, region.region_id, region.encoded_name.as_str(), name)
        });
        PyList::new(py, rows)
    }

    /// The store files as (region, family, path, bytes, cells, largest sequence id, time range, whether major).
    fn store_files<'py>(&self, py: Python<'py>, name: Name) -> PyResult<Bound<'py, PyList>> {
        files_of(py, self.0.quick(py, |backend| backend.admin().store_files(&TableName::parse(&name.0)?))?)
    }

    /// Loads pairs (family, path); returns the files like `store_files`.
    fn bulk_load<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        files: Vec<(Vec<u8>, PathBuf)>,
    ) -> PyResult<Bound<'py, PyList>> {
        let work = move |backend: &dyn Backend| backend.admin().bulk_load(&TableName::parse(&name.0)?, files);
        files_of(py, self.0.long(py, work)?)
    }

    /// Writes the table's cells to files below `folder`; returns the files like `store_files`.
    fn export_files<'py>(&self, py: Python<'py>, name: Name, folder: PathBuf) -> PyResult<Bound<'py, PyList>> {
        let work = move |backend: &dyn Backend| backend.admin().export_files(&TableName::parse(&name.0)?, &folder);
        files_of(py, self.0.long(py, work)?)
    }

    /// Copies the database while writes continue: (store files, logs, bytes, bytes shared by hard links).
    fn backup(&self, py: Python<'_>, out: PathBuf) -> PyResult<(u64, u64, u64, u64)> {
        let copied = self.0.long(py, move |backend| backend.admin().backup(&out))?;
        Ok((copied.store_files, copied.logs, copied.bytes, copied.linked_bytes))
    }

    fn statistics(&self, py: Python<'_>, name: Option<Name>) -> PyResult<Statistics> {
        self.0.quick(py, |backend| {
            let name = parsed(name.as_ref())?;
            backend.admin().statistics(name.as_ref())
        })
    }

    fn memory_limits(&self, py: Python<'_>) -> PyResult<SourcedLimits> {
        Ok(sourced(&self.0.quick(py, |backend| backend.admin().memory_limits())?))
    }

    /// The canonical form of a name: without the namespace `default`.
    #[staticmethod]
    fn canonical_name(py: Python<'_>, name: Name) -> PyResult<String> {
        TableName::parse(&name.0).map(|name| name.to_string()).map_err(|error| crate::errors::raise(py, &error))
    }
}

/// Files as tuples, in the order of the fields of `StoreFileInfo`.
fn files_of(py: Python<'_>, files: Vec<StoreFileInfo>) -> PyResult<Bound<'_, PyList>> {
    let rows = files.into_iter().map(|file| {
        let family: Bound<'_, PyBytes> = to_bytes(py, &file.family);
        let sizes = (file.size_bytes, file.entry_count, file.max_sequence_id);
        (file.region, family, file.path, sizes.0, sizes.1, sizes.2, file.time_range, file.is_major)
    });
    PyList::new(py, rows)
}
