//! The grants of an open database: loaded from `hbase:acl` at start; grant and revoke change the table first, then
//! memory.

use super::audit::{Audit, Event};
use super::decide::{decide, Decision, Target, Verdict};
use super::grant_index::{GrantIndex, GROUP};
use super::operations::Operation;
use super::settings::AccessSettings;
use super::stored;
use arc_swap::ArcSwap;
use rowstone_model::access::{Caller, Grant, GrantQuery, Permission, Permissions, Scope};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{ColumnSelection, Mutation, MutationKind, Scan};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, PoisonError};

/// Cells and bytes of the grant table per read.
const BATCH: (usize, usize) = (1024, 1 << 20);

/// A database and its grants.
pub struct Control {
    inner: Arc<dyn Backend>,
    held: ArcSwap<GrantIndex>,
    /// Serializes changes and reloads of the grant table.
    changing: Mutex<()>,
    settings: AccessSettings,
    system_user: String,
    audit: Arc<dyn Audit>,
}

impl Control {
    /// Loads the grants of `inner`, creating the grant table if it does not exist. `system_user`, the owner of the
    /// process that has the database open, has all permissions, like HBase's service user.
    ///
    /// # Errors
    /// Errors of creating or reading the table.
    pub fn open(
        inner: Arc<dyn Backend>,
        settings: AccessSettings,
        system_user: &str,
        audit: Arc<dyn Audit>,
    ) -> Result<Arc<Self>> {
        match inner.create_system_table(stored::descriptor()?) {
            Err(error) if error.kind() == ErrorKind::ReadOnly => {}
            other => other?,
        }
        let (held, system_user) = (ArcSwap::from_pointee(GrantIndex::default()), system_user.to_string());
        let control = Control { inner, held, changing: Mutex::new(()), settings, system_user, audit };
        control.reload()?;
        Ok(Arc::new(control))
    }

    /// The unguarded database.
    pub fn inner(&self) -> &Arc<dyn Backend> {
        &self.inner
    }

    /// The access control settings.
    pub fn settings(&self) -> &AccessSettings {
        &self.settings
    }

    /// The owner of the process that has the database open.
    pub fn system_user(&self) -> &str {
        &self.system_user
    }

    /// Reloads all grants.
    pub fn reload(&self) -> Result<()> {
        let _changing = self.begin();
        let superusers = self.settings.superusers.iter().cloned().chain([self.system_user.clone()]);
        let mut held = GrantIndex::new(superusers);
        let table = match self.inner.table(&stored::table()?) {
            // A database that was opened read-only and never had access control.
            Err(error) if error.kind() == ErrorKind::TableNotFound => {
                self.held.store(Arc::new(held));
                return Ok(());
            }
            other => other?,
        };
        let mut scanner = table.scan(Scan::default())?;
        while let Some(batch) = scanner.next_batch(BATCH.0, BATCH.1)? {
            batch.cells.iter().filter_map(|cell| stored::grant_of(&cell)).for_each(|grant| held.set(&grant));
        }
        self.held.store(Arc::new(held));
        Ok(())
    }

    fn begin(&self) -> std::sync::MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether `caller` has all permissions.
    pub fn is_superuser(&self, caller: &Caller) -> bool {
        self.held.load().is_superuser(caller)
    }

