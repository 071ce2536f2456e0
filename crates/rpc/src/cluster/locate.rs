//! Location of regions: from the cache, or from `hbase:meta`. Source: `AsyncNonMetaRegionLocator`.

use super::{Cluster, TableCache};
use crate::failure::{Deadline, Failure, Remedy};
use crate::region::{meta_location, regions_at, Location, Position};
use crate::sync::lock;
use rowstone_model::codec::printable;
use rowstone_model::{Error, ErrorKind};
use std::sync::Arc;

impl Cluster {
    /// The region of `table` at `position`, with its server.
    pub fn locate(
        &self,
        table: &TableCache,
        position: Position<'_>,
        deadline: Deadline,
    ) -> Result<Arc<Location>, Failure> {
        if let Some(found) = table.regions.find(position) {
            return Ok(found);
        }
        if table.name.is_meta() {
            return self.meta(deadline);
        }
        let _turn = lock(&table.lookup);
        match table.regions.find(position) {
            Some(found) => Ok(found),
            None => self.look_up(table, position, deadline),
        }
    }

    /// The location of `hbase:meta`.
    pub fn meta(&self, deadline: Deadline) -> Result<Arc<Location>, Failure> {
        let mut meta = lock(&self.meta);
        if let Some(found) = meta.as_ref() {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(meta_location(self.registry.meta_server(deadline).map_err(unless_final)?));
        *meta = Some(Arc::clone(&found));
        Ok(found)
    }

    /// The location of `hbase:meta`, which is not taken from the cache.
    pub fn meta_now(&self, deadline: Deadline) -> Result<Arc<Location>, Failure> {
        lock(&self.meta).take();
        self.meta(deadline)
    }

    /// Discards the cached location of `hbase:meta` if `failure` shows that it is stale.
    pub fn note_meta_failure(&self, failure: &Failure) {
        if !matches!(failure.remedy, Remedy::Stop | Remedy::Again | Remedy::Overloaded | Remedy::After(_)) {
            lock(&self.meta).take();
        }
    }

    fn look_up(
        &self,
        table: &TableCache,
        position: Position<'_>,
        deadline: Deadline,
    ) -> Result<Arc<Location>, Failure> {
        let deadline = deadline.at_most(self.options.rpc_timeout);
        let meta = self.meta(deadline)?;
        let rows = regions_at(&meta, &table.name, position, &self.servers, deadline).map_err(|failure| {
            self.note_meta_failure(&failure);
            unless_final(failure)
        })?;
        let rows: Vec<_> = rows
            .into_iter()
            .filter(|row| !row.is_offline && !row.is_replica && row.location.info.table == table.name)
            .collect();
        let is_empty = rows.is_empty();
        let mut wanted = None;
        // In descending order: the requested region is first. If two overlap after a split or merge, the first one
        // counts.
        for row in rows.into_iter().rev() {
            let location = Arc::new(row.location);
            if location.server.is_some() {
                table.regions.insert(Arc::clone(&location));
            }
            if position.is_in(&location) {
                wanted = Some(location);
            }
        }
        match wanted {
            Some(location) if location.server.is_some() => Ok(location),
            Some(location) => {
                let name = printable(&location.name);
                Err(unlocated(format!("region '{name}' of table '{}' is not assigned to a server", table.name)))
            }
            None => {
                self.check_state(table, deadline)?;
                let what = if is_empty { "has no regions" } else { "has no region for that row" };
                Err(unlocated(format!("table '{}' {what} in hbase:meta at the moment", table.name)))
            }
        }
    }

    /// Discards cached locations that `failure` of a call to `location` shows to be stale.
    pub fn note_failure(&self, table: &TableCache, location: &Location, failure: &Failure) {
        if table.name.is_meta() {
            return self.note_meta_failure(failure);
        }
        match &failure.remedy {
            Remedy::Relocate => table.regions.forget(location),
            Remedy::Reconnect => match &location.server {
                Some(server) => table.regions.forget_server(server),
                None => table.regions.forget(location),
            },
            Remedy::MovedTo(host, port) => {
                let server = Some(self.servers.get(host, *port));
                table.regions.insert(Arc::new(Location { server, ..location.clone() }));
            }
            _ => {}
        }
    }
}

fn unlocated(message: String) -> Failure {
    Failure { error: Error::new(ErrorKind::RegionNotFound, message), remedy: Remedy::Relocate }
}

/// Makes any failure of a lookup retryable, unless it is permanent.
fn unless_final(failure: Failure) -> Failure {
    match failure.remedy {
        Remedy::Stop => failure,
        _ => Failure { remedy: Remedy::Again, ..failure },
    }
}
