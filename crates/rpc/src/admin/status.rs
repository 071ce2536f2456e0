//! The state of the cluster, and its balancer.

use super::Admin;
use crate::proto;
use rowstone_model::admin::{ClusterStatus, ServerStatus};
use rowstone_model::Result;

const MEBIBYTE: u64 = 1 << 20;

impl Admin {
    pub(super) fn status(&self) -> Result<ClusterStatus> {
        let report = self.cluster_report()?;
        let mut servers: Vec<_> = report.live_servers.iter().map(server_status).collect();
        servers.sort_by(|left, right| left.name.cmp(&right.name));
        let encoded = |region: &proto::RegionInTransition| crate::region::encoded_name(&region.spec.value);
        Ok(ClusterStatus {
            hbase_version: report.hbase_version.map(|version| version.version).unwrap_or_default(),
            cluster_id: report.cluster_id.map(|id| id.cluster_id).unwrap_or_default(),
            master: report.master.as_ref().map(proto::ServerName::full_name).unwrap_or_default(),
            backup_masters: report.backup_masters.iter().map(proto::ServerName::full_name).collect(),
            servers,
            dead_servers: report.dead_servers.iter().map(proto::ServerName::full_name).collect(),
            regions_in_transition: report.regions_in_transition.iter().map(encoded).collect(),
            is_balancer_on: report.balancer_on.unwrap_or(false),
        })
    }

    pub(super) fn switch_balancer(&self, on: bool) -> Result<bool> {
        let request = proto::SetBalancerRunningRequest { on, synchronous: Some(true) };
        let answer: proto::SetBalancerRunningResponse = self.call("SetBalancerRunning", &request)?;
        Ok(answer.prev_balance_value.unwrap_or(false))
    }

    pub(super) fn run_balancer(&self) -> Result<bool> {
        let answer: proto::BalanceResponse = self.call("Balance", &proto::Empty {})?;
        Ok(answer.balancer_ran)
    }
}

fn server_status(info: &proto::LiveServerInfo) -> ServerStatus {
    let load = &info.server_load;
    let sum = |part: fn(&proto::RegionLoad) -> Option<u32>| {
        load.region_loads.iter().map(|region| u64::from(part(region).unwrap_or(0))).sum::<u64>()
    };
    ServerStatus {
        name: info.server.full_name(),
        region_count: load.region_loads.len() as u64,
        requests_per_second: load.number_of_requests.unwrap_or(0),
        heap_bytes: (
            u64::from(load.used_heap_mb.unwrap_or(0)) * MEBIBYTE,
            u64::from(load.max_heap_mb.unwrap_or(0)) * MEBIBYTE,
        ),
        store_files: sum(|region| region.storefiles),
        store_file_bytes: sum(|region| region.storefile_size_mb) * MEBIBYTE,
        memstore_bytes: sum(|region| region.mem_store_size_mb) * MEBIBYTE,
    }
}
