//! Schema observers: asked before a schema change, notified after it. Source: HBase's `MasterCoprocessorHost`.

use super::super::Database;
use rowstone_model::observe::{SchemaChange, SchemaObserver};
use rowstone_model::Result;
use std::sync::Arc;

/// A change that the observer allowed. The observer is notified by [`Announced::done`].
pub(super) struct Announced(Option<(Arc<dyn SchemaObserver>, SchemaChange)>);

impl Announced {
    /// Notifies the observer that the change was made.
    ///
    /// # Errors
    /// The observer's error; the change stays.
    pub(super) fn done(self) -> Result<()> {
        self.0.map_or(Ok(()), |(observer, change)| observer.post(&change))
    }
}

impl Database {
    /// Asks the observer, if there is one, about a change.
    ///
    /// # Errors
    /// The observer's veto.
    pub(super) fn announce(&self, change: impl FnOnce() -> SchemaChange) -> Result<Announced> {
        let Some(observer) = self.shared.schema_observer.read().clone() else { return Ok(Announced(None)) };
        let change = change();
        observer.pre(&change)?;
        Ok(Announced(Some((observer, change))))
    }
}
