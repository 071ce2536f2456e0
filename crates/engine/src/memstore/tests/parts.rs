//! Proves the contracts between the parts: prefixes order rows; the merge policy rewrites little and leaves few
//! segments.

use crate::memstore::maintain::{choose, Shape};
use crate::search::{Place, RowPrefix};
use proptest::prelude::*;
use std::cmp::Ordering;

proptest! {
    #[test]
    fn a_smaller_prefix_means_a_smaller_row(
        rows in prop::collection::vec(prop::collection::vec(0u8..4, 0..24), 1..60),
        probe in prop::collection::vec(0u8..4, 0..24),
    ) {
        let mut prefix = RowPrefix::default();
        let mut taken: Vec<u64> = Vec::new();
        for (count, row) in rows.iter().enumerate() {
            if prefix.admit(row) {
                taken = rows[..count].iter().map(|row| prefix.of(row)).collect();
            }
            taken.push(prefix.of(row));
        }
        for (left, left_prefix) in rows.iter().zip(&taken) {
            for (right, right_prefix) in rows.iter().zip(&taken) {
                prop_assert!(left_prefix == right_prefix || left_prefix.cmp(right_prefix) == left.cmp(right));
            }
            let place = match prefix.locate(&probe) {
                Place::Before => Ordering::Less,
                Place::After => Ordering::Greater,
                Place::At(at) => at.cmp(left_prefix),
            };
            prop_assert!(place == Ordering::Equal || place == probe.cmp(left));
        }
    }
}

#[test]
fn rows_that_shrink_the_shared_part_again_and_again() {
    let mut prefix = RowPrefix::default();
    let rows: Vec<Vec<u8>> = (0..200).rev().map(|length| [vec![b'a'; length], vec![b'b']].concat()).collect();
    let changes = rows.iter().filter(|row| prefix.admit(row)).count();
    assert!(changes <= 20, "{changes} passes over all prefixes");
    assert!(prefix.of(&rows[0]) < prefix.of(&rows[199]));
}

fn flat(bytes: usize) -> Shape {
    Shape { is_tree: false, bytes, is_large: false }
}

#[test]
fn policy_flattens_the_oldest_tree_first() {
    let tree = Shape { is_tree: true, bytes: 0, is_large: false };
    assert_eq!(choose(&[tree, tree, flat(4), flat(4), flat(4), flat(4)], 8, usize::MAX), Some(1..2));
}

#[test]
fn policy_merges_four_of_a_kind() {
    assert_eq!(choose(&[flat(4), flat(4), flat(4), flat(16)], 8, usize::MAX), None);
    assert_eq!(choose(&[flat(4), flat(4), flat(4), flat(4), flat(16)], 8, usize::MAX), Some(0..4));
    assert_eq!(choose(&[flat(4), flat(16), flat(16), flat(4), flat(16), flat(16)], 8, usize::MAX), Some(0..6));
    assert_eq!(choose(&[flat(4), flat(4), flat(4), flat(4)], 8, 15), None, "too large for a helping writer");
}

#[test]
fn policy_writes_a_cell_about_three_times() {
    let (mut segments, mut written, mut most) = (Vec::new(), 0, 0);
    for _ in 0..64 {
        segments.insert(0, flat(4));
        while let Some(range) = choose(&segments, 8, usize::MAX) {
            let bytes = segments[range.clone()].iter().map(|shape| shape.bytes).sum();
            segments.splice(range, [flat(bytes)]);
            written += bytes;
        }
        most = most.max(segments.len());
    }
    assert_eq!((written, most), (3 * 4 * 64, 9));
}
