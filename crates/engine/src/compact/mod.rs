//! Selecting files of a store for compaction, and merging them.
//!
//! [`selection`] decides, as a pure function over sizes and ages; [`rewrite`] copies cells from a source to a sink
//! under the rules of a flush or compaction. Neither knows where files are stored.

pub mod rewrite;
pub mod selection;
