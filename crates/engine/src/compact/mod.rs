//! Which files of a store to merge, and merging them.
//!
//! [`selection`] decides, as a pure function over sizes and ages; [`rewrite`] carries cells from a source to a sink under
//! the rules of a flush or compaction. Neither knows where files live.

pub mod rewrite;
pub mod selection;
