//! Conversion of write arguments to the cells of a [`Mutation`].

use crate::arguments::{bytes_of, integer, DurabilityName, Range, TimeToLive, Timestamp};
use crate::columns::{check_family, for_each_column, with_full_column};
use crate::errors::{invalid, raise, wrong_type};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString, PyTuple};
use pyo3::Borrowed;
use rowstone_model::access::{CellPermissions, Permissions};
use rowstone_model::cell::{check_row, write_tag, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of 2 GiB would overflow the lengths in a cell; the store's own limit is far lower.
const MAX_VALUE_BYTES: usize = i32::MAX as usize;

/// Arguments common to all writes.
#[derive(Default)]
pub struct WriteArguments {
    /// Timestamp of cells without one of their own.
    pub timestamp: Option<Timestamp>,
    /// Time to live of the cells.
    pub ttl_ms: Option<TimeToLive>,
    /// The durability.
    pub durability: Option<DurabilityName>,
    /// For increments and appends: timestamps of the versions to read.
    pub time_range: Option<Range>,
    /// Permissions on the written cells.
    pub acl: Option<Acl>,
}

impl WriteArguments {
    /// Creates a mutation of `row` without cells.
    ///
    /// # Errors
    /// As [`check_row`].
    pub fn mutation(self, py: Python<'_>, kind: MutationKind, row: &[u8]) -> PyResult<Mutation> {
        check_row(row).map_err(|error| raise(py, &error))?;
        let mut mutation = Mutation::new(kind, row);
        mutation.timestamp = self.timestamp.map_or(LATEST_TIMESTAMP, |timestamp| timestamp.0);
        mutation.ttl_ms = self.ttl_ms.map(|ttl| ttl.0);
        mutation.acl = self.acl.map(|acl| acl.0);
        if let Some(durability) = self.durability {
            mutation.durability = durability.0;
        }
        if let Some(range) = self.time_range {
            mutation.time_range = range.0;
        }
        Ok(mutation)
    }
}

/// Permissions on cells: a dict from users, and groups with `@`, to permission letters; or bytes in the encoding of
/// HBase's clients.
pub struct Acl(Arc<[u8]>);

impl<'a, 'py> FromPyObject<'a, 'py> for Acl {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Acl(bytes.as_bytes().into()));
        }
        let wrong = |_| wrong_type("acl", "a dict {user or @group: letters of RWXCA}", &object);
        let given: BTreeMap<String, String> = object.extract().map_err(wrong)?;
        let mut permissions = Vec::new();
        for (user, letters) in given {
            if user.is_empty() || user == "@" || letters.is_empty() {
                let message = format!(
                    "acl of '{user}' with permissions '{letters}': name a user or @group, and letters of RWXCA"
                );
                return Err(invalid(object.py(), message));
            }
            permissions.push((user, Permissions::parse(&letters).map_err(|error| raise(object.py(), &error))?));
        }
        if permissions.is_empty() {
            return Err(invalid(object.py(), "acl names no user: omit it"));
        }
        Ok(Acl(CellPermissions::new(permissions).encode().into()))
    }
}

/// Tags as pairs (type, bytes), in HBase's layout.
pub struct Tags(pub Vec<u8>);

impl<'a, 'py> FromPyObject<'a, 'py> for Tags {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |_| wrong_type("tags", "an iterable of pairs (type, bytes)", &object);
        let mut tags = Vec::new();
        for tag in object.try_iter().map_err(wrong)? {
            let (kind, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = tag?.extract().map_err(wrong)?;
            let kind = integer("tag type", &kind, 1, 255)? as u8;
            let value = bytes_of("tag value", value.as_borrowed())?;
            if tags.len() + value.len() + 3 > usize::from(u16::MAX) {
                return Err(invalid(object.py(), "tags of a cell are over the limit of 65535 bytes"));
            }
            write_tag(&mut tags, kind, &value);
        }
        Ok(Tags(tags))
    }
}

/// Appends a cell of `mutation`'s row.
#[inline]
fn push_cell(
    mutation: &mut Mutation,
    (family, qualifier): (&[u8], &[u8]),
    timestamp: i64,
    cell_type: CellType,
    (value, tags): (&[u8], &[u8]),
) {
    let row = &mutation.row;
    mutation.cells.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags });
}

fn push_value(
    mutation: &mut Mutation,
    column: Borrowed<'_, '_, PyAny>,
    value: Borrowed<'_, '_, PyAny>,
    timestamp: i64,
    tags: &[u8],
) -> PyResult<()> {
    let value = bytes_of("value", value)?;
    if value.len() > MAX_VALUE_BYTES {
        return Err(invalid(column.py(), format!("value of {} bytes is over 2 GiB", value.len())));
    }
    with_full_column(column, |family, qualifier| {
        push_cell(mutation, (family, qualifier), timestamp, CellType::Put, (&value, tags));
        Ok(())
    })
}

/// Whether reading `object` runs no Python code, which could change the mapping that contains it.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyString>() || object.is_instance_of::<PyByteArray>()
}

