//! Options shared by gets and scans, from the keywords of the call.

use crate::arguments::{bytes_of, integer, text_of, Range, Timestamp};
use crate::columns::{is_single, Columns, FamilyRanges};
use crate::errors::{invalid, raise, wrong_type};
use crate::filters::read_filter;
use crate::keywords::{unexpected, Keywords};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::Borrowed;
use rowstone_model::operations::{Get, ReadOptions, Scan, TimeRange};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// Java's largest int: larger numbers could not be sent to a server.
const MOST: i64 = i32::MAX as i64;

/// The options of a read without columns and keywords, to build once.
static DEFAULTS: LazyLock<ReadOptions> = LazyLock::new(ReadOptions::default);

/// A keyword that may be absent; `None` is an ordinary value.
pub enum Keyword<'py> {
    /// Not passed.
    Absent,
    /// The value passed.
    Given(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Keyword<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Keyword::Given(object.to_owned()))
    }
}

/// The keywords of a hot call, each a parameter of its own: `**options` would cost a tuple and more.
pub struct ReadKeywords<'py>(pub [(&'static str, Keyword<'py>); 8]);

impl ReadKeywords<'_> {
    /// Converts the keywords to the options of a read.
    #[inline]
    pub fn options(self, py: Python<'_>, columns: Option<Columns>) -> PyResult<Cow<'static, ReadOptions>> {
        if columns.is_none() && self.0.iter().all(|(_, keyword)| matches!(keyword, Keyword::Absent)) {
            return Ok(Cow::Borrowed(&DEFAULTS));
        }
        let mut options = ReadOptions::default();
        if let Some(columns) = columns {
            options.columns = columns.0;
        }
        let mut times = 0;
        for (name, keyword) in self.0 {
            if let Keyword::Given(value) = keyword {
                times += u32::from(matches!(name, "time_range" | "timestamp") && !value.is_none());
                if name == "filter" && !value.is_none() {
                    read_filter(&mut options, &value)?;
                }
                read_keyword(&mut options, name, &value)?;
            }
        }
        match times {
            2 => Err(both_times(py)),
            _ => Ok(Cow::Owned(options)),
        }
    }
}

fn count(what: &str, value: &Bound<'_, PyAny>, least: i64) -> PyResult<u32> {
    integer(what, value, least, MOST).map(|number| number as u32)
}

/// Reads one keyword into `options`; false if it is not one that all reads share. `None` leaves the default.
fn read_keyword(options: &mut ReadOptions, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let none = value.is_none();
    match name {
        "versions" => options.versions = if none { MOST as u32 } else { count("versions", value, 1)? },
        "columns" if !none => options.columns = value.extract::<Columns>()?.0,
        "time_range" if !none => options.time_range = value.extract::<Range>()?.0,
        "timestamp" if !none => {
            let at = TimeRange::at(value.extract::<Timestamp>()?.0);
            options.time_range = at.map_err(|error| raise(value.py(), &error))?;
        }
        "family_time_ranges" if !none => options.family_time_ranges = value.extract::<FamilyRanges>()?.0,
        "cells_per_family" if !none => options.cells_per_family = Some(count(name, value, 0)?),
        "offset_per_family" if !none => options.offset_per_family = count(name, value, 0)?,
        "cache_blocks" => options.cache_blocks = value.is_truthy()?,
        // The filter is read last, when the columns are known.
        "filter" => {}
        "columns" | "time_range" | "timestamp" | "family_time_ranges" | "cells_per_family" | "offset_per_family" => {}
        _ => return Ok(false),
    }
    Ok(true)
}

/// Reads the options that depend on several keywords.
fn finish(options: &mut ReadOptions, keywords: &Bound<'_, PyDict>) -> PyResult<()> {
    check_times(keywords)?;
    match keywords.get_item("filter")? {
        Some(filter) if !filter.is_none() => read_filter(options, &filter),
        _ => Ok(()),
    }
}

fn check_times(keywords: &Bound<'_, PyDict>) -> PyResult<()> {
    let given = |name| keywords.get_item(name).map(|value| value.is_some_and(|value| !value.is_none()));
    if given("time_range")? && given("timestamp")? {
        return Err(both_times(keywords.py()));
    }
    Ok(())
}

