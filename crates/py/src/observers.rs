//! Observers written in Python: each hook of the store calls one Python function, or none.
//!
//! The functions belong to a host object in `rowstone.coprocessors`. The host knows all observers of the table, their
//! order and their timing. A hook without an observer is None there.

use crate::arguments::{to_bytes, RowKey};
use crate::call::detached;
use crate::cell::{cell_list, cells_of};
use crate::errors::{error_of, invalid};
use crate::mutations::{mutation_of, object_of, row_mutations, PyGet, PyRowMutations};
use crate::row::Row;
use crate::scan::PyScan;
use crate::table::Table;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rowstone_model::cell::CellBuffer;
use rowstone_model::observe::{Before, Companion, Hooks, SchemaChange, SchemaObserver, TableObserver};
use rowstone_model::operations::{CellBatch, Get, Mutation, MutationKind, RowMutations, RowRange, Scan};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::Result;

/// A function of the host, if it has one for the hook.
type Function = Option<Py<PyAny>>;

/// The host of a table's observers.
pub struct TableHost {
    hooks: Hooks,
    /// By kind of mutation: put, delete, increment, append.
    pre_mutate: [Function; 4],
    post_mutate: [Function; 4],
    pre_get: Function,
    post_get: Function,
    pre_scan: Function,
    post_scan: Function,
    pre_check: Function,
    post_check: Function,
    pre_batch: Function,
    post_batch: Function,
    pre_flush: Function,
    post_flush: Function,
    pre_compact: Function,
    post_compact: Function,
}

impl TableHost {
    /// Reads the functions of `object` as they are now.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let function = |name: &str| -> PyResult<Function> {
            let function = object.getattr(name)?;
            Ok((!function.is_none()).then(|| function.unbind()))
        };
        let kinds = |when: &str| -> PyResult<[Function; 4]> {
            let of = |kind: &str| function(&format!("{when}_{kind}"));
            Ok([of("put")?, of("delete")?, of("increment")?, of("append")?])
        };
        Ok(TableHost {
            hooks: Hooks::from_bits(object.getattr("hooks")?.extract()?),
            pre_mutate: kinds("pre")?,
            post_mutate: kinds("post")?,
            pre_get: function("pre_get")?,
            post_get: function("post_get")?,
            pre_scan: function("pre_scan")?,
            post_scan: function("post_scan")?,
            pre_check: function("pre_check")?,
            post_check: function("post_check")?,
            pre_batch: function("pre_batch")?,
            post_batch: function("post_batch")?,
            pre_flush: function("pre_flush")?,
            post_flush: function("post_flush")?,
            pre_compact: function("pre_compact")?,
            post_compact: function("post_compact")?,
        })
    }
}

/// Calls into Python from a thread of the store that is not attached to the interpreter.
fn attached<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T> {
    Python::attach(|py| work(py).map_err(|raised| error_of(py, raised)))
}

fn of_kind(functions: &[Function; 4], kind: MutationKind) -> Option<&Py<PyAny>> {
    let [put, delete, increment, append] = functions;
    match kind {
        MutationKind::Put => put,
        MutationKind::Delete => delete,
        MutationKind::Increment => increment,
        MutationKind::Append => append,
    }
    .as_ref()
}

/// Converts a list of cells to a row.
fn row_of(cells: &Bound<'_, PyList>) -> PyResult<CellBatch> {
    let cells = cells_of(cells)?;
    let (end, cell_count) = (cells.byte_len(), cells.iter().count() as u32);
    let range = RowRange { start: 0, end, cell_count, is_partial: false };
    Ok(CellBatch { cells, rows: (cell_count > 0).then_some(range).into_iter().collect() })
}

/// Converts an iterable of pairs (table, mutation) to changes of other tables.
pub fn companions_of(pairs: &Bound<'_, PyAny>) -> PyResult<Vec<Companion>> {
    let wrong = |_| crate::errors::wrong_type("changes", "an iterable of pairs (table, mutation)", pairs);
    let mut companions = Vec::new();
    for pair in pairs.try_iter().map_err(wrong)? {
        let (table, mutation): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract().map_err(wrong)?;
        let name = crate::arguments::text_of("table", table.as_borrowed())?;
        let name = TableName::parse(&name).map_err(|error| crate::errors::raise(pairs.py(), &error))?;
        companions.push((name, mutation_of(mutation.as_borrowed())?));
    }
    Ok(companions)
}

