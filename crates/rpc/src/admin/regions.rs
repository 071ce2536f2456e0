//! Splitting, merging and moving regions. A move returns no procedure to wait for: it is done once `hbase:meta` has
//! the new location.

use super::maintain::region_not_found;
use super::polling::Wait;
use super::Admin;
use crate::cluster::{table_not_enabled, Recovery};
use crate::convert::table_name;
use crate::proto;
use crate::region::{every_region, Location};
use rowstone_model::admin::RegionLocation;
use rowstone_model::codec::printable;
use rowstone_model::schema::{RegionInfo, TableName, TableState};
use rowstone_model::{Error, Result};
use std::sync::Arc;

impl Admin {
    pub(super) fn locations(&self, name: &TableName) -> Result<Vec<RegionLocation>> {
        let rows = self.region_rows(name)?;
        Ok(rows.into_iter().map(|row| (row.info.clone(), row.server_name.clone())).collect())
    }

    /// The region with that full or encoded name.
    pub(super) fn find_region(&self, name: &[u8]) -> Result<Arc<Location>> {
        let mut recovery = Recovery::new(&self.cluster);
        let is_wanted = |location: &Location| location.name == name || location.info.encoded_name.as_bytes() == name;
        if RegionInfo::is_meta_name(name) {
            return self.meta_row();
        }
        loop {
            let deadline = recovery.call_deadline();
            let found = self
                .cluster
                .meta(deadline)
                .and_then(|meta| every_region(&meta, &self.cluster.servers, deadline, &mut |row| is_wanted(row)));
            match found {
                Ok(Some(row)) => return Ok(Arc::new(row.location)),
                Ok(None) => return Err(region_not_found(&printable(name))),
                Err(failure) => {
                    self.cluster.note_meta_failure(&failure);
                    recovery.after(failure, "read hbase:meta", None, None)?;
                }
            }
        }
    }

    pub(super) fn split(&self, region: &[u8], row: Option<&[u8]>) -> Result<()> {
        let location = self.find_region(region)?;
        let info = &location.info;
        let (nonce_group, nonce) = self.nonce();
        let region_info = region_message(info);
        let split_row = row.map(<[u8]>::to_vec);
        self.run("SplitRegion", &proto::SplitTableRegionRequest { region_info, split_row, nonce_group, nonce })?;
        self.cluster.table(&info.table).regions.forget(&location);
        Ok(())
    }

    pub(super) fn truncate_one(&self, region: &[u8]) -> Result<()> {
        let location = self.find_region(region)?;
        let (nonce_group, nonce) = self.nonce();
        let request = proto::TruncateRegionRequest { region_info: region_message(&location.info), nonce_group, nonce };
        self.run("TruncateRegion", &request)
    }

    pub(super) fn merge(&self, regions: &[Vec<u8>], force: bool) -> Result<()> {
        if regions.len() < 2 {
            return Err(Error::invalid(format!("a merge needs at least two regions, not {}", regions.len())));
        }
        let found = regions.iter().map(|name| self.find_region(name)).collect::<Result<Vec<_>>>()?;
        let (nonce_group, nonce) = self.nonce();
        let region = found.iter().map(|location| location.encoded_specifier()).collect();
        let request = proto::MergeTableRegionsRequest { region, forcible: Some(force), nonce_group, nonce };
        self.run("MergeTableRegions", &request).map_err(|error| self.or_disabled(error, &found))?;
        for location in found {
            self.cluster.table(&location.info.table).regions.forget(&location);
        }
        Ok(())
    }

    /// `error`, or `TableNotEnabled` if the regions that are not open belong to a disabled table.
    fn or_disabled(&self, error: Error, regions: &[Arc<Location>]) -> Error {
        let Some(region) = regions.first().filter(|_| error.message().contains(" is not OPEN")) else { return error };
        let table = &region.info.table;
        match self.state(table) {
            Ok(TableState::Disabled) => table_not_enabled(table),
            _ => error,
        }
    }

