//! Multi calls: actions grouped by region. Source: `RSRpcServices.multi`.

use super::get::{exists, region_error};
use super::multi_work::{count_work, work_done, work_of};
use super::mutate::{check_and_mutate, mutate_row, nonce_of, run, writable};
use crate::proto;
use crate::server::messages::call::{Call, Outcome};
use crate::server::messages::cells::Sink;
use crate::server::messages::exception::Exception;
use crate::server::messages::mutations::{block_cells, mutation_for, wants_result};
use crate::server::messages::reads::get_of;
use crate::server::services::meta;
use crate::server::services::regions::{find, Region, Target};
use crate::server::services::throttle;
use crate::server::session::Session;
use crate::wire::{BlockReader, Malformed};
use rowstone_model::operations::{Action, ActionResult, CellBatch, Get, Mutation, RowMutations};
use rowstone_quotas::Permit;

/// Gets per call to the table. The size of the answer is checked after each run.
const GETS_PER_RUN: usize = 64;

/// Actions of a region that are decoded and executed before the next are decoded. The memory for 256 writes of 1,000
/// bytes fits into the CPU cache and into memory that the allocator keeps; `docs/explanation/performance-decisions.md`
/// has the measurement.
const ACTIONS_PER_RUN: usize = 256;

type Done = Result<Vec<proto::ResultOrException>, Exception>;

pub(super) fn multi(session: &Session, call: &Call) -> Outcome {
    let request: proto::MultiRequest = call.message()?;
    let work = work_of(&request);
    if work.gets > 0 {
        session.answer_memory.check()?;
    }
    let starts = starts_of(&request, BlockReader::new(call.cells()))?;
    let mut sink = session.large_sink();
    let mut response = proto::MultiResponse::default();
    for (part, block) in request.region_action.iter().zip(starts) {
        let mut run =
            Part { session, nonce_group: request.nonce_group, sink: &mut sink, permit: None, asked: Vec::new() };
        let mut processed = None;
        let done = match (part.atomic.unwrap_or(false), &part.condition) {
            (false, None) => run.each(part, block),
            (_, condition) => run.together(part, condition.as_ref(), block, &mut processed),
        };
        response.region_action_result.push(match done {
            Ok(result_or_exception) => proto::RegionActionResult { result_or_exception, exception: None, processed },
            Err(exception) => proto::RegionActionResult { exception: Some(exception.pair()), ..Default::default() },
        });
    }
    count_failures(session, &response);
    call.note(work_done(&request, &response));
    // Clients before 2.3 read this field.
    response.processed = response.region_action_result.first().and_then(|result| result.processed);
    Ok(sink.answer(&response))
}

/// Counts the exceptions of single regions and actions like those of whole calls, as HBase does.
fn count_failures(session: &Session, response: &proto::MultiResponse) {
    for result in &response.region_action_result {
        let each = result.result_or_exception.iter().filter_map(|one| one.exception.as_deref());
        for exception in result.exception.iter().chain(each) {
            session.state.measures.failed(&exception.name);
        }
    }
}

/// The actions of one region.
struct Part<'a> {
    session: &'a Session,
    nonce_group: Option<u64>,
    sink: &'a mut Sink,
    /// Permit of a throttled request, which is charged with bytes.
    permit: Option<Permit>,
    /// For a throttled request: the index and the size in bytes of each mutation.
    asked: Vec<(usize, usize)>,
}

/// An action of a region, with the index of its result.
enum Step {
    /// Executed by the table together with adjacent actions.
    Plain(usize, Action, bool),
    /// An increment or append with a nonce.
    Once(usize, Mutation, bool),
    Exists(usize, Get),
}

/// Actions for the table; for each the index of its result, and whether the client wants the result.
struct Plain {
    actions: Vec<Action>,
    places: Vec<(usize, bool)>,
}

impl Plain {
    fn with_capacity(count: usize) -> Self {
        Self { actions: Vec::with_capacity(count), places: Vec::with_capacity(count) }
    }

    fn push(&mut self, place: usize, action: Action, wants: bool) {
        self.actions.push(action);
        self.places.push((place, wants));
    }
}

fn empty(index: Option<u32>) -> proto::ResultOrException {
    proto::ResultOrException { index, result: Some(proto::Result::default()), exception: None }
}

/// Returns the position in the cell block where each region's cells begin. All cells are decoded, so a malformed
/// block is found before anything is executed.
fn starts_of<'a>(request: &proto::MultiRequest, mut block: BlockReader<'a>) -> Result<Vec<BlockReader<'a>>, Malformed> {
    let mut starts = Vec::with_capacity(request.region_action.len());
    for part in &request.region_action {
        starts.push(block);
        let mutations = part.action.iter().filter_map(|action| action.mutation.as_ref());
        mutations.map(block_cells).try_for_each(|count| block.skip(count))?;
    }
    Ok(starts)
}

