//! Metrics of the cluster, as its servers report them every few seconds.

use super::Admin;
use crate::proto;
use crate::region::Location;
use rowstone_model::admin::{Statistics, StoreLoad};
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::collections::HashMap;
use std::sync::Arc;

const MEBIBYTE: i64 = 1 << 20;

impl Admin {
    /// The master's view of the cluster.
    pub(super) fn cluster_report(&self) -> Result<proto::ClusterStatus> {
        let answer: proto::GetClusterStatusResponse = self.call("GetClusterStatus", &proto::Empty {})?;
        Ok(answer.cluster_status)
    }

    /// Sums over the regions of a table, or of all tables.
    pub(super) fn numbers(&self, name: Option<&TableName>) -> Result<Statistics> {
        let wanted = match name {
            Some(name) => {
                let names = self.region_rows(name)?.into_iter().map(|location| location.name.clone());
                Some(names.collect::<std::collections::HashSet<_>>())
            }
            None => None,
        };
        let report = self.cluster_report()?;
        let mut sums = Statistics::new();
        let mut add = |name: &str, value: i64| *sums.entry(name.to_string()).or_insert(0) += value;
        let loads = region_loads(&report);
        for load in
            loads.filter(|load| wanted.as_ref().is_none_or(|names| names.contains(&load.region_specifier.value)))
        {
            add("regions", 1);
            add("store_files", i64::from(load.storefiles.unwrap_or(0)));
            add("store_file_bytes", mebibytes(load.storefile_size_mb));
            add("memstore_bytes", mebibytes(load.mem_store_size_mb));
            add("read_requests", load.read_requests_count.unwrap_or(0) as i64);
            add("write_requests", load.write_requests_count.unwrap_or(0) as i64);
        }
        if name.is_none() {
            add("live_servers", report.live_servers.len() as i64);
            add("dead_servers", report.dead_servers.len() as i64);
            add("regions_in_transition", report.regions_in_transition.len() as i64);
        }
        Ok(sums)
    }

    /// The latest reported metrics of each region of a table; unassigned regions have none.
    pub(super) fn region_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>> {
        let rows = self.region_rows(name)?;
        let report = self.cluster_report()?;
        let reported: HashMap<&[u8], &proto::RegionLoad> =
            region_loads(&report).map(|load| (&load.region_specifier.value[..], load)).collect();
        let load = |row: &Arc<Location>| StoreLoad {
            region: row.info.clone(),
            family: None,
            numbers: reported.get(&row.name[..]).map(|load| numbers_of(load)).unwrap_or_default(),
        };
        Ok(rows.iter().map(load).collect())
    }
}

fn region_loads(report: &proto::ClusterStatus) -> impl Iterator<Item = &proto::RegionLoad> {
    report.live_servers.iter().flat_map(|server| &server.server_load.region_loads)
}

fn mebibytes(number: Option<u32>) -> i64 {
    i64::from(number.unwrap_or(0)) * MEBIBYTE
}

/// A region's report with the metric names that a directory uses.
fn numbers_of(load: &proto::RegionLoad) -> Statistics {
    let compacting = load.total_compacting_kvs.unwrap_or(0).saturating_sub(load.current_compacted_kvs.unwrap_or(0));
    let (reads, writes) = (load.read_requests_count.unwrap_or(0), load.write_requests_count.unwrap_or(0));
    let numbers = [
        ("memstore_bytes", mebibytes(load.mem_store_size_mb)),
        ("store_files", i64::from(load.storefiles.unwrap_or(0))),
        ("store_file_bytes", mebibytes(load.storefile_size_mb)),
        ("uncompressed_bytes", mebibytes(load.store_uncompressed_size_mb)),
        ("index_bytes", load.storefile_index_size_kb.unwrap_or(0) as i64 * 1024),
        ("region_reads", reads as i64),
        ("region_writes", writes as i64),
        ("compacting_cells", compacting as i64),
    ];
    numbers.into_iter().map(|(name, number)| (name.to_string(), number)).collect()
}
