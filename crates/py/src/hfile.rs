//! Reading a store file, Rowstone's or HBase's, without a database.

use crate::arguments::to_bytes;
use crate::call::{detached, interruptible};
use crate::cell::PyCell;
use crate::row::leaf;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rowstone_engine::cache::BlockCache;
use rowstone_engine::hfile::{HFileSource, Reader, ReaderOptions};
use rowstone_engine::sys::lock::Mutex;
use rowstone_engine::sys::{FileSystem, RealFileSystem};
use rowstone_model::cell::{first_on_row, Cell, CellBuffer, CellSource};
use rowstone_model::operations::CellBatch;
use rowstone_model::Result;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file is read once, front to back: a few cached blocks suffice.
const CACHE_BYTES: u64 = 8 << 20;
/// Bytes of cells per read.
const BATCH_BYTES: usize = 256 << 10;

/// A store file, open for reading.
#[pyclass(frozen, module = "rowstone._native")]
pub struct HFile {
    reader: Arc<Reader>,
}

#[pymethods]
impl HFile {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let reader = detached(py, || open(&RealFileSystem, &path))?;
        Ok(HFile { reader })
    }

    /// Open a file of an object store or of HDFS.
    #[staticmethod]
    fn open_url(py: Python<'_>, url: String, storage_options: BTreeMap<String, String>) -> PyResult<Self> {
        let reader = interruptible(py, move || {
            let location = rowstone_remote::open(&url, &storage_options)?;
            open(&*location.files, &location.root)
        })?;
        Ok(HFile { reader })
    }

    /// First row, last row, number of cells, bytes and range of timestamps, from the metadata; None without cells.
    fn extent<'py>(&self, py: Python<'py>) -> PyResult<Option<Extent<'py>>> {
        let info = self.reader.info();
        let (Some(first), Some(last)) = (&info.first_key, &info.last_key) else { return Ok(None) };
        let row = |key: &[u8]| {
            let cell = Cell::new(key, &[], &[], 0).map_err(|error| crate::errors::invalid(py, error.reason))?;
            Ok::<_, PyErr>(to_bytes(py, cell.row()))
        };
        Ok(Some((row(first)?, row(last)?, info.entry_count, info.size_bytes, info.time_range)))
    }

    /// The family of the cells; None without cells.
    fn family<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(first) = &self.reader.info().first_key else { return Ok(None) };
        let cell = Cell::new(first, &[], &[], 0).map_err(|error| crate::errors::invalid(py, error.reason))?;
        Ok(Some(to_bytes(py, cell.family())))
    }

    /// The file's metadata, and its blocks by type. Reads the whole file and verifies every checksum.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reader = Arc::clone(&self.reader);
        let described = interruptible(py, move || reader.describe())?;
        let info = &described.info;
        let facts = PyDict::new(py);
        let key = |key: &Option<Vec<u8>>| key.as_deref().map(|key| to_bytes(py, key));
        facts.set_item("entries", info.entry_count)?;
        facts.set_item("size_bytes", info.size_bytes)?;
        facts.set_item("uncompressed_bytes", info.uncompressed_bytes)?;
        facts.set_item("first_key", key(&info.first_key))?;
        facts.set_item("last_key", key(&info.last_key))?;
        facts.set_item("mid_key", key(&described.mid_key))?;
        facts.set_item("time_range", info.time_range)?;
        facts.set_item("max_sequence_id", info.max_sequence_id)?;
        facts.set_item("is_major", info.is_major)?;
        facts.set_item("delete_family_count", info.delete_family_count)?;
        facts.set_item("max_tags_bytes", info.max_tags_len)?;
        facts.set_item("bloom_filter", info.bloom.name())?;
        facts.set_item("create_time_ms", info.create_time_ms)?;
        facts.set_item("encoding", info.encoding.name())?;
        facts.set_item("compression", info.compression.name())?;
        facts.set_item("index_levels", info.index_levels)?;
        facts.set_item("average_key_bytes", info.average_key_bytes)?;
        facts.set_item("average_value_bytes", info.average_value_bytes)?;
        let raw = PyDict::new(py);
        for (name, value) in info.raw.iter() {
            raw.set_item(to_bytes(py, name), to_bytes(py, value))?;
        }
        facts.set_item("file_info", raw)?;
        let blocks = PyDict::new(py);
        for (kind, totals) in &described.blocks {
            let name = String::from_utf8_lossy(kind.magic()).into_owned();
            blocks.set_item(name, (totals.count, totals.file_bytes, totals.content_bytes))?;
        }
        facts.set_item("blocks", blocks)?;
        for (name, bloom) in [("bloom", described.bloom), ("delete_family_bloom", described.delete_bloom)] {
            let numbers =
                bloom.map(|bloom| (bloom.key_count, bloom.max_keys, bloom.hashes, bloom.chunk_count, bloom.bytes));
            facts.set_item(name, numbers)?;
        }
        Ok(facts)
    }

    /// The largest sequence id in the file; 0 if it has none.
    #[getter]
    fn max_sequence_id(&self) -> u64 {
        self.reader.info().max_sequence_id
    }

    /// Refuse a file with references to MOB files, which a bulk load does not bring along.
    fn refuse_references(&self, py: Python<'_>) -> PyResult<()> {
        let reader = Arc::clone(&self.reader);
        interruptible(py, move || rowstone_engine::mob::refuse_references(&reader))
    }

    /// Verify everything in the file: (blocks, data blocks, cells, family markers).
    fn verify(&self, py: Python<'_>) -> PyResult<(u64, u64, u64, u64)> {
        let reader = Arc::clone(&self.reader);
        let counts = interruptible(py, move || reader.verify())?;
        Ok((counts.blocks, counts.data_blocks, counts.cells, counts.family_deletes))
    }

    /// Iterate over pairs (cell, sequence id), in file order.
    fn cells(&self, py: Python<'_>) -> PyResult<HFileCells> {
        let mut source = self.reader.source(false);
        let source = detached(py, || source.seek(&first_on_row(&[])).map(|()| source))?;
        Ok(HFileCells(Mutex::new(Cursor { source, batch: Arc::default(), ready: VecDeque::new() })))
    }

    /// Split a flat key into row, family, qualifier, timestamp and type: for keys in descriptions.
    #[staticmethod]
    fn parse_key<'py>(
        py: Python<'py>,
        key: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, i64, &'static str)> {
        let cell = Cell::new(key, &[], &[], 0).map_err(|error| crate::errors::invalid(py, error.reason))?;
        let column = crate::cell::column_bytes(py, &cell)?;
        Ok((to_bytes(py, cell.row()), column, cell.timestamp(), cell.cell_type().name()))
    }
}

