//! A database as one user may use it: every call is decided first, then done by the database itself.
//!
//! | file | its one sentence |
//! |---|---|
//! | `mod` | the database |
//! | `cells` | cells that say themselves who may do what with them |
//! | `columns` | which columns a read or a mutation names |
//! | `hidden` | rights of cells, which are not shown |
//! | `table` | reads and writes |
//! | `admin` | schema, namespaces, regions, rights |
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
use rowstone_model::backend::{AdminBackend, Backend, ServerPlace, TableBackend};
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::{Mutation, Nonce};
use rowstone_model::quota::QuotaBoard;
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use std::sync::Arc;
use table::GuardedTable;

/// A database for one user.
struct Guarded {
    control: Arc<Control>,
    caller: Arc<Caller>,
    /// Whether closing it closes the database.
    closes: bool,
}

/// The database as who has it open uses it: he may do everything, and what he makes is his.
pub fn guard(control: Arc<Control>) -> Arc<dyn Backend> {
    let caller = Arc::new(control.known(&Caller::new(control.system_user())));
    Arc::new(Guarded { control, caller, closes: true })
}

impl Guarded {
    fn require(&self, operation: Operation, target: &Target<'_>) -> Result<()> {
        self.control.require(&self.caller, operation, target)
    }

    /// For what is shown in a list or is not: nobody hears of it.
    fn may(&self, operation: Operation, target: &Target<'_>) -> bool {
        self.control.look(&self.caller, operation, target).is_allowed()
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

    /// Every client reads it to find anything.
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
            // Nobody holds the rows of several tables while cells are asked.
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
        let caller = self.control.known(caller);
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
