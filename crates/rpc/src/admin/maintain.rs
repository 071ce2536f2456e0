//! Flushes and compactions. A flush is a procedure of the master; a compaction is requested from each region's server
//! and polled.

use super::polling::{Pauses, Wait};
use super::Admin;
use crate::cluster::{table_not_found, Recovery};
use crate::connection::Service;
use crate::convert::table_name;
use crate::failure::Failure;
use crate::proto;
use crate::proto::get_region_info_response::CompactionState;
use crate::region::{all_regions, Location};
use crate::wire::Call;
use prost::Message;
use rowstone_model::admin;
use rowstone_model::schema::TableName;
use rowstone_model::{ErrorKind, Result};
use std::sync::Arc;

impl Admin {
    /// The active regions of a table, sorted by start key.
    pub(super) fn region_rows(&self, name: &TableName) -> Result<Vec<Arc<Location>>> {
        if name.is_meta() {
            return Ok(vec![self.meta_row()?]);
        }
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            let deadline = recovery.call_deadline();
            let rows =
                self.cluster.meta(deadline).and_then(|meta| all_regions(&meta, name, &self.cluster.servers, deadline));
            match rows {
                Ok(rows) if rows.is_empty() => return Err(table_not_found(name)),
                Ok(rows) => {
                    let used = rows.into_iter().filter(|row| !row.is_offline && !row.is_replica);
                    return Ok(used.map(|row| Arc::new(row.location)).collect());
                }
                Err(failure) => {
                    self.cluster.note_meta_failure(&failure);
                    recovery.after(failure, "read hbase:meta", None, None)?;
                }
            }
        }
    }

    /// The region of `hbase:meta`, where the registry says that it is at the moment.
    pub(super) fn meta_row(&self) -> Result<Arc<Location>> {
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            match self.cluster.meta_now(recovery.call_deadline()) {
                Ok(location) => return Ok(location),
                Err(failure) => recovery.after(failure, "locate hbase:meta", None, None)?,
            }
        }
    }

    /// Calls the server of a region; looks the region up again if it has moved.
    pub(super) fn region_call<M: Message + Default>(
        &self,
        location: &Arc<Location>,
        method: &'static str,
        request: &impl Message,
    ) -> Result<M> {
        let table = self.cluster.table(&location.info.table);
        let mut recovery = Recovery::new(&self.cluster);
        let mut at = Arc::clone(location);
        let call = Call::new(method, request);
        loop {
            let deadline = recovery.call_deadline();
            let answer = match &at.server {
                Some(server) => {
                    server.call(Service::Admin, &call, deadline).and_then(|response| Ok(response.message()?))
                }
                None => {
                    Err(Failure::connection(format!("region {} is not assigned to a server", at.info.encoded_name)))
                }
            };
            match answer {
                Ok(message) => return Ok(message),
                Err(failure) => recovery.after(failure, method, Some(&table), Some(&at))?,
            }
            let rows = self.region_rows(&location.info.table)?;
            match rows.into_iter().find(|row| row.name == location.name) {
                Some(found) => at = found,
                None => return Err(region_not_found(&location.info.encoded_name)),
            }
        }
    }

    pub(super) fn flush_table(&self, name: &TableName) -> Result<()> {
        let (nonce_group, nonce) = self.nonce();
        let request =
            proto::FlushTableRequest { table_name: table_name(name), column_family: Vec::new(), nonce_group, nonce };
        match self.run("FlushTable", &request) {
            // Masters before 2.6 flush through `ExecProcedure` instead.
            Err(error) if error.kind() == ErrorKind::Unsupported || is_unknown_method(&error) => self.old_flush(name),
            other => other,
        }
    }

    fn old_flush(&self, name: &TableName) -> Result<()> {
        let procedure = proto::ProcedureDescription {
            signature: "flush-table-proc".to_string(),
            instance: Some(name.to_string()),
            ..proto::ProcedureDescription::default()
        };
        let request = proto::ExecProcedureRequest { procedure: procedure.clone() };
        let _: proto::ExecProcedureResponse = self.call("ExecProcedure", &request)?;
        let mut wait = Wait::for_master(self.cluster.options.operation_timeout);
        loop {
            let request = proto::IsProcedureDoneRequest { procedure: Some(procedure.clone()) };
            let answer: proto::IsProcedureDoneResponse = self.call("IsProcedureDone", &request)?;
            if answer.done.unwrap_or(false) {
                return Ok(());
            }
            wait.sleep(&|| format!("the flush of table '{name}' has not ended"))?;
        }
    }

    pub(super) fn compact_table(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()> {
        let regions = self.region_rows(name)?;
        for location in &regions {
            self.compact_one(location, family, major)?;
        }
        regions.iter().try_for_each(|location| self.await_compaction(location))
    }

    pub(super) fn compact_one(&self, location: &Arc<Location>, family: Option<&[u8]>, major: bool) -> Result<()> {
        let request = proto::CompactRegionRequest {
            region: location.specifier(),
            major: Some(major),
            family: family.map(<[u8]>::to_vec),
        };
        self.region_call::<proto::Empty>(location, "CompactRegion", &request).map(drop)
    }

    /// The compactions of a region that are queued or running.
    pub(super) fn state_of_compaction(&self, location: &Arc<Location>) -> Result<admin::CompactionState> {
        let request = proto::GetRegionInfoRequest { region: location.specifier(), compaction_state: Some(true) };
        let answer = self.region_call::<proto::GetRegionInfoResponse>(location, "GetRegionInfo", &request)?;
        Ok(match answer.compaction_state() {
            CompactionState::None => admin::CompactionState::None,
            CompactionState::Minor => admin::CompactionState::Minor,
            CompactionState::Major => admin::CompactionState::Major,
            CompactionState::MajorAndMinor => admin::CompactionState::MajorAndMinor,
        })
    }

    /// Waits until no compaction of the region is queued or running, for as long as it takes.
    pub(super) fn await_compaction(&self, location: &Arc<Location>) -> Result<()> {
        let request = proto::GetRegionInfoRequest { region: location.specifier(), compaction_state: Some(true) };
        let mut pauses = Pauses::new();
        loop {
            let answer = self.region_call::<proto::GetRegionInfoResponse>(location, "GetRegionInfo", &request);
            match answer {
                Ok(answer) if answer.compaction_state() == CompactionState::None => return Ok(()),
                Ok(_) => {}
                // The region was split or merged meanwhile. The new regions are compacted on their own schedule.
                Err(error) if error.kind() == ErrorKind::RegionNotFound => return Ok(()),
                Err(error) => return Err(error),
            }
            pauses.sleep();
        }
    }
}

fn is_unknown_method(error: &rowstone_model::Error) -> bool {
    error.remote_class().is_some_and(|class| class.ends_with("UnsupportedOperationException"))
        || error.message().contains("UnsupportedOperationException")
        || error.message().contains("Unknown method")
}

pub(super) fn region_not_found(encoded_name: &str) -> rowstone_model::Error {
    rowstone_model::Error::new(ErrorKind::RegionNotFound, format!("there is no region '{encoded_name}'"))
        .from_remote("org.apache.hadoop.hbase.UnknownRegionException")
}
