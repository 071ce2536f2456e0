//! Gets.

use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::{as_region_error, Exception};
use crate::server::messages::reads::get_of;
use crate::server::services::meta;
use crate::server::services::regions::{find, Region, Target};
use crate::server::services::throttle;
use crate::server::session::Session;
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, Get};
use rowstone_model::Error;

/// Converts an error; errors about regions become the exception that makes the client look up the region again.
pub(in crate::server) fn region_error(session: &Session, region: &Region, error: Error) -> Exception {
    as_region_error(error, &printable(&region.info.region_name()), &session.advertised.to_string())
}

/// Answers a get that needs no I/O and no lock; `None` for any other get.
pub(in crate::server) fn get_at_once(session: &Session, call: &Call) -> Result<Option<Answer>, Exception> {
    if throttle::is_active(session) {
        return Ok(None);
    }
    session.answer_memory.check()?;
    let request: proto::GetRequest = call.message()?;
    let Target::Region(region) = find(session, &request.region)? else { return Ok(None) };
    if request.get.existence_only.unwrap_or(false) {
        return Ok(None);
    }
    let get = get_of(&request.get)?;
    region.check_row(&get.row, "Get")?;
    let mut batch = CellBatch::default();
    let is_read = region.table.get_at_once(&get.row, &get.options, &mut batch);
    let is_read = is_read.map_err(|error| region_error(session, &region, error))?;
    Ok(is_read.then(|| answer_of(session, &batch)))
}

pub(super) fn get(session: &Session, call: &Call) -> Outcome {
    session.answer_memory.check()?;
    let request: proto::GetRequest = call.message()?;
    let get = get_of(&request.get)?;
    let only_exists = request.get.existence_only.unwrap_or(false);
    let region = match find(session, &request.region)? {
        Target::Region(region) => region,
        Target::Meta => {
            let batch = meta::get(session, &get)?;
            if only_exists {
                return Ok(existence(!batch.rows.is_empty()));
            }
            return Ok(answer_of(session, &batch));
        }
    };
    let permit = throttle::rows(session, &region.info.table, throttle::GET)?;
    region.check_row(&get.row, "Get")?;
    if only_exists {
        return exists(session, &region, &get).map(existence);
    }
    let batch = region.table.get(&get).map_err(|error| region_error(session, &region, error))?;
    if let Some(permit) = &permit {
        permit.read(batch.cells.byte_len());
    }
    Ok(answer_of(session, &batch))
}

/// Whether a get finds a cell. A row key that is invalid for every table is never found: clients send such gets to
/// check that a region exists.
pub(super) fn exists(session: &Session, region: &Region, get: &Get) -> Result<bool, Exception> {
    region.table.exists(get).map_err(|error| region_error(session, region, error))
}

fn existence(exists: bool) -> Answer {
    let result = proto::Result { exists: Some(exists), ..proto::Result::default() };
    Answer::of(&proto::GetResponse { result: Some(result) })
}

fn answer_of(session: &Session, batch: &CellBatch) -> Answer {
    let mut sink = session.get_sink();
    let mut result = sink.result(batch);
    result.stale = Some(false);
    sink.answer(&proto::GetResponse { result: Some(result) })
}
