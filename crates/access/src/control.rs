//! The grants of an open database: read once from `hbase:acl`, changed by grant and revoke, in the table first and then here.

use super::audit::{Audit, Event};
use super::decide::{decide, Decision, Target, Verdict};
use super::held::{Held, GROUP};
use super::operations::Operation;
use super::settings::AccessSettings;
use super::stored;
use arc_swap::ArcSwap;
use rowstone_model::access::{Caller, Grant, GrantQuery, Place, Right, Rights};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{ColumnSelection, Mutation, MutationKind, Scan};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, PoisonError};

/// Cells of the table of grants that are read at once.
const BATCH: (usize, usize) = (1024, 1 << 20);

/// A database and who may do what in it.
pub struct Control {
    inner: Arc<dyn Backend>,
    held: ArcSwap<Held>,
    /// Held while the table of grants is changed and read.
    changing: Mutex<()>,
    settings: AccessSettings,
    system_user: String,
    audit: Arc<dyn Audit>,
}

impl Control {
    /// The rights in `inner`, whose table of grants is made where there is none. `system_user`, who has the database open, may do
    /// everything, as HBase's own user may.
    ///
    /// # Errors
    /// Those of making and reading the table.
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
        let (held, system_user) = (ArcSwap::from_pointee(Held::default()), system_user.to_string());
        let control = Control { inner, held, changing: Mutex::new(()), settings, system_user, audit };
        control.reload()?;
        Ok(Arc::new(control))
    }

    /// The database itself.
    pub fn inner(&self) -> &Arc<dyn Backend> {
        &self.inner
    }

    /// What the configuration says.
    pub fn settings(&self) -> &AccessSettings {
        &self.settings
    }

    /// Who has the database open.
    pub fn system_user(&self) -> &str {
        &self.system_user
    }

    /// Reads all grants anew.
    pub fn reload(&self) -> Result<()> {
        let _changing = self.begin();
        let superusers = self.settings.superusers.iter().cloned().chain([self.system_user.clone()]);
        let mut held = Held::new(superusers);
        let table = match self.inner.table(&stored::table()?) {
            // A database that was opened read-only and never had rights.
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

    /// Whether `caller` may do everything.
    pub fn is_superuser(&self, caller: &Caller) -> bool {
        self.held.load().is_superuser(caller)
    }

    /// The decision, of which nobody hears: for lists, and before the question that counts.
    pub fn look(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> Decision {
        decide(&self.held.load(), caller, operation, target)
    }

    /// Those of the `wanted` columns, of which there must be some, that `caller` may read; `None` where there are none.
    pub fn readable(&self, caller: &Caller, table: &TableName, wanted: &ColumnSelection) -> Option<ColumnSelection> {
        let part = self.held.load().part_of(caller, table, wanted, Right::Read);
        Some(part).filter(|part| !part.is_all())
    }

    /// Lets the audit hear of a decision.
    pub fn tell(&self, caller: &Caller, operation: Operation, target: &Target<'_>, decision: &Decision) {
        let allowed = decision.is_allowed();
        if self.audit.wants(allowed) {
            self.note(caller, operation, target, allowed, decision.reason);
        }
    }

    /// The decision, which is audited.
    pub fn decide(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> Decision {
        let decision = self.look(caller, operation, target);
        self.tell(caller, operation, target, &decision);
        decision
    }

    /// Whether `caller` may do it to all of the target; only if so, it is audited, as else a smaller target is asked about.
    pub fn passes(&self, caller: &Caller, operation: Operation, target: &Target<'_>) -> bool {
        let decision = self.look(caller, operation, target);
        let passes = decision.verdict == Verdict::Allowed;
        if passes {
            self.tell(caller, operation, target, &decision);
        }
        passes
    }

    fn note(&self, caller: &Caller, operation: Operation, target: &Target<'_>, allowed: bool, reason: &str) {
        let (user, address) = (caller.name.as_str(), caller.address.as_deref());
        let (operation, scope) = (operation.name(), target.to_string());
        self.audit.note(&Event { user, address, operation, scope, allowed, reason });
    }

    /// Goes on only where `caller` may do all of it.
    ///
    /// # Errors
    /// `AccessDenied`, in HBase's words.
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

    /// The same for a question about a user, whose name HBase puts into the sentence.
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

    /// Gives rights: in place of those at the same place, or with `merge` beside them.
    ///
    /// # Errors
    /// `InvalidArgument` without rights or for a name that is none; `AccessDenied`. Nothing was changed.
    pub fn grant(&self, caller: &Caller, grant: &Grant, merge: bool) -> Result<()> {
        stored::check(grant)?;
        if grant.rights.is_empty() {
            return Err(Error::invalid(format!("No actions associated with user '{}'", grant.user)));
        }
        self.check_change(caller, Operation::Grant, grant)?;
        let _changing = self.begin();
        let old = if merge { self.held.load().rights_at(&grant.user, &grant.place) } else { Rights::NONE };
        self.write(&Grant { rights: old.with(grant.rights), ..grant.clone() })
    }

    /// Takes the named rights away at exactly that place, or where none are named, all.
    ///
    /// # Errors
    /// `InvalidArgument`, `AccessDenied`. Nothing was changed.
    pub fn revoke(&self, caller: &Caller, grant: &Grant) -> Result<()> {
        stored::check(grant)?;
        self.check_change(caller, Operation::Revoke, grant)?;
        let _changing = self.begin();
        let old = self.held.load().rights_at(&grant.user, &grant.place);
        let left = if grant.rights.is_empty() { Rights::NONE } else { old.without(grant.rights) };
        self.write(&Grant { rights: left, ..grant.clone() })
    }

    /// Source: `AccessController.preGrantOrRevoke`.
    fn check_change(&self, caller: &Caller, operation: Operation, grant: &Grant) -> Result<()> {
        let target = target_of(&grant.place);
        self.require(caller, operation, &target)?;
        let held = self.held.load();
        if held.is_superuser(caller) {
            return Ok(());
        }
        let groups = match grant.user.starts_with(GROUP) {
            true => Vec::new(),
            false => self.settings.groups.of(&grant.user),
        };
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

    /// Stores what a user has at a place, in the table and here.
    fn write(&self, grant: &Grant) -> Result<()> {
        self.inner.table(&stored::table()?)?.mutate(stored::mutation(grant))?;
        let mut held = Held::clone(&self.held.load());
        held.set(grant);
        self.held.store(Arc::new(held));
        Ok(())
    }

    /// The grants of a place, which needs the right to administrate it; superusers are among those that hold everywhere.
    pub fn grants(&self, caller: &Caller, query: &GrantQuery) -> Result<Vec<Grant>> {
        self.require_about(caller, Operation::UserPermissions, &target_of(&query.place), query.user.as_deref())?;
        let held = self.held.load();
        let mut found = held.grants(&query.place);
        match &query.user {
            None if query.place == Place::Global => {
                let all = |user: &str| Grant { user: user.to_string(), place: Place::Global, rights: Rights::ALL };
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

    /// Whether `user` has all of these rights in a place; of others only who administrates it may ask.
    pub fn has_rights(&self, caller: &Caller, user: Option<&str>, place: &Place, rights: Rights) -> Result<bool> {
        let held = self.held.load();
        let asked = match user.filter(|user| *user != caller.name) {
            None => caller.clone(),
            Some(user) => {
                self.require_about(caller, Operation::HasPermission, &target_of(place), Some(user))?;
                self.known(&Caller::new(user))
            }
        };
        Ok(rights.iter().all(|right| match place {
            Place::Global => held.has_global(&asked, right),
            Place::Namespace(name) => held.has_namespace(&asked, name, right),
            Place::Table { name, family, qualifier } => {
                held.has_table(&asked, name, family.as_deref(), qualifier.as_deref(), right)
            }
        }))
    }

    /// The caller with his groups, where he came without any.
    pub fn known(&self, caller: &Caller) -> Caller {
        let mut known = caller.clone();
        if known.groups.is_empty() {
            known.groups = self.settings.groups.of(&known.name);
        }
        known
    }

    /// Who makes a table may do everything with it. Source: `postCompletedCreateTableAction`.
    pub fn table_made(&self, caller: &Caller, name: &TableName) -> Result<()> {
        let grant = Grant { user: caller.name.clone(), place: Place::table(name), rights: Rights::ALL };
        let _changing = self.begin();
        self.write(&grant)
    }

    /// A table is gone, and the grants in it with it: who makes another of that name owes nobody anything.
    pub fn table_gone(&self, name: &TableName) -> Result<()> {
        self.forget(&Place::table(name), |held| held.forget_table(name))
    }

    /// A namespace is gone.
    pub fn namespace_gone(&self, name: &str) -> Result<()> {
        self.forget(&Place::Namespace(name.to_string()), |held| held.forget_namespace(name))
    }

    fn forget(&self, place: &Place, forget: impl FnOnce(&mut Held)) -> Result<()> {
        let _changing = self.begin();
        let row = stored::row(place);
        self.inner.table(&stored::table()?)?.mutate(Mutation::new(MutationKind::Delete, row))?;
        let mut held = Held::clone(&self.held.load());
        forget(&mut held);
        self.held.store(Arc::new(held));
        Ok(())
    }
}

/// The error for who may not.
pub fn denied(message: String) -> Error {
    Error::new(ErrorKind::AccessDenied, message)
}

fn target_of(place: &Place) -> Target<'_> {
    match place {
        Place::Global => Target::Global,
        Place::Namespace(name) => Target::Namespace(name),
        Place::Table { name, family, qualifier } => {
            Target::Table { name, family: family.as_deref(), qualifier: qualifier.as_deref() }
        }
    }
}
