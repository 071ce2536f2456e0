//! The types shared by the store, the wire and the binding.
//!
//! | module | contents |
//! |---|---|
//! | [`codec`] | encoding of numbers; HBase's hashes; printable keys |
//! | [`cell`] | cells: their parts, order and serialized format |
//! | [`filter`] | HBase's filters and comparators as values; the filter language |
//! | [`schema`] | names, families and tables as HBase describes them |
//! | [`access`] | permissions, their scopes and their users |
//! | [`quota`] | limits on requests and on space |
//! | [`operations`] | a caller's operations: get, scan, mutations, conditions |
//! | [`observe`] | hooks before and after operations of a table |
//! | [`admin`] | administration, a trait for each area |
//! | [`backend`] | the traits that a directory and a cluster implement |
//! | [`heat`] | reads and writes of a table by key and time |
//! | [`switches`] | switches for a database's automatic work |
//! | [`nearest`] | the most similar known name, for "did you mean" |
//! | [`error`] | one error type, classified by what the caller should do |
//!
//! A module imports only modules before it in this order:
//! `codec < error < nearest < heat < switches < cell < filter < schema < access < quota < operations < observe < admin < backend`.

pub mod access;
pub mod admin;
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
