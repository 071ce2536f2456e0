//! Store files from frames in any order, for a bulk load.

use crate::arguments::to_bytes;
use crate::call::interruptible;
use crate::errors::{invalid, raise};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowstone_engine::hfile::{SortedFiles as Files, WriterOptions};
use rowstone_engine::sys::lock::Mutex;
use rowstone_engine::sys::{Clock, RealFileSystem, System, SystemClock, SystemEntropy};
use rowstone_model::operations::Mutation;
use rowstone_model::schema::FamilyDescriptor;
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

type Attributes = BTreeMap<String, String>;

/// Writer of the store files of a task. `FrameSource.write_files` adds rows.
#[pyclass(frozen, module = "rowstone._native")]
pub struct SortedFiles(Mutex<Option<Files>>);

impl SortedFiles {
    /// Adds puts; returns a result for each.
    pub fn add(&self, puts: &[Mutation]) -> Vec<Result<()>> {
        let mut files = self.0.lock();
        let closed = || Err(Error::invalid("the files are finished"));
        puts.iter().map(|put| files.as_mut().map_or_else(closed, |files| files.add(put))).collect()
    }
}

#[pymethods]
impl SortedFiles {
    /// Files below `folder` for regions that begin at `splits`, and families with these attributes.
    #[new]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        splits: Vec<Vec<u8>>,
        families: Vec<(Vec<u8>, Attributes)>,
        memory_bytes: usize,
    ) -> PyResult<Self> {
        let now_ms = SystemClock.now_ms();
        let options = |(name, attributes): (Vec<u8>, Attributes)| {
            let family = FamilyDescriptor { attributes, ..FamilyDescriptor::new("f") };
            Ok((name, WriterOptions::for_family(&family.options()?, now_ms)))
        };
        let families = families.into_iter().map(options).collect::<Result<_>>().map_err(|error| raise(py, &error))?;
        let (files, clock, entropy) = (Arc::new(RealFileSystem), Arc::new(SystemClock), Arc::new(SystemEntropy));
        let system = System { files, clock, entropy };
        Ok(SortedFiles(Mutex::new(Some(Files::new(system, folder, splits, families, memory_bytes)))))
    }

    /// Write the rest; return families and paths of all files.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyBytes>, PathBuf)>> {
        let Some(files) = self.0.lock().take() else {
            return Err(invalid(py, "the files are finished"));
        };
        let written = interruptible(py, move || files.finish())?;
        Ok(written.into_iter().map(|(family, path)| (to_bytes(py, &family), path)).collect())
    }
}
