//! The store: HBase's data model in a directory, inside the caller's process. Plain threads, no sockets, no Python.
//!
//! A module imports only modules before it in this order:
//! `sys < {frame, search} < settings < cache < {hfile, wal, memstore} < manifest < mob < root < scan < compact < store < region <
//! meta < check < db`.

pub mod cache;
pub mod check;
pub mod compact;
pub mod db;
pub mod frame;
pub mod hfile;
pub mod manifest;
pub mod memstore;
pub mod meta;
pub mod mob;
pub mod region;
pub mod root;
pub mod scan;
pub mod search;
pub mod settings;
pub mod store;
pub mod sys;
pub mod wal;
