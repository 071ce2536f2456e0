//! A region and its server.

use crate::connection::Server;
use crate::proto::RegionSpecifier;
use rowstone_model::schema::RegionInfo;
use std::sync::Arc;

/// A region and where it is served.
#[derive(Debug, Clone)]
pub struct Location {
    /// The region.
    pub info: RegionInfo,
    /// Its full name, as servers know it.
    pub name: Vec<u8>,
    /// Its server; `None` while it is nowhere.
    pub server: Option<Arc<Server>>,
    /// The server's full name, `host,port,startcode`, where `hbase:meta` has one.
    pub server_name: Option<String>,
    /// Whether `hbase:meta` says that it is open there.
    pub is_open: bool,
    /// When the server took it, in the order of the region's writes.
    pub sequence: i64,
}

impl Location {
    /// How requests name the region.
    pub fn specifier(&self) -> RegionSpecifier {
        RegionSpecifier::by_name(&self.name)
    }

    /// How requests to the master name the region.
    pub fn encoded_specifier(&self) -> RegionSpecifier {
        RegionSpecifier::by_encoded_name(&self.info.encoded_name)
    }
}
