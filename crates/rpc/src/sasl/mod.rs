//! SASL as HBase speaks it on a connection: who is there, and what keeps the bytes after that.
//!
//! | file | duty |
//! |---|---|
//! | `context` | what is asked of a GSS-API library: a conversation of tokens, then sealing and opening |
//! | `protection` | HBase's `hbase.rpc.protection`: nothing but the login, integrity, privacy |
//! | `gssapi` | the mechanism GSSAPI (Kerberos), both sides of it |
//! | `plain` | the mechanism PLAIN: a name and a password in one message |
//! | `sealed` | a connection's bytes after a login that protects them: frames of sealed bytes |
//!
//! Nothing here knows a socket. No library of Kerberos is linked either: who wants Kerberos brings one behind [`Initiator`] or
//! [`Acceptor`]. Sources: RFC 4752 (GSSAPI), RFC 4616 (PLAIN), `HBaseSaslRpcClient`, `SaslWrapHandler`.

mod context;
mod gssapi;
mod plain;
mod protection;
mod sealed;

pub use context::{Acceptor, Initiator, SecurityContext};
pub use gssapi::{GssClient, GssServer, Step};
pub use plain::PlainMessage;
pub use protection::Protection;
pub use sealed::{Sealed, SealedReader, SealedWriter};

/// Byte of the preamble for each way to say who one is. PLAIN has none in HBase itself; this is that of the provider among its
/// examples.
pub mod auth_byte {
    /// The header says it, and is believed.
    pub const SIMPLE: u8 = 80;
    /// GSSAPI.
    pub const KERBEROS: u8 = 81;
    /// Delegation tokens.
    pub const DIGEST: u8 = 82;
    /// PLAIN.
    pub const PLAIN: u8 = 15;
}

/// What a server says instead of a token's length when it knows nobody and wants to know nobody.
pub const SWITCH_TO_SIMPLE: i32 = -88;
/// Longer tokens are not believed. A ticket of a large organisation, with all groups of its user, has some 60 KiB.
pub const MAX_TOKEN_BYTES: usize = 256 << 10;
/// A login of more rounds is none: Kerberos takes three.
pub const MAX_ROUNDS: usize = 16;
