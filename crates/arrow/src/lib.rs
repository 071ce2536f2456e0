//! Conversion of cells to Arrow arrays and back. Arrow's C data and stream interfaces are defined here, so no Arrow
//! library is required; consumers and producers use their own.
//!
//! | module | contents |
//! |---|---|
//! | [`abi`] | the three C structs |
//! | [`kind`] | types of exported columns, and the value codec that each corresponds to |
//! | [`decimal`] | decimal numbers between HBase's bytes and text |
//! | [`array`](mod@array) | finished columns, exported without a copy |
//! | [`column`](mod@column) | column builder |
//! | [`batches`] | code shared by all forms of a scan: fields, limits, pages |
//! | [`cells`] | a scan as one record per cell |
//! | [`columns`] | the columns of a scan, and their positions |
//! | [`rows`] | a scan as one record per row, or per version of a row |
//! | [`parallel`] | a scan by several threads |
//! | [`export`] | batches as a C stream |
//! | [`import`] | C streams of other producers, read |
//! | [`encode`] | imported values in the formats of value codecs |
//! | [`write`](mod@write) | imported batches as puts |
//!
//! A module imports only modules before it in this order:
//! `abi < kind < decimal < array < column < batches < cells < columns < rows < parallel < export < import < encode < write`.

pub mod abi;
pub mod array;
pub mod batches;
pub mod cells;
pub mod column;
pub mod columns;
pub mod decimal;
pub mod encode;
pub mod export;
pub mod import;
pub mod kind;
pub mod parallel;
pub mod rows;
pub mod write;
