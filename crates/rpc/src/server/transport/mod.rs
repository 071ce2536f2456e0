//! Connections: how bytes arrive and leave.
//!
//! | file | contents |
//! |---|---|
//! | `listener`, `handshake`, `connection` | accepting and authenticating connections |
//! | `limits` | limits that all connections share |
//! | `reading`, `answers`, `frames` | reading and answering the calls of a connection |
//! | `decoded` | memory of decoded messages |
//! | `sealed` | connections whose bytes are wrapped by SASL |
//! | `zookeeper` | the port for clients that look for the cluster in ZooKeeper |

pub(super) mod answers;
pub(super) mod connection;
mod decoded;
pub(super) mod frames;
pub(super) mod handshake;
pub(super) mod limits;
pub(super) mod listener;
pub(super) mod reading;
pub(super) mod sealed;
pub(super) mod zookeeper;
