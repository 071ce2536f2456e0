//! Changing the description of a table.

use super::procedures::run;
use crate::convert::{from_family, from_schema, from_table_name};
use crate::proto;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::exception::Exception;
use crate::server::session::Session;
use rowstone_model::codec::printable;
use rowstone_model::schema::{TableDescriptor, TableName};

pub(super) fn modify(session: &Session, call: &Call) -> Outcome {
    let request: proto::ModifyTableRequest = call.message()?;
    let mut table = from_schema(&request.table_schema)?;
    table.name = from_table_name(&request.table_name)?;
    alter(session, (request.nonce_group, request.nonce), table)
}

fn alter(session: &Session, nonce: (Option<u64>, Option<u64>), table: TableDescriptor) -> Outcome {
    run(session, nonce, || session.backend.admin().alter_table(table))
}

fn describe(session: &Session, name: &proto::TableName) -> Result<TableDescriptor, Exception> {
    let name: TableName = from_table_name(name)?;
    Ok(session.backend.admin().describe_table(&name)?)
}

fn invalid_family(family: &[u8], table: &TableDescriptor, what: &str) -> Exception {
    let message = format!("Column family '{}' in table '{}' {what}", printable(family), table.name);
    Exception::last("InvalidFamilyOperationException", message)
}

pub(super) fn add_family(session: &Session, call: &Call) -> Outcome {
    let request: proto::AddColumnRequest = call.message()?;
    let table = describe(session, &request.table_name)?;
    let family = from_family(&request.column_families);
    if table.families.contains_key(&family.name) {
        return Err(invalid_family(&family.name, &table, "already exists so cannot be added"));
    }
    alter(session, (request.nonce_group, request.nonce), table.with_family(family))
}

pub(super) fn modify_family(session: &Session, call: &Call) -> Outcome {
    let request: proto::AddColumnRequest = call.message()?;
    let table = describe(session, &request.table_name)?;
    let family = from_family(&request.column_families);
    if !table.families.contains_key(&family.name) {
        return Err(invalid_family(&family.name, &table, "does not exist, so it cannot be modified"));
    }
    alter(session, (request.nonce_group, request.nonce), table.with_family(family))
}

pub(super) fn delete_family(session: &Session, call: &Call) -> Outcome {
    let request: proto::DeleteColumnRequest = call.message()?;
    let mut table = describe(session, &request.table_name)?;
    if !table.families.contains_key(&request.column_name) {
        return Err(invalid_family(&request.column_name, &table, "does not exist, so it cannot be deleted"));
    }
    if table.families.len() == 1 {
        return Err(invalid_family(&request.column_name, &table, "is the only column family, so it cannot be deleted"));
    }
    table.families.remove(&request.column_name);
    alter(session, (request.nonce_group, request.nonce), table)
}

/// Every region has a new description as soon as one has.
pub(super) fn alter_status(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetSchemaAlterStatusRequest = call.message()?;
    let name = from_table_name(&request.table_name)?;
    let total = session.backend.admin().regions(&name)?.len() as u32;
    let status = proto::GetSchemaAlterStatusResponse { yet_to_update_regions: Some(0), total_regions: Some(total) };
    Ok(Answer::of(&status))
}
