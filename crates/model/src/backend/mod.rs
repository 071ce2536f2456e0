//! The traits that a directory and a cluster implement. The Python binding knows only these and [`crate::admin`].

mod database;
mod scanner;
mod table;

pub use database::{Backend, ServerPlace};
pub use scanner::{FilteredRows, ScannerBackend};
pub use table::TableBackend;
