//! Time of the last major compaction. Source: `HRegion.getOldestHfileTs`.

use crate::convert::from_table_name;
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::services::regions::{find, Target};
use crate::server::session::Session;
use rowstone_model::admin::StoreLoad;
use rowstone_model::ErrorKind;

/// The oldest time of all stores that have one; 0 if none has.
pub(super) fn oldest(stores: &[StoreLoad]) -> u64 {
    let time = |store: &StoreLoad| store.numbers.get("major_compaction_ms").copied();
    let times = stores.iter().filter_map(time).filter(|time| *time > 0);
    times.min().map_or(0, i64::unsigned_abs)
}

fn answer_of(stores: &[StoreLoad]) -> Outcome {
    let compaction_timestamp = oldest(stores).cast_signed();
    Ok(Answer::of(&proto::MajorCompactionTimestampResponse { compaction_timestamp }))
}

/// The time of a table; 0 for an unknown table, as in HBase.
pub(super) fn of_table(session: &Session, call: &Call) -> Outcome {
    let request: proto::MajorCompactionTimestampRequest = call.message()?;
    let name = from_table_name(&request.table_name)?;
    match session.backend.admin().store_loads(&name) {
        Ok(stores) => answer_of(&stores),
        Err(error) if error.kind() == ErrorKind::TableNotFound => answer_of(&[]),
        Err(error) => Err(error.into()),
    }
}

/// The time of a region; 0 for an unknown region, as in HBase.
pub(super) fn of_region(session: &Session, call: &Call) -> Outcome {
    let request: proto::MajorCompactionTimestampForRegionRequest = call.message()?;
    let Ok(Target::Region(region)) = find(session, &request.region) else { return answer_of(&[]) };
    let mut stores = session.backend.admin().store_loads(&region.info.table)?;
    stores.retain(|store| store.region.encoded_name == region.info.encoded_name);
    answer_of(&stores)
}
