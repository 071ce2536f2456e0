//! Single mutations, with or without a condition.

use super::get::region_error;
use crate::proto;
use crate::proto::mutation_proto::MutationType;
use crate::server::ledgers::measures::count;
use crate::server::messages::call::{Call, Outcome, Work};
use crate::server::messages::exception::Exception;
use crate::server::messages::mutations::{condition_of, mutation_for};
use crate::server::services::regions::{find, Region, Target};
use crate::server::services::throttle;
use crate::server::session::Session;
use crate::wire::BlockReader;
use rowstone_model::operations::{
    CellBatch, CheckAndMutate, CheckResult, Get, Mutation, MutationKind, Nonce, ReadOptions, RowKey, RowMutations,
};
use rowstone_model::ErrorKind;

pub(super) fn mutate(session: &Session, call: &Call) -> Outcome {
    let request: proto::MutateRequest = call.message()?;
    let mut work = Work { checks: u32::from(request.condition.is_some()), ..Work::default() };
    work.add(request.mutation.mutate_type());
    let region = writable(session, &request.region)?;
    let reads = request.condition.is_some() || reads_first(&request.mutation);
    let permit = throttle::rows(session, &region.info.table, throttle::mutation(reads))?;
    let mut mutation =
        mutation_for(&request.mutation, &mut BlockReader::new(call.cells()), session.has_access_control())?;
    region.check_row(&mutation.row, "Mutate")?;
    let bytes = mutation.cells.byte_len();
    // As in HBase, an executed increment or append has a result; it is empty if the client does not want the new
    // values.
    let has_result = reads_first(&request.mutation);
    mutation.nonce = nonce_of(request.nonce_group, &request.mutation, mutation.kind);
    let (success, cells) = match &request.condition {
        None => (true, run(session, &region, mutation)?),
        Some(condition) => {
            let row = mutation.row.to_vec();
            let mutations = RowMutations { row, mutations: vec![mutation] };
            let done = check_and_mutate(session, &region, condition, mutations)?;
            (done.success, done.cells)
        }
    };
    // A failed mutation counts as a call but not as a write.
    call.note(work);
    if let Some(permit) = permit.filter(|_| success) {
        permit.wrote(bytes);
    }
    let mut sink = session.sink();
    let result = if cells.rows.is_empty() {
        (has_result && success).then(proto::Result::default)
    } else {
        Some(sink.result(&cells))
    };
    Ok(sink.answer(&proto::MutateResponse { result, processed: Some(success) }))
}

/// Whether a mutation reads the cells that it changes.
pub(super) fn reads_first(message: &proto::MutationProto) -> bool {
    matches!(message.mutate_type(), MutationType::Increment | MutationType::Append)
}

/// Finds the region of a write.
pub(super) fn writable(session: &Session, specifier: &proto::RegionSpecifier) -> Result<Region, Exception> {
    match find(session, specifier)? {
        Target::Region(region) => Ok(region),
        Target::Meta => Err(Exception::unsupported("hbase:meta is written by changes of the schema alone")),
    }
}

/// Returns the nonce of an operation that must be executed only once.
pub(super) fn nonce_of(group: Option<u64>, message: &proto::MutationProto, kind: MutationKind) -> Option<Nonce> {
    let counts = matches!(kind, MutationKind::Increment | MutationKind::Append);
    Nonce::new(group.unwrap_or(0), message.nonce.filter(|_| counts)?)
}

/// Executes a mutation; increments and appends return the new cells.
pub(super) fn run(session: &Session, region: &Region, mutation: Mutation) -> Result<CellBatch, Exception> {
    let nonce = mutation.nonce;
    let work = |mutation| {
        let done = region.table.mutate(mutation).map(CheckResult::applied);
        done.map_err(|error| region_error(session, region, error))
    };
    let again = |mutation| read_back(session, region, &[mutation]);
    session.state.nonces.once(&session.user.name, nonce, mutation, work, again).map(|done| done.cells)
}

/// Executes mutations of a row atomically; increments and appends return the new cells.
pub(super) fn mutate_row(session: &Session, region: &Region, mutations: RowMutations) -> Result<CellBatch, Exception> {
    let nonce = number_of(&mutations);
    let work = |mutations| {
        let done = region.table.mutate_row(mutations).map(CheckResult::applied);
        done.map_err(|error| region_error(session, region, error))
    };
    let again = |mutations: RowMutations| read_back(session, region, &mutations.mutations);
    session.state.nonces.once(&session.user.name, nonce, mutations, work, again).map(|done| done.cells)
}

/// Returns the nonce of several mutations: that of the first one that has a nonce.
fn number_of(mutations: &RowMutations) -> Option<Nonce> {
    mutations.mutations.iter().find_map(|mutation| mutation.nonce)
}

/// Answers a repeated operation whose first answer is no longer stored, because the server was restarted or the answer
/// was dropped. Returns what the operation's columns contain now. Without permission to read them, the answer has no
/// cells.
fn read_back(session: &Session, region: &Region, mutations: &[Mutation]) -> Result<CheckResult, Exception> {
    let returns = |mutation: &&Mutation| {
        mutation.returns_values && matches!(mutation.kind, MutationKind::Increment | MutationKind::Append)
    };
    let (mut row, mut options) = (RowKey::new(), ReadOptions::default());
    for mutation in mutations.iter().filter(returns) {
        row = mutation.row.clone();
        mutation.cells.iter().for_each(|cell| options.columns.add_column(cell.family(), cell.qualifier()));
    }
    if row.is_empty() {
        return Ok(CheckResult::applied(CellBatch::default()));
    }
    match region.table.get(&Get::new(row, options)) {
        Ok(cells) => Ok(CheckResult::applied(cells)),
        Err(error) if error.kind() == ErrorKind::AccessDenied => Ok(CheckResult::applied(CellBatch::default())),
        Err(error) => Err(region_error(session, region, error)),
    }
}

/// Executes mutations of a row if a condition holds.
pub(super) fn check_and_mutate(
    session: &Session,
    region: &Region,
    condition: &proto::Condition,
    mutations: RowMutations,
) -> Result<CheckResult, Exception> {
    if condition.row != mutations.row {
        let message = "the condition is on another row than the mutation";
        return Err(Exception::last("DoNotRetryIOException", message));
    }
    let nonce = number_of(&mutations);
    let check = CheckAndMutate { condition: condition_of(condition)?, mutations, guard: None };
    let work = |check| region.table.check_and_mutate(check).map_err(|error| region_error(session, region, error));
    // The check succeeded: the answer of a failed check is always stored, and a failed check is not in the log.
    let again = |check: CheckAndMutate| read_back(session, region, &check.mutations.mutations);
    let done = session.state.nonces.once(&session.user.name, nonce, check, work, again)?;
    let measures = &session.state.measures;
    count(if done.success { &measures.checks_passed } else { &measures.checks_failed });
    Ok(done)
}
