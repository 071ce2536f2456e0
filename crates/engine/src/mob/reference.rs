//! Reference cell: replaces a value that is in a MOB file. Source: HBase's `MobUtils.createMobRefCell`.
//!
//! ```text
//! key    the cell's
//! value  u32 length of the value | name of the MOB file
//! tags   MOB reference, empty | MOB table, the name of the table that wrote the file | the cell's own
//! ```

use rowstone_model::cell::{find_tag, iterate_tags, write_tag, Cell, CellType, MOB_REFERENCE_TAG, MOB_TABLE_TAG};

/// Bytes of the length before the name.
const LENGTH_BYTES: usize = 4;

/// Whether the cell is marked as a reference.
#[inline]
pub(super) fn is_reference(cell: &Cell<'_>) -> bool {
    !cell.tags().is_empty() && cell.cell_type() == CellType::Put && find_tag(cell.tags(), MOB_REFERENCE_TAG).is_some()
}

/// The length of the value and the name of the file; `None` for any other value.
pub(super) fn parts<'c>(cell: &Cell<'c>) -> Option<(u32, &'c str)> {
    let (length, name) = cell.value().split_first_chunk::<LENGTH_BYTES>()?;
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty())?;
    Some((u32::from_be_bytes(*length), name))
}

/// The table that wrote the file.
pub(super) fn table<'c>(cell: &Cell<'c>) -> Option<&'c str> {
    std::str::from_utf8(find_tag(cell.tags(), MOB_TABLE_TAG)?).ok()
}

/// The value of a reference cell.
pub(super) fn value(length: usize, name: &str) -> Vec<u8> {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), name.as_bytes()].concat()
}

/// The tags to put in front of a cell's own.
pub(super) fn tags_of(table: &str) -> Vec<u8> {
    let mut tags = Vec::new();
    write_tag(&mut tags, MOB_REFERENCE_TAG, &[]);
    write_tag(&mut tags, MOB_TABLE_TAG, table.as_bytes());
    tags
}

/// The cell's own tags.
pub(super) fn own_tags(cell: &Cell<'_>) -> Vec<u8> {
    let mut tags = Vec::new();
    for (kind, value) in iterate_tags(cell.tags()).filter(|tag| !matches!(tag.0, MOB_REFERENCE_TAG | MOB_TABLE_TAG)) {
        write_tag(&mut tags, kind, value);
    }
    tags
}
