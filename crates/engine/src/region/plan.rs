//! A write as a value: planned in full, then logged, then applied.

use rowstone_model::cell::{iterate_tags, write_tag, CellBuffer, CELL_TTL_TAG};
use rowstone_model::operations::{Durability, Mutation, Nonce};

/// The final cells of one atomic write.
#[derive(Debug, Default)]
pub(super) struct WritePlan {
    /// All cells, with their timestamps.
    pub(super) cells: CellBuffer,
    /// The strongest durability asked for, none of them "the default".
    pub(super) durability: Durability,
    /// What the log notes with them.
    pub(super) nonce: Option<Nonce>,
}

impl WritePlan {
    /// Adds the cells of a put, dated `now` where the caller left that open; `durability` is what the put's means here.
    pub(super) fn add_put(&mut self, put: &Mutation, durability: Durability, now: i64) {
        self.durability = self.durability.max(durability);
        let start = self.cells.byte_len();
        match put.ttl_ms {
            None => self.cells.extend_from(&put.cells),
            Some(ttl_ms) => {
                for cell in &put.cells {
                    let mut tags = Vec::new();
                    for (kind, value) in iterate_tags(cell.tags()).filter(|tag| tag.0 != CELL_TTL_TAG) {
                        write_tag(&mut tags, kind, value);
                    }
                    write_tag(&mut tags, CELL_TTL_TAG, &ttl_ms.to_be_bytes());
                    self.cells.push_cell(&cell.with_tags(&tags));
                }
            }
        }
        self.cells.fill_timestamps_from(start, now);
    }
}
