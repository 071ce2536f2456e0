//! `hbase:meta`: a view of the database's regions that locates all of them on this server.

use crate::proto;
use crate::server::advertised_name::AdvertisedName;
use crate::server::session::Session;
use prost::Message;
use rowstone_model::backend::{ScannerBackend, ServerPlace, TableBackend};
use rowstone_model::operations::{CellBatch, Get, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;
use std::sync::Arc;

/// The table's name.
pub(in crate::server) const TABLE: &str = "hbase:meta";
const NAME: &[u8] = b"hbase:meta,,1";
/// The coprocessor that HBase loads into `hbase:meta`.
const ENDPOINT: &str = "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|";
/// Its families: info, rep_barrier and table.
const FAMILY_COUNT: u32 = 3;
/// `RegionState.State.OPEN` in ZooKeeper's node.
const OPEN: i32 = 3;

/// The region of `hbase:meta`.
pub(in crate::server) fn region_info() -> proto::RegionInfo {
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

/// The load of that region, a view of the manifest without files.
pub(super) fn region_load() -> proto::RegionLoad {
    proto::RegionLoad {
        region_specifier: proto::RegionSpecifier::by_name(NAME),
        stores: Some(FAMILY_COUNT),
        storefiles: Some(0),
        data_locality: Some(1.0),
        ..proto::RegionLoad::default()
    }
}

/// The content of the ZooKeeper node `meta-region-server`.
pub(in crate::server) fn region_server(advertised: &AdvertisedName) -> Vec<u8> {
    let node = proto::MetaRegionServer { server: advertised.to_message(), rpc_version: Some(0), state: Some(OPEN) };
    node.encode_to_vec()
}

/// The descriptor of `hbase:meta`, as in HBase 2.6. Source: `FSTableDescriptors.createMetaTableDescriptorBuilder`.
pub(in crate::server) fn descriptor() -> Result<TableDescriptor> {
    let mut table = TableDescriptor::new(TableName::parse(TABLE)?);
    table.attributes.insert("IS_META".into(), "true".into());
    table.attributes.insert("coprocessor$1".into(), ENDPOINT.into());
    Ok(table
        .with_family(family("info", "8192", "3"))
        .with_family(family("rep_barrier", "65536", "2147483647"))
        .with_family(family("table", "8192", "3")))
}

fn family(name: &str, block_size: &str, versions: &str) -> FamilyDescriptor {
    let mut family = FamilyDescriptor::new(name);
    let attributes = [
        ("BLOCKSIZE", block_size),
        ("BLOOMFILTER", "ROWCOL"),
        ("DATA_BLOCK_ENCODING", "ROW_INDEX_V1"),
        ("IN_MEMORY", "true"),
        ("VERSIONS", versions),
    ];
    family.attributes.extend(attributes.map(|(name, value)| (name.to_string(), value.to_string())));
    family
}

/// The table `hbase:meta`, with this server as every region's location.
fn table(session: &Session) -> Result<Arc<dyn TableBackend>> {
    let advertised = &session.advertised;
    let server =
        ServerPlace { address: advertised.address(), start_code: advertised.start_code, name: advertised.to_string() };
    session.backend.meta(&server)
}

/// Reads a row of `hbase:meta`: the batch has at most one.
pub(in crate::server) fn get(session: &Session, get: &Get) -> Result<CellBatch> {
    table(session)?.get(get)
}

/// Scans `hbase:meta`. Its rows are small and never returned in parts.
pub(in crate::server) fn scan(session: &Session, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
    table(session)?.scan(Scan { batch: 0, ..scan })
}