type Extent<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, u64, u64, Option<(i64, i64)>);

fn open(files: &dyn FileSystem, path: &Path) -> Result<Arc<Reader>> {
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    Reader::open(files, path, cache, ReaderOptions::default())
}

struct Cursor {
    source: HFileSource,
    batch: Arc<CellBatch>,
    /// Offsets in the batch, and sequence ids, of the cells not returned yet.
    ready: VecDeque<(usize, u64)>,
}

impl Cursor {
    fn fill(&mut self) -> Result<()> {
        let mut cells = CellBuffer::new();
        while let Some(cell) = self.source.peek() {
            self.ready.push_back((cells.byte_len(), cell.sequence_id()));
            cells.push_cell(&cell);
            self.source.advance()?;
            if cells.byte_len() >= BATCH_BYTES {
                break;
            }
        }
        self.batch = Arc::new(CellBatch { cells, ..CellBatch::default() });
        Ok(())
    }
}

/// The cells of a store file, in order.
#[pyclass(frozen, module = "rowstone._native")]
pub struct HFileCells(Mutex<Cursor>);

#[pymethods]
impl HFileCells {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyCell>, u64)>> {
        let step = || {
            let mut cursor = self.0.lock();
            if cursor.ready.is_empty() {
                cursor.fill()?;
            }
            let next = cursor.ready.pop_front();
            Ok(next.map(|(offset, sequence_id)| (PyCell::new(Arc::clone(&cursor.batch), offset), sequence_id)))
        };
        detached(py, step)?.map(|(cell, sequence_id)| Ok((leaf(py, cell)?, sequence_id))).transpose()
    }
}
