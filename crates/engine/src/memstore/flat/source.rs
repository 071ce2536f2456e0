//! Reading a sealed segment.

use super::{Cursor, Flat};
use std::sync::Arc;

impl Flat {
    /// All cells up to `read_point`.
    pub(crate) fn source(self: &Arc<Self>, read_point: u64) -> Cursor<Arc<Flat>> {
        Cursor::new(self.clone(), 0, self.run.len(), read_point)
    }
}

/// The cells of one row up to `read_point`; `None` if the segment has none.
#[inline]
pub(crate) fn flat_row(flat: &Arc<Flat>, row: &[u8], hash: u64, read_point: u64) -> Option<Cursor<Arc<Flat>>> {
    let (first, end) = flat.row_range(row, hash)?;
    Some(Cursor::new(flat.clone(), first, end, read_point))
}
