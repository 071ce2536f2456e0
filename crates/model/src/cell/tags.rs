//! Tags: `u16 length | u8 type | value`, back to back, at most 65,535 bytes in total. The length covers type and
//! value.

/// The tag with the permissions on a cell: HBase's `UsersAndPermissions`, see `access::CellPermissions`.
pub const ACL_TAG: u8 = 1;
/// The tag with a cell's own time to live: 8 big-endian bytes, milliseconds from the cell's timestamp.
pub const CELL_TTL_TAG: u8 = 8;
/// The tag that marks a cell whose value is in a MOB file; it has no value.
pub const MOB_REFERENCE_TAG: u8 = 5;
/// The tag that names the table that owns the MOB file.
pub const MOB_TABLE_TAG: u8 = 6;

/// Iterates over the tags in `tags` as (type, value). Stops at the first malformed one.
pub fn iterate_tags(mut tags: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let length = usize::from(u16::from_be_bytes([*tags.first()?, *tags.get(1)?]));
        let tag = tags.get(2..2 + length)?;
        let (&kind, value) = tag.split_first()?;
        tags = &tags[2 + length..];
        Some((kind, value))
    })
}

/// The value of the first tag of type `kind`.
pub fn find_tag(tags: &[u8], kind: u8) -> Option<&[u8]> {
    iterate_tags(tags).find(|tag| tag.0 == kind).map(|tag| tag.1)
}

/// Appends one tag. `value` must be shorter than 65,533 bytes.
pub fn write_tag(out: &mut Vec<u8>, kind: u8, value: &[u8]) {
    out.extend_from_slice(&(value.len() as u16 + 1).to_be_bytes());
    out.push(kind);
    out.extend_from_slice(value);
}

/// The cell's own time to live in milliseconds, from its tags.
pub fn cell_ttl(tags: &[u8]) -> Option<i64> {
    let value: [u8; 8] = find_tag(tags, CELL_TTL_TAG)?.try_into().ok()?;
    Some(i64::from_be_bytes(value))
}
