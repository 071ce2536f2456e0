//! `hbase:meta`: the directory's view of its regions, with this server as the place of each.

use super::here::Here;
use super::session::Session;
use crate::proto;
use prost::Message;
use rowstone_model::backend::{ScannerBackend, ServerPlace, TableBackend};
use rowstone_model::operations::{CellBatch, Get, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;
use std::sync::Arc;

/// The table's name.
pub(super) const TABLE: &str = "hbase:meta";
const NAME: &[u8] = b"hbase:meta,,1";
const ENCODED_NAME: &[u8] = b"1588230740";
const FAMILY: &[u8] = b"info";
/// `RegionState.State.OPEN` in ZooKeeper's node.
const OPEN: i32 = 3;

/// Whether a request means the region of meta.
pub(super) fn is_name(name: &[u8]) -> bool {
    name == ENCODED_NAME || name.strip_prefix(NAME).is_some_and(|rest| rest.is_empty() || rest == b".1588230740.")
}

/// The region of meta.
pub(super) fn region_info() -> proto::RegionInfo {
    proto::RegionInfo {
        region_id: 1,
        table_name: proto::TableName { namespace: b"hbase".to_vec(), qualifier: b"meta".to_vec() },
        start_key: Some(Vec::new()),
        end_key: Some(Vec::new()),
        offline: Some(false),
        split: Some(false),
        replica_id: Some(0),
    }
}

/// What the node `meta-region-server` holds.
pub(super) fn region_server(here: &Here) -> Vec<u8> {
    let node = proto::MetaRegionServer { server: here.server_name(), rpc_version: Some(0), state: Some(OPEN) };
    node.encode_to_vec()
}

/// How meta describes itself.
pub(super) fn descriptor() -> Result<TableDescriptor> {
    let mut table = TableDescriptor::new(TableName::parse(TABLE)?);
    table.attributes.insert("IS_META".into(), "true".into());
    Ok(table.with_family(FamilyDescriptor::new(FAMILY)).with_family(FamilyDescriptor::new("table")))
}

/// Meta's one table, with this server in it.
fn table(session: &Session) -> Result<Arc<dyn TableBackend>> {
    let here = &session.here;
    let server = ServerPlace { address: here.address(), start_code: here.start_code, name: here.to_string() };
    session.backend.meta(&server)
}

/// A row of meta: none or one in the batch.
pub(super) fn get(session: &Session, get: &Get) -> Result<CellBatch> {
    table(session)?.get(get)
}

/// The rows of a range of meta. They are small: none comes in pieces.
pub(super) fn scan(session: &Session, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
    table(session)?.scan(Scan { batch: 0, ..scan })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_has_two_names_and_no_others() {
        assert!(is_name(b"hbase:meta,,1") && is_name(b"1588230740") && is_name(b"hbase:meta,,1.1588230740."));
        assert!(!is_name(b"hbase:meta,,12") && !is_name(b"hbase:meta"));
    }
}
