//! Changes to table descriptors.

use super::catalog;
use super::procedures::run;
use crate::convert::{from_family, from_schema, from_table_name, to_schema};
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::codec::printable;
use rowstone_model::schema::{TableDescriptor, TableName, TableState, SANITY_CHECKS};
use rowstone_model::{Error, ErrorKind};
use std::collections::BTreeMap;

/// The store file tracker that HBase sets for every table.
const FILE_TRACKER: (&str, &str) = ("hbase.store.file-tracker.impl", "DEFAULT");
const TRACKERS: [&str; 2] = ["DEFAULT", "FILE"];
/// Tracker of a table that migrates from one tracker to another. Clients set it by altering the table, not by these
/// calls.
const MIGRATION: &str = "MIGRATION";
/// Settings of a migration, removed when it ends.
const MIGRATED: [&str; 2] =
    ["hbase.store.file-tracker.migration.src.impl", "hbase.store.file-tracker.migration.dst.impl"];

pub(super) fn modify(session: &Session, call: &Call) -> Outcome {
    let request: proto::ModifyTableRequest = call.message()?;
    catalog::refuse(&request.table_name, call.method())?;
    let mut table = read_schema(&request.table_schema)?;
    table.name = from_table_name(&request.table_name)?;
    run(session, (request.nonce_group, request.nonce), || session.backend.admin().alter_table(table))
}

/// Decodes a client's table descriptor.
///
/// # Errors
///
/// HBase's master error for a coprocessor whose class cannot be loaded: a Java class that is not HBase's own.
pub(super) fn read_schema(schema: &proto::TableSchema) -> Result<TableDescriptor, Exception> {
    let mut table = from_schema(schema)?;
    for settings in [&mut table.attributes, &mut table.configuration] {
        // Part of every descriptor in HBase, so it need not be stored.
        if settings.get(FILE_TRACKER.0).is_some_and(|tracker| tracker == FILE_TRACKER.1) {
            settings.remove(FILE_TRACKER.0);
        }
    }
    let unloadable = |(name, text): (&String, &String)| {
        let class = name.starts_with("coprocessor$").then(|| text.split('|').nth(1)).flatten()?.trim();
        let is_ours = text.trim_start().starts_with("python|") || class.starts_with("org.apache.hadoop.hbase.");
        (!is_ours).then(|| class.to_string())
    };
    let settings = table.settings();
    let is_checked = settings.get(SANITY_CHECKS).is_none_or(|text| !text.eq_ignore_ascii_case("false"));
    match settings.iter().find_map(unloadable).filter(|_| is_checked) {
        None => Ok(table),
        Some(class) => Err(Exception::last(
            "DoNotRetryIOException",
            format!(
                "Class {class} cannot be loaded Set {SANITY_CHECKS} to false at conf or table descriptor if you want to \
                 bypass sanity checks"
            ),
        )),
    }
}

/// Encodes a table descriptor as HBase does: with the store file tracker, which is always the same.
pub(super) fn described(table: &TableDescriptor) -> proto::TableSchema {
    let mut schema = to_schema(table, None);
    if !table.settings().contains_key(FILE_TRACKER.0) {
        let [first, second] = [FILE_TRACKER.0, FILE_TRACKER.1].map(|text| text.as_bytes().to_vec());
        schema.attributes.push(proto::BytesBytesPair { first, second });
    }
    schema
}

fn invalid_family(family: &[u8], table: &TableDescriptor, what: &str) -> Exception {
    let message = format!("Column family '{}' in table '{}' {what}", printable(family), table.name);
    Exception::last("InvalidFamilyOperationException", message)
}

/// Changes a descriptor that other requests may change at the same time. A repeated request, with the same nonce, is not
/// checked again: the first one has changed the descriptor.
fn change(
    session: &Session,
    nonce: (Option<u64>, Option<u64>),
    name: &proto::TableName,
    change: impl Fn(&mut TableDescriptor) -> Result<(), Exception>,
) -> Outcome {
    catalog::refuse(name, "ModifyTable")?;
    let name: TableName = from_table_name(name)?;
    let admin = session.backend.admin();
    run(session, nonce, || loop {
        let old = admin.describe_table(&name)?;
        let mut new = old.clone();
        change(&mut new)?;
        match admin.replace_table(&old, new) {
            Err(error) if error.kind() == ErrorKind::SchemaChanged => {}
            outcome => return outcome.map_err(Exception::from),
        }
    })
}

