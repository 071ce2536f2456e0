//! Who is at the other end of a connection.
//!
//! | file | duty |
//! |---|---|
//! | `options` | which ways there are to say who one is, and who is asked about passwords and impersonation |
//! | `certificate` | a name out of the certificate that a client came with |
//! | `sasl` | a login by tokens, over a socket: GSSAPI and PLAIN |
//! | `user` | who came, and for whom: the user that calls are made for |
//! | `audit` | who is asked, and told about it |
//!
//! A client's preamble has a byte that says how it wants to be known (`sasl::auth_byte`). `Options::way` decides what comes of it,
//! and what is not switched on is refused as HBase refuses it. Source: `ServerRpcConnection`.

mod audit;
mod certificate;
mod options;
mod sasl;
mod user;

pub use audit::{AuditEvent, Authority};
pub use options::Authentication;
pub use user::{Method, User};

pub(super) use certificate::{check_attribute, name_of};
pub(super) use options::Way;
pub(super) use sasl::{log_in, read_token, LoggedIn, Mechanism, Refused};
pub(super) use user::{user_of, Identity};

use std::net::IpAddr;

/// What is known of a client before it says a word.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// Its port.
    pub port: u16,
    /// Whether nobody can read what it sends.
    pub is_encrypted: bool,
    /// The name in its certificate, where it has one and certificates are asked for.
    pub certificate: Option<String>,
}
