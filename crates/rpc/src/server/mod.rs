//! Server for HBase clients: HBase's RPC on one port, and enough of ZooKeeper on another for clients that need it to
//! find the cluster.
//!
//! | module | contents |
//! |---|---|
//! | `transport` | connections: accepting, authenticating, reading calls, sending answers |
//! | `dispatch` | which service answers a call; the record of finished calls |
//! | `services` | the services that clients call |
//! | `session` | a client with its user, service and codec |
//! | `state` | state that all connections share |
//! | `options` | settings |
//! | `ledgers` | scanners, nonces, procedures, counters and logs between calls |
//! | `authentication` | authentication and the effective user |
//! | `messages` | calls and answers, and their conversion |
//! | `tls`, `own_thread` | encryption of connections; connections with a thread of their own |
//! | `advertised_name`, `identifiers` | the host name announced to clients; random numbers and ids |
//! | `staging` | the directory from which bulk loads read files |
//! | `stop_signal` | the signal that stops the process, and the deadline for the shutdown |
//!
//! A module imports only modules before it in this order:
//! `{advertised_name, identifiers, own_thread, staging, stop_signal, tls} < messages < authentication < ledgers < options < state <
//! session < services < dispatch < transport`.

mod advertised_name;
mod authentication;
mod dispatch;
mod identifiers;
mod ledgers;
mod messages;
mod options;
mod own_thread;
mod services;
mod session;
mod staging;
mod state;
mod stop_signal;
mod tls;
mod transport;

pub use authentication::{AuditEvent, Authentication, Authority, Method, User};
pub use ledgers::clock::LeaseClock;
pub use ledgers::measures::{Measured, Seen};
pub use ledgers::slow_calls::SlowLogOptions;
pub use ledgers::traced_calls::{TracedCall, TracedCalls};
pub use options::ServerOptions;
pub use staging::Staging;
pub use stop_signal::StopSignal;
pub use tls::ServerTls;
pub use transport::listener::Server;
