//! A directory of regions: opening and closing it, its tables, its background work.
//!
//! | file | duty |
//! |---|---|
//! | `open` | lock, manifest, files, replay: from a directory to a database |
//! | `nonces` | nonces of the operations in the log |
//! | `logs` | log recovery; beginning a new log |
//! | `disk` | space reserved for a full disk |
//! | `shared` | state that all regions share: log, manifest, cache, memory, work |
//! | `background` | background flushes, compactions and splits |
//! | `counts`, `clock` | counters of the whole database; detection of a clock that was set back |
//! | `tables` | the open tables and their regions |
//! | `table`, `scanner` | operations, routed to the region that holds the row |
//! | `quotas` | storing limits on requests; enforcing limits on space |
//! | `observed`, `together` | tables with observers; atomic changes of several tables |
//! | `regions` | split, merge, truncation of regions |
//! | `admin` | schema, maintenance, statistics |

mod admin;
mod background;
mod clock;
mod counts;
mod disk;
mod logs;
mod nonces;
mod observed;
mod open;
mod quotas;
mod regions;
mod scanner;
mod shared;
mod table;
mod tables;
mod together;

pub use open::{open, OpenOptions};

use crate::store::Services;
use rowstone_model::admin::AdminBackend;
use rowstone_model::backend::{Backend, ServerPlace, TableBackend};
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::{Mutation, Nonce};
use rowstone_model::quota::QuotaBoard;
use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_model::Result;
use shared::Shared;
use std::sync::Arc;

/// An open database in a directory or in memory.
pub struct Database {
    shared: Arc<Shared>,
    background: background::Background,
}

impl Backend for Database {
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>> {
        self.shared.check_open()?;
        if *name == crate::meta::table_name()? {
            return Ok(Arc::new(admin::MetaView::new(Arc::clone(&self.shared), None)));
        }
        let handle = self.shared.tables.find(name)?;
        Ok(Arc::new(table::Table::new(Arc::clone(&self.shared), handle)))
    }

    fn admin(&self) -> &dyn AdminBackend {
        self
    }

    fn meta(&self, server: &ServerPlace) -> Result<Arc<dyn TableBackend>> {
        self.shared.check_open()?;
        Ok(Arc::new(admin::MetaView::new(Arc::clone(&self.shared), Some(server.clone()))))
    }

    fn observe_table(&self, table: &TableName, observer: Option<Arc<dyn TableObserver>>) -> Result<()> {
        self.shared.check_open()?;
        self.shared.observe(table, observer);
        Ok(())
    }

    fn observe_schema(&self, observer: Option<Arc<dyn SchemaObserver>>) -> Result<()> {
        self.shared.check_open()?;
        *self.shared.schema_observer.write() = observer;
        Ok(())
    }

    fn mutate_together(&self, changes: Vec<(TableName, Mutation)>) -> Result<()> {
        self.shared.check_open()?;
        together::mutate_together(&self.shared, changes)
    }

    fn create_system_table(&self, table: TableDescriptor) -> Result<()> {
        self.make_system_table(table)
    }

    fn id(&self) -> Option<String> {
        Some(self.shared.state().database_id.clone())
    }

    fn written_nonces(&self) -> Result<Vec<Nonce>> {
        self.shared.check_open()?;
        nonces::all(&self.shared)
    }

    fn quota_board(&self) -> Option<Arc<QuotaBoard>> {
        self.shared.quotas.board()
    }

    fn close(&self) -> Result<()> {
        if !self.shared.begin_close() {
            return Ok(());
        }
        self.shared.stop_compactions();
        self.background.stop();
        // A running schema change ends first, and no other begins.
        let _ddl = self.shared.ddl.lock();
        let flushed = self.shared.close_regions();
        let outcome = flushed.and(self.shared.close_log());
        self.shared.let_go();
        outcome
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A handle that was not closed still ends its threads and syncs its log. `drop` cannot report an error.
        let _ = self.close();
    }
}

impl Database {
    /// Services that regions of this database use.
    fn services(&self) -> Arc<dyn Services> {
        Arc::clone(&self.shared) as Arc<dyn Services>
    }
}
