//! HBase's RPC, without Python: a native client for a cluster, of plain sockets and threads; and a server of a database.
//!
//! | module | its one sentence |
//! |---|---|
//! | [`sync`] | locks that do not poison |
//! | [`sasl`] | logins: Kerberos and passwords |
//! | [`proto`] | HBase's messages |
//! | [`filter`] | filters and comparators between descriptions and messages |
//! | [`wire`] | bytes of a connection: preamble, frames, blocks of cells |
//! | [`failure`] | what went wrong with one attempt, and what helps against it |
//! | [`connection`] | many calls on one connection; servers and their connections |
//! | [`registry`] | finding the cluster |
//! | [`convert`] | between the model's operations and HBase's messages |
//! | [`region`] | where regions are |
//! | [`scanner`] | scanners that servers hold for us |
//! | [`cluster`] | one cluster: caches, retries, time limits |
//! | [`client`] | reads and writes of a table |
//! | [`admin`] | schema and maintenance, asked of the master and waited for |
//! | [`server`] | a database behind a port, for HBase's clients |
//! | [`open`](mod@open) | from a URL and options to the traits that the binding knows |
//!
//! Imports point up this list's order only:
//! `sync < sasl < proto < filter < wire < failure < connection < registry < convert < region < scanner < cluster < client < admin < server < open`.

pub mod admin;
pub mod client;
pub mod cluster;
pub mod connection;
pub mod convert;
pub mod failure;
pub mod filter;
pub mod open;
pub mod proto;
pub mod region;
pub mod registry;
pub mod sasl;
pub mod scanner;
pub mod server;
pub mod sync;
pub mod wire;

pub use connection::{Credentials, TlsOptions};
pub use open::{open, system_user, OpenOptions};
pub use sasl::{Acceptor, Initiator, PlainMessage, Protection, SecurityContext};
pub use server::{
    AuditEvent, Authentication, Authority, LeaseClock, Measured, Method, Seen, Server, ServerOptions, ServerTls,
    SlowLogOptions, StopSignal, TracedCall, TracedCalls, User,
};
pub use wire::set_trace_headers;
