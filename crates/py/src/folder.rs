//! Folders in object stores that are written to, and files fetched from any storage.

use crate::call::interruptible;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowstone_engine::db::fetch_snapshot as fetch;
use rowstone_engine::store::copy_file;
use rowstone_engine::sys::RealFileSystem;
use rowstone_model::Result;
use rowstone_remote::Folder;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A folder in an object store; names are paths below it.
#[pyclass(frozen, module = "rowstone._native")]
pub struct RemoteFolder(Arc<Folder>);

impl RemoteFolder {
    fn call<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Folder) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let folder = Arc::clone(&self.0);
        interruptible(py, move || work(&folder))
    }
}

#[pymethods]
impl RemoteFolder {
    #[new]
    fn new(py: Python<'_>, url: String, storage_options: BTreeMap<String, String>) -> PyResult<Self> {
        let folder = interruptible(py, move || rowstone_remote::open_folder(&url, &storage_options))?;
        Ok(RemoteFolder(Arc::new(folder)))
    }

    /// Write a file; false if it has to be new and there is another one of that name.
    fn put(&self, py: Python<'_>, name: String, data: &[u8], is_new: bool) -> PyResult<bool> {
        let data = data.to_vec();
        self.call(py, move |folder| folder.put(&name, data.into(), is_new))
    }

    /// All bytes of a file, or None.
    fn get<'py>(&self, py: Python<'py>, name: String) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.call(py, move |folder| folder.get(&name))?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Remove a file, if there is one of that name.
    fn delete(&self, py: Python<'_>, name: String) -> PyResult<()> {
        self.call(py, move |folder| folder.delete(&name))
    }

    /// The files directly in a folder below this one: (name, bytes, time of the last change in milliseconds).
    fn list_files(&self, py: Python<'_>, name: String) -> PyResult<Vec<(String, u64, i64)>> {
        let files = self.call(py, move |folder| folder.list(&name))?;
        Ok(files.into_iter().map(|file| (file.name, file.size, file.modified_ms)).collect())
    }

    /// Begin the upload of a file in parts; return its id.
    fn begin_upload(&self, py: Python<'_>, name: String) -> PyResult<String> {
        self.call(py, move |folder| folder.begin_upload(&name))
    }

    /// Upload one part; return its id.
    fn put_part(&self, py: Python<'_>, name: String, upload: String, index: usize, data: &[u8]) -> PyResult<String> {
        let data = data.to_vec();
        self.call(py, move |folder| folder.put_part(&name, &upload, index, data.into()))
    }

    /// Make the file from its parts.
    fn finish_upload(&self, py: Python<'_>, name: String, upload: String, parts: Vec<String>) -> PyResult<()> {
        self.call(py, move |folder| folder.finish_upload(&name, &upload, &parts))
    }

    /// Remove the parts of an upload that will not be finished.
    fn abort_upload(&self, py: Python<'_>, name: String, upload: String) -> PyResult<()> {
        self.call(py, move |folder| folder.abort_upload(&name, &upload))
    }

    /// Requests so far, repeated ones among them, and bytes of files received.
    fn counts(&self) -> (u64, u64, u64) {
        self.0.counts().get()
    }
}

/// Copies one file of a storage to a new local file.
#[pyfunction]
pub fn fetch_file(
    py: Python<'_>,
    url: String,
    storage_options: BTreeMap<String, String>,
    target: PathBuf,
) -> PyResult<u64> {
    interruptible(py, move || {
        let location = rowstone_remote::open(&url, &storage_options)?;
        let (size_bytes, _) = copy_file(&*location.files, &location.root, &RealFileSystem, &target)?;
        Ok(size_bytes)
    })
}

/// Copies a snapshot of an HBase root, or of what `ExportSnapshot` wrote, to a local folder with the same layout.
#[pyfunction]
pub fn fetch_snapshot(
    py: Python<'_>,
    url: String,
    storage_options: BTreeMap<String, String>,
    snapshot: String,
    target: PathBuf,
) -> PyResult<()> {
    interruptible(py, move || {
        let location = rowstone_remote::open(&url, &storage_options)?;
        fetch(&*location.files, &location.root, &snapshot, &target)
    })
}
