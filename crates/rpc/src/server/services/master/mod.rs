//! MasterService: schema, namespaces, snapshots and the status of the one-server cluster. Operations that HBase runs
//! as procedures are complete when the answer is sent, so every procedure that a client asks about has finished.

mod catalog;
mod compactions;
mod names;
mod namespaces;
mod permissions;
mod procedures;
mod quotas;
mod regions;
mod replication;
mod schema;
mod snapshots;
mod status;
mod switches;
mod tables;

pub(in crate::server) use quotas::snapshots as space_snapshots;
pub(in crate::server) use status::{region_load, region_message};
pub(in crate::server) use switches::run_hbck_chore;
pub(in crate::server) use switches::set_switch;

use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::endpoints;
use crate::server::services::slow_log;
use crate::server::session::Session;
use rowstone_model::access::Intent;

/// Result of the balancer, which never moves anything because there is only one server.
fn balancing(session: &Session, call: &Call) -> Outcome {
    session.backend.admin().check(Intent::Operate)?;
    slow_log::no_entries(call, &["BalancerDecisions", "BalancerRejections"])
}

/// Runs one of the procedures that clients know by its signature.
fn execute_procedure(session: &Session, call: &Call) -> Outcome {
    let procedure = call.message::<proto::ExecProcedureRequest>()?.procedure;
    match procedure.signature.as_str() {
        procedures::FLUSH => tables::flush_by_procedure(session, &procedure)?,
        procedures::SNAPSHOT => snapshots::take_by_procedure(session, &procedure)?,
        other => return Err(procedures::not_registered(other)),
    }
    Ok(Answer::of(&proto::ExecProcedureResponse { expected_timeout: Some(procedures::PATIENCE_MS) }))
}

pub(in crate::server) fn answer(session: &Session, call: &Call) -> Outcome {
    match call.method() {
        "CreateTable" => tables::create(session, call),
        "DeleteTable" => tables::delete(session, call),
        "truncateTable" => tables::truncate(session, call),
        "EnableTable" => tables::enable(session, call),
        "DisableTable" => tables::disable(session, call),
        "GetTableState" => tables::state(session, call),
        "FlushTable" => tables::flush(session, call),
        "ModifyTable" => schema::modify(session, call),
        "AddColumn" => schema::add_family(session, call),
        "ModifyColumn" => schema::modify_family(session, call),
        "DeleteColumn" => schema::delete_family(session, call),
        "ModifyTableStoreFileTracker" => schema::modify_table_tracker(session, call),
        "ModifyColumnStoreFileTracker" => schema::modify_family_tracker(session, call),
        "GetSchemaAlterStatus" => schema::alter_status(session, call),
        "GetTableDescriptors" => names::descriptors(session, call),
        "GetTableNames" => names::names(session, call),
        "ListTableDescriptorsByState" => names::descriptors_by_state(session, call),
        "ListTableNamesByState" => names::names_by_state(session, call),
        "ListTableDescriptorsByNamespace" => names::descriptors_of_namespace(session, call),
        "ListTableNamesByNamespace" => names::names_of_namespace(session, call),
        method => answer_rest(session, call, method),
    }
}

fn answer_rest(session: &Session, call: &Call, method: &str) -> Outcome {
    match method {
        "CreateNamespace" => namespaces::create(session, call),
        "ModifyNamespace" => namespaces::modify(session, call),
        "DeleteNamespace" => namespaces::delete(session, call),
        "GetNamespaceDescriptor" => namespaces::describe(session, call),
        "ListNamespaceDescriptors" => namespaces::descriptors(session),
        "ListNamespaces" => namespaces::names(session),
        "getProcedureResult" => procedures::result(session, call),
        "ExecProcedure" => execute_procedure(session, call),
        "IsProcedureDone" => procedures::is_done(call),
        "AbortProcedure" | "GetProcedures" | "GetLocks" => procedures::other(session, method),
        "ExecMasterService" => endpoints::refuse(call),
        "TruncateRegion" => regions::truncate(session, call),
        "SplitRegion" => regions::split(session, call),
        "MergeTableRegions" => regions::merge(session, call),
        "MoveRegion" => regions::stay(session, call),
        "AssignRegion" => regions::assign(session, call),
        "getLastMajorCompactionTimestamp" => compactions::of_table(session, call),
        "getLastMajorCompactionTimestampForRegion" => compactions::of_region(session, call),
        "GetLogEntries" => balancing(session, call),
        "Snapshot" => snapshots::take(session, call),
        "IsSnapshotDone" => snapshots::is_done(session, call),
        "GetCompletedSnapshots" => snapshots::completed(session),
        "DeleteSnapshot" => snapshots::delete(session, call),
        "RestoreSnapshot" => snapshots::restore(session, call),
        "GetClusterStatus" => status::status(session),
        "Grant" => permissions::grant(session, call),
        "Revoke" => permissions::revoke(session, call),
        "GetUserPermissions" => permissions::permissions(session, call),
        "SetQuota" => quotas::set(session, call),
        "GetSpaceQuotaRegionSizes" => quotas::sizes(session),
        "GetQuotaStates" => quotas::states(session),
        "HasUserPermissions" => permissions::has_permissions(session, call),
        _ => switches::answer(session, call)
            .or_else(|| replication::answer(session, call))
            .unwrap_or_else(|| Err(Exception::unsupported(method))),
    }
}
