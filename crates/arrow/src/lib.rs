//! Cells as Arrow arrays and back. Arrow's C data and stream interface is written out here, so that nothing of Arrow has to be
//! installed: whoever reads or writes it brings his own.
//!
//! | module | its one sentence |
//! |---|---|
//! | [`abi`] | the three C structs |
//! | [`kind`] | types of columns that are made, and which codec of values each stands for |
//! | [`decimal`] | decimal numbers between HBase's bytes and text |
//! | [`array`](mod@array) | finished columns, handed over without a copy |
//! | [`column`](mod@column) | a column while it grows |
//! | [`batches`] | what every form of a scan has in common: fields, limits, pages |
//! | [`cells`] | a scan as a record for each cell |
//! | [`columns`] | which columns a scan has, and where each goes |
//! | [`rows`] | a scan as a record for each row, or for each version of it |
//! | [`parallel`] | a scan by several threads |
//! | [`export`] | batches as a C stream |
//! | [`import`] | another's C stream, read |
//! | [`encode`] | values of another's columns as the bytes of a codec |
//! | [`write`](mod@write) | another's batches as puts |
//!
//! Imports point up this list's order only:
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
