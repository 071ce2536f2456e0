//! Column arguments: `"family:qualifier"`, split at the first colon, or a pair `(family, qualifier)`.

use crate::arguments::{bytes_of, Range};
use crate::errors::{invalid, raise, wrong_type};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString, PyTuple};
use pyo3::Borrowed;
use rowstone_model::cell::MAX_FAMILY_BYTES;
use rowstone_model::codec::printable;
use rowstone_model::operations::{ColumnSelection, TimeRange};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// Splits at the first colon; without a colon there is no qualifier.
#[inline]
pub fn split(column: &[u8]) -> (&[u8], Option<&[u8]>) {
    match column.iter().position(|byte| *byte == b':') {
        Some(colon) => (&column[..colon], Some(&column[colon + 1..])),
        None => (column, None),
    }
}

/// Calls `then` with the family and qualifier of a column; the qualifier is `None` if only a family is given.
#[inline]
pub fn with_column<R>(
    object: Borrowed<'_, '_, PyAny>,
    then: impl FnOnce(&[u8], Option<&[u8]>) -> PyResult<R>,
) -> PyResult<R> {
    if let Ok(pair) = object.cast::<PyTuple>() {
        let Ok((family, qualifier)) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
            return Err(wrong_type("column", "'family:qualifier' or a pair (family, qualifier)", &object));
        };
        let family = bytes_of("family", family.as_borrowed())?;
        return then(&family, Some(&bytes_of("qualifier", qualifier.as_borrowed())?));
    }
    let column = bytes_of("column", object)?;
    let (family, qualifier) = split(&column);
    then(family, qualifier)
}

/// Like [`with_column`], but requires a qualifier.
#[inline]
pub fn with_full_column<R>(
    object: Borrowed<'_, '_, PyAny>,
    then: impl FnOnce(&[u8], &[u8]) -> PyResult<R>,
) -> PyResult<R> {
    with_column(object, |family, qualifier| {
        let Some(qualifier) = qualifier else { return Err(without_colon(object.py(), family)) };
        check_family(family).map_err(|error| raise(object.py(), &error))?;
        then(family, qualifier)
    })
}

#[cold]
fn without_colon(py: Python<'_>, family: &[u8]) -> PyErr {
    let name = printable(family);
    invalid(py, format!("column '{name}' has no colon; write 'family:qualifier', or '{name}:' for the empty qualifier"))
}

/// Rejects family names that no schema has: an empty one, and one that is too long for a cell.
#[inline]
pub fn check_family(family: &[u8]) -> Result<()> {
    if family.is_empty() {
        let message = "a column has no family before its colon; write 'family:qualifier'";
        return Err(Error::new(ErrorKind::NoSuchColumnFamily, message));
    }
    if family.len() > MAX_FAMILY_BYTES {
        let message = format!("family name of {} bytes is over the limit of {MAX_FAMILY_BYTES}", family.len());
        return Err(Error::new(ErrorKind::NoSuchColumnFamily, message));
    }
    Ok(())
}

/// Whether `object` is one column rather than several.
pub fn is_single(object: Borrowed<'_, '_, PyAny>) -> bool {
    object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyMemoryView>()
}

/// Calls `each` for every column in `object`: one column, or an iterable of columns.
pub fn for_each_column(
    object: Borrowed<'_, '_, PyAny>,
    mut each: impl FnMut(&[u8], Option<&[u8]>) -> PyResult<()>,
) -> PyResult<()> {
    if is_single(object) {
        return with_column(object, each);
    }
    let wanted = "a column 'family:qualifier', a family, or an iterable of them";
    for column in object.try_iter().map_err(|_| wrong_type("columns", wanted, &object))? {
        with_column(column?.as_borrowed(), &mut each)?;
    }
    Ok(())
}

/// The families and columns to read of a row. `"family"` and `"family:"` both mean the whole family.
pub struct Columns(pub ColumnSelection);

impl<'a, 'py> FromPyObject<'a, 'py> for Columns {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let mut selection = ColumnSelection::default();
        let is_pair = |column: Borrowed<'_, '_, PyAny>| column.is_instance_of::<PyTuple>();
        let mut add = |family: &[u8], qualifier: Option<&[u8]>, exact: bool| {
            check_family(family).map_err(|error| raise(object.py(), &error))?;
            match qualifier {
                Some(qualifier) if exact || !qualifier.is_empty() => selection.add_column(family, qualifier),
                _ => selection.add_family(family),
            }
            Ok(())
        };
        if is_single(object) {
            with_column(object, |family, qualifier| add(family, qualifier, false))?;
            return Ok(Columns(selection));
        }
        let wanted = "a column 'family:qualifier', a family, or an iterable of them";
        let mut count = 0;
        for column in object.try_iter().map_err(|_| wrong_type("columns", wanted, &object))? {
            let column = column?;
            let column = column.as_borrowed();
            with_column(column, |family, qualifier| add(family, qualifier, is_pair(column)))?;
            count += 1;
        }
        if count == 0 {
            return Err(invalid(object.py(), "columns is empty; leave it out to read every family"));
        }
        Ok(Columns(selection))
    }
}

/// A mapping from family to time range.
pub struct FamilyRanges(pub BTreeMap<Vec<u8>, TimeRange>);

impl<'a, 'py> FromPyObject<'a, 'py> for FamilyRanges {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |_| wrong_type("family_time_ranges", "a dict {family: (first, first after)}", &object);
        let mut ranges = BTreeMap::new();
        for item in object.call_method0("items").map_err(wrong)?.try_iter().map_err(wrong)? {
            let (family, range): (Bound<'_, PyAny>, Range) = item?.extract()?;
            let family = bytes_of("family", family.as_borrowed())?;
            ranges.insert(family.strip_suffix(b":").unwrap_or(&family).to_vec(), range.0);
        }
        Ok(FamilyRanges(ranges))
    }
}