pub(super) fn add_family(session: &Session, call: &Call) -> Outcome {
    let request: proto::AddColumnRequest = call.message()?;
    let family = from_family(&request.column_families);
    change(session, (request.nonce_group, request.nonce), &request.table_name, |table| {
        if table.families.contains_key(&family.name) {
            return Err(invalid_family(&family.name, table, "already exists so cannot be added"));
        }
        table.families.insert(family.name.clone(), family.clone());
        Ok(())
    })
}

pub(super) fn modify_family(session: &Session, call: &Call) -> Outcome {
    let request: proto::AddColumnRequest = call.message()?;
    let family = from_family(&request.column_families);
    change(session, (request.nonce_group, request.nonce), &request.table_name, |table| {
        if !table.families.contains_key(&family.name) {
            return Err(invalid_family(&family.name, table, "does not exist, so it cannot be modified"));
        }
        table.families.insert(family.name.clone(), family.clone());
        Ok(())
    })
}

pub(super) fn delete_family(session: &Session, call: &Call) -> Outcome {
    let request: proto::DeleteColumnRequest = call.message()?;
    let name = &request.column_name;
    change(session, (request.nonce_group, request.nonce), &request.table_name, |table| {
        if !table.families.contains_key(name) {
            return Err(invalid_family(name, table, "does not exist, so it cannot be deleted"));
        }
        if table.families.len() == 1 {
            return Err(invalid_family(name, table, "is the only column family, so it cannot be deleted"));
        }
        table.families.remove(name);
        Ok(())
    })
}

/// Returns the progress of a schema change. All regions switch to the new descriptor at once.
pub(super) fn alter_status(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetSchemaAlterStatusRequest = call.message()?;
    let name = from_table_name(&request.table_name)?;
    let total = session.backend.admin().regions(&name)?.len() as u32;
    let status = proto::GetSchemaAlterStatusResponse { yet_to_update_regions: Some(0), total_regions: Some(total) };
    Ok(Answer::of(&status))
}

/// Changes the store file tracker of a table. The choice is stored and shown, and has no effect: the manifest lists all
/// files.
pub(super) fn modify_table_tracker(session: &Session, call: &Call) -> Outcome {
    let request: proto::ModifyTableStoreFileTrackerRequest = call.message()?;
    check_tracker(session, call, &request.table_name, &request.tracker)?;
    change(session, (request.nonce_group, request.nonce), &request.table_name, |table| {
        for settings in [&mut table.attributes, &mut table.configuration] {
            end_migration(settings);
        }
        if request.tracker != FILE_TRACKER.1 {
            table.attributes.insert(FILE_TRACKER.0.to_string(), request.tracker.clone());
        }
        Ok(())
    })
}

pub(super) fn modify_family_tracker(session: &Session, call: &Call) -> Outcome {
    let request: proto::ModifyColumnStoreFileTrackerRequest = call.message()?;
    check_tracker(session, call, &request.table_name, &request.tracker)?;
    change(session, (request.nonce_group, request.nonce), &request.table_name, |table| {
        let Some(family) = table.families.get_mut(&request.family) else {
            let message = format!("{} does not exist for table {}", printable(&request.family), table.name);
            return Err(Exception::last("regionserver.NoSuchColumnFamilyException", message));
        };
        end_migration(&mut family.configuration);
        family.configuration.insert(FILE_TRACKER.0.to_string(), request.tracker.clone());
        Ok(())
    })
}

fn end_migration(settings: &mut BTreeMap<String, String>) {
    for name in MIGRATED.iter().chain([&FILE_TRACKER.0]) {
        settings.remove(*name);
    }
}

/// Refuses a tracker that does not exist, and a table that is not enabled.
fn check_tracker(session: &Session, call: &Call, name: &proto::TableName, tracker: &str) -> Result<(), Exception> {
    catalog::refuse(name, call.method())?;
    if tracker.eq_ignore_ascii_case(MIGRATION) {
        return Err(Exception::last("DoNotRetryIOException", format!("Do not need to transfer to {tracker}")));
    }
    if !TRACKERS.contains(&tracker) {
        let message = format!("there is no store file tracker '{tracker}' (there are {})", TRACKERS.join(", "));
        return Err(Exception::last("DoNotRetryIOException", message));
    }
    let name: TableName = from_table_name(name)?;
    let admin = session.backend.admin();
    admin.describe_table(&name)?;
    match admin.table_state(&name)? {
        TableState::Enabled => Ok(()),
        TableState::Disabled => Err(Error::new(ErrorKind::TableNotEnabled, name.to_string()).into()),
    }
}
