//! A database restricted to one user: every call is authorized, then passed on to the database.
//!
//! | file | contents |
//! |---|---|
//! | `mod` | the database |
//! | `cells` | guards for per-cell permissions |
//! | `columns` | the columns that a read or a mutation names |
//! | `hidden` | removal of permission tags from results |
//! | `table` | reads and writes |
//! | `admin` | schema, namespaces, regions, permissions |
//! | `snapshots` | snapshots and their owners |

mod admin;
mod cells;
mod columns;
mod hidden;
mod snapshots;
mod table;

use super::control::Control;
use super::decide::Target;
use super::operations::Operation;
use rowstone_model::access::Caller;
use rowstone_model::admin::AdminBackend;
use rowstone_model::backend::{Backend, ServerPlace, TableBackend};
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::{Mutation, Nonce};
use rowstone_model::quota::QuotaBoard;
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::sync::Arc;
use table::GuardedTable;

/// A database restricted to one user.
struct Guarded {
    control: Arc<Control>,
    caller: Arc<Caller>,
    /// Whether closing it closes the database.
    closes: bool,
}

/// The database for the owner of the process that has it open: they have all permissions and own the objects that
/// they create.
pub fn guard(control: Arc<Control>) -> Arc<dyn Backend> {
    let caller = Arc::new(control.with_groups(&Caller::new(control.system_user())));
    Arc::new(Guarded { control, caller, closes: true })
}

impl Guarded {
    fn require(&self, operation: Operation, target: &Target<'_>) -> Result<()> {
        self.control.require(&self.caller, operation, target)
    }

    /// For filtering lists; not audited.
    fn may(&self, operation: Operation, target: &Target<'_>) -> bool {
        self.control.evaluate(&self.caller, operation, target).is_allowed()
    }

    fn guarded_table(&self, name: &TableName) -> Result<GuardedTable> {
        let inner = self.control.inner().table(name)?;
        Ok(GuardedTable::new(Arc::clone(&self.control), Arc::clone(&self.caller), name.clone(), inner))
    }
}

impl Backend for Guarded {
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>> {
        Ok(Arc::new(self.guarded_table(name)?))
    }

    fn admin(&self) -> &dyn AdminBackend {
        self
    }

    /// Always allowed: every client reads it to locate regions.
    fn meta(&self, server: &ServerPlace) -> Result<Arc<dyn TableBackend>> {
        self.control.inner().meta(server)
    }

    fn observe_table(&self, table: &TableName, observer: Option<Arc<dyn TableObserver>>) -> Result<()> {
        self.require(Operation::Observe, &Target::table(table))?;
        self.control.inner().observe_table(table, observer)
    }

    fn observe_schema(&self, observer: Option<Arc<dyn SchemaObserver>>) -> Result<()> {
        self.require(Operation::Observe, &Target::Global)?;
        self.control.inner().observe_schema(observer)
    }

    fn mutate_together(&self, changes: Vec<(TableName, Mutation)>) -> Result<()> {
        let mut changes_grants = false;
        let mut allowed = Vec::with_capacity(changes.len());
        for (name, mutation) in changes {
            let table = self.guarded_table(&name)?;
            // Without the check of covered cells: that would require locks on rows of several tables.
            allowed.push((name, table.prepared(mutation, false)?));
            changes_grants |= table.holds_grants();
        }
        self.control.inner().mutate_together(allowed)?;
        if changes_grants {
            self.control.reload()?;
        }
        Ok(())
    }

    fn id(&self) -> Option<String> {
        self.control.inner().id()
    }

    fn as_user(&self, caller: &Caller) -> Result<Option<Arc<dyn Backend>>> {
        super::control::check_user_name(&caller.name)?;
        let caller = self.control.with_groups(caller);
        if caller.name != self.caller.name && !self.control.is_superuser(&self.caller) {
            let message = format!("User '{}' may not act as user '{}'", self.caller.name, caller.name);
            return Err(super::control::denied(message));
        }
        let (control, caller) = (Arc::clone(&self.control), Arc::new(caller));
        Ok(Some(Arc::new(Guarded { control, caller, closes: false })))
    }

    fn written_nonces(&self) -> Result<Vec<Nonce>> {
        self.control.inner().written_nonces()
    }

    fn quota_board(&self) -> Option<Arc<QuotaBoard>> {
        self.control.inner().quota_board()
    }

    fn close(&self) -> Result<()> {
        if self.closes {
            self.control.inner().close()
        } else {
            Ok(())
        }
    }
}
