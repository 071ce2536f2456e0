//! Numbers of the cluster, as its servers report them every few seconds.

use super::Admin;
use crate::proto;
use rowstone_model::backend::Statistics;
use rowstone_model::schema::TableName;
use rowstone_model::Result;

const MEBIBYTE: i64 = 1 << 20;

impl Admin {
    /// What the master knows of the cluster.
    pub(super) fn cluster_report(&self) -> Result<proto::ClusterStatus> {
        let answer: proto::GetClusterStatusResponse = self.call("GetClusterStatus", &proto::Empty {})?;
        Ok(answer.cluster_status)
    }

    /// Sums over the regions of a table, or of all.
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
        let loads = report.live_servers.iter().flat_map(|server| &server.server_load.region_loads);
        for load in
            loads.filter(|load| wanted.as_ref().is_none_or(|names| names.contains(&load.region_specifier.value)))
        {
            add("regions", 1);
            add("store_files", i64::from(load.storefiles.unwrap_or(0)));
            add("store_file_bytes", i64::from(load.storefile_size_mb.unwrap_or(0)) * MEBIBYTE);
            add("memstore_bytes", i64::from(load.mem_store_size_mb.unwrap_or(0)) * MEBIBYTE);
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
}
