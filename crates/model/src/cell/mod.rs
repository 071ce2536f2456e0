//! Cells: their parts, their order, and their format on disk and on the wire.
//!
//! The memstore, HFile blocks, the log and the wire share one format: HBase's serialized KeyValue. All integers are
//! big-endian.
//!
//! ```text
//! u32 key length | u32 value length | key | value [ u16 tags length | tags ] [ vlong sequence id ]
//! key = u16 row length | row | u8 family length | family | qualifier | i64 timestamp | u8 type
//! ```
//!
//! The bytes do not say which of the two bracketed parts are present: a [`Layout`] does, per file or buffer.

mod buffer;
mod key;
mod kind;
mod limits;
mod order;
mod source;
mod tags;
mod view;

pub use buffer::{CellBuffer, CellParts, Cells};
pub use key::{first_on_column, first_on_row, flat_key, last_on_column, last_on_row, row_after, row_of};
pub use kind::{CellType, LATEST_TIMESTAMP, OLDEST_TIMESTAMP};
pub use limits::{check_family, check_row, check_timestamp, DEFAULT_MAX_CELL_BYTES, MAX_FAMILY_BYTES, MAX_ROW_BYTES};
pub use order::{compare_cells, compare_columns, compare_keys, is_same};
pub use source::CellSource;
pub use tags::{cell_ttl, find_tag, iterate_tags, write_tag, ACL_TAG, CELL_TTL_TAG, MOB_REFERENCE_TAG, MOB_TABLE_TAG};
pub use view::{Cell, Layout, MalformedCell};