/// Adds the cells of a put: `{column: value}`, or an iterable of `(column, value)` and `(column, value, timestamp)`.
pub fn add_values(mutation: &mut Mutation, data: Borrowed<'_, '_, PyAny>, tags: &[u8]) -> PyResult<()> {
    let timestamp = mutation.timestamp;
    if let Ok(mapping) = data.cast::<PyDict>() {
        let mut all_plain = true;
        for (column, value) in mapping.iter() {
            all_plain = is_plain(&column) && is_plain(&value);
            if !all_plain {
                break;
            }
            push_value(mutation, column.as_borrowed(), value.as_borrowed(), timestamp, tags)?;
        }
        if !all_plain {
            mutation.cells.clear();
            return add_items(mutation, mapping.items().into_any().as_borrowed(), tags);
        }
    } else if data.hasattr("items")? {
        return add_items(mutation, data.call_method0("items")?.as_borrowed(), tags);
    } else {
        return add_items(mutation, data, tags);
    }
    check_not_empty(data.py(), mutation)
}

fn add_items(mutation: &mut Mutation, items: Borrowed<'_, '_, PyAny>, tags: &[u8]) -> PyResult<()> {
    let wanted = "a dict {column: value} or an iterable of (column, value) or (column, value, timestamp)";
    let wrong = |_| wrong_type("data", wanted, &items);
    if is_plain(&items) {
        return Err(wrong_type("data", wanted, &items));
    }
    for item in items.try_iter().map_err(wrong)? {
        let item = item?;
        let triple: (Bound<'_, PyAny>, Bound<'_, PyAny>, Timestamp) =
            match item.cast::<PyTuple>().map(|tuple| tuple.len()) {
                Ok(2) => {
                    let (column, value) = item.extract()?;
                    (column, value, Timestamp(mutation.timestamp))
                }
                Ok(3) => item.extract()?,
                _ => return Err(wrong_type("data", wanted, &items)),
            };
        push_value(mutation, triple.0.as_borrowed(), triple.1.as_borrowed(), triple.2 .0, tags)?;
    }
    check_not_empty(items.py(), mutation)
}

fn check_not_empty(py: Python<'_>, mutation: &Mutation) -> PyResult<()> {
    if mutation.cells.is_empty() {
        Err(invalid(py, "no columns to write: data is empty"))
    } else {
        Ok(())
    }
}

/// Adds the cells of an increment (`{column: amount}`) or append (`{column: suffix}`): a mapping or pairs; repeats
/// are retained.
pub fn add_changes(mutation: &mut Mutation, changes: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    let wanted = "a dict {column: change} or an iterable of pairs (column, change)";
    let wrong = |_| wrong_type("changes", wanted, &changes);
    let pairs = if changes.hasattr("items")? { changes.call_method0("items")? } else { changes.to_owned() };
    for pair in pairs.try_iter().map_err(wrong)? {
        let (column, change): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract().map_err(wrong)?;
        add_change(mutation, column.as_borrowed(), change.as_borrowed())?;
    }
    check_not_empty(changes.py(), mutation)
}

/// Adds one cell of an increment or append.
pub fn add_change(
    mutation: &mut Mutation,
    column: Borrowed<'_, '_, PyAny>,
    change: Borrowed<'_, '_, PyAny>,
) -> PyResult<()> {
    let timestamp = mutation.timestamp;
    if mutation.kind == MutationKind::Append {
        return push_value(mutation, column, change, timestamp, &[]);
    }
    let amount = integer("amount", &change, i64::MIN, i64::MAX)?.to_be_bytes();
    with_full_column(column, |family, qualifier| {
        push_cell(mutation, (family, qualifier), timestamp, CellType::Put, (&amount, &[]));
        Ok(())
    })
}

/// The versions that a delete covers.
#[derive(Clone, Copy, PartialEq)]
pub enum Reach {
    /// All versions up to a timestamp.
    UpTo(i64),
    /// Exactly one version.
    Exactly(i64),
    /// The newest existing version.
    Newest,
}

/// Adds one delete marker: for a column, or for a family if `qualifier` is `None`.
///
/// # Errors
/// `NoSuchColumnFamily` for a name that no schema can have; `InvalidArgument` for the newest versions of a whole
/// family.
pub fn add_marker(mutation: &mut Mutation, family: &[u8], qualifier: Option<&[u8]>, reach: Reach) -> Result<()> {
    check_family(family)?;
    let (cell_type, timestamp) = match (qualifier, reach) {
        (None, Reach::UpTo(timestamp)) => (CellType::DeleteFamily, timestamp),
        (Some(_), Reach::UpTo(timestamp)) => (CellType::DeleteColumn, timestamp),
        (None, Reach::Exactly(timestamp)) => (CellType::DeleteFamilyVersion, timestamp),
        (Some(_), Reach::Exactly(timestamp)) => (CellType::Delete, timestamp),
        (Some(_), Reach::Newest) => (CellType::Delete, LATEST_TIMESTAMP),
        (None, Reach::Newest) => {
            return Err(Error::invalid("version='latest' of a whole family needs a table: call table.delete"));
        }
    };
    push_cell(mutation, (family, qualifier.unwrap_or_default()), timestamp, cell_type, (&[], &[]));
    Ok(())
}

/// Adds the markers of a delete of `columns`.
pub fn add_markers(mutation: &mut Mutation, columns: Borrowed<'_, '_, PyAny>, reach: Reach) -> PyResult<()> {
    let py = columns.py();
    for_each_column(columns, |family, qualifier| {
        add_marker(mutation, family, qualifier, reach).map_err(|error| raise(py, &error))
    })?;
    check_not_empty(py, mutation)
}
