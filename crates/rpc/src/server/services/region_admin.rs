//! AdminService: operations of a region server on one region.

use crate::convert::{from_table_name, table_name};
use crate::proto;
use crate::proto::get_region_info_response::CompactionState;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::master::{region_load, region_message, set_switch, space_snapshots};
use crate::server::services::meta;
use crate::server::services::regions::{find, Region, Target};
use crate::server::services::slow_log;
use crate::server::session::Session;
use rowstone_model::access::Intent;
use rowstone_model::codec::printable;
use rowstone_model::schema::TableName;
use rowstone_model::switches::Switch;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;
use std::sync::Arc;

pub(in crate::server) fn answer(session: &Session, call: &Call) -> Outcome {
    match call.method() {
        "GetRegionInfo" => region_info(session, call),
        "GetStoreFile" => store_files(session, call),
        "FlushRegion" => flush(session, call),
        "CompactRegion" => compact(session, call),
        "GetOnlineRegion" => online(session),
        "GetRegionLoad" => loads(session, call),
        "GetServerInfo" => {
            let webui_port = Some(session.state.info_port.load(Ordering::Relaxed).into());
            let server_info = proto::ServerInfo { server_name: session.advertised.to_message(), webui_port };
            Ok(Answer::of(&proto::GetServerInfoResponse { server_info }))
        }
        "CompactionSwitch" => set_switch(session, call, Switch::Compaction),
        "UpdateConfiguration" | "ClearCompactionQueues" | "RollWALWriter" => operate(session),
        "GetSpaceQuotaSnapshots" => space_snapshots(session),
        "ClearRegionBlockCache" => clear_block_cache(session, call),
        "GetCachedFilesList" => Ok(Answer::of(&proto::Empty {})),
        "GetLogEntries" | "GetSlowLogResponses" | "GetLargeLogResponses" | "ClearSlowLogsResponses" => {
            slow_log::answer(session, call)
        }
        method => Err(Exception::unsupported(method)),
    }
}

/// Answers calls that have nothing to do: settings are read at open, and the log rolls by itself.
fn operate(session: &Session) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    Ok(Answer::of(&proto::Empty {}))
}

fn region_of(session: &Session, specifier: &proto::RegionSpecifier) -> std::result::Result<Option<Region>, Exception> {
    Ok(match find(session, specifier)? {
        Target::Meta => None,
        Target::Region(region) => Some(region),
    })
}

fn region_info(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetRegionInfoRequest = call.message()?;
    if let Some(table) = table_of_mob_region(&request.region) {
        return mob_region_info(session, &table, &request);
    }
    let region = region_of(session, &request.region)?;
    let is_compacting =
        region.as_ref().is_some_and(|region| session.state.compactions.is_running(&region.info.encoded_name));
    let state = if is_compacting { CompactionState::Major } else { CompactionState::None };
    let wants_state = request.compaction_state.unwrap_or(false);
    Ok(Answer::of(&proto::GetRegionInfoResponse {
        region_info: region.as_ref().map_or_else(meta::region_info, |region| region_message(&region.info)),
        compaction_state: wants_state.then_some(state as i32),
        splittable: Some(region.is_some()),
        mergeable: Some(region.is_some()),
    }))
}

/// Lists the paths of a region's store files, of all families if the request names none. `hbase:meta` has no files.
///
/// HBase answers an unknown family with an `IOException`, which its clients retry in vain.
fn store_files(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetStoreFileRequest = call.message()?;
    let Some(region) = region_of(session, &request.region)? else {
        return Ok(Answer::of(&proto::GetStoreFileResponse::default()));
    };
    let files = session.backend.admin().store_files(&region.info.table)?;
    for family in &request.family {
        check_family(session, &region.info.table, family, &region.info.region_name())?;
    }
    let is_listed = |family: &Vec<u8>| request.family.is_empty() || request.family.contains(family);
    let listed = files.into_iter().filter(|file| file.region == region.info.encoded_name && is_listed(&file.family));
    Ok(Answer::of(&proto::GetStoreFileResponse { store_file: listed.map(|file| file.path).collect() }))
}

/// Falls back to the whole table if the database does not support the operation on a single region.
fn or_of_table(done: Result<()>, of_table: impl FnOnce() -> Result<()>) -> Result<()> {
    match done {
        Err(error) if error.kind() == ErrorKind::Unsupported => of_table(),
        other => other,
    }
}

fn flush(session: &Session, call: &Call) -> Outcome {
    let request: proto::FlushRegionRequest = call.message()?;
    if let Some(region) = region_of(session, &request.region)? {
        let admin = session.backend.admin();
        let done = admin.flush_region(&region.info.region_name(), request.family.as_deref());
        or_of_table(done, || admin.flush(Some(&region.info.table)))?;
    }
    Ok(Answer::of(&proto::FlushRegionResponse { last_flush_time: session.state.start_code, flushed: Some(true) }))
}

/// Evicts the blocks of regions from the block cache. As in HBase, an unknown region does not stop the others.
fn clear_block_cache(session: &Session, call: &Call) -> Outcome {
    let request: proto::ClearRegionBlockCacheRequest = call.message()?;
    let admin = session.backend.admin();
    admin.check(Intent::Operate)?;
    let limit_bytes = admin.memory_limits()?.cache.bytes;
    let (mut evicted_blocks, mut exception) = (0, Vec::new());
    for specifier in request.region {
        let evicted = region_of(session, &specifier).and_then(|region| match region {
            Some(region) => Ok(admin.clear_block_cache(&region.info.region_name())?),
            None => Ok(0),
        });
        match evicted {
            Ok(blocks) => evicted_blocks += blocks,
            Err(error) => {
                exception.push(proto::RegionExceptionMessage { region: specifier, exception: error.pair() });
            }
        }
    }
    let stats = proto::CacheEvictionStats {
        evicted_blocks: Some(i64::try_from(evicted_blocks).unwrap_or(i64::MAX)),
        bytes_evicted: None,
        max_cache_size: Some(i64::try_from(limit_bytes).unwrap_or(i64::MAX)),
        exception,
    };
    Ok(Answer::of(&proto::ClearRegionBlockCacheResponse { stats }))
}

