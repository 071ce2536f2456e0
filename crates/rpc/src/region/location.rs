//! A region and its server.

use crate::connection::Server;
use crate::proto::RegionSpecifier;
use rowstone_model::schema::RegionInfo;
use std::sync::Arc;

/// A region and its location.
#[derive(Debug, Clone)]
pub struct Location {
    /// The region.
    pub info: RegionInfo,
    /// Its full name.
    pub name: Vec<u8>,
    /// Its server; `None` while it is not assigned.
    pub server: Option<Arc<Server>>,
    /// The server's full name, `host,port,startcode`, if `hbase:meta` has one.
    pub server_name: Option<String>,
    /// Whether it is open there, according to `hbase:meta`.
    pub is_open: bool,
    /// The region's sequence id when the server opened it.
    pub sequence: i64,
}

impl Location {
    /// Specifies the region in requests to servers.
    pub fn specifier(&self) -> RegionSpecifier {
        RegionSpecifier::by_name(&self.name)
    }

    /// Specifies the region in requests to the master.
    pub fn encoded_specifier(&self) -> RegionSpecifier {
        RegionSpecifier::by_encoded_name(&self.info.encoded_name)
    }
}
