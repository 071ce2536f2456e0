//! A frame, or any Arrow stream, as a source of rows for a table.

use super::capsules::reader_of;
use crate::arguments::{DurabilityName, TimeToLive, Timestamp};
use crate::call::guarded;
use crate::errors::{exception, invalid, raise, raise_named};
use crate::sorted_files::SortedFiles;
use crate::table::Table;
use pyo3::prelude::*;
use rowstone_arrow::import::StreamReader;
use rowstone_arrow::write::{FrameWriter, Part, Plan, Target};
use rowstone_engine::sys::lock::Mutex;
use rowstone_model::operations::Durability;
use rowstone_model::{Error, Result};

/// A source column, as `rowstone._core.frames` passes it: position, codec.
type PartArgument = (usize, Option<String>);
/// Position, codec, family, qualifier.
type TargetArgument = (usize, Option<String>, Vec<u8>, Vec<u8>);

/// A source of rows: any object with `__arrow_c_stream__` or `__arrow_c_array__`. It can be read once.
#[pyclass(frozen, module = "rowstone._native")]
pub struct FrameSource {
    reader: Mutex<Option<StreamReader>>,
    names: Vec<String>,
}

#[pymethods]
impl FrameSource {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        let Some(reader) = reader_of(source)? else {
            let found = source.get_type().name()?.to_string();
            let message =
                format!("a source must have __arrow_c_stream__, as frames and Arrow streams have, not {found}");
            return Err(raise_named(py, "InvalidType", &message));
        };
        let reader = reader.map_err(|error| raise(py, &error))?;
        let names = reader.columns().iter().map(|column| column.name.clone()).collect();
        Ok(FrameSource { reader: Mutex::new(Some(reader)), names })
    }

    /// The names of its columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Writes all rows and returns their number. An error has the number written so far as `rows_written`.
    #[pyo3(signature = (table, key, targets, *, timestamp, timestamps, ttl_ms, durability))]
    #[expect(clippy::too_many_arguments, reason = "the keyword options of the Python call")]
    fn write(
        &self,
        table: &Bound<'_, Table>,
        key: PartArgument,
        targets: Vec<TargetArgument>,
        timestamp: Option<Timestamp>,
        timestamps: Option<usize>,
        ttl_ms: Option<TimeToLive>,
        durability: Option<DurabilityName>,
    ) -> PyResult<u64> {
        let py = table.py();
        let plan = Plan {
            timestamp: timestamp.map(|timestamp| timestamp.0),
            timestamps,
            ttl_ms: ttl_ms.map(|ttl| ttl.0),
            durability: durability.map_or(Durability::default(), |durability| durability.0),
            ..plan_of(key, targets)
        };
        let writer = self.writer(py, plan)?;
        let backend = table.get().backend(py)?;
        write_all(py, writer, |writer| writer.step(&**backend))
    }

    /// Adds all rows to store files, with one timestamp, and returns their number.
    fn write_files(
        &self,
        files: &Bound<'_, SortedFiles>,
        key: PartArgument,
        targets: Vec<TargetArgument>,
        timestamp: Timestamp,
    ) -> PyResult<u64> {
        let py = files.py();
        let writer = self.writer(py, Plan { timestamp: Some(timestamp.0), ..plan_of(key, targets) })?;
        let files = files.get();
        write_all(py, writer, |writer| writer.step_to(|puts| files.add(&puts)))
    }
}

impl FrameSource {
    fn writer(&self, py: Python<'_>, plan: Plan) -> PyResult<FrameWriter> {
        let Some(reader) = self.reader.lock().take() else {
            return Err(invalid(py, "the source was read already"));
        };
        FrameWriter::new(reader, plan).map_err(|error| raise(py, &error))
    }
}

/// A plan of the columns alone.
fn plan_of(key: PartArgument, targets: Vec<TargetArgument>) -> Plan {
    let part = |(index, codec)| Part { index, codec };
    let target = |(index, codec, family, qualifier)| Target { part: part((index, codec)), family, qualifier };
    Plan {
        key: part(key),
        targets: targets.into_iter().map(target).collect(),
        timestamp: None,
        timestamps: None,
        ttl_ms: None,
        durability: Durability::default(),
    }
}

/// Runs the steps of a writer and returns the number of rows.
fn write_all(
    py: Python<'_>,
    mut writer: FrameWriter,
    step: impl Fn(&mut FrameWriter) -> Result<bool> + Send + Sync,
) -> PyResult<u64> {
    loop {
        // The source may need the interpreter to produce its next batch.
        match py.detach(|| guarded(|| step(&mut writer))) {
            Ok(true) => py.check_signals()?,
            Ok(false) => return Ok(writer.rows_written()),
            Err(error) => return Err(ended_early(py, &error, writer.rows_written())),
        }
    }
}

fn ended_early(py: Python<'_>, error: &Error, rows_written: u64) -> PyErr {
    let raised = exception(py, error);
    match raised.setattr("rows_written", rows_written) {
        Ok(()) => PyErr::from_value(raised),
        Err(problem) => problem,
    }
}