#[cold]
fn both_times(py: Python<'_>) -> PyErr {
    invalid(py, "pass either time_range or timestamp, not both")
}

/// The options of a get, an exists and similar calls of `function`.
#[inline]
pub fn read_options(function: &str, columns: Option<Columns>, keywords: Keywords<'_, '_>) -> PyResult<ReadOptions> {
    let mut options = ReadOptions::default();
    if let Some(columns) = columns {
        options.columns = columns.0;
    }
    let Some(keywords) = keywords else { return Ok(options) };
    for (name, value) in keywords.iter() {
        let name = name.extract::<&str>()?;
        if !read_keyword(&mut options, name, &value)? {
            return Err(unexpected(value.py(), function, name));
        }
    }
    finish(&mut options, keywords)?;
    Ok(options)
}

/// Builds a get per row key, with the same options.
pub fn gets_of(
    function: &str,
    rows: &Bound<'_, PyAny>,
    columns: Option<Columns>,
    keywords: Keywords<'_, '_>,
) -> PyResult<Vec<Get>> {
    let options = Arc::new(read_options(function, columns, keywords)?);
    let wrong = || wrong_type("rows", "an iterable of row keys", rows);
    if is_single(rows.as_borrowed()) {
        return Err(wrong());
    }
    let rows = rows.try_iter().map_err(|_| wrong())?;
    let get = |row: Bound<'_, PyAny>| -> PyResult<Get> {
        Ok(Get::new(bytes_of("row key", row.as_borrowed())?, Arc::clone(&options)))
    };
    rows.map(|row| get(row?)).collect()
}

fn row_of(what: &str, object: Borrowed<'_, '_, PyAny>) -> PyResult<Vec<u8>> {
    bytes_of(what, object).map(|bytes| bytes.into_owned())
}

/// Builds a scan from the arguments of a call of `function`.
pub fn scan_of(
    function: &str,
    start: Option<&Bound<'_, PyAny>>,
    stop: Option<&Bound<'_, PyAny>>,
    keywords: Keywords<'_, '_>,
) -> PyResult<Scan> {
    let mut scan = Scan::default();
    let mut prefix = None;
    if let Some(start) = start {
        scan.start = row_of("start", start.as_borrowed())?;
    }
    if let Some(stop) = stop {
        scan.stop = row_of("stop", stop.as_borrowed())?;
    }
    let Some(keywords) = keywords else { return Ok(scan) };
    for (name, value) in keywords.iter() {
        let name = name.extract::<&str>()?;
        let none = value.is_none();
        match name {
            "prefix" if !none => prefix = Some(row_of("prefix", value.as_borrowed())?),
            "limit" if !none => scan.limit = integer("limit", &value, 1, i64::MAX)? as u64,
            "batch" if !none => scan.batch = count("batch", &value, 1)?,
            "caching" if !none => scan.caching = count("caching", &value, 1)?,
            "prefix" | "limit" | "batch" | "caching" => {}
            "reverse" => scan.reversed = value.is_truthy()?,
            "include_start" => scan.include_start = value.is_truthy()?,
            "include_stop" => scan.include_stop = value.is_truthy()?,
            "raw" => scan.options.raw = value.is_truthy()?,
            "isolation" => scan.options.read_uncommitted = is_uncommitted(&value)?,
            "load_families_on_demand" => scan.options.load_families_on_demand = value.is_truthy()?,
            _ if read_keyword(&mut scan.options, name, &value)? => {}
            _ => return Err(unexpected(value.py(), function, name)),
        }
    }
    finish(&mut scan.options, keywords)?;
    if let Some(prefix) = prefix {
        if !scan.start.is_empty() || !scan.stop.is_empty() {
            return Err(invalid(keywords.py(), "pass either prefix or start and stop, not both"));
        }
        scan.set_prefix(&prefix);
    }
    Ok(scan)
}

fn is_uncommitted(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let text = text_of("isolation", value.as_borrowed())?;
    match text.to_ascii_uppercase().as_str() {
        "READ_COMMITTED" => Ok(false),
        "READ_UNCOMMITTED" => Ok(true),
        _ => {
            let message = format!("isolation '{text}' is unknown; HBase has READ_COMMITTED and READ_UNCOMMITTED");
            Err(invalid(value.py(), message))
        }
    }
}
