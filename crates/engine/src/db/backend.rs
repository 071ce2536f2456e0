//! A directory as a backend.

use super::admin::MetaView;
use super::operations::table::Table;
use super::operations::together::mutate_together;
use super::operations::witness::observe;
use super::Database;
use rowstone_model::admin::AdminBackend;
use rowstone_model::backend::{Backend, ServerPlace, TableBackend};
use rowstone_model::observe::{SchemaObserver, TableObserver};
use rowstone_model::operations::{Mutation, Nonce};
use rowstone_model::quota::QuotaBoard;
use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_model::Result;
use std::sync::Arc;

impl Backend for Database {
    fn table(&self, name: &TableName) -> Result<Arc<dyn TableBackend>> {
        self.shared.check_open()?;
        if name.is_meta() {
            return Ok(Arc::new(MetaView::new(Arc::clone(&self.shared), None)));
        }
        let handle = self.shared.tables.find(name)?;
        Ok(Arc::new(Table::new(Arc::clone(&self.shared), handle)))
    }

    fn admin(&self) -> &dyn AdminBackend {
        self
    }

    fn meta(&self, server: &ServerPlace) -> Result<Arc<dyn TableBackend>> {
        self.shared.check_open()?;
        Ok(Arc::new(MetaView::new(Arc::clone(&self.shared), Some(server.clone()))))
    }

    fn observe_table(&self, table: &TableName, observer: Option<Arc<dyn TableObserver>>) -> Result<()> {
        self.shared.check_open()?;
        observe(&self.shared, table, observer);
        Ok(())
    }

    fn observe_schema(&self, observer: Option<Arc<dyn SchemaObserver>>) -> Result<()> {
        self.shared.check_open()?;
        *self.shared.schema_observer.write() = observer;
        Ok(())
    }

    fn mutate_together(&self, changes: Vec<(TableName, Mutation)>) -> Result<()> {
        self.shared.check_open()?;
        mutate_together(&self.shared, changes)
    }

    fn create_system_table(&self, table: TableDescriptor) -> Result<()> {
        self.make_system_table(table)
    }

    fn id(&self) -> Option<String> {
        Some(self.shared.state().database_id.clone())
    }

    fn written_nonces(&self) -> Result<Vec<Nonce>> {
        self.shared.check_open()?;
        let log_directory = self.shared.log_directory();
        self.shared.nonces.all(&self.shared.system, &log_directory)
    }

    fn quota_board(&self) -> Option<Arc<QuotaBoard>> {
        self.shared.quotas.board()
    }

    fn close(&self) -> Result<()> {
        let mut closed = self.shared.closed.lock();
        if let Some(outcome) = &*closed {
            return outcome.clone();
        }
        self.shared.begin_close();
        self.shared.stop_compactions();
        self.stop_threads();
        // A running schema change ends first, and no other begins.
        let _ddl = self.shared.ddl.lock();
        let flushed = self.shared.close_regions();
        let outcome = flushed.and(self.shared.close_log());
        self.shared.let_go();
        *closed = Some(outcome.clone());
        outcome
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A handle that was not closed still ends its threads and syncs its log. `drop` cannot report an error.
        let _ = self.close();
    }
}
