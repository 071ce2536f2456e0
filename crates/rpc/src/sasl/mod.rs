//! SASL as used by HBase: authentication of a connection, and protection of its bytes afterwards.
//!
//! | file | contents |
//! |---|---|
//! | `context` | the interface to a GSS-API library: exchange of tokens, then sealing and opening |
//! | `protection` | HBase's `hbase.rpc.protection`: authentication only, integrity, privacy |
//! | `gssapi` | the mechanism GSSAPI (Kerberos), both sides |
//! | `plain` | the mechanism PLAIN: a name and a password in one message |
//! | `sealed` | a connection's bytes after a login that protects them: frames of sealed bytes |
//!
//! Nothing here uses sockets. No Kerberos library is linked either: callers provide one behind [`Initiator`] or
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

/// The preamble's byte for each authentication method. HBase itself has none for PLAIN; this is the one of the
/// provider among its examples.
pub mod auth_byte {
    /// The user name in the header is trusted.
    pub const SIMPLE: u8 = 80;
    /// GSSAPI.
    pub const KERBEROS: u8 = 81;
    /// Delegation tokens.
    pub const DIGEST: u8 = 82;
    /// PLAIN.
    pub const PLAIN: u8 = 15;
}

/// Sent by a server instead of a token's length if it does not require authentication.
pub const SWITCH_TO_SIMPLE: i32 = -88;
/// Maximum size of a token. A ticket of a large organization, with all groups of its user, has some 60 KiB.
pub const MAX_TOKEN_BYTES: usize = 256 << 10;
/// Maximum number of rounds in a login: Kerberos takes three.
pub const MAX_ROUNDS: usize = 16;
