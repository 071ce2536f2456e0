//! Representations of objects in Python: short, whatever the objects contain.

use crate::arguments::to_bytes;
use crate::mutations::durability_name;
use pyo3::prelude::*;
use rowstone_model::cell::{Cell, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Mutation, MutationKind, ReadOptions, Scan, TimeRange};

/// Bytes shown of a key, a column or a value.
const MOST_BYTES: usize = 64;
/// Cells or columns shown.
const MOST_ITEMS: usize = 8;

/// Bytes as Python writes them; long ones are cut.
pub fn short(py: Python<'_>, bytes: &[u8]) -> PyResult<String> {
    let shown = to_bytes(py, &bytes[..bytes.len().min(MOST_BYTES)]).repr()?;
    Ok(format!("{shown}{}", if bytes.len() > MOST_BYTES { "..." } else { "" }))
}

/// A cell's column as Python writes `family:qualifier`; a long one is cut.
pub fn column(py: Python<'_>, cell: &Cell<'_>) -> PyResult<String> {
    short(py, &[cell.family(), b":", cell.qualifier()].concat())
}

/// The first items of a list, separated by commas.
pub fn items(items: impl Iterator<Item = PyResult<String>>) -> PyResult<String> {
    let mut shown: Vec<String> = items.take(MOST_ITEMS + 1).collect::<PyResult<_>>()?;
    if let Some(beyond) = shown.get_mut(MOST_ITEMS) {
        *beyond = "...".into();
    }
    Ok(shown.join(", "))
}

/// The arguments of a mutation: row, cells, and the options that differ from their defaults.
pub fn mutation(py: Python<'_>, mutation: &Mutation) -> PyResult<String> {
    let mut parts = vec![short(py, &mutation.row)?];
    let cells = mutation.cells.iter();
    if mutation.kind == MutationKind::Delete {
        if !mutation.cells.is_empty() {
            parts.push(format!("[{}]", items(cells.map(|cell| marker(py, &cell)))?));
        }
    } else if cells.clone().all(|cell| cell.timestamp() == mutation.timestamp) {
        parts.push(format!("{{{}}}", items(cells.map(|cell| pair(py, mutation.kind, &cell, ": ")))?));
    } else {
        let triple =
            |cell: Cell<'_>| Ok(format!("({}{})", pair(py, mutation.kind, &cell, ", ")?, at(cell.timestamp())));
        parts.push(format!("[{}]", items(cells.map(triple))?));
    }
    if mutation.timestamp != LATEST_TIMESTAMP {
        parts.push(format!("timestamp={}", mutation.timestamp));
    }
    parts.extend(mutation.ttl_ms.map(|ttl| format!("ttl_ms={ttl}")));
    parts.extend(range(mutation.time_range));
    if mutation.durability != Durability::UseDefault {
        parts.push(format!("durability='{}'", durability_name(mutation.durability)));
    }
    parts.extend(mutation.acl.as_ref().map(|_| "acl=...".into()));
    Ok(parts.join(", "))
}

fn at(timestamp: i64) -> String {
    if timestamp == LATEST_TIMESTAMP {
        String::new()
    } else {
        format!(", {timestamp}")
    }
}

/// A marker by its type, as HBase names it, with its timestamp unless that is the time of the write.
fn marker(py: Python<'_>, cell: &Cell<'_>) -> PyResult<String> {
    Ok(format!("{}({}{})", cell.cell_type().name(), column(py, cell)?, at(cell.timestamp())))
}

/// A column and its value; of an increment, its amount.
fn pair(py: Python<'_>, kind: MutationKind, cell: &Cell<'_>, between: &str) -> PyResult<String> {
    let value = match (kind, <[u8; 8]>::try_from(cell.value())) {
        (MutationKind::Increment, Ok(amount)) => i64::from_be_bytes(amount).to_string(),
        _ => short(py, cell.value())?,
    };
    Ok(format!("{}{between}{value}", column(py, cell)?))
}

fn range(times: TimeRange) -> Option<String> {
    let end = if times.max == i64::MAX { "None".to_string() } else { times.max.to_string() };
    (times != TimeRange::ALL).then(|| format!("time_range=({}, {end})", times.min))
}

/// The options of a read that differ from their defaults.
pub fn read_options(py: Python<'_>, options: &ReadOptions) -> PyResult<Vec<String>> {
    let mut parts = Vec::new();
    if !options.columns.is_all() {
        let columns = options.columns.families.iter().flat_map(|(family, qualifiers)| match qualifiers {
            None => vec![family.clone()],
            Some(names) => {
                names.iter().take(MOST_ITEMS + 1).map(|name| [family, name.as_slice()].join(&b':')).collect()
            }
        });
        parts.push(format!("columns=[{}]", items(columns.map(|column| short(py, &column)))?));
    }
    match options.versions {
        1 => {}
        versions if versions == i32::MAX as u32 => parts.push("versions=None".into()),
        versions => parts.push(format!("versions={versions}")),
    }
    parts.extend(range(options.time_range));
    if !options.family_time_ranges.is_empty() {
        parts.push("family_time_ranges=...".into());
    }
    parts.extend(options.cells_per_family.map(|count| format!("cells_per_family={count}")));
    if options.offset_per_family > 0 {
        parts.push(format!("offset_per_family={}", options.offset_per_family));
    }
    parts.extend(options.filter.as_ref().map(|filter| format!("filter={}(...)", filter.name())));
    Ok(parts)
}

/// The arguments of a scan that differ from their defaults.
pub fn scan(py: Python<'_>, scan: &Scan) -> PyResult<Vec<String>> {
    let mut parts = Vec::new();
    for (name, row) in [("start", &scan.start), ("stop", &scan.stop)] {
        if !row.is_empty() {
            parts.push(format!("{name}={}", short(py, row)?));
        }
    }
    parts.extend(read_options(py, &scan.options)?);
    for (name, number) in [("limit", scan.limit), ("batch", scan.batch.into()), ("caching", scan.caching.into())] {
        if number > 0 {
            parts.push(format!("{name}={number}"));
        }
    }
    let switches = [
        ("reverse=True", scan.reversed),
        ("include_start=False", !scan.include_start),
        ("include_stop=True", scan.include_stop),
        ("raw=True", scan.options.raw),
    ];
    parts.extend(switches.into_iter().filter(|(_, is_on)| *is_on).map(|(text, _)| text.into()));
    Ok(parts)
}
