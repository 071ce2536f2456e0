//! A table's hot paths: from Python objects to one engine call and back, with no Python frame in between.

use crate::arguments::{DurabilityName, Name, Operator, Range, RowKey, TimeToLive, Timestamp, Value};
use crate::at_once::{newest_value, read_row};
use crate::batch_writer::BufferedWriter;
use crate::call::detached;
use crate::changes::{change, check_and_mutate, condition_of, delete_of, mutations_of, CheckOutcome};
use crate::columns::{is_single, Columns};
use crate::database::Database;
use crate::delete::delete_options;
use crate::descriptors::Schema;
use crate::fork::Guarded;
use crate::handle::Handle;
use crate::keywords::{refuse, refuse_names};
use crate::many::{exists_many, get_many, multi};
use crate::mutations::row_mutations;
use crate::reads::Keyword::{self, Absent};
use crate::reads::{gets_of, read_options, scan_of, ReadKeywords};
use crate::row::Row;
use crate::scanner::Scanner;
use crate::writes::{put_of, Acl, Tags, WriteArguments};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList};
use rowstone_model::backend::TableBackend;
use rowstone_model::operations::{CellBatch, CheckAndMutate, Get, Mutation, MutationKind};
use rowstone_model::schema::TableName;
use std::sync::Arc;

type Object<'py> = Bound<'py, PyAny>;
type Found<'py> = PyResult<Option<Object<'py>>>;

/// Reads and writes of one table; the base of `rowstone.Table`. All methods may be called concurrently.
#[pyclass(frozen, subclass, module = "rowstone._native")]
pub struct Table {
    handle: Guarded<Arc<Handle>>,
    name: TableName,
}

impl Table {
    /// The engine's table.
    #[inline]
    pub fn backend(&self, py: Python<'_>) -> PyResult<&Arc<dyn TableBackend>> {
        Ok(&self.handle.get(py)?.table)
    }

    /// Runs a mutation.
    #[inline]
    fn run(&self, py: Python<'_>, mutation: Mutation) -> PyResult<CellBatch> {
        let backend = self.backend(py)?;
        detached(py, || backend.mutate(mutation))
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, database: &Database, name: Name) -> PyResult<Self> {
        let database = Arc::clone(database.backend(py)?);
        let (name, table) = detached(py, || {
            let name = TableName::parse(&name.0)?;
            database.table(&name).map(|table| (name, table))
        })?;
        let handle = Arc::new(Handle { table, database, name: name.clone() });
        Ok(Table { handle: Guarded::new(handle), name })
    }

    /// The table's name, with its namespace unless that is `default`.
    #[getter]
    fn name(&self) -> String {
        self.name.to_string()
    }

    fn _describe(&self, py: Python<'_>) -> PyResult<Schema> {
        self.handle.get(py)?.describe(py)
    }