impl TableObserver for TableHost {
    fn hooks(&self) -> Hooks {
        self.hooks
    }

    fn pre_get(&self, get: Get) -> Result<Before<Get, CellBatch>> {
        let Some(function) = &self.pre_get else { return Ok(Before::Go(get)) };
        attached(|py| {
            let object = Bound::new(py, PyGet(get))?;
            let answer = function.bind(py).call1((&object,))?;
            if let Ok(cells) = answer.cast::<PyList>() {
                return row_of(cells).map(Before::Bypass);
            }
            let row = object.get().0.row.clone();
            let wanted = if answer.is_none() { object } else { answer.cast_into::<PyGet>()? };
            if wanted.get().0.row != row {
                return Err(invalid(py, "an observer may give another get of the same row, no other"));
            }
            Ok(Before::Go(wanted.get().0.clone()))
        })
    }

    fn post_get(&self, get: &Get, found: CellBatch) -> Result<CellBatch> {
        let Some(function) = &self.post_get else { return Ok(found) };
        attached(|py| {
            let object = Bound::new(py, PyGet(get.clone()))?;
            let row = Row::single(found.clone(), || to_bytes(py, &get.row)).into_object(py)?;
            let answer = function.bind(py).call1((object, row))?;
            match answer.cast::<PyList>() {
                Ok(cells) => row_of(cells),
                Err(_) => Ok(found),
            }
        })
    }

    fn pre_scan(&self, scan: Scan) -> Result<Scan> {
        let Some(function) = &self.pre_scan else { return Ok(scan) };
        attached(|py| {
            let object = Bound::new(py, PyScan(scan))?;
            let answer = function.bind(py).call1((&object,))?;
            let wanted = if answer.is_none() { object } else { answer.cast_into::<PyScan>()? };
            Ok(wanted.get().0.clone())
        })
    }

    fn post_scan(&self, scan: &Scan) -> Result<()> {
        let Some(function) = &self.post_scan else { return Ok(()) };
        attached(|py| function.bind(py).call1((PyScan(scan.clone()),)).map(drop))
    }

    fn pre_mutate(&self, mutation: Mutation) -> Result<Before<Mutation, CellBatch>> {
        let Some(function) = of_kind(&self.pre_mutate, mutation.kind) else { return Ok(Before::Go(mutation)) };
        attached(|py| {
            let (kind, row, nonce) = (mutation.kind, mutation.row.clone(), mutation.nonce);
            let returns_values = mutation.returns_values;
            let object = object_of(py, mutation)?;
            let answer = function.bind(py).call1((&object,))?;
            if let Ok(cells) = answer.cast::<PyList>() {
                return row_of(cells).map(Before::Bypass);
            }
            let wanted = if answer.is_none() { object } else { answer };
            let wanted = mutation_of(wanted.as_borrowed())?;
            if (wanted.kind, &wanted.row) != (kind, &row) {
                return Err(invalid(py, "an observer may give another mutation of the same kind and row, no other"));
            }
            Ok(Before::Go(Mutation { nonce, returns_values, ..wanted }))
        })
    }

    fn post_mutate(&self, mutation: &Mutation, result: &CellBatch) -> Result<()> {
        let Some(function) = of_kind(&self.post_mutate, mutation.kind) else { return Ok(()) };
        attached(|py| {
            let object = object_of(py, mutation.clone())?;
            let row = Row::single(result.clone(), || to_bytes(py, &mutation.row)).into_object(py)?;
            function.bind(py).call1((object, row)).map(drop)
        })
    }

