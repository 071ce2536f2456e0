//! Snapshots, as far as the database supports them.

use super::procedures::run;
use crate::proto;
use crate::proto::snapshot_description::Kind;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::admin::{SnapshotInfo, SnapshotKind};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind};

fn all(session: &Session) -> rowstone_model::Result<Vec<SnapshotInfo>> {
    match session.backend.admin().list_snapshots() {
        // A database without snapshot support has an empty list: clients list snapshots before they drop a table.
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(Vec::new()),
        other => other,
    }
}

pub(super) fn take(session: &Session, call: &Call) -> Outcome {
    let request: proto::SnapshotRequest = call.message()?;
    let snapshot = request.snapshot;
    let table = TableName::parse(snapshot.table.as_deref().unwrap_or_default())?;
    // Without a type, the snapshot includes the memstore: the default of HBase's message is a flush.
    let flush = snapshot.r#type.is_none() || snapshot.r#type() == Kind::Flush;
    let ttl = snapshot.ttl.unwrap_or(0);
    let admin = session.backend.admin();
    let nonce = (request.nonce_group, request.nonce);
    let missing = |error: Exception| {
        if error.class.ends_with(".TableNotFoundException") {
            let message = format!("Table '{table}' doesn't exist, can't take snapshot.");
            Exception::last("snapshot.SnapshotCreationException", message)
        } else {
            error
        }
    };
    let take = || admin.take_snapshot(&snapshot.name, &table, flush, ttl);
    let id = session.state.procedures.run(nonce, take).map_err(missing)?;
    Ok(Answer::of(&proto::SnapshotResponse { expected_timeout: 0, proc_id: Some(id as i64) }))
}

/// Takes a snapshot for a client that runs it as a procedure: the table is in its configuration.
pub(super) fn take_by_procedure(session: &Session, procedure: &proto::ProcedureDescription) -> Result<(), Exception> {
    let table = procedure.configuration.iter().find(|pair| pair.name == "table").map_or("", |pair| &pair.value);
    let table = TableName::parse(table)?;
    let name = procedure.instance.as_deref().unwrap_or_default();
    Ok(session.backend.admin().take_snapshot(name, &table, true, 0)?)
}

/// Answers whether a snapshot is complete. As in HBase, an unknown snapshot is an error: clients poll until they get
/// `true`.
pub(super) fn is_done(session: &Session, call: &Call) -> Outcome {
    let request: proto::IsSnapshotDoneRequest = call.message()?;
    let wanted = request.snapshot.map(|snapshot| snapshot.name).unwrap_or_default();
    // A snapshot is complete when the request for it is answered.
    if all(session)?.iter().any(|snapshot| snapshot.name == wanted) {
        return Ok(Answer::of(&proto::IsSnapshotDoneResponse { done: Some(true) }));
    }
    let message = format!("snapshot '{wanted}' is neither being taken nor complete; list the snapshots that exist");
    Err(Exception::last("snapshot.UnknownSnapshotException", message))
}

pub(super) fn completed(session: &Session) -> Outcome {
    let message = |snapshot: SnapshotInfo| proto::SnapshotDescription {
        name: snapshot.name,
        table: Some(snapshot.table),
        creation_time: Some(snapshot.created_ms),
        r#type: Some(match snapshot.kind {
            SnapshotKind::Disabled => Kind::Disabled,
            SnapshotKind::Flush => Kind::Flush,
            SnapshotKind::SkipFlush => Kind::Skipflush,
        } as i32),
        version: Some(2),
        owner: Some(snapshot.owner),
        ttl: Some(snapshot.ttl_seconds),
    };
    let snapshots = all(session)?.into_iter().map(message).collect();
    Ok(Answer::of(&proto::GetCompletedSnapshotsResponse { snapshots }))
}

pub(super) fn delete(session: &Session, call: &Call) -> Outcome {
    let request: proto::IsSnapshotDoneRequest = call.message()?;
    let name = request.snapshot.map(|snapshot| snapshot.name).unwrap_or_default();
    session.backend.admin().delete_snapshot(&name)?;
    Ok(Answer::of(&proto::Empty {}))
}

/// The error for a snapshot of another table than the existing `table`.
fn taken(snapshot: &SnapshotInfo, table: &TableName) -> Error {
    let message = format!(
        "table '{table}' exists, and snapshot '{}' is of table '{}'; drop '{table}' first, or name a new table to clone it",
        snapshot.name, snapshot.table
    );
    Error::new(ErrorKind::TableExists, message)
}

/// Restores or clones a snapshot, depending on whether the named table exists. An existing table is restored only from
/// its own snapshots; HBase would restore the snapshot's table, which the request does not name.
pub(super) fn restore(session: &Session, call: &Call) -> Outcome {
    let request: proto::RestoreSnapshotRequest = call.message()?;
    let snapshot = request.snapshot;
    let table = TableName::parse(snapshot.table.as_deref().unwrap_or_default())?;
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || match admin.table_state(&table) {
        Ok(_) => match all(session)?.into_iter().find(|known| known.name == snapshot.name) {
            Some(known) if known.table != table.to_string() => Err(taken(&known, &table)),
            _ => admin.restore_snapshot(&snapshot.name),
        },
        Err(error) if error.kind() == ErrorKind::TableNotFound => admin.clone_snapshot(&snapshot.name, &table),
        Err(error) => Err(error),
    })
}
