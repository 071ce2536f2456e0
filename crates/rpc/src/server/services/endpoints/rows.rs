//! MultiRowMutationService: atomic changes of several rows of one region, optionally under conditions. Source:
//! `MultiRowMutationEndpoint`.

use crate::proto;
use crate::server::messages::exception::Exception;
use crate::server::messages::mutations::{condition_of, mutation_for};
use crate::server::services::client::region_error;
use crate::server::services::regions::Region;
use crate::server::services::throttle;
use crate::server::session::Session;
use crate::wire::{BlockReader, Malformed};
use prost::Message;
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, CheckResult, MultiRowMutation, Nonce};
use rowstone_quotas::Work;

pub(super) fn mutate(
    session: &Session,
    region: &Region,
    request: &[u8],
) -> Result<proto::MutateRowsResponse, Exception> {
    let request = proto::MutateRowsRequest::decode(request).map_err(Malformed::from)?;
    let count = |rows: usize| i64::try_from(rows).unwrap_or(i64::MAX);
    let (writes, reads) = (count(request.mutation_request.len()), count(request.condition.len()));
    let permit = throttle::rows(session, &region.info.table, Work { writes, reads, is_atomic: reads > 0 })?;
    let mut mutations = Vec::with_capacity(request.mutation_request.len());
    // The message of an endpoint contains all cells.
    let mut block = BlockReader::new(&[]);
    for message in &request.mutation_request {
        let mutation = mutation_for(message, &mut block, session.has_access_control())?;
        if mutations.is_empty() {
            // The region may have moved: the error makes the client look it up again.
            region.check_row(&mutation.row, "MutateRows")?;
        } else {
            check_row(region, &mutation.row)?;
        }
        mutations.push(mutation);
    }
    let Some(first) = mutations.first_mut() else {
        return Ok(proto::MutateRowsResponse { processed: Some(true) });
    };
    let nonce = Nonce::new(request.nonce_group.unwrap_or(0), request.nonce.unwrap_or(0));
    first.nonce = nonce;
    let mut conditions = Vec::with_capacity(request.condition.len());
    for condition in &request.condition {
        check_row(region, &condition.row)?;
        conditions.push((condition.row.as_slice().into(), condition_of(condition)?));
    }
    let bytes = mutations.iter().map(|mutation| mutation.cells.byte_len()).sum();
    let change = MultiRowMutation { conditions, mutations };
    let work = |change| {
        let success = region.table.mutate_rows(change).map_err(|error| region_error(session, region, error))?;
        Ok(CheckResult { success, cells: CellBatch::default() })
    };
    // A repeated nonce belongs to an applied change, because only those are logged. Its result has no cells.
    let again = |_| Ok(CheckResult::applied(CellBatch::default()));
    let done = session.state.nonces.once(&session.user.name, nonce, change, work, again)?;
    if let Some(permit) = permit.filter(|_| done.success) {
        permit.wrote(bytes);
    }
    Ok(proto::MutateRowsResponse { processed: Some(done.success) })
}

/// Rejects a row outside of the region. The client must not retry: a change of rows in several regions never works.
fn check_row(region: &Region, row: &[u8]) -> Result<(), Exception> {
    if region.info.contains(row) {
        return Ok(());
    }
    let message = format!("Requested row out of range '{}'", printable(row));
    Err(Exception::last("DoNotRetryIOException", message))
}
