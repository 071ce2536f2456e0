//! Server for HBase clients: HBase's RPC on one port, and enough of ZooKeeper on another for clients that need it to
//! find the cluster.
//!
//! | file | duty |
//! |---|---|
//! | `options`, `state` | settings; state that all connections share |
//! | `listener`, `own_thread`, `handshake`, `connection` | accepting connections; their own or shared threads |
//! | `reading`, `answers`, `frames` | reading and answering the calls of a connection, within limits |
//! | `tls` | encryption of connections |
//! | `authentication` | authentication and the effective user |
//! | `sealed` | connections whose bytes are wrapped by SASL |
//! | `session`, `call` | a client with its service and codec; a call and its answer |
//! | `exception` | errors as Java exceptions, which tell clients whether to retry |
//! | `buffers` | pool of large buffers |
//! | `here` | the server's name, as clients see it |
//! | `registry`, `zookeeper` | the two ways in which clients find the cluster |
//! | `regions`, `meta` | regions by name; `hbase:meta` with this server as their location |
//! | `cells`, `reads`, `mutations` | conversion between messages and the model's operations |
//! | `client` | ClientService: gets, mutations, multis, scans |
//! | `endpoints` | coprocessor endpoints: aggregation, multi-row mutation, access control |
//! | `staging` | the directory from which bulk loads read files |
//! | `throttle` | request quotas |
//! | `nonces` | execute repeated increments and appends once |
//! | `measures`, `slow_calls` | counters of calls; the slow log |
//! | `master`, `region_admin` | schema and maintenance |
//! | `stop_signal` | the signal that stops the process, and the deadline for the shutdown |

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
