//! Who hears of changes of the schema is asked before, and told after. Source: HBase's `MasterCoprocessorHost`.

use super::super::Database;
use rowstone_model::observe::{SchemaChange, SchemaObserver};
use rowstone_model::Result;
use std::sync::Arc;

/// A change that the observer let pass; it is told when [`Announced::done`].
pub(super) struct Announced(Option<(Arc<dyn SchemaObserver>, SchemaChange)>);

impl Announced {
    /// The change is made.
    ///
    /// # Errors
    /// What the observer raises; the change stays.
    pub(super) fn done(self) -> Result<()> {
        self.0.map_or(Ok(()), |(observer, change)| observer.post(&change))
    }
}

impl Database {
    /// Asks the observer, where there is one, about a change.
    ///
    /// # Errors
    /// Its veto.
    pub(super) fn announce(&self, change: impl FnOnce() -> SchemaChange) -> Result<Announced> {
        let Some(observer) = self.shared.schema_observer.read().clone() else { return Ok(Announced(None)) };
        let change = change();
        observer.pre(&change)?;
        Ok(Announced(Some((observer, change))))
    }
}
