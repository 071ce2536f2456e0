//! Scans as Arrow streams, and writing of frames to tables: Python capsules around `rowstone_arrow`.

mod capsules;
mod open;
mod source;
mod stream;

pub use open::{columns_of, named_columns, open, FrameOptions};
pub use source::FrameSource;
pub use stream::{ArrowBatch, ArrowStream};
