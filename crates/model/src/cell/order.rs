//! HBase's order of cells (`CellComparatorImpl`): row, family, qualifier ascending as unsigned bytes, then timestamp,
//! type and sequence id descending.

use super::view::Cell;
use std::cmp::Ordering;

fn parts(key: &[u8]) -> (&[u8], &[u8]) {
    let row = usize::from(u16::from_be_bytes([key[0], key[1]]));
    (&key[2..2 + row], &key[2 + row..])
}

/// Whether two byte strings are equal; short ones are compared without a call.
#[inline]
pub fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    match (left.first_chunk::<8>(), right.first_chunk::<8>()) {
        (Some(left_head), Some(right_head)) if left.len() <= 16 => {
            left_head == right_head && left.last_chunk::<8>() == right.last_chunk::<8>()
        }
        (Some(_), Some(_)) => left == right,
        _ => match (left.first_chunk::<4>(), right.first_chunk::<4>()) {
            (Some(left_head), Some(right_head)) => {
                left_head == right_head && left.last_chunk::<4>() == right.last_chunk::<4>()
            }
            _ => left.iter().eq(right),
        },
    }
}

/// Compares two byte strings; if their first eight bytes differ, without a call.
#[inline]
fn compare_bytes(left: &[u8], right: &[u8]) -> Ordering {
    match (left.first_chunk::<8>(), right.first_chunk::<8>()) {
        (Some(left_head), Some(right_head)) if left_head != right_head => {
            u64::from_be_bytes(*left_head).cmp(&u64::from_be_bytes(*right_head))
        }
        _ => left.cmp(right),
    }
}

/// Compares two flat keys, ignoring sequence ids. Both must be keys of cells (see [`Cell::new`]).
///
/// A key of type Minimum with empty family and qualifier sorts after everything else in its row, as in HBase.
#[inline]
pub fn compare_keys(left: &[u8], right: &[u8]) -> Ordering {
    let ((left_row, left_rest), (right_row, right_rest)) = (parts(left), parts(right));
    compare_bytes(left_row, right_row).then_with(|| compare_rest(left_rest, right_rest))
}

/// `rest` = family length, family, qualifier, timestamp, type.
fn compare_rest(left: &[u8], right: &[u8]) -> Ordering {
    match (is_row_end(left), is_row_end(right)) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    compare_column_parts(left, right).then_with(|| compare_version(left, right))
}

fn is_row_end(rest: &[u8]) -> bool {
    rest.len() == 10 && rest[0] == 0 && rest[9] == 0
}

fn compare_column_parts(left: &[u8], right: &[u8]) -> Ordering {
    let (left_family, right_family) = (usize::from(left[0]), usize::from(right[0]));
    let family = left[1..1 + left_family].cmp(&right[1..1 + right_family]);
    family.then_with(|| left[1 + left_family..left.len() - 9].cmp(&right[1 + right_family..right.len() - 9]))
}

/// Compares timestamp and type, both descending: the larger one sorts first.
fn compare_version(left: &[u8], right: &[u8]) -> Ordering {
    let (left, right) = (&left[left.len() - 9..], &right[right.len() - 9..]);
    // A signed big-endian number orders as unsigned bytes once its sign bit is flipped.
    (right[0] ^ 0x80).cmp(&(left[0] ^ 0x80)).then_with(|| right[1..].cmp(&left[1..]))
}

/// Compares cells in full: by key, then the higher sequence id first.
#[inline]
pub fn compare_cells(left: &Cell<'_>, right: &Cell<'_>) -> Ordering {
    compare_keys(left.key(), right.key()).then_with(|| right.sequence_id().cmp(&left.sequence_id()))
}

/// Compares (row, family, qualifier) of two flat keys.
pub fn compare_columns(left: &[u8], right: &[u8]) -> Ordering {
    let ((left_row, left_rest), (right_row, right_rest)) = (parts(left), parts(right));
    left_row.cmp(right_row).then_with(|| compare_column_parts(left_rest, right_rest))
}
