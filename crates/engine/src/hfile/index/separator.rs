//! Shortened index keys. Source: `HFileWriterImpl.getMidpoint`, byte for byte.

use rowstone_model::cell::{flat_key, Cell, CellType, LATEST_TIMESTAMP};

/// A short byte string `s` with `left < s <= right`; `None` if both are equal. `left` must not be after `right`.
fn between(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    let common = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    let mut middle = right.get(..=common).or_else(|| left.get(..=common))?.to_vec();
    match left.get(common) {
        // The left's first different byte plus one: at most the right's.
        Some(&byte) => middle[common] = byte.saturating_add(1),
        // The left is a prefix of the right: the smallest string after it.
        None => middle[common] = 0,
    }
    Some(middle)
}

/// The key under which the index lists a block whose first cell is `first`, after one whose last cell was `last`.
///
/// It sorts after `last` and not after `first`, and is the row alone where rows differ, then the family, then the qualifier.
pub fn separator(last: Option<&Cell<'_>>, first: &Cell<'_>) -> Vec<u8> {
    let helper = |row: &[u8], family: &[u8], qualifier: &[u8]| {
        flat_key(row, family, qualifier, LATEST_TIMESTAMP, CellType::Maximum)
    };
    let Some(last) = last else { return first.key().to_vec() };
    if let Some(row) = between(last.row(), first.row()) {
        return helper(&row, &[], &[]);
    }
    if let Some(family) = between(last.family(), first.family()) {
        return helper(first.row(), &family, &[]);
    }
    match between(last.qualifier(), first.qualifier()) {
        Some(qualifier) => helper(first.row(), first.family(), &qualifier),
        None => first.key().to_vec(),
    }
}
