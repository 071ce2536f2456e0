//! Work on directories that no process has open: check, repair, copy.

use crate::arguments::to_bytes;
use crate::call::interruptible;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rowstone_engine::check::{self, Finding, Loss, RepairOptions, Report, Target};
use rowstone_engine::sys::{RealFileSystem, System, SystemClock, SystemEntropy};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Minimum interval between two calls of a progress callback.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

fn machine() -> System {
    System { files: Arc::new(RealFileSystem), clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) }
}

/// A function that reports progress to `callback`: current file, bytes done, total bytes. Rate-limited.
fn teller(callback: Option<Py<PyAny>>) -> impl FnMut(&str, u64, u64) + Send {
    let mut last: Option<Instant> = None;
    move |file, done, all| {
        let Some(callback) = callback.as_ref().filter(|_| last.is_none_or(|at| at.elapsed() > PROGRESS_INTERVAL))
        else {
            return;
        };
        last = Some(Instant::now());
        // A failing callback must not stop the work.
        Python::attach(|py| drop(callback.call1(py, (file, done, all))));
    }
}

/// (table, region, family, first row, last row, cells, first and last sequence id)
type LossParts<'py> = (
    Option<String>,
    Option<String>,
    Option<Bound<'py, PyBytes>>,
    Option<Bound<'py, PyBytes>>,
    Option<Bound<'py, PyBytes>>,
    Option<u64>,
    Option<(u64, u64)>,
);

fn loss<'py>(py: Python<'py>, loss: &Loss) -> LossParts<'py> {
    let bytes = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|bytes| to_bytes(py, bytes));
    let rows = (bytes(&loss.first_row), bytes(&loss.last_row));
    (loss.table.clone(), loss.region.clone(), bytes(&loss.family), rows.0, rows.1, loss.cells, loss.sequence_ids)
}

fn finding<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("problem", finding.problem.name())?;
    facts.set_item("is_damage", finding.problem.is_damage())?;
    facts.set_item("file", &finding.place.file)?;
    facts.set_item("offset", finding.place.offset)?;
    facts.set_item("expected", &finding.place.expected)?;
    facts.set_item("found", &finding.place.found)?;
    facts.set_item("effect", &finding.effect)?;
    facts.set_item("losses", PyList::new(py, finding.losses.iter().map(|lost| loss(py, lost)))?)?;
    Ok(facts)
}

fn report<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    let findings = report.findings.iter().map(|found| finding(py, found)).collect::<PyResult<Vec<_>>>()?;
    facts.set_item("findings", findings)?;
    facts.set_item("tables", report.tables)?;
    facts.set_item("regions", report.regions)?;
    facts.set_item("store_files", report.store_files)?;
    facts.set_item("cells", report.cells)?;
    facts.set_item("logs", report.logs)?;
    facts.set_item("records", report.records)?;
    facts.set_item("size_bytes", report.bytes)?;
    Ok(facts)
}

/// Checks a directory; returns the report as a dict.
#[pyfunction]
pub fn check_directory(py: Python<'_>, path: PathBuf, progress: Option<Py<PyAny>>) -> PyResult<Bound<'_, PyDict>> {
    let mut tell = teller(progress);
    let found = interruptible(py, move || check::check(&machine(), &path, &mut tell))?;
    report(py, &found)
}

/// Repairs a directory into a new one, saving all readable data: (report of the check, numbers).
#[pyfunction]
pub fn repair_directory(
    py: Python<'_>,
    path: PathBuf,
    out: PathBuf,
    past_damage: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'_, PyDict>, Bound<'_, PyDict>)> {
    let mut tell = teller(progress);
    let options = RepairOptions { past_damage };
    let saved = interruptible(py, move || check::repair(&machine(), &path, &out, options, &mut tell))?;
    let facts = PyDict::new(py);
    facts.set_item("is_complete", saved.is_complete())?;
    facts.set_item("is_manifest_rebuilt", saved.is_manifest_rebuilt)?;
    facts.set_item("tables", saved.tables)?;
    facts.set_item("copied_files", saved.copied_files)?;
    facts.set_item("rewritten_files", saved.rewritten_files)?;
    facts.set_item("lost_files", saved.lost_files)?;
    facts.set_item("cells", saved.cells)?;
    facts.set_item("records", saved.records)?;
    facts.set_item("skipped_records", saved.skipped_records)?;
    Ok((report(py, &saved.found)?, facts))
}

/// Copies a directory into a new one: (store files, logs, bytes, bytes shared by hard links).
#[pyfunction]
pub fn copy_directory(
    py: Python<'_>,
    path: PathBuf,
    out: PathBuf,
    links: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64, u64, u64)> {
    let mut tell = teller(progress);
    let copied = interruptible(py, move || {
        let system = machine();
        let target = Target { system: &system, directory: &out, links };
        check::copy_closed(&system, &path, &target, &mut tell)
    })?;
    Ok((copied.store_files, copied.logs, copied.bytes, copied.linked_bytes))
}
