//! Writing a store file without a database.

use crate::arguments::{bytes_of, integer, Timestamp};
use crate::call::detached;
use crate::columns::with_full_column;
use crate::errors::{invalid, raise};
use crate::writes::Tags;
use pyo3::prelude::*;
use rowstone_engine::hfile::{FileFacts, Writer, WriterOptions};
use rowstone_engine::sys::lock::Mutex;
use rowstone_engine::sys::{Clock, RealFileSystem, SystemClock};
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::schema::FamilyDescriptor;
use rowstone_model::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Cells are passed to the writer in pieces of this size.
const PIECE_BYTES: usize = 256 << 10;

/// The cell types that a file may contain.
const CELL_TYPES: [CellType; 5] =
    [CellType::Put, CellType::Delete, CellType::DeleteFamilyVersion, CellType::DeleteColumn, CellType::DeleteFamily];

struct State {
    writer: Option<Writer>,
    cells: CellBuffer,
    sequence_ids: Vec<u64>,
}

impl State {
    /// Passes the cells collected so far to the writer.
    fn pass(&mut self) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            for (cell, sequence_id) in self.cells.iter().zip(&self.sequence_ids) {
                writer.append(&cell.with_sequence_id(*sequence_id))?;
            }
        }
        self.cells.clear();
        self.sequence_ids.clear();
        Ok(())
    }
}

/// Writer of a store file. Cells must be added in HBase's order.
#[pyclass(frozen, module = "rowstone._native")]
pub struct HFileWriter(Mutex<State>);

#[pymethods]
impl HFileWriter {
    /// Starts a file in the format that a family's `attributes` specify.
    #[new]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        attributes: BTreeMap<String, String>,
        has_tags: bool,
        has_sequence_ids: bool,
    ) -> PyResult<Self> {
        let family = FamilyDescriptor { attributes, ..FamilyDescriptor::new("f") };
        let begin = || {
            let now_ms = SystemClock.now_ms();
            let options = WriterOptions {
                include_tags: has_tags,
                include_sequence_ids: has_sequence_ids,
                ..WriterOptions::for_family(&family.options()?, now_ms)
            };
            Writer::create(&RealFileSystem, &path, options)
        };
        let writer = Some(detached(py, begin)?);
        Ok(HFileWriter(Mutex::new(State { writer, cells: CellBuffer::new(), sequence_ids: Vec::new() })))
    }

    /// Add a cell.
    #[allow(clippy::too_many_arguments, reason = "the parts of a cell")]
    fn append(
        &self,
        row: &Bound<'_, PyAny>,
        column: &Bound<'_, PyAny>,
        timestamp: Timestamp,
        kind: &str,
        value: &Bound<'_, PyAny>,
        tags: Tags,
        sequence_id: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = row.py();
        let (row, value) = (bytes_of("row key", row.as_borrowed())?, bytes_of("value", value.as_borrowed())?);
        let sequence_id = integer("sequence id", sequence_id, 0, i64::MAX)? as u64;
        let Some(&cell_type) = CELL_TYPES.iter().find(|known| known.name() == kind) else {
            return Err(invalid(py, format!("there are no cells of type '{kind}'")));
        };
        rowstone_model::cell::check_row(&row).map_err(|error| raise(py, &error))?;
        let is_full = with_full_column(column.as_borrowed(), |family, qualifier| {
            let (timestamp, tags) = (timestamp.0, tags.0.as_slice());
            let mut state = self.0.lock();
            state.cells.push(CellParts { row: &row, family, qualifier, timestamp, cell_type, value: &value, tags });
            state.sequence_ids.push(sequence_id);
            Ok(state.cells.byte_len() >= PIECE_BYTES)
        })?;
        if is_full {
            detached(py, || self.0.lock().pass())
        } else {
            Ok(())
        }
    }

    /// Finish the file: (cells, bytes). Its data and metadata are synced to disk; its entry in the folder may not
    /// be.
    fn finish(
        &self,
        py: Python<'_>,
        max_sequence_id: u64,
        properties: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> PyResult<(u64, u64)> {
        let facts = FileFacts { max_sequence_id, extra_info: properties, ..FileFacts::default() };
        let end = || {
            let mut state = self.0.lock();
            state.pass()?;
            state.writer.take().map(|writer| writer.finish(&facts)).transpose()
        };
        match detached(py, end)? {
            Some(summary) => Ok((summary.entry_count, summary.size_bytes)),
            None => Err(invalid(py, "the file is finished")),
        }
    }
}
