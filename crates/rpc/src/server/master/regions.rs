//! Splitting and merging regions.

use super::procedures::run;
use crate::convert::from_table_name;
use crate::proto;
use crate::server::call::{Call, Outcome};
use crate::server::session::Session;
use rowstone_model::{Error, ErrorKind};

pub(super) fn split(session: &Session, call: &Call) -> Outcome {
    let request: proto::SplitTableRegionRequest = call.message()?;
    let admin = session.state.backend.admin();
    let name = from_table_name(&request.region_info.table_name)?;
    let wanted = &request.region_info;
    let same = |region: &&rowstone_model::schema::RegionInfo| {
        region.region_id as u64 == wanted.region_id && region.start_key == wanted.start_key()
    };
    let regions = admin.regions(&name)?;
    let missing = || Error::new(ErrorKind::RegionNotFound, format!("'{name}' has no such region"));
    let region = regions.iter().find(same).ok_or_else(missing)?.region_name();
    let row = request.split_row.as_deref().filter(|row| !row.is_empty());
    run(session, (request.nonce_group, request.nonce), || admin.split_region(&region, row))
}

pub(super) fn merge(session: &Session, call: &Call) -> Outcome {
    let request: proto::MergeTableRegionsRequest = call.message()?;
    let names: Vec<Vec<u8>> = request.region.into_iter().map(|region| region.value).collect();
    let forced = request.forcible.unwrap_or(false);
    let admin = session.state.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.merge_regions(&names, forced))
}
