//! The store: HBase's data model in a directory, inside the caller's process. Plain threads, no sockets, no Python.
//!
//! Imports point left only; a test checks it:
//!
//! ```text
//! {sys, frame} < cache < {hfile, wal, memstore, manifest} < scan < compact < store < region < meta < db
//! ```

pub mod db;
pub mod frame;
pub mod manifest;
pub mod sys;
pub mod wal;
