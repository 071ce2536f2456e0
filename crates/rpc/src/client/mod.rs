//! Reads and writes of a table.

mod check;
mod multi;
mod row;
mod scan;
mod table;

pub use table::Table;