    pub(super) fn move_to(&self, region: &[u8], server: Option<&str>) -> Result<()> {
        let location = self.find_region(region)?;
        let dest_server_name = server.map(|server| self.live_server(server)).transpose()?;
        let wanted = dest_server_name.as_ref().map(proto::ServerName::full_name);
        if wanted.is_some() && wanted == location.server_name {
            return Ok(());
        }
        let request = proto::MoveRegionRequest { region: location.encoded_specifier(), dest_server_name };
        self.call::<proto::Empty>("MoveRegion", &request)?;
        // Without another server the master leaves the region in place.
        if server.is_none() && self.cluster_report()?.live_servers.len() < 2 {
            return Ok(());
        }
        let old = (location.server_name.clone(), location.sequence);
        self.await_place(&location, &|now| match (&wanted, &now.server_name) {
            (_, None) => false,
            (Some(wanted), Some(server)) => wanted == server,
            // The master may choose the same server again.
            (None, Some(_)) => (&now.server_name, now.sequence) != (&old.0, old.1),
        })
    }

    pub(super) fn assign(&self, region: &[u8]) -> Result<()> {
        let location = self.find_region(region)?;
        let request = proto::AssignRegionRequest { region: location.specifier(), r#override: None };
        self.call::<proto::Empty>("AssignRegion", &request)?;
        self.await_place(&location, &|now| now.is_open)
    }

    pub(super) fn unassign(&self, region: &[u8]) -> Result<()> {
        let location = self.find_region(region)?;
        if location.info.table.is_meta() {
            return Err(Error::invalid(
                "hbase:meta cannot be unassigned: without it clients find no region of any table",
            ));
        }
        let request = proto::AssignRegionRequest { region: location.specifier(), r#override: None };
        self.call::<proto::Empty>("UnassignRegion", &request)?;
        self.await_place(&location, &|now| !now.is_open)
    }

    /// Waits until `is_done` accepts the region's entry in `hbase:meta`, at most for the operation timeout.
    fn await_place(&self, location: &Arc<Location>, is_done: &dyn Fn(&Location) -> bool) -> Result<()> {
        let mut wait = Wait::until(self.cluster.deadline());
        loop {
            let now = self.find_region(&location.name)?;
            if is_done(&now) {
                self.cluster.table(&location.info.table).regions.forget_region(&location.name);
                return Ok(());
            }
            wait.sleep(&|| format!("region '{}' did not reach its new location", location.info.encoded_name))?;
        }
    }

    /// A live server, named `host,port,startcode` or `host:port`.
    fn live_server(&self, wanted: &str) -> Result<proto::ServerName> {
        let report = self.cluster_report()?;
        let matches = |server: &proto::ServerName| {
            server.full_name() == wanted || format!("{}:{}", server.host_name, server.port.unwrap_or(0)) == wanted
        };
        let live: Vec<_> = report.live_servers.into_iter().map(|info| info.server).collect();
        match live.iter().find(|server| matches(server)) {
            Some(server) => Ok(server.clone()),
            None => {
                let names: Vec<_> = live.iter().map(proto::ServerName::full_name).collect();
                Err(Error::invalid(format!("no server '{wanted}' is at work; there are: {}", names.join(" "))))
            }
        }
    }

    pub(super) fn flush_one(&self, region: &[u8], family: Option<&[u8]>) -> Result<()> {
        let location = self.find_region(region)?;
        let request = proto::FlushRegionRequest { region: location.specifier(), family: family.map(<[u8]>::to_vec) };
        self.region_call::<proto::FlushRegionResponse>(&location, "FlushRegion", &request).map(drop)
    }
}

fn region_message(info: &RegionInfo) -> proto::RegionInfo {
    proto::RegionInfo {
        region_id: info.region_id as u64,
        table_name: table_name(&info.table),
        start_key: Some(info.start_key.clone()),
        end_key: Some(info.end_key.clone()),
        offline: Some(false),
        split: Some(false),
        replica_id: Some(0),
    }
}
