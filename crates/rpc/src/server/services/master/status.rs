//! Cluster status: one server, which is also the master.

use super::compactions::oldest;
use crate::convert::table_name;
use crate::proto;
use crate::server::messages::call::{Answer, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::meta;
use crate::server::session::Session;
use rowstone_model::admin::StoreLoad;
use rowstone_model::schema::{RegionInfo, TableName, TableState};
use rowstone_model::switches::Switch;
use std::sync::atomic::Ordering;

/// HBase version reported to clients: the one whose behavior the server follows.
const VERSION: &str = "2.6.4";
const MEBIBYTE: u64 = 1 << 20;

/// Encodes a region.
pub(in crate::server) fn region_message(region: &RegionInfo) -> proto::RegionInfo {
    proto::RegionInfo {
        region_id: region.region_id as u64,
        table_name: table_name(&region.table),
        start_key: Some(region.start_key.clone()),
        end_key: Some(region.end_key.clone()),
        offline: Some(false),
        split: Some(false),
        replica_id: Some(0),
    }
}

/// Returns the load of a table's regions.
pub(in crate::server) fn region_load(session: &Session, name: &TableName) -> Result<Vec<proto::RegionLoad>, Exception> {
    let stores = session.backend.admin().store_loads(name)?;
    let regions = stores.chunk_by(|left, right| left.region.encoded_name == right.region.encoded_name);
    Ok(regions.map(load_of).collect())
}

/// Encodes the load of a region with these stores.
fn load_of(stores: &[StoreLoad]) -> proto::RegionLoad {
    let number = |store: &StoreLoad, key: &str| store.numbers.get(key).map_or(0, |number| (*number).max(0) as u64);
    let sum = |key: &str| stores.iter().map(|store| number(store, key)).sum::<u64>();
    let of_region = |key: &str| number(&stores[0], key);
    proto::RegionLoad {
        region_specifier: proto::RegionSpecifier::by_name(&stores[0].region.region_name()),
        stores: Some(stores.len() as u32),
        storefiles: Some(sum("store_files") as u32),
        store_uncompressed_size_mb: Some((sum("uncompressed_bytes") / MEBIBYTE) as u32),
        storefile_size_mb: Some((sum("store_file_bytes") / MEBIBYTE) as u32),
        mem_store_size_mb: Some((sum("memstore_bytes") / MEBIBYTE) as u32),
        storefile_index_size_kb: Some(sum("index_bytes") / 1024),
        read_requests_count: Some(of_region("region_reads")),
        write_requests_count: Some(of_region("region_writes")),
        total_compacting_kvs: Some(0),
        current_compacted_kvs: Some(0),
        data_locality: Some(1.0),
        last_major_compaction_ts: Some(oldest(stores)),
        filtered_read_requests_count: Some(0),
        ..proto::RegionLoad::default()
    }
}

pub(super) fn status(session: &Session) -> Outcome {
    let state = &session.state;
    let admin = state.backend.admin();
    let server = session.advertised.to_message();
    let info_port = state.info_port.load(Ordering::Relaxed);
    let mut region_loads = vec![meta::region_load()];
    let mut counts = Vec::new();
    for name in admin.list_tables(None)? {
        // A table may be dropped in the meantime.
        let (Ok(loads), Ok(table_state)) = (region_load(session, &name), admin.table_state(&name)) else { continue };
        let total = loads.len() as u32;
        let is_open = table_state == TableState::Enabled;
        counts.push(proto::TableRegionStatesCount {
            table_name: table_name(&name),
            region_states_count: proto::RegionStatesCount {
                open_regions: if is_open { total } else { 0 },
                split_regions: 0,
                closed_regions: if is_open { 0 } else { total },
                regions_in_transition: 0,
                total_regions: total,
            },
        });
        if is_open {
            region_loads.extend(loads);
        }
    }
    let server_load = proto::ServerLoad {
        number_of_requests: Some(0),
        total_number_of_requests: Some(state.requests.load(Ordering::Relaxed)),
        used_heap_mb: Some(0),
        max_heap_mb: Some(0),
        region_loads,
        report_start_time: Some(state.start_code),
        report_end_time: Some(state.start_code),
        info_server_port: Some(info_port.into()),
        ..proto::ServerLoad::default()
    };
    let cluster_status = proto::ClusterStatus {
        hbase_version: Some(proto::HBaseVersionFileContent { version: VERSION.to_string() }),
        live_servers: vec![proto::LiveServerInfo { server: server.clone(), server_load }],
        cluster_id: Some(proto::ClusterId { cluster_id: state.cluster_id.clone() }),
        master: Some(server.clone()),
        master_info_port: Some(info_port.into()),
        balancer_on: Some(admin.switch(Switch::Balancer).unwrap_or(false)),
        servers_name: vec![server],
        table_region_states_count: counts,
        ..proto::ClusterStatus::default()
    };
    Ok(Answer::of(&proto::GetClusterStatusResponse { cluster_status }))
}
