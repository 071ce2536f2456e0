//! Opening an HBase root directory.

use crate::call::interruptible;
use crate::configuration::settings;
use crate::database::{limit, Database};
use crate::errors::raise;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_engine::db::{open as open_engine, OpenOptions};
use rowstone_engine::root::RootView;
use rowstone_model::schema::TableName;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Opens the tables of an HBase root directory, or of one of its snapshots, read-only.
#[pyfunction]
#[pyo3(signature = (root, *, snapshot, tables, with_logs, configuration, cache_bytes, storage_options))]
#[expect(clippy::too_many_arguments, reason = "the options of open_root, each under its name")]
pub fn open_root(
    py: Python<'_>,
    root: String,
    snapshot: Option<String>,
    tables: Vec<String>,
    with_logs: bool,
    configuration: Option<Bound<'_, PyDict>>,
    cache_bytes: Option<Bound<'_, PyAny>>,
    storage_options: BTreeMap<String, String>,
) -> PyResult<Database> {
    let names = tables.iter().map(|name| TableName::parse(name)).collect::<Result<_, _>>();
    let tables = names.map_err(|error| raise(py, &error))?;
    let mut view = RootView { snapshot, tables, with_logs, ..RootView::default() };
    let options = OpenOptions {
        configuration: settings(configuration.as_ref())?,
        block_cache_bytes: limit("cache_bytes", cache_bytes.as_ref())?,
        ..OpenOptions::default()
    };
    let backend = interruptible(py, move || {
        if !root.contains("://") {
            return open_engine(OpenOptions { root: Some(view), directory: Some(PathBuf::from(root)), ..options });
        }
        let location = rowstone_remote::open(&root, &storage_options)?;
        view.hides_open_blocks = location.hides_open_blocks;
        let (directory, files) = (Some(location.root), Some(location.files));
        open_engine(OpenOptions { root: Some(view), directory, files, ..options })
    })?;
    Ok(Database::new(backend))
}
