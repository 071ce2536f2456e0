//! Spare buffers of cells between large batches. The allocator returns memory of that size to the operating system
//! when it is freed. Getting each page again costs as much as writing its contents.

use crate::sys::lock::Mutex;
use rowstone_model::cell::CellBuffer;

/// Smaller buffers are left to the allocator.
const LEAST_BYTES: usize = 64 << 10;
/// Maximum size retained, in one buffer and in total.
const MOST_BYTES: usize = 4 << 20;

/// A few buffers, or none.
#[derive(Debug, Default)]
pub struct SpareCells(Mutex<Vec<CellBuffer>>);

impl SpareCells {
    /// Returns an empty buffer with room for `bytes`.
    pub fn take(&self, bytes: usize) -> CellBuffer {
        let kept = if bytes < LEAST_BYTES { None } else { self.0.lock().pop() };
        let mut cells = kept.unwrap_or_default();
        cells.reserve(bytes);
        cells
    }

    /// Clears a buffer and retains it for the next batch.
    pub fn give(&self, mut cells: CellBuffer) {
        if !(LEAST_BYTES..=MOST_BYTES).contains(&cells.capacity()) {
            return;
        }
        cells.clear();
        let mut kept = self.0.lock();
        if kept.iter().map(CellBuffer::capacity).sum::<usize>() + cells.capacity() <= MOST_BYTES {
            kept.push(cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rowstone_model::cell::{CellParts, CellType};

    #[test]
    fn a_large_buffer_is_used_again_and_empty() {
        let spare = SpareCells::default();
        let mut cells = spare.take(LEAST_BYTES);
        let memory = cells.as_bytes().as_ptr();
        cells.push(CellParts {
            row: b"row",
            family: b"f",
            qualifier: b"q",
            timestamp: 1,
            cell_type: CellType::Put,
            value: b"value",
            tags: b"",
        });
        spare.give(cells);
        let again = spare.take(LEAST_BYTES);
        assert_eq!((again.as_bytes().as_ptr(), again.is_empty()), (memory, true));
        assert!(spare.0.lock().is_empty());
    }

    #[test]
    fn those_of_several_batches_are_kept_up_to_a_limit() {
        let spare = SpareCells::default();
        let many: Vec<_> = (0..5).map(|_| spare.take(MOST_BYTES / 4)).collect();
        many.into_iter().for_each(|cells| spare.give(cells));
        assert_eq!(spare.0.lock().len(), 4);
    }

    #[test]
    fn small_and_very_large_ones_are_not_kept() {
        let spare = SpareCells::default();
        for bytes in [LEAST_BYTES / 2, MOST_BYTES + 1] {
            spare.give(spare.take(bytes));
            assert!(spare.0.lock().is_empty());
        }
    }
}
