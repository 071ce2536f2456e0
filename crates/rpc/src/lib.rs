//! HBase's RPC protocol, without Python: a native client for clusters, using plain sockets and threads, and a server
//! for databases.
//!
//! | module | contents |
//! |---|---|
//! | [`sync`] | locks that do not poison |
//! | [`sasl`] | authentication: Kerberos and passwords |
//! | [`proto`] | HBase's messages |
//! | [`filter`] | conversion of filters and comparators to and from messages |
//! | [`wire`] | the bytes of a connection: preamble, frames, cell blocks |
//! | [`failure`] | failures of single attempts, and their remedies |
//! | [`connection`] | concurrent calls on one connection; servers and their connections |
//! | [`registry`] | locating the cluster |
//! | [`convert`] | conversion between the model's operations and HBase's messages |
//! | [`region`] | locations of regions |
//! | [`region_scan`] | a region's scanner on its server, and the renewal of leases |
//! | [`cluster`] | one cluster: caches, retries, time limits |
//! | [`client`] | reads and writes of a table |
//! | [`admin`] | schema and maintenance: requests to the master, and waiting for their completion |
//! | [`server`] | a server for HBase's clients |
//! | [`open`](mod@open) | opens a cluster from a URL and options |
//!
//! A module imports only modules before it in this order:
//! `sync < sasl < proto < filter < wire < failure < connection < registry < convert < region < region_scan < cluster < client < admin < server < open`.

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
pub mod region_scan;
pub mod registry;
pub mod sasl;
pub mod server;
pub mod sync;
pub mod wire;

pub use connection::{Credentials, TlsOptions};
pub use open::{open, system_user, OpenOptions};
pub use sasl::{Acceptor, Initiator, PlainMessage, Protection, SecurityContext};
pub use server::{
    AuditEvent, Authentication, Authority, LeaseClock, Measured, Method, Seen, Server, ServerOptions, ServerTls,
    SlowLogOptions, Staging, StopSignal, TracedCall, TracedCalls, User,
};
pub use wire::set_trace_headers;
