//! Splitting, merging and moving regions.

use super::catalog;
use super::procedures::run;
use crate::convert::from_table_name;
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::regions::{find, Target};
use crate::server::session::Session;
use rowstone_model::access::Intent;
use rowstone_model::codec::printable;
use rowstone_model::{Error, ErrorKind, Result};
use std::cell::Cell;

/// Returns the name of the region that a message describes.
fn name_of(session: &Session, wanted: &proto::RegionInfo) -> Result<Vec<u8>> {
    let name = from_table_name(&wanted.table_name)?;
    let same = |region: &&rowstone_model::schema::RegionInfo| {
        region.region_id as u64 == wanted.region_id && region.start_key == wanted.start_key()
    };
    let regions = session.backend.admin().regions(&name)?;
    let missing = || Error::new(ErrorKind::RegionNotFound, format!("'{name}' has no such region"));
    Ok(regions.iter().find(same).ok_or_else(missing)?.region_name())
}

/// Answers a request to move a region. There is one server, so the region stays. An unknown target server is an error,
/// while HBase accepts it silently.
pub(super) fn stay(session: &Session, call: &Call) -> Outcome {
    let request: proto::MoveRegionRequest = call.message()?;
    let is_here = |name: &proto::ServerName| name.port == Some(u32::from(session.state.port));
    if let Some(name) = request.dest_server_name.filter(|name| !is_here(name)) {
        let port = name.port.unwrap_or(0);
        let message = format!("{}:{port} is not one of the servers; move the region without a target", name.host_name);
        return Err(Exception::last("DoNotRetryIOException", message));
    }
    match find(session, &request.region) {
        Ok(Target::Region(region)) => {
            session.backend.admin().check(Intent::Move(&region.info.table))?;
            Ok(Answer::of(&proto::Empty {}))
        }
        Ok(Target::Meta) => Ok(Answer::of(&proto::Empty {})),
        Err(_) => Err(Exception::last("UnknownRegionException", printable(&request.region.value))),
    }
}

/// Answers a request to open a region. Every existing region is open.
pub(super) fn assign(session: &Session, call: &Call) -> Outcome {
    let request: proto::AssignRegionRequest = call.message()?;
    let name = printable(&request.region.value);
    match find(session, &request.region) {
        Ok(Target::Region(region)) => session.backend.admin().check(Intent::Move(&region.info.table))?,
        Ok(Target::Meta) => session.backend.admin().check(Intent::Operate)?,
        Err(_) => return Err(Exception::last("UnknownRegionException", name)),
    }
    Err(Exception::last("client.DoNotRetryRegionException", format!("Unexpected state for region {name}: it is open")))
}

/// Converts an error about a setting of the table, for which HBase has no class of its own.
fn not_wanted(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Constraint => Error::invalid(error.message()),
        _ => error,
    }
}

/// Deletes the data of a region; the region itself remains.
pub(super) fn truncate(session: &Session, call: &Call) -> Outcome {
    let request: proto::TruncateRegionRequest = call.message()?;
    if catalog::is_meta(&request.region_info.table_name) {
        let id = session.state.procedures.fail(Exception::java("Can't truncate region in catalog tables", true));
        return Ok(Answer::of(&proto::ProcedureId { proc_id: Some(id) }));
    }
    let admin = session.backend.admin();
    let region = name_of(session, &request.region_info)?;
    run(session, (request.nonce_group, request.nonce), || admin.truncate_region(&region))
}

pub(super) fn split(session: &Session, call: &Call) -> Outcome {
    let request: proto::SplitTableRegionRequest = call.message()?;
    let admin = session.backend.admin();
    let region = name_of(session, &request.region_info)?;
    let row = request.split_row.as_deref().filter(|row| !row.is_empty());
    run(session, (request.nonce_group, request.nonce), || admin.split_region(&region, row).map_err(not_wanted))
}

pub(super) fn merge(session: &Session, call: &Call) -> Outcome {
    let request: proto::MergeTableRegionsRequest = call.message()?;
    let names: Vec<Vec<u8>> = request.region.into_iter().map(|region| region.value).collect();
    let forced = request.forcible.unwrap_or(false);
    let admin = session.backend.admin();
    // Regions that do not form a range have an exception of their own.
    let is_no_range = Cell::new(false);
    let merge = || {
        admin.merge_regions(&names, forced).map_err(|error| {
            is_no_range.set(error.kind() == ErrorKind::InvalidArgument);
            not_wanted(error)
        })
    };
    run(session, (request.nonce_group, request.nonce), merge).map_err(|exception| {
        if is_no_range.get() {
            Exception::last("exceptions.MergeRegionException", exception.message)
        } else {
            exception
        }
    })
}
