//! Conversion of write arguments to the cells of a [`Mutation`].

use crate::arguments::{bytes_of, integer, DurabilityName, Range, TimeToLive, Timestamp};
use crate::columns::with_full_column;
use crate::errors::{invalid, raise, raise_named, wrong_type};
use crate::keywords::{unexpected, Keywords};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString, PyTuple};
use pyo3::Borrowed;
use rowstone_model::access::{CellPermissions, Permissions};
use rowstone_model::cell::{check_row, write_tag, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::codec::printable;
use rowstone_model::operations::{Mutation, MutationKind};
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
    /// For puts: tags of the written cells.
    pub tags: Option<Tags>,
}

impl WriteArguments {
    /// Reads the keywords of `function`, a write of the given kind.
    #[inline]
    pub fn of(py: Python<'_>, function: &str, kind: MutationKind, keywords: Keywords<'_, '_>) -> PyResult<Self> {
        let mut arguments = WriteArguments::default();
        let Some(keywords) = keywords else { return Ok(arguments) };
        for (name, value) in keywords.iter() {
            match name.extract::<&str>()? {
                "timestamp" => arguments.timestamp = value.extract()?,
                "ttl_ms" => arguments.ttl_ms = value.extract()?,
                "durability" => arguments.durability = value.extract()?,
                "acl" => arguments.acl = value.extract()?,
                "tags" if kind == MutationKind::Put => arguments.tags = value.extract()?,
                "time_range" if kind != MutationKind::Put => arguments.time_range = value.extract()?,
                name => return Err(unexpected(py, function, name)),
            }
        }
        Ok(arguments)
    }

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
pub fn push_cell(
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
    let value = bytes_of("value", value).map_err(|error| wrong_value(column, value, error))?;
    if value.len() > MAX_VALUE_BYTES {
        return Err(invalid(column.py(), format!("value of {} bytes is over 2 GiB", value.len())));
    }
    with_full_column(column, |family, qualifier| {
        push_cell(mutation, (family, qualifier), timestamp, CellType::Put, (&value, tags));
        Ok(())
    })
}

/// The error for a value that is no bytes: names the column and what to write instead.
#[cold]
fn wrong_value(column: Borrowed<'_, '_, PyAny>, value: Borrowed<'_, '_, PyAny>, error: PyErr) -> PyErr {
    let name = with_full_column(column, |family, qualifier| Ok(printable(&[family, b":", qualifier].concat())));
    let name = match name {
        Ok(name) if !value.is_instance_of::<PyString>() => name,
        Ok(_) => return error,
        Err(wrong_column) => return wrong_column,
    };
    let advice = if value.is_none() {
        "leave the column out to store no value"
    } else if value.is_instance_of::<PyDict>() {
        "write one entry for each 'family:qualifier'"
    } else {
        "convert it, or use rowstone.codecs"
    };
    let kind = value.get_type().name().map_or_else(|_| "something else".into(), |name| name.to_string());
    raise_named(column.py(), "InvalidType", &format!("value of '{name}' must be bytes or str, not {kind}; {advice}"))
}

/// Whether reading `object` runs no Python code, which could change the mapping that contains it.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyString>() || object.is_instance_of::<PyByteArray>()
}

/// Builds a put.
#[inline]
pub fn put_of(row: &[u8], data: &Bound<'_, PyAny>, mut arguments: WriteArguments) -> PyResult<Mutation> {
    let tags = arguments.tags.take();
    let mut mutation = arguments.mutation(data.py(), MutationKind::Put, row)?;
    add_values(&mut mutation, data.as_borrowed(), tags.as_ref().map_or(&[], |tags| &tags.0))?;
    Ok(mutation)
}

/// Adds the cells of a put: `{column: value}`, or an iterable of `(column, value)` and `(column, value, timestamp)`.
fn add_values(mutation: &mut Mutation, data: Borrowed<'_, '_, PyAny>, tags: &[u8]) -> PyResult<()> {
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

/// Refuses a mutation without cells.
pub fn check_not_empty(py: Python<'_>, mutation: &Mutation) -> PyResult<()> {
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
