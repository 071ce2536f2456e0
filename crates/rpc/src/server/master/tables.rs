//! Making, dropping, emptying, enabling and disabling tables.

use super::procedures::run;
use crate::convert::{from_schema, from_table_name};
use crate::proto;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::meta;
use crate::server::session::Session;
use rowstone_model::schema::TableState;

pub(super) fn create(session: &Session, call: &Call) -> Outcome {
    let request: proto::CreateTableRequest = call.message()?;
    let table = from_schema(&request.table_schema)?;
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.create_table(table, request.split_keys))
}

pub(super) fn delete(session: &Session, call: &Call) -> Outcome {
    let request: proto::DeleteTableRequest = call.message()?;
    let name = from_table_name(&request.table_name)?;
    run(session, (request.nonce_group, request.nonce), || session.backend.admin().drop_table(&name))
}

pub(super) fn truncate(session: &Session, call: &Call) -> Outcome {
    let request: proto::TruncateTableRequest = call.message()?;
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
    // A flush holds up no change of the schema.
    session.backend.admin().flush(Some(&name))?;
    run(session, (request.nonce_group, request.nonce), || Ok(()))
}
