//! Merging several sealed segments into one.
//!
//! Stretches that are in one segment only are copied as a whole, so segments with disjoint ranges are merely
//! concatenated. No superseded cell is dropped, because some reader may see it. The exception is the older of two
//! with the same key *and* the same sequence id: the later write of a batch replaces the earlier one.

use super::super::size::Stats;
use super::run::Run;
use super::Flat;
use crate::search::RowPrefix;
use rowstone_model::cell::compare_cells;
use std::cmp::Ordering;
use std::sync::Arc;

/// Position of the merge in one input.
struct Head<'a> {
    run: &'a Run,
    index: usize,
    prefix: u64,
}

impl Head<'_> {
    /// Compares the cell here at `index` with the current cell of `other` in the full order.
    fn compare_at(&self, index: usize, other: &Head<'_>) -> Ordering {
        match (self.run.cell(index), other.run.cell(other.index)) {
            (Some(left), Some(right)) => compare_cells(&left, &right),
            (left, right) => right.is_some().cmp(&left.is_some()),
        }
    }

    fn compare(&self, other: &Head<'_>) -> Ordering {
        self.prefix.cmp(&other.prefix).then_with(|| self.compare_at(self.index, other))
    }

    fn go_to(&mut self, index: usize, prefix: &RowPrefix) {
        self.index = index;
        if index < self.run.len() {
            self.prefix = prefix.of(self.run.row(index));
        }
    }
}

/// Merges the cells of all `inputs`, which are ordered from new to old.
pub(crate) fn merge(inputs: &[Arc<Flat>]) -> Flat {
    let inputs: Vec<&Flat> = inputs.iter().map(|flat| &**flat).filter(|flat| flat.run.len() > 0).collect();
    let mut stats = inputs.iter().fold(Stats::EMPTY, |sum, flat| sum.with(&flat.stats));
    let mut run = Run::with_capacity(stats.data_bytes, stats.cells);
    let prefix = shared_prefix(&inputs);
    let mut heads: Vec<Head<'_>> = inputs.iter().map(|flat| Head { run: &flat.run, index: 0, prefix: 0 }).collect();
    heads.iter_mut().for_each(|head| head.go_to(0, &prefix));
    while heads.len() > 1 {
        let (first, second) = two_smallest(&heads);
        let (head, bound) = (&heads[first], &heads[second]);
        let order = head.compare(bound);
        let before = |index: usize| match prefix.of(head.run.row(index)).cmp(&bound.prefix) {
            Ordering::Equal => head.compare_at(index, bound).is_lt(),
            order => order.is_lt(),
        };
        let end = head.run.gallop(head.index + 1, head.run.len(), before);
        run.extend_from(head.run, head.index, end);
        if order.is_eq() {
            drop_equal(&mut heads, first, &prefix, &mut stats);
        }
        heads[first].go_to(end, &prefix);
        heads.retain(|head| head.index < head.run.len());
    }
    for head in heads {
        run.extend_from(head.run, head.index, head.run.len());
    }
    run.shrink();
    Flat::new(run, stats)
}

fn shared_prefix(inputs: &[&Flat]) -> RowPrefix {
    let first = inputs.iter().map(|flat| flat.run.row(0)).min();
    let last = inputs.iter().map(|flat| flat.run.row(flat.run.len() - 1)).max();
    RowPrefix::between(first.unwrap_or(&[]), last.unwrap_or(&[]))
}

/// The smallest head and the next. Of equal heads the one further in front, which is newer, is the smaller.
fn two_smallest(heads: &[Head<'_>]) -> (usize, usize) {
    let (mut first, mut second) = match heads[1].compare(&heads[0]) {
        Ordering::Less => (1, 0),
        _ => (0, 1),
    };
    for (index, head) in heads.iter().enumerate().skip(2) {
        if head.compare(&heads[first]).is_lt() {
            (first, second) = (index, first);
        } else if head.compare(&heads[second]).is_lt() {
            second = index;
        }
    }
    (first, second)
}

/// Skips every cell equal to the one at `winner`, in the other inputs.
#[cold]
fn drop_equal(heads: &mut [Head<'_>], winner: usize, prefix: &RowPrefix, stats: &mut Stats) {
    for index in (0..heads.len()).filter(|&index| index != winner) {
        if heads[index].index < heads[index].run.len() && heads[index].compare(&heads[winner]).is_eq() {
            let at = heads[index].index;
            stats.forget(heads[index].run.cell(at).map_or(0, |cell| super::stored_len(&cell)));
            heads[index].go_to(at + 1, prefix);
        }
    }
}