    /// Decides without auditing: for lists, and before the decision that counts.
    pub fn evaluate(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> Decision {
        decide(&self.held.load(), caller, operation, target)
    }

    /// The subset of the `wanted` columns, which must name some, that `caller` may read; `None` if it is empty.
    pub fn readable(&self, caller: &Caller, table: &TableName, wanted: &ColumnSelection) -> Option<ColumnSelection> {
        let part = self.held.load().part_of(caller, table, wanted, Permission::Read);
        Some(part).filter(|part| !part.is_all())
    }

    /// Reports a decision to the audit.
    pub fn report(&self, caller: &Caller, operation: Operation, target: &Target<'_>, decision: &Decision) {
        let allowed = decision.is_allowed();
        if self.audit.wants(allowed) {
            self.note(caller, operation, target, allowed, decision.reason);
        }
    }

    /// Decides and audits the decision.
    pub fn decide(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> Decision {
        let decision = self.evaluate(caller, operation, target);
        self.report(caller, operation, target, &decision);
        decision
    }

    /// Whether `caller` may do the operation on the whole target. Only audited if so: otherwise the caller asks for a
    /// smaller target.
    pub fn passes(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> bool {
        let decision = self.evaluate(caller, operation, target);
        let passes = decision.verdict == Verdict::Allowed;
        if passes {
            self.report(caller, operation, target, &decision);
        }
        passes
    }

    fn note(&self, caller: &Caller, operation: Operation, target: &Target<'_>, allowed: bool, reason: &str) {
        let (user, address) = (caller.name.as_str(), caller.address.as_deref());
        let (operation, scope) = (operation.name(), target.to_string());
        self.audit.note(&Event { user, address, operation, scope, allowed, reason });
    }

    /// Fails unless `caller` may do the operation on the whole target.
    ///
    /// # Errors
    /// `AccessDenied`, with HBase's message.
    pub fn require(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> Result<()> {
        match self.decide(caller, operation, target).verdict {
            Verdict::Allowed => Ok(()),
            Verdict::Denied(message) => Err(denied(message)),
            Verdict::Narrowed(_) | Verdict::CellByCell => Err(denied(format!(
                "Insufficient permissions for user '{}' ({target}, only a part of the columns)",
                caller.name
            ))),
        }
    }

    /// Like `require`, for a query about a user, whose name HBase puts into the message.
    fn require_about(
        &self,
        caller: &Caller,
        operation: Operation,
        target: &Target<'_>,
        user: Option<&str>,
    ) -> Result<()> {
        let named = |error: Error| match user {
            Some(user) => denied(error.message().replace(",]", &format!(",filterUser={user}]"))),
            None => error,
        };
        self.require(caller, operation, target).map_err(named)
    }

    /// Grants permissions: `merge` adds them to those in the same scope, otherwise they replace them.
    ///
    /// # Errors
    /// `InvalidArgument` for an empty set of permissions or an invalid name; `AccessDenied`. Nothing has changed
    /// then.
    pub fn grant(&self, caller: &Caller, grant: &Grant, merge: bool) -> Result<()> {
        stored::check(grant)?;
        if grant.permissions.is_empty() {
            return Err(Error::invalid(format!("No actions associated with user '{}'", grant.user)));
        }
        self.check_change(caller, Operation::Grant, grant)?;
        let _changing = self.begin();
        let old = if merge { self.held.load().permissions_at(&grant.user, &grant.scope) } else { Permissions::NONE };
        self.write(&Grant { permissions: old.with(grant.permissions), ..grant.clone() })
    }

    /// Revokes the named permissions in exactly that scope, or all if none are named.
    ///
    /// # Errors
    /// `InvalidArgument`, `AccessDenied`. Nothing has changed then.
    pub fn revoke(&self, caller: &Caller, grant: &Grant) -> Result<()> {
        stored::check(grant)?;
        self.check_change(caller, Operation::Revoke, grant)?;
        let _changing = self.begin();
        let old = self.held.load().permissions_at(&grant.user, &grant.scope);
        let left = if grant.permissions.is_empty() { Permissions::NONE } else { old.without(grant.permissions) };
        self.write(&Grant { permissions: left, ..grant.clone() })
    }

    /// Source: `AccessController.preGrantOrRevoke`.
    fn check_change(&self, caller: &Caller, operation: Operation, grant: &Grant) -> Result<()> {
        let target = target_of(&grant.scope);
        self.require(caller, operation, &target)?;
        let held = self.held.load();
        if held.is_superuser(caller) {
            return Ok(());
        }
        let groups = if grant.user.starts_with(GROUP) { Vec::new() } else { self.settings.groups.of(&grant.user) };
        let is_super = held.is_superuser_name(&grant.user)
            || groups.iter().any(|group| held.is_superuser_name(&format!("{GROUP}{group}")));
        if is_super {
            let reason = "Granting or revoking superusers's or supergroups's permissions is not allowed";
            if self.audit.wants(false) {
                self.note(caller, operation, &target, false, reason);
            }
            return Err(denied(reason.to_string()));
        }
        Ok(())
    }

    /// Stores a user's permissions in a scope, in the table and in memory.
    fn write(&self, grant: &Grant) -> Result<()> {
        self.inner.table(&stored::table()?)?.mutate(stored::mutation(grant))?;
        let mut held = GrantIndex::clone(&self.held.load());
        held.set(grant);
        self.held.store(Arc::new(held));
        Ok(())
    }

    /// The grants of a scope; requires the permission to administer it. Superusers are listed among the global
    /// grants.
    pub fn grants(&self, caller: &Caller, query: &GrantQuery) -> Result<Vec<Grant>> {
        self.require_about(caller, Operation::UserPermissions, &target_of(&query.scope), query.user.as_deref())?;
        let held = self.held.load();
        let mut found = held.grants(&query.scope);
        match &query.user {
            None if query.scope == Scope::Global => {
                let all =
                    |user: &str| Grant { user: user.to_string(), scope: Scope::Global, permissions: Permissions::ALL };
                found.extend(held.superusers().map(all));
            }
            None => {}
            Some(user) => {
                let groups = self.settings.groups.of(user);
                let is_meant = |grant: &Grant| {
                    grant.user == *user
                        || grant.user.strip_prefix(GROUP).is_some_and(|group| groups.iter().any(|own| own == group))
                };
                found.retain(is_meant);
            }
        }
        Ok(found)
    }

    /// Whether `user` has all of these permissions in a scope. Queries about other users require the permission to
    /// administer it.
    pub fn has_permissions(
        &self,
        caller: &Caller,
        user: Option<&str>,
        scope: &Scope,
        permissions: Permissions,
    ) -> Result<bool> {
        let held = self.held.load();
        let asked = match user.filter(|user| *user != caller.name) {
            None => caller.clone(),
            Some(user) => {
                self.require_about(caller, Operation::HasPermission, &target_of(scope), Some(user))?;
                self.with_groups(&Caller::new(user))
            }
        };
        Ok(permissions.iter().all(|permission| match scope {
            Scope::Global => held.has_global(&asked, permission),
            Scope::Namespace(name) => held.has_namespace(&asked, name, permission),
            Scope::Table { name, family, qualifier } => {
                held.has_table(&asked, name, family.as_deref(), qualifier.as_deref(), permission)
            }
        }))
    }

    /// The caller with its groups looked up, if it came without any.
    pub fn with_groups(&self, caller: &Caller) -> Caller {
        let mut known = caller.clone();
        if known.groups.is_empty() {
            known.groups = self.settings.groups.of(&known.name);
        }
        known
    }

    /// Gives the creator of a table all permissions on it. Source: `postCompletedCreateTableAction`.
    pub fn table_made(&self, caller: &Caller, name: &TableName) -> Result<()> {
        let grant = Grant { user: caller.name.clone(), scope: Scope::table(name), permissions: Permissions::ALL };
        let _changing = self.begin();
        self.write(&grant)
    }

    /// Removes the grants of a dropped table, so that a new table of that name does not inherit them.
    pub fn table_gone(&self, name: &TableName) -> Result<()> {
        self.forget(&Scope::table(name), |held| held.forget_table(name))
    }

    /// Removes the grants of a dropped namespace.
    pub fn namespace_gone(&self, name: &str) -> Result<()> {
        self.forget(&Scope::Namespace(name.to_string()), |held| held.forget_namespace(name))
    }

    fn forget(&self, scope: &Scope, forget: impl FnOnce(&mut GrantIndex)) -> Result<()> {
        let _changing = self.begin();
        let row = stored::row(scope);
        self.inner.table(&stored::table()?)?.mutate(Mutation::new(MutationKind::Delete, row))?;
        let mut held = GrantIndex::clone(&self.held.load());
        forget(&mut held);
        self.held.store(Arc::new(held));
        Ok(())
    }
}

/// Refuses the name of a group as a user's name: a group's permissions are not a user's.
pub fn check_user_name(name: &str) -> Result<()> {
    if name.starts_with(GROUP) {
        Err(Error::invalid(format!(
            "'{}' is no user name: {GROUP} and a name is a group, whose members are users of other names",
            rowstone_model::codec::printable(name.as_bytes())
        )))
    } else {
        Ok(())
    }
}

/// The error for a denied operation.
pub fn denied(message: String) -> Error {
    Error::new(ErrorKind::AccessDenied, message)
}

fn target_of(scope: &Scope) -> Target<'_> {
    match scope {
        Scope::Global => Target::Global,
        Scope::Namespace(name) => Target::Namespace(name),
        Scope::Table { name, family, qualifier } => {
            Target::Table { name, family: family.as_deref(), qualifier: qualifier.as_deref() }
        }
    }
}
