//! Sorting the cells of one write.

use crate::search::RowPrefix;
use rowstone_model::cell::{compare_keys, Cell};

/// Sorts the cells. Of two with the same key only the later one remains: all cells of a write share one sequence
/// id.
pub(super) fn sort_batch<'a>(cells: Vec<Cell<'a>>) -> Vec<Cell<'a>> {
    if cells.windows(2).all(|pair| compare_keys(pair[0].key(), pair[1].key()).is_lt()) {
        return cells;
    }
    let mut shared = RowPrefix::default();
    for cell in &cells {
        shared.admit(cell.row());
    }
    // Sorting moves sixteen bytes per cell instead of the whole view.
    let mut order: Vec<(u64, u32)> = (0..).zip(&cells).map(|(index, cell)| (shared.of(cell.row()), index)).collect();
    order.sort_unstable_by(|left, right| {
        let keys = || compare_keys(cells[left.1 as usize].key(), cells[right.1 as usize].key());
        left.0.cmp(&right.0).then_with(keys).then(left.1.cmp(&right.1))
    });
    let mut sorted: Vec<Cell<'a>> = Vec::with_capacity(cells.len());
    for (_, index) in order {
        let cell = cells[index as usize];
        match sorted.last_mut() {
            Some(last) if compare_keys(last.key(), cell.key()).is_eq() => *last = cell,
            _ => sorted.push(cell),
        }
    }
    sorted
}