    fn pre_check(&self, mutations: RowMutations) -> Result<Before<RowMutations, bool>> {
        let Some(function) = &self.pre_check else { return Ok(Before::Go(mutations)) };
        attached(|py| {
            let row = mutations.row.clone();
            let object = Bound::new(py, PyRowMutations(mutations))?;
            let answer = function.bind(py).call1((&object,))?;
            if let Ok(is_met) = answer.extract::<bool>() {
                return Ok(Before::Bypass(is_met));
            }
            let wanted = if answer.is_none() { object.into_any() } else { answer };
            row_mutations(&row, wanted.as_borrowed()).map(Before::Go)
        })
    }

    fn post_check(&self, mutations: &RowMutations, is_met: bool) -> Result<()> {
        let Some(function) = &self.post_check else { return Ok(()) };
        attached(|py| function.bind(py).call1((PyRowMutations(mutations.clone()), is_met)).map(drop))
    }

    fn pre_batch(&self, rows: &[&[u8]], cells: &CellBuffer) -> Result<Vec<Companion>> {
        let Some(function) = &self.pre_batch else { return Ok(Vec::new()) };
        attached(|py| {
            let rows = PyList::new(py, rows.iter().map(|row| PyBytes::new(py, row)))?;
            let answer = function.bind(py).call1((rows, cell_list(py, cells)?))?;
            if answer.is_none() {
                Ok(Vec::new())
            } else {
                companions_of(&answer)
            }
        })
    }

    fn post_batch(&self, cells: &CellBuffer) -> Result<()> {
        let Some(function) = &self.post_batch else { return Ok(()) };
        attached(|py| function.bind(py).call1((cell_list(py, cells)?,)).map(drop))
    }

    fn pre_flush(&self, region: &RegionInfo) -> Result<()> {
        tell_region(&self.pre_flush, region, None)
    }

    fn post_flush(&self, region: &RegionInfo) -> Result<()> {
        tell_region(&self.post_flush, region, None)
    }

    fn pre_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()> {
        tell_region(&self.pre_compact, region, Some((family, is_major)))
    }

    fn post_compact(&self, region: &RegionInfo, family: Option<&[u8]>, is_major: bool) -> Result<()> {
        tell_region(&self.post_compact, region, Some((family, is_major)))
    }
}

/// Reports a flush, or a compaction of a family.
fn tell_region(function: &Function, region: &RegionInfo, compaction: Option<(Option<&[u8]>, bool)>) -> Result<()> {
    let Some(function) = function else { return Ok(()) };
    attached(|py| {
        let name = region.encoded_name.as_str();
        let function = function.bind(py);
        match compaction {
            None => function.call1((name,)).map(drop),
            Some((family, is_major)) => {
                let family = family.map(|family| PyBytes::new(py, family));
                function.call1((name, family, is_major)).map(drop)
            }
        }
    })
}

/// Shows a row to the table's observer under the row lock, and writes the changes of other tables that it returns.
#[pyfunction]
pub fn touch(py: Python<'_>, table: &Bound<'_, Table>, row: RowKey<'_, '_>) -> PyResult<()> {
    let backend = table.get().backend(py)?;
    detached(py, || backend.touch(&row.0))
}

/// The host of schema observers: two functions of (action, table, description, name).
pub struct SchemaHost {
    pre: Py<PyAny>,
    post: Py<PyAny>,
}

impl SchemaHost {
    /// Reads the functions of `object`.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(SchemaHost { pre: object.getattr("pre")?.unbind(), post: object.getattr("post")?.unbind() })
    }
}

fn tell_change(function: &Py<PyAny>, change: &SchemaChange) -> Result<()> {
    attached(|py| {
        let table = change.table.as_ref().map(ToString::to_string);
        let schema = change.descriptor.as_ref().map(crate::descriptors::Schema::new);
        let arguments = (change.action, table, schema, change.name.as_deref());
        function.bind(py).call1(arguments).map(drop)
    })
}

impl SchemaObserver for SchemaHost {
    fn pre(&self, change: &SchemaChange) -> Result<()> {
        tell_change(&self.pre, change)
    }

    fn post(&self, change: &SchemaChange) -> Result<()> {
        tell_change(&self.post, change)
    }
}
