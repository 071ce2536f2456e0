//! A database behind one port: HBase's RPC for clients that know nothing of us, and a ZooKeeper small enough for those that
//! insist on one.
//!
//! | file | duty |
//! |---|---|
//! | `options`, `state` | what the server was told; what all its connections share |
//! | `listener`, `own_thread`, `handshake`, `connection` | sockets: accept, greet, on a thread of the connection's own or one of all |
//! | `reading`, `answers`, `frames` | a connection's calls are read and answered, within limits |
//! | `tls` | the same sockets, encrypted |
//! | `authentication` | who is at the other end |
//! | `sealed` | connections whose bytes the login protects |
//! | `session`, `call` | one client: its service, its codec; a call and its answer |
//! | `exception` | errors as the Java exceptions that steer clients |
//! | `buffers` | large buffers, used again |
//! | `here` | the names under which this server is known |
//! | `registry`, `zookeeper` | finding the cluster, by either of its two ways |
//! | `regions`, `meta` | regions by their names; `hbase:meta` with this server in it |
//! | `cells`, `reads`, `mutations` | between messages and the model's operations |
//! | `client` | ClientService: gets, mutations, multis, scans |
//! | `endpoints` | aggregates, and rows at once: services that clients call by name |
//! | `staging` | the directory that files of bulk loads are taken from |
//! | `throttle` | limits on requests |
//! | `nonces` | increments that come twice are done once |
//! | `measures`, `slow_calls` | what is counted of calls; those that took long |
//! | `master`, `region_admin` | schema and maintenance |
//! | `stop_signal` | the signal that ends the process, and a deadline for what follows |

mod answers;
mod authentication;
mod buffers;
mod call;
mod cells;
mod client;
mod connection;
mod endpoints;
mod exception;
mod frames;
mod handshake;
mod held;
mod here;
mod listener;
mod master;
mod measures;
mod meta;
mod mutations;
mod nonces;
mod options;
mod own_thread;
mod reading;
mod reads;
mod region_admin;
mod regions;
mod registry;
mod sealed;
mod session;
mod slow_calls;
mod staging;
mod state;
mod stop_signal;
mod throttle;
mod tls;
mod traced_calls;
mod zookeeper;

pub use authentication::{AuditEvent, Authentication, Authority, Method, User};
pub use listener::Server;
pub use measures::{Measured, Seen};
pub use options::{LeaseClock, ServerOptions};
pub use slow_calls::SlowLogOptions;
pub use staging::Staging;
pub use stop_signal::StopSignal;
pub use tls::ServerTls;
pub use traced_calls::{TracedCall, TracedCalls};
