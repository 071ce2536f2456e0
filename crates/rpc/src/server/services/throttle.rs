//! Request quotas, checked before rows are read or written. Without quotas the check is an `Option` that is `None`;
//! with an empty set of quotas it is one relaxed load. Source: `RegionServerRpcQuotaManager`.

use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use rowstone_model::schema::{TableDescriptor, TableName};
use rowstone_quotas::{Cost, Permit, Throttles, Work};

/// Default block size of a family.
const BLOCK_BYTES: i64 = 65_536;

/// One get.
pub(in crate::server) const GET: Work = Work { writes: 0, reads: 1, is_atomic: false };

/// Work of one mutation: a write, and also a read if it reads first.
pub(in crate::server) fn mutation(reads_first: bool) -> Work {
    Work { writes: 1, reads: i64::from(reads_first), is_atomic: reads_first }
}

/// Whether any request is throttled.
pub(in crate::server) fn is_active(session: &Session) -> bool {
    session.state.throttles.as_ref().is_some_and(Throttles::is_active)
}

/// Reserves quota for gets and mutations of a table; `None` if there is no quota.
pub(in crate::server) fn rows(session: &Session, table: &TableName, work: Work) -> Result<Option<Permit>, Exception> {
    acquire(session, table, || Cost::Rows(work, block_bytes(session, table)))
}

/// Reserves quota for a part of a scan. `largest` is the size in bytes of its largest part so far, if there was one.
pub(in crate::server) fn scan(
    session: &Session,
    table: &TableName,
    largest: Option<usize>,
) -> Result<Option<Permit>, Exception> {
    acquire(session, table, || match largest {
        None => Cost::Scan(block_bytes(session, table)),
        Some(bytes) => Cost::Scan(i64::try_from(bytes).unwrap_or(i64::MAX)),
    })
}

fn acquire(session: &Session, table: &TableName, cost: impl FnOnce() -> Cost) -> Result<Option<Permit>, Exception> {
    let Some(throttles) = &session.state.throttles else { return Ok(None) };
    throttles.acquire(&session.user.name, table, cost).map_err(|throttled| Exception::throttled(&throttled))
}

/// The smallest block size of a table's families: a read is expected to read one block.
fn block_bytes(session: &Session, table: &TableName) -> i64 {
    let smallest = |table: TableDescriptor| {
        let sizes = table.families.values().filter_map(|family| family.attribute("BLOCKSIZE")?.parse().ok());
        sizes.min()
    };
    session.state.backend.admin().describe_table(table).ok().and_then(smallest).unwrap_or(BLOCK_BYTES)
}
