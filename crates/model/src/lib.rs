//! What the store, the wire and the binding share.
//!
//! | module | its one sentence |
//! |---|---|
//! | [`codec`] | numbers to bytes and back; HBase's hashes; printable keys |
//! | [`cell`] | what a cell is, how cells sort, how they look on disk and wire |
//! | [`filter`] | HBase's filters and comparators as values; the filter language |
//! | [`schema`] | names, families and tables as HBase describes them |
//! | [`access`] | rights, where they hold, and for whom |
//! | [`quota`] | limits on requests and on space |
//! | [`operations`] | what a caller can ask for: get, scan, mutations, conditions |
//! | [`observe`] | who is asked before and after what a table does |
//! | [`backend`] | the traits behind which a directory or a cluster sits |
//! | [`heat`] | where and when a table is read and written |
//! | [`switches`] | what a database does by itself, and may be told not to |
//! | [`nearest`] | the known name that somebody may have meant |
//! | [`error`] | one error type, classed by what the caller should do |
//!
//! Imports point up this list's order only:
//! `codec < error < nearest < heat < switches < cell < filter < schema < access < quota < operations < observe < backend`.

pub mod access;
pub mod backend;
pub mod cell;
pub mod codec;
pub mod error;
pub mod filter;
pub mod heat;
pub mod nearest;
pub mod observe;
pub mod operations;
pub mod quota;
pub mod schema;
pub mod switches;

pub use error::{Error, ErrorKind, Result};
