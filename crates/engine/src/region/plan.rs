//! A write as a value: planned in full, then logged, then applied.

use rowstone_model::cell::{iterate_tags, write_tag, CellBuffer, CELL_TTL_TAG};
use rowstone_model::operations::{Durability, Mutation, Nonce};

/// The final cells of one atomic write.
#[derive(Debug, Default)]
pub(super) struct WritePlan {
    /// All cells, with their timestamps.
    pub(super) cells: CellBuffer,
    /// The strongest durability requested; never `UseDefault`.
    pub(super) durability: Durability,
    /// Nonce that the log stores with the cells.
    pub(super) nonce: Option<Nonce>,
}

impl WritePlan {
    /// Adds the cells of a put. Cells without a timestamp get `now`. `durability` is the put's effective one.
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
