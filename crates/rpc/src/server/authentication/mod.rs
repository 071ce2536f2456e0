//! Authentication of clients.
//!
//! | file | duty |
//! |---|---|
//! | `options` | enabled methods, and the authority for passwords and impersonation |
//! | `certificate` | the user's name in a client certificate |
//! | `sasl` | SASL logins over a socket: GSSAPI and PLAIN |
//! | `turns` | turns for password checks |
//! | `user` | the authenticated client, and the effective user of its calls |
//! | `audit` | the authority and the audit events |
//!
//! A client's preamble has a byte for its authentication method (`sasl::auth_byte`). `Options::way` selects how the
//! client is authenticated. Methods that are not enabled are refused as in HBase. Source: `ServerRpcConnection`.

mod audit;
mod certificate;
mod options;
mod sasl;
mod turns;
mod user;

pub use audit::{AuditEvent, Authority};
pub use options::Authentication;
pub use user::{Method, User};

pub(super) use certificate::{check_attribute, name_of};
pub(super) use options::Way;
pub(super) use sasl::{log_in, read_token, LoggedIn, Mechanism, Refused};
pub(super) use user::{user_of, Identity};

use std::net::IpAddr;

/// Facts about a client that are known before it sends anything.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// Its port.
    pub port: u16,
    /// Whether the connection is encrypted.
    pub is_encrypted: bool,
    /// The name in the client's certificate, if certificates are requested and the client has one.
    pub certificate: Option<String>,
}