/// Returns [`ACTIONS_PER_RUN`], or all actions if each run would wait for the disk.
fn actions_per_run(part: &proto::RegionAction, region: &Region) -> usize {
    use proto::mutation_proto::Durability::{FsyncWal, UseDefault};
    if part.action.len() <= ACTIONS_PER_RUN {
        return ACTIONS_PER_RUN;
    }
    let by_default = region.table.syncs_by_default();
    let mut asked =
        part.action.iter().filter_map(|action| action.mutation.as_ref()).map(|mutation| mutation.durability());
    if asked.any(|durability| durability == FsyncWal || (durability == UseDefault && by_default)) {
        part.action.len()
    } else {
        ACTIONS_PER_RUN
    }
}

impl Part<'_> {
    /// Reserves quota for all actions of a region, or for none.
    fn reserve_quota(&mut self, part: &proto::RegionAction, region: &Region) -> Result<(), Exception> {
        if throttle::is_active(self.session) {
            self.permit = throttle::rows(self.session, &region.info.table, count_work(part))?;
        }
        Ok(())
    }

    /// Records the size of a mutation for the quota.
    fn note_asked(&mut self, place: usize, mutation: &Mutation) {
        if self.permit.is_some() {
            self.asked.push((place, mutation.cells.byte_len()));
        }
    }

    /// Charges the bytes of the mutations that were executed.
    fn count_written(&self, is_done: impl Fn(usize) -> bool) {
        if let Some(permit) = &self.permit {
            let done = self.asked.iter().filter(|(place, _)| is_done(*place));
            done.for_each(|(_, bytes)| permit.wrote(*bytes));
        }
    }

    /// Executes each action independently.
    fn each(&mut self, part: &proto::RegionAction, mut block: BlockReader<'_>) -> Done {
        let region = match find(self.session, &part.region)? {
            Target::Region(region) => region,
            Target::Meta => return Ok(self.read_meta(part)),
        };
        self.reserve_quota(part, &region)?;
        let mut results: Vec<_> = part.action.iter().map(|action| empty(action.index)).collect();
        let mut places = 0..;
        for actions in part.action.chunks(actions_per_run(part, &region)) {
            let mut steps = Vec::with_capacity(actions.len());
            for (action, place) in actions.iter().zip(&mut places) {
                match self.step(place, action, &region, &mut block) {
                    Ok(step) => steps.push(step),
                    Err(exception) => fail(&mut results[place], &exception),
                }
            }
            self.run(steps, &region, &mut results);
        }
        self.count_written(|place| results.get(place).is_some_and(|result| result.exception.is_none()));
        Ok(results)
    }

    fn step(
        &mut self,
        place: usize,
        action: &proto::Action,
        region: &Region,
        block: &mut BlockReader<'_>,
    ) -> Result<Step, Exception> {
        if let Some(message) = &action.get {
            let get = get_of(message).and_then(|get| region.check_row(&get.row, "Get").map(|()| get));
            let step = |get| {
                if message.existence_only.unwrap_or(false) {
                    Step::Exists(place, get)
                } else {
                    Step::Plain(place, Action::Get(get), true)
                }
            };
            return get.map(step);
        }
        let Some(message) = &action.mutation else {
            return Err(Exception::unsupported("an action that is neither get nor mutation"));
        };
        // The cells of a refused mutation are consumed too, because the next mutation's cells follow them.
        let mut ahead = *block;
        ahead.skip(block_cells(message))?;
        let mut own = std::mem::replace(block, ahead);
        let mutation = mutation_for(message, &mut own, self.session.has_access_control())?;
        region.check_row(&mutation.row, "Mutate")?;
        self.note_asked(place, &mutation);
        let nonce = nonce_of(self.nonce_group, message, mutation.kind);
        Ok(match nonce {
            Some(_) => Step::Once(place, Mutation { nonce, ..mutation }, wants_result(message)),
            None => Step::Plain(place, Action::Mutate(mutation), wants_result(message)),
        })
    }

    fn run(&mut self, steps: Vec<Step>, region: &Region, results: &mut [proto::ResultOrException]) {
        let mut plain = Plain::with_capacity(steps.len());
        let mut gets = 0;
        let most = self.session.state.options.max_result_bytes;
        for step in steps {
            match step {
                Step::Plain(place, Action::Get(_), _) if self.sink.is_full(most) => {
                    fail(&mut results[place], &self.too_large());
                }
                Step::Plain(place, action, wants) => {
                    gets += usize::from(matches!(action, Action::Get(_)));
                    plain.push(place, action, wants);
                    if gets == GETS_PER_RUN {
                        gets = 0;
                        self.run_plain(&mut plain, region, results);
                    }
                }
                Step::Once(place, mutation, wants) => {
                    self.run_plain(&mut plain, region, results);
                    let done = run(self.session, region, mutation);
                    self.put(&mut results[place], done, wants);
                }
                Step::Exists(place, get) => {
                    self.run_plain(&mut plain, region, results);
                    match exists(self.session, region, &get) {
                        Ok(exists) => {
                            let result = proto::Result { exists: Some(exists), ..proto::Result::default() };
                            results[place].result = Some(result);
                        }
                        Err(exception) => fail(&mut results[place], &exception),
                    }
                }
            }
        }
        self.run_plain(&mut plain, region, results);
    }

    /// Executes and clears the collected actions.
    fn run_plain(&mut self, plain: &mut Plain, region: &Region, results: &mut [proto::ResultOrException]) {
        if plain.actions.is_empty() {
            return;
        }
        let done = region.table.multi(std::mem::take(&mut plain.actions));
        for ((place, wants), done) in plain.places.drain(..).zip(done) {
            match done {
                Ok(ActionResult::Done) => {}
                Ok(ActionResult::Row(batch)) => {
                    if let Some(permit) = &self.permit {
                        permit.read(batch.cells.byte_len());
                    }
                    self.put(&mut results[place], Ok(batch), wants);
                }
                Err(error) => fail(&mut results[place], &region_error(self.session, region, error)),
            }
        }
    }

    /// Stores a result at its index. Cells are written to the block in the order of these calls, which is the order
    /// of the indexes.
    fn put(&mut self, result: &mut proto::ResultOrException, done: Result<CellBatch, Exception>, wants: bool) {
        match done {
            Ok(batch) if wants => result.result = Some(self.sink.result(&batch)),
            Ok(_) => {}
            Err(exception) => fail(result, &exception),
        }
    }

    /// The exception for gets after the answer has reached its limit.
    fn too_large(&self) -> Exception {
        let message = format!("Max size exceeded: {} bytes of results", self.sink.bytes);
        Exception::new("MultiActionResultTooLarge", message)
    }

    fn read_meta(&mut self, part: &proto::RegionAction) -> Vec<proto::ResultOrException> {
        let session = self.session;
        let mut results: Vec<_> = part.action.iter().map(|action| empty(action.index)).collect();
        let most = self.session.state.options.max_result_bytes;
        for (result, action) in results.iter_mut().zip(&part.action) {
            let done = match &action.get {
                Some(_) if self.sink.is_full(most) => Err(self.too_large()),
                Some(message) => get_of(message).and_then(|get| Ok(meta::get(session, &get)?)),
                None => Err(Exception::unsupported("writes of hbase:meta")),
            };
            self.put(result, done, true);
        }
        results
    }

    /// Executes all mutations, which must be of one row, atomically; with a condition, only if it holds.
    fn together(
        &mut self,
        part: &proto::RegionAction,
        condition: Option<&proto::Condition>,
        block: BlockReader<'_>,
        processed: &mut Option<bool>,
    ) -> Done {
        let region = writable(self.session, &part.region)?;
        self.reserve_quota(part, &region)?;
        let (success, cells) = self.change_row(part, condition, &region, block)?;
        self.count_written(|_| success);
        *processed = Some(success);
        let mut results: Vec<_> = (0u32..).zip(&part.action).map(|(index, _)| empty(Some(index))).collect();
        if let (Some(first), false) = (results.first_mut(), cells.rows.is_empty()) {
            // As in HBase, one result contains all new values, and its cells are in the message.
            first.result = Some(Sink::inline().result(&cells));
        }
        Ok(results)
    }

    fn change_row(
        &mut self,
        part: &proto::RegionAction,
        condition: Option<&proto::Condition>,
        region: &Region,
        mut block: BlockReader<'_>,
    ) -> Result<(bool, CellBatch), Exception> {
        let mut mutations = Vec::with_capacity(part.action.len());
        for (place, action) in part.action.iter().enumerate() {
            let Some(message) = &action.mutation else {
                let text = "Atomic put and/or delete only, not a get";
                return Err(Exception::last("DoNotRetryIOException", text));
            };
            let mut mutation = mutation_for(message, &mut block, self.session.has_access_control())?;
            mutation.nonce = nonce_of(self.nonce_group, message, mutation.kind);
            self.note_asked(place, &mutation);
            mutations.push(mutation);
        }
        let Some(first) = mutations.first() else { return Ok((true, CellBatch::default())) };
        let row = first.row.to_vec();
        region.check_row(&row, "RowMutations")?;
        let mutations = RowMutations { row, mutations };
        if let Some(condition) = condition {
            let done = check_and_mutate(self.session, region, condition, mutations)?;
            return Ok((done.success, done.cells));
        }
        mutate_row(self.session, region, mutations).map(|cells| (true, cells))
    }
}

fn fail(result: &mut proto::ResultOrException, exception: &Exception) {
    result.result = None;
    result.exception = Some(Box::new(exception.pair()));
}