/// The table whose large values clients mean by a region that does not exist. Source: HBase's `RegionInfoBuilder` and
/// `MobUtils`, which name it by the start key `.mob` and the ID 0.
fn table_of_mob_region(region: &proto::RegionSpecifier) -> Option<TableName> {
    let (table, rest) = std::str::from_utf8(&region.value).ok()?.split_once(',')?;
    TableName::parse(table).ok().filter(|_| rest.starts_with(".mob,0."))
}

/// Describes the region that [`table_of_mob_region`] names, and whether a compaction of it runs.
fn mob_region_info(session: &Session, table: &TableName, request: &proto::GetRegionInfoRequest) -> Outcome {
    session.backend.admin().regions(table)?;
    let is_compacting = session.state.compactions.is_running(&printable(&request.region.value));
    let state = if is_compacting { CompactionState::Major } else { CompactionState::None };
    let region_info = proto::RegionInfo {
        table_name: table_name(table),
        start_key: Some(b".mob".to_vec()),
        ..proto::RegionInfo::default()
    };
    Ok(Answer::of(&proto::GetRegionInfoResponse {
        region_info,
        compaction_state: Some(state as i32),
        splittable: Some(false),
        mergeable: Some(false),
    }))
}

/// Compacts a table for a client that asks for its large values. As in HBase since 2.6, it is a regular compaction.
fn compact_mob(session: &Session, table: TableName, request: proto::CompactRegionRequest) -> Outcome {
    let admin = session.backend.admin();
    admin.check(Intent::Compact(&table))?;
    check_has_mob(session, &table)?;
    let backend = Arc::clone(&session.backend);
    let major = request.major.unwrap_or(false);
    let name = printable(&request.region.value);
    session
        .state
        .compactions
        .start(&name, move || backend.admin().compact(&table, request.family.as_deref(), major))?;
    Ok(Answer::of(&proto::Empty {}))
}

/// Rejects a table without large values. As in HBase, its region of large values is unknown.
fn check_has_mob(session: &Session, table: &TableName) -> std::result::Result<(), Exception> {
    let families = session.state.backend.admin().describe_table(table)?.families;
    for family in families.values() {
        if family.options()?.mob_threshold.is_some() {
            return Ok(());
        }
    }
    let message = format!("table '{table}' has no family with IS_MOB => true; compact it without the type MOB");
    Err(Exception::new("NotServingRegionException", message))
}

fn compact(session: &Session, call: &Call) -> Outcome {
    let request: proto::CompactRegionRequest = call.message()?;
    if let Some(table) = table_of_mob_region(&request.region) {
        return compact_mob(session, table, request);
    }
    let Some(region) = region_of(session, &request.region)? else { return Ok(Answer::of(&proto::Empty {})) };
    // Checked now, because the client no longer waits when the work runs.
    session.backend.admin().check(Intent::Compact(&region.info.table))?;
    let (family, major) = (request.family, request.major.unwrap_or(false));
    if let Some(family) = &family {
        check_family(session, &region.info.table, family, &region.info.region_name())?;
    }
    let backend = Arc::clone(&session.backend);
    let info = region.info;
    let encoded_name = info.encoded_name.clone();
    session.state.compactions.start(&encoded_name, move || {
        let admin = backend.admin();
        let done = admin.compact_region(&info.region_name(), family.as_deref(), major);
        or_of_table(done, || admin.compact(&info.table, family.as_deref(), major))
    })?;
    Ok(Answer::of(&proto::Empty {}))
}

/// Rejects a family that the table of `region` does not have.
pub(in crate::server) fn check_family(
    session: &Session,
    table: &TableName,
    family: &[u8],
    region: &[u8],
) -> std::result::Result<(), Exception> {
    let table = session.state.backend.admin().describe_table(table)?;
    if table.families.contains_key(family) {
        return Ok(());
    }
    let message = format!("column family {} does not exist in region {}", printable(family), printable(region));
    Err(Error::new(ErrorKind::NoSuchColumnFamily, message).into())
}

fn online(session: &Session) -> Outcome {
    let admin = session.backend.admin();
    let mut region_info = vec![meta::region_info()];
    for name in admin.list_tables(None)? {
        region_info.extend(admin.regions(&name).unwrap_or_default().iter().map(region_message));
    }
    Ok(Answer::of(&proto::GetOnlineRegionResponse { region_info }))
}

fn loads(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetRegionLoadRequest = call.message()?;
    let admin = session.backend.admin();
    let is_meta = |name: &proto::TableName| (&name.namespace[..], &name.qualifier[..]) == (b"hbase", b"meta");
    let (names, mut region_loads) = match &request.table_name {
        Some(name) if is_meta(name) => (Vec::new(), vec![meta::region_load()]),
        Some(name) => (vec![from_table_name(name)?], Vec::new()),
        None => (admin.list_tables(None)?, vec![meta::region_load()]),
    };
    for name in names {
        region_loads.extend(region_load(session, &name)?);
    }
    Ok(Answer::of(&proto::GetRegionLoadResponse { region_loads }))
}
