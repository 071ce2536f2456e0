//! Answers of finished operations, for clients that did not receive them. All answers together have at most 32 MiB;
//! the oldest are overwritten first.
//!
//! Clients repeat an operation within seconds or never, so most answers are never read. An answer therefore costs its
//! bytes and nothing else: the cells of all answers are in one ring buffer, and a reader finds them by position. A
//! counter's answer has about 60 bytes, so the ring holds the last half million.

use rowstone_model::cell::CellBuffer;
use std::collections::VecDeque;

/// Size of the ring.
const MOST_BYTES: usize = 32 << 20;
/// Size of the largest answer that is stored. A few large ones would overwrite thousands of counters.
const MOST_ANSWER_BYTES: usize = MOST_BYTES / 128;
/// Initial allocation.
const LEAST_BYTES: usize = 4 << 10;

/// Bytes of the length in front of each answer.
const PREFIX_BYTES: usize = 4;

/// Position of an answer, counted from the first byte that was ever stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position(u64);

/// The ring of answers. Each is its length, then its cells.
#[derive(Default)]
pub(super) struct Answers {
    bytes: VecDeque<u8>,
    /// Position of the first byte of the ring.
    start: u64,
}

impl Answers {
    /// Stores an answer, unless it is too large.
    pub fn add(&mut self, cells: &CellBuffer) -> Option<Position> {
        let bytes = cells.as_bytes();
        let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= MOST_ANSWER_BYTES)?;
        let more = PREFIX_BYTES + bytes.len();
        self.remove_first((self.bytes.len() + more).saturating_sub(MOST_BYTES));
        self.reserve(more);
        let position = Position(self.start + self.bytes.len() as u64);
        self.bytes.extend(length.to_be_bytes());
        self.bytes.extend(bytes);
        Some(position)
    }

    /// Returns the answer at `position`, unless it was removed.
    pub fn get(&self, position: Position) -> Option<CellBuffer> {
        let (start, end) = self.range_of(position)?;
        CellBuffer::from_bytes(self.bytes.range(start..end).copied().collect()).ok()
    }

    /// Removes the answer at `position` and all earlier ones.
    pub fn remove_until(&mut self, position: Position) {
        if let Some((_, end)) = self.range_of(position) {
            self.remove_first(end);
        }
    }

    /// Range of an answer's cells in the ring.
    fn range_of(&self, position: Position) -> Option<(usize, usize)> {
        let prefix = usize::try_from(position.0.checked_sub(self.start)?).ok()?;
        let start = prefix + PREFIX_BYTES;
        let mut length = [0; PREFIX_BYTES];
        let stored = (start <= self.bytes.len()).then(|| self.bytes.range(prefix..start))?;
        length.iter_mut().zip(stored).for_each(|(byte, stored)| *byte = *stored);
        let end = start + u32::from_be_bytes(length) as usize;
        (end <= self.bytes.len()).then_some((start, end))
    }

    fn remove_first(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        self.bytes.drain(..count);
        self.start += count as u64;
    }

    /// Doubles the allocation when it is full, up to the limit.
    fn reserve(&mut self, more: usize) {
        let needed = self.bytes.len() + more;
        if needed > self.bytes.capacity() {
            let wanted = (2 * self.bytes.capacity()).clamp(LEAST_BYTES, MOST_BYTES).max(needed);
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::cell::{CellParts, CellType};

    fn cells_of(value: &[u8]) -> CellBuffer {
        let (row, family, qualifier, tags) = (b"r", b"f", b"q", b"");
        let mut cells = CellBuffer::new();
        cells.push(CellParts { row, family, qualifier, timestamp: 1, cell_type: CellType::Put, value, tags });
        cells
    }

    #[test]
    fn answers_are_found_until_they_are_removed() {
        let mut answers = Answers::default();
        let added: Vec<_> = (0..10).map(|number| answers.add(&cells_of(&[number])).unwrap()).collect();
        answers.remove_until(added[3]);
        let found: Vec<_> = added.iter().map(|position| answers.get(*position)).collect();
        let expected: Vec<_> = (0..10).map(|number| (number > 3).then(|| cells_of(&[number]))).collect();
        assert_eq!(found, expected);
        answers.remove_until(added[9]);
        answers.remove_until(added[2]);
        assert_eq!((answers.bytes.len(), answers.get(added[9])), (0, None));
        let empty = answers.add(&CellBuffer::new()).unwrap();
        assert_eq!(answers.get(empty), Some(CellBuffer::new()));
    }

    #[test]
    fn many_answers_use_a_bounded_amount_of_memory() {
        let mut answers = Answers::default();
        let large = cells_of(&vec![7; MOST_ANSWER_BYTES - 100]);
        let added: Vec<_> = (0..300).map(|_| answers.add(&large).unwrap()).collect();
        let last = answers.add(&cells_of(b"last")).unwrap();
        assert!(answers.bytes.capacity() <= MOST_BYTES, "{}", answers.bytes.capacity());
        assert_eq!((answers.get(added[0]), answers.get(added[299])), (None, Some(large)));
        assert_eq!(answers.get(last), Some(cells_of(b"last")));
        assert_eq!(answers.add(&cells_of(&vec![7; MOST_ANSWER_BYTES])), None);
    }
}