    #[doc = include_str!("../docs/table/get.md")]
    #[pyo3(signature = (row, columns=None, *, versions=Absent, time_range=Absent, timestamp=Absent,
        family_time_ranges=Absent, cells_per_family=Absent, offset_per_family=Absent, cache_blocks=Absent,
        filter=Absent, version=None, column=None, ts=None),
        text_signature = "($self, row, columns=None, *, versions=1, time_range=None, timestamp=None, \
        family_time_ranges=None, cells_per_family=None, offset_per_family=0, cache_blocks=True, filter=None)")]
    #[expect(clippy::too_many_arguments, reason = "the keyword options of the Python call")]
    fn get<'py>(
        &self,
        py: Python<'py>,
        row: RowKey<'_, '_>,
        columns: Option<Columns>,
        versions: Keyword<'py>,
        time_range: Keyword<'py>,
        timestamp: Keyword<'py>,
        family_time_ranges: Keyword<'py>,
        cells_per_family: Keyword<'py>,
        offset_per_family: Keyword<'py>,
        cache_blocks: Keyword<'py>,
        filter: Keyword<'py>,
        version: Option<Object<'py>>,
        column: Option<Object<'py>>,
        ts: Option<Object<'py>>,
    ) -> PyResult<Bound<'py, Row>> {
        let names = [("version", version.is_some()), ("column", column.is_some()), ("ts", ts.is_some())];
        refuse_names(py, "Table.get", &names)?;
        let keywords = ReadKeywords([
            ("versions", versions),
            ("time_range", time_range),
            ("timestamp", timestamp),
            ("family_time_ranges", family_time_ranges),
            ("cells_per_family", cells_per_family),
            ("offset_per_family", offset_per_family),
            ("cache_blocks", cache_blocks),
            ("filter", filter),
        ]);
        let options = keywords.options(py, columns)?;
        Row::single(read_row(self.backend(py)?, py, &row.0, &options)?, || row.object()).into_object(py)
    }

    #[doc = include_str!("../docs/table/value.md")]
    #[pyo3(signature = (row, column, default=None))]
    fn value<'py>(&self, row: RowKey<'_, '_>, column: Object<'py>, default: Option<Object<'py>>) -> Found<'py> {
        newest_value(self.backend(column.py())?, &row.0, &column).map(|found| found.or(default))
    }

    #[doc = include_str!("../docs/table/exists.md")]
    #[pyo3(signature = (row, columns=None, **options), text_signature = "($self, row, columns=None, *, versions=1, \
        time_range=None, timestamp=None, family_time_ranges=None, cells_per_family=None, offset_per_family=0, \
        cache_blocks=True, filter=None)")]
    fn exists(
        &self,
        py: Python<'_>,
        row: RowKey<'_, '_>,
        columns: Option<Columns>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<bool> {
        let get = Get::new(row.0, read_options("Table.exists", columns, options)?);
        let backend = self.backend(py)?;
        detached(py, || backend.exists(&get))
    }

    #[doc = include_str!("../docs/table/get_many.md")]
    #[pyo3(signature = (rows, columns=None, **options), text_signature = "($self, rows, columns=None, *, versions=1, \
        time_range=None, timestamp=None, family_time_ranges=None, cells_per_family=None, offset_per_family=0, \
        cache_blocks=True, filter=None)")]
    fn get_many<'py>(
        &self,
        rows: &Bound<'py, PyAny>,
        columns: Option<Columns>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyList>> {
        get_many(self.backend(rows.py())?, rows.py(), &gets_of("Table.get_many", rows, columns, options)?)
    }

    #[doc = include_str!("../docs/table/exists_many.md")]
    #[pyo3(signature = (rows, columns=None, **options), text_signature = "($self, rows, columns=None, *, versions=1, \
        time_range=None, timestamp=None, family_time_ranges=None, cells_per_family=None, offset_per_family=0, \
        cache_blocks=True, filter=None)")]
    fn exists_many(
        &self,
        rows: &Bound<'_, PyAny>,
        columns: Option<Columns>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<bool>> {
        exists_many(self.backend(rows.py())?, rows.py(), &gets_of("Table.exists_many", rows, columns, options)?)
    }

    #[doc = include_str!("../docs/table/put.md")]
    #[pyo3(signature = (row, data, *, timestamp=None, ttl_ms=None, durability=None, tags=None, acl=None, ts=None, ttl=None),
        text_signature = "($self, row, data, *, timestamp=None, ttl_ms=None, durability=None, tags=None, acl=None)")]
    #[expect(clippy::too_many_arguments, reason = "the keyword options of the Python call")]
    fn put(
        &self,
        row: RowKey<'_, '_>,
        data: &Bound<'_, PyAny>,
        timestamp: Option<Timestamp>,
        ttl_ms: Option<TimeToLive>,
        durability: Option<DurabilityName>,
        tags: Option<Tags>,
        acl: Option<Acl>,
        ts: Option<Bound<'_, PyAny>>,
        ttl: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        refuse_names(data.py(), "Table.put", &[("ts", ts.is_some()), ("ttl", ttl.is_some())])?;
        let arguments = WriteArguments { timestamp, ttl_ms, durability, time_range: None, acl, tags };
        self.run(data.py(), put_of(&row.0, data, arguments)?).map(drop)
    }

    #[doc = include_str!("../docs/table/delete.md")]
    #[pyo3(signature = (row, columns=None, **options), text_signature = "($self, row, columns=None, *, timestamp=None, \
        version=None, durability=None)")]
    fn delete(
        &self,
        py: Python<'_>,
        row: RowKey<'_, '_>,
        columns: Option<Object<'_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let columns = columns.as_ref().map(|columns| columns.as_borrowed());
        let mutation =
            delete_of(py, self.handle.get(py)?, &row.0, (columns, delete_options(py, "Table.delete", options)?))?;
        mutation.map_or(Ok(()), |mutation| self.run(py, mutation).map(drop))
    }

    #[doc = include_str!("../docs/table/increment.md")]
    #[pyo3(signature = (row, column, amount=None, **options), text_signature = "($self, row, column, amount=1, *, \
        timestamp=None, ttl_ms=None, time_range=None, durability=None, acl=None)")]
    fn increment<'py>(
        &self,
        row: RowKey<'_, '_>,
        column: &Bound<'py, PyAny>,
        amount: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let amount = amount.or_else(|| is_single(column.as_borrowed()).then(|| PyInt::new(column.py(), 1).into_any()));
        let kind = MutationKind::Increment;
        let arguments = WriteArguments::of(column.py(), "Table.increment", kind, options)?;
        change(self.backend(column.py())?, &row.0, (kind, arguments), (column, amount.as_ref()))
    }

    #[doc = include_str!("../docs/table/append.md")]
    #[pyo3(signature = (row, column, value=None, **options), text_signature = "($self, row, column, value=None, *, \
        timestamp=None, ttl_ms=None, time_range=None, durability=None, acl=None)")]
    fn append<'py>(
        &self,
        row: RowKey<'_, '_>,
        column: &Bound<'py, PyAny>,
        value: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kind = MutationKind::Append;
        let arguments = WriteArguments::of(column.py(), "Table.append", kind, options)?;
        change(self.backend(column.py())?, &row.0, (kind, arguments), (column, value.as_ref()))
    }

    #[doc = include_str!("../docs/table/check_and_mutate.md")]
    #[pyo3(signature = (row, column=None, operator=None, value=None, mutation=None, *, filter=None, time_range=None,
        **others),
        text_signature = "($self, row, column=None, operator=None, value=None, mutation=None, *, filter=None, \
        time_range=None)")]
    #[expect(clippy::too_many_arguments, reason = "the options of the Python call")]
    fn check_and_mutate(
        &self,
        py: Python<'_>,
        row: RowKey<'_, '_>,
        column: Option<Object<'_>>,
        operator: Option<Operator>,
        value: Option<Value<'_>>,
        mutation: Option<Object<'_>>,
        filter: Option<Object<'_>>,
        time_range: Option<Range>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<CheckOutcome> {
        refuse(py, "Table.check_and_mutate", others)?;
        let column = column.as_ref().map(|column| column.as_borrowed());
        let condition = condition_of(py, (column, operator, value), filter.as_ref(), time_range)?;
        let mutations = mutations_of(py, &row.0, mutation.as_ref())?;
        check_and_mutate(py, self.backend(py)?, CheckAndMutate { condition, mutations, guard: None })
    }

    #[doc = include_str!("../docs/table/mutate_row.md")]
    fn mutate_row<'py>(&self, row: RowKey<'_, '_>, mutations: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Row>> {
        let py = mutations.py();
        let all = row_mutations(&row.0, mutations.as_borrowed())?;
        let backend = self.backend(py)?;
        Row::single(detached(py, || backend.mutate_row(all))?, || row.object()).into_object(py)
    }

    #[doc = include_str!("../docs/table/multi.md")]
    fn multi<'py>(&self, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        multi(self.backend(actions.py())?, actions)
    }

    #[doc = include_str!("../docs/table/batch.md")]
    #[pyo3(signature = (*, buffer_bytes=None, transaction=false, **others),
        text_signature = "($self, *, buffer_bytes=None, transaction=False)")]
    fn batch(
        slf: &Bound<'_, Self>,
        buffer_bytes: Option<Object<'_>>,
        transaction: bool,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<BufferedWriter> {
        refuse(slf.py(), "Table.batch", others)?;
        BufferedWriter::new(slf.as_any(), &slf.get().handle, buffer_bytes.as_ref(), transaction)
    }

    #[doc = include_str!("../docs/table/scan.md")]
    #[pyo3(signature = (start=None, stop=None, **options), text_signature = "($self, start=None, stop=None, *, \
        prefix=None, columns=None, versions=1, time_range=None, timestamp=None, family_time_ranges=None, limit=None, \
        batch=None, caching=None, reverse=False, include_start=True, include_stop=False, raw=False, \
        cells_per_family=None, offset_per_family=0, cache_blocks=True, filter=None, isolation='READ_COMMITTED', \
        load_families_on_demand=False)")]
    fn scan(
        &self,
        py: Python<'_>,
        start: Option<Object<'_>>,
        stop: Option<Object<'_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Scanner> {
        let scan = scan_of("Table.scan", start.as_ref(), stop.as_ref(), options)?;
        Scanner::open(py, Arc::clone(self.handle.get(py)?), scan)
    }
}
