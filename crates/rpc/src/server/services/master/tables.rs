//! Creating, dropping, truncating, enabling and disabling tables.

use super::catalog;
use super::procedures::run;
use super::schema::read_schema;
use crate::convert::from_table_name;
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::meta;
use crate::server::services::region_admin::check_family;
use crate::server::session::Session;
use rowstone_model::access::Intent;
use rowstone_model::schema::{RegionInfo, TableName, TableState};
use rowstone_model::ErrorKind;

/// Name of the families in a request to flush. Source: `MasterFlushTableProcedureManager`.
const FAMILIES: &str = "family";

pub(super) fn create(session: &Session, call: &Call) -> Outcome {
    let request: proto::CreateTableRequest = call.message()?;
    if let Some(name) = &request.table_schema.table_name {
        catalog::refuse(name, call.method())?;
    }
    let table = read_schema(&request.table_schema)?;
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.create_table(table, request.split_keys))
}

pub(super) fn delete(session: &Session, call: &Call) -> Outcome {
    let request: proto::DeleteTableRequest = call.message()?;
    catalog::refuse(&request.table_name, call.method())?;
    let name = from_table_name(&request.table_name)?;
    run(session, (request.nonce_group, request.nonce), || session.backend.admin().drop_table(&name))
}

pub(super) fn truncate(session: &Session, call: &Call) -> Outcome {
    let request: proto::TruncateTableRequest = call.message()?;
    catalog::refuse(&request.table_name, call.method())?;
    let name = from_table_name(&request.table_name)?;
    let keeps_splits = request.preserve_splits.unwrap_or(false);
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.truncate_table(&name, keeps_splits))
}

pub(super) fn enable(session: &Session, call: &Call) -> Outcome {
    set_state(session, call, TableState::Enabled)
}

pub(super) fn disable(session: &Session, call: &Call) -> Outcome {
    set_state(session, call, TableState::Disabled)
}

fn set_state(session: &Session, call: &Call, state: TableState) -> Outcome {
    let request: proto::DeleteTableRequest = call.message()?;
    catalog::refuse(&request.table_name, call.method())?;
    let name = from_table_name(&request.table_name)?;
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.set_table_state(&name, state))
}

pub(super) fn state(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetTableStateRequest = call.message()?;
    let name = from_table_name(&request.table_name)?;
    let is_meta = name.to_string() == meta::TABLE;
    let state = if is_meta { TableState::Enabled } else { session.backend.admin().table_state(&name)? };
    let state = match state {
        TableState::Enabled => proto::table_state::State::Enabled,
        TableState::Disabled => proto::table_state::State::Disabled,
    };
    let table_state = proto::TableState { state: state as i32 };
    Ok(Answer::of(&proto::GetTableStateResponse { table_state }))
}

pub(super) fn flush(session: &Session, call: &Call) -> Outcome {
    let request: proto::FlushTableRequest = call.message()?;
    let name = from_table_name(&request.table_name)?;
    session.backend.admin().table_state(&name)?;
    // A flush does not block schema changes.
    flush_families(session, &name, &request.column_family)?;
    run(session, (request.nonce_group, request.nonce), || Ok::<_, Exception>(()))
}

/// Flushes the given families of a table, or all if none are given.
pub(super) fn flush_families(session: &Session, name: &TableName, families: &[Vec<u8>]) -> Result<(), Exception> {
    let admin = session.backend.admin();
    if families.is_empty() {
        return Ok(admin.flush(Some(name))?);
    }
    // Checked first, because an unknown family is an error that reveals the others.
    admin.check(Intent::Flush(name))?;
    let regions = admin.regions(name)?;
    let first = regions.first().map(RegionInfo::region_name).unwrap_or_default();
    families.iter().try_for_each(|family| check_family(session, name, family, &first))?;
    for (region, family) in regions.iter().flat_map(|region| families.iter().map(move |family| (region, family))) {
        match admin.flush_region(&region.region_name(), Some(family)) {
            // The region was split or merged in the meantime, which flushes it.
            Err(error) if error.kind() == ErrorKind::RegionNotFound => {}
            Err(error) if error.kind() == ErrorKind::Unsupported => admin.flush(Some(name))?,
            other => other?,
        }
    }
    Ok(())
}

/// Flushes a table in the way of clients before 2.6.
pub(super) fn flush_by_procedure(session: &Session, procedure: &proto::ProcedureDescription) -> Result<(), Exception> {
    let table = TableName::parse(procedure.instance.as_deref().unwrap_or_default())?;
    let families: Vec<Vec<u8>> = procedure
        .configuration
        .iter()
        .filter(|pair| pair.name == FAMILIES)
        .flat_map(|pair| pair.value.split(','))
        .map(|family| family.as_bytes().to_vec())
        .collect();
    flush_families(session, &table, &families)
}
