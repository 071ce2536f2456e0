//! Levels of protection after a login.

use rowstone_model::{Error, Result};

/// Quality of protection, with the names of HBase's `hbase.rpc.protection`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// No protection after the login (`auth`).
    Authentication,
    /// Protection against changes (`auth-int`).
    Integrity,
    /// Protection against changes and reading (`auth-conf`).
    Privacy,
}

impl Protection {
    /// Parses HBase's or SASL's name.
    ///
    /// # Errors
    /// `InvalidArgument` for any other text.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(match text.trim() {
            "authentication" | "auth" => Protection::Authentication,
            "integrity" | "auth-int" => Protection::Integrity,
            "privacy" | "auth-conf" => Protection::Privacy,
            other => {
                let known = "authentication, integrity, privacy";
                return Err(Error::invalid(format!("protection '{other}' is unknown; choose from: {known}")));
            }
        })
    }

    /// Parses a comma-separated list, as HBase does, in order of preference.
    ///
    /// # Errors
    /// As [`Protection::parse`].
    pub fn parse_list(text: &str) -> Result<Vec<Self>> {
        text.split(',').map(Protection::parse).collect()
    }

    /// Its bit in SASL's messages.
    pub(super) fn bit(self) -> u8 {
        match self {
            Protection::Authentication => 1,
            Protection::Integrity => 2,
            Protection::Privacy => 4,
        }
    }
}
