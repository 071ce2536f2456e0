//! What keeps the bytes after a login.

use rowstone_model::{Error, Result};

/// Quality of protection, under the names that HBase's `hbase.rpc.protection` has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// Nothing: bytes go as they are (`auth`).
    Authentication,
    /// Nobody can change them (`auth-int`).
    Integrity,
    /// Nobody can read them either (`auth-conf`).
    Privacy,
}

impl Protection {
    /// Reads HBase's name, or SASL's.
    ///
    /// # Errors
    /// `InvalidArgument` for any other.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(match text.trim() {
            "authentication" | "auth" => Protection::Authentication,
            "integrity" | "auth-int" => Protection::Integrity,
            "privacy" | "auth-conf" => Protection::Privacy,
            other => {
                let known = "authentication, integrity, privacy";
                return Err(Error::invalid(format!("protection '{other}' is unknown; there is: {known}")));
            }
        })
    }

    /// Reads a list with commas, as HBase takes it; what is wanted most comes first.
    ///
    /// # Errors
    /// As [`Protection::parse`].
    pub fn parse_list(text: &str) -> Result<Vec<Self>> {
        text.split(',').map(Protection::parse).collect()
    }

    /// Its bit in the messages of SASL.
    pub(super) fn bit(self) -> u8 {
        match self {
            Protection::Authentication => 1,
            Protection::Integrity => 2,
            Protection::Privacy => 4,
        }
    }
}
