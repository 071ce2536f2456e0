//! Access control: grants as tuples, audit callbacks, and the guarded view of a database.

use crate::arguments::to_bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowstone_access::audit::{Audit, AuditFile, Audits, Event};
use rowstone_access::settings::AccessSettings;
use rowstone_access::{guard, Control};
use rowstone_model::access::{Grant, GrantQuery, Permissions, Scope};
use rowstone_model::backend::Backend;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, Result};
use rowstone_rpc::system_user;
use std::sync::Arc;

/// A scope: namespace, table, family, qualifier; all `None` means global.
pub type ScopeParts = (Option<String>, Option<String>, Option<Vec<u8>>, Option<Vec<u8>>);
/// User, letters, namespace, table, family, qualifier.
type GrantParts<'py> =
    (String, String, Option<String>, Option<String>, Option<Bound<'py, PyBytes>>, Option<Bound<'py, PyBytes>>);

/// Builds a scope from its parts; a table takes precedence over its namespace.
pub fn scope_of((namespace, table, family, qualifier): ScopeParts) -> Result<Scope> {
    if table.is_none() && (family.is_some() || qualifier.is_some()) {
        // Without a table, a family would mean that family in the whole namespace, or everywhere.
        return Err(Error::invalid("permissions on a family or a column need its table"));
    }
    Ok(match (table, namespace) {
        (Some(table), _) => Scope::Table { name: TableName::parse(&table)?, family, qualifier },
        (None, Some(namespace)) => Scope::Namespace(namespace),
        (None, None) => Scope::Global,
    })
}

/// Builds a grant from its parts.
pub fn grant_of(user: String, letters: &str, scope: ScopeParts) -> Result<Grant> {
    Ok(Grant { user, scope: scope_of(scope)?, permissions: Permissions::parse(letters)? })
}

/// Builds a query for grants from its parts.
pub fn query_of(scope: ScopeParts, user: Option<String>) -> Result<GrantQuery> {
    Ok(GrantQuery { scope: scope_of(scope)?, user })
}

/// A grant as a tuple for Python.
pub fn parts_of<'py>(py: Python<'py>, grant: &Grant) -> GrantParts<'py> {
    let (user, letters) = (grant.user.clone(), grant.permissions.to_string());
    let bytes = |part: &Option<Vec<u8>>| part.as_deref().map(|part| to_bytes(py, part));
    match &grant.scope {
        Scope::Global => (user, letters, None, None, None, None),
        Scope::Namespace(name) => (user, letters, Some(name.clone()), None, None, None),
        Scope::Table { name, family, qualifier } => {
            (user, letters, Some(name.namespace().into()), Some(name.to_string()), bytes(family), bytes(qualifier))
        }
    }
}

/// Audit that calls a Python function: `(user, address, operation, scope, allowed, reason)`.
struct Teller {
    function: Py<PyAny>,
    with_allowed: bool,
}

impl Audit for Teller {
    fn wants(&self, allowed: bool) -> bool {
        self.with_allowed || !allowed
    }

    fn note(&self, event: &Event<'_>) {
        let parts = (event.user, event.address, event.operation, &event.scope, event.allowed, event.reason);
        // A failing audit callback must not fail the caller's operation.
        Python::attach(|py| drop(self.function.call1(py, parts)));
    }
}

/// Puts `backend` behind access control, if the settings enable it.
pub fn watched(
    backend: Arc<dyn Backend>,
    settings: AccessSettings,
    teller: Option<Py<PyAny>>,
) -> Result<Arc<dyn Backend>> {
    if !settings.authorization {
        return Ok(backend);
    }
    let mut audits: Vec<Arc<dyn Audit>> = Vec::new();
    let with_allowed = settings.audit_allowed;
    audits.extend(teller.map(|function| Arc::new(Teller { function, with_allowed }) as Arc<dyn Audit>));
    if let Some(path) = &settings.audit_file {
        audits.push(Arc::new(AuditFile::open(path, with_allowed)?));
    }
    let control = Control::open(backend, settings, &system_user(), Arc::new(Audits::new(audits)))?;
    Ok(guard(control))
}
