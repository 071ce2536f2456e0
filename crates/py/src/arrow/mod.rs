//! Scans as Arrow streams, and frames into tables: the capsules of Arrow's C interface around `rowstone_arrow`.

mod capsules;
mod open;
mod source;
mod stream;

pub use open::{columns_of, open, FrameOptions};
pub use source::FrameSource;
pub use stream::{ArrowBatch, ArrowStream};
