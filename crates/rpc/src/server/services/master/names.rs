//! Lists and descriptions of tables.

use super::schema::described;
use crate::convert::{from_table_name, table_name};
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::meta;
use crate::server::session::Session;
use rowstone_model::filter::{Charset, Pattern};
use rowstone_model::schema::{TableName, TableState};
use rowstone_model::ErrorKind;

/// The system namespace.
const SYSTEM: &str = "hbase";

/// Returns the tables of a namespace, or of all, whose full name matches `regex`. It is a Java regular expression;
/// the empty one matches nothing.
pub(super) fn matching(
    session: &Session,
    regex: Option<&str>,
    namespace: Option<&str>,
    include_system: bool,
) -> Result<Vec<TableName>, Exception> {
    let (admin, namespace) = (session.backend.admin(), namespace.filter(|name| !name.is_empty()));
    let mut names = admin.list_tables(namespace)?;
    names.retain(|name| !name.is_system());
    if include_system && namespace.is_none_or(|namespace| namespace == SYSTEM) {
        let system = admin.list_tables(Some(SYSTEM))?;
        names.splice(..0, std::iter::once(TableName::parse(meta::TABLE)?).chain(system));
    }
    let Some(regex) = regex.filter(|regex| *regex != ".*") else { return Ok(names) };
    let pattern = Pattern::whole(regex, 0, Charset::Utf8)?;
    let mut found = Vec::new();
    for name in names {
        // A table of the default namespace is matched with and without the namespace.
        let (short, full) = (name.to_string(), format!("{}:{}", name.namespace(), name.qualifier()));
        if pattern.is_in(short.as_bytes())? || pattern.is_in(full.as_bytes())? {
            found.push(name);
        }
    }
    Ok(found)
}

/// Returns the descriptions of the named tables that exist. If none are named, returns those of all tables that the
/// user may see.
fn describe(session: &Session, names: &[TableName], are_named: bool) -> Result<Vec<proto::TableSchema>, Exception> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        if name.to_string() == meta::TABLE {
            found.push(described(&meta::descriptor()?));
            continue;
        }
        match session.backend.admin().describe_table(name) {
            Ok(table) => found.push(described(&table)),
            Err(error) if error.kind() == ErrorKind::TableNotFound => {}
            Err(error) if !are_named && error.kind() == ErrorKind::AccessDenied => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

fn descriptors_of(session: &Session, names: &[TableName], are_named: bool) -> Outcome {
    Ok(Answer::of(&proto::GetTableDescriptorsResponse { table_schema: describe(session, names, are_named)? }))
}

fn names_of(names: &[TableName]) -> Outcome {
    Ok(Answer::of(&proto::GetTableNamesResponse { table_names: names.iter().map(table_name).collect() }))
}

pub(super) fn descriptors(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetTableDescriptorsRequest = call.message()?;
    let names = if request.table_names.is_empty() {
        let include_system = request.include_sys_tables.unwrap_or(false);
        matching(session, request.regex.as_deref(), request.namespace.as_deref(), include_system)?
    } else {
        request.table_names.iter().map(from_table_name).collect::<rowstone_model::Result<Vec<_>>>()?
    };
    descriptors_of(session, &names, !request.table_names.is_empty())
}

pub(super) fn names(session: &Session, call: &Call) -> Outcome {
    let request: proto::GetTableNamesRequest = call.message()?;
    let include_system = request.include_sys_tables.unwrap_or(false);
    names_of(&matching(session, request.regex.as_deref(), request.namespace.as_deref(), include_system)?)
}

fn in_state(session: &Session, call: &Call) -> Result<Vec<TableName>, Exception> {
    let wanted = match call.message::<proto::Flag>()?.value {
        Some(false) => TableState::Disabled,
        _ => TableState::Enabled,
    };
    let admin = session.backend.admin();
    let mut names = admin.list_tables(None)?;
    names.retain(|name| admin.table_state(name).is_ok_and(|state| state == wanted));
    Ok(names)
}

pub(super) fn descriptors_by_state(session: &Session, call: &Call) -> Outcome {
    descriptors_of(session, &in_state(session, call)?, false)
}

pub(super) fn names_by_state(session: &Session, call: &Call) -> Outcome {
    names_of(&in_state(session, call)?)
}

pub(super) fn descriptors_of_namespace(session: &Session, call: &Call) -> Outcome {
    let request: proto::NamespaceName = call.message()?;
    descriptors_of(session, &matching(session, None, Some(&request.namespace_name), true)?, false)
}

pub(super) fn names_of_namespace(session: &Session, call: &Call) -> Outcome {
    let request: proto::NamespaceName = call.message()?;
    names_of(&matching(session, None, Some(&request.namespace_name), true)?)
}
