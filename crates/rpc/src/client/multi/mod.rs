//! Many actions in one call: grouped by server and region, with one request per server, all sent concurrently. Only
//! actions with a transient failure are retried. Source: `AsyncBatchRpcRetryingCaller`.

mod item;
mod request;

pub(super) use item::{read_atomic, Answer, Item, Sink};

use super::table::Table;
use crate::cluster::Recovery;
use crate::connection::{Pending, Service};
use crate::convert::{get_message, mutation_message};
use crate::failure::{failure_of, Deadline, Failure, Remedy};
use crate::proto;
use crate::region::{Location, Position};
use crate::wire::{BlockReader, Call, Malformed, Response};
use item::{bytes_of, exception_of};
use request::{Lanes, Part, Request};
use rowstone_model::Result;
use std::sync::Arc;

/// Maximum number of actions in a request.
const MOST_ACTIONS: usize = 20_000;
/// Approximate maximum of bytes of cells in a request.
const REQUEST_BYTES: usize = 8 << 20;
impl Table {
    /// Runs all `items`; `sink` receives each outcome exactly once.
    pub(super) fn run_items(&self, items: &[Item<'_>], mut left: Vec<usize>, sink: &mut Sink<'_>) -> Result<()> {
        self.cluster.check_open()?;
        let mut recovery = Recovery::new(&self.cluster);
        while !left.is_empty() {
            let mut round = Round { table: self, items, sink, again: Vec::new(), worst: None };
            round.run(&left, recovery.call_deadline());
            let Round { again, worst, .. } = round;
            left = again;
            let Some((failure, location)) = worst else { continue };
            let doing = format!("multi of table '{}'", self.cache.name);
            if let Err(error) = recovery.after(failure, &doing, Some(&self.cache), location.as_deref()) {
                for index in left {
                    // An error is never malformed.
                    let _ = sink(index, Answer::Failed(error.clone()));
                }
                return Ok(());
            }
        }
        Ok(())
    }
}

/// One attempt for all remaining actions.
struct Round<'r, 'i, 's> {
    table: &'r Table,
    items: &'r [Item<'i>],
    sink: &'r mut Sink<'s>,
    /// Actions to retry, in order.
    again: Vec<usize>,
    /// The failure that determines the pause before the next attempt.
    worst: Option<(Failure, Option<Arc<Location>>)>,
}

impl Round<'_, '_, '_> {
    fn run(&mut self, left: &[usize], deadline: Deadline) {
        let requests = self.group(left, deadline);
        let sent: Vec<_> = requests
            .into_iter()
            .map(|request| {
                let pending = self.send(&request, deadline);
                (request, pending)
            })
            .collect();
        for (request, pending) in sent {
            let answer = pending.and_then(|pending| pending.wait(deadline));
            match answer.and_then(|response| self.read(&request, &response)) {
                Ok(()) => {}
                Err(failure) => self.fail_request(&request, failure),
            }
        }
        self.again.sort_unstable();
        self.again.dedup();
    }

    /// Groups actions by server and region. Actions that would make a request too large wait for the next round.
    fn group(&mut self, left: &[usize], deadline: Deadline) -> Vec<Request> {
        let mut requests: Vec<(Request, usize, usize)> = Vec::new();
        let mut place = (0, 0);
        let lanes = Lanes::of(self.items, left);
        for (position, &index) in left.iter().enumerate() {
            let item = &self.items[index];
            let lane = lanes.lane(position, item.row());
            let location = match requests.get(place.0).and_then(|request| request.0.parts.get(place.1)) {
                // Neighboring actions are mostly in the same region.
                Some(part) if part.location.info.contains(item.row()) => Ok(Arc::clone(&part.location)),
                _ => self.table.cluster.locate(&self.table.cache, Position::At(item.row()), deadline),
            };
            let location = match location {
                Ok(location) => location,
                Err(failure) => {
                    self.fail(&[index], failure, None);
                    continue;
                }
            };
            let Some(server) = location.server.clone() else {
                self.fail(&[index], Failure::connection("the region is not assigned to a server"), None);
                continue;
            };
            let known =
                requests.iter().position(|request| request.0.lane == lane && Arc::ptr_eq(&request.0.server, &server));
            let at = known.unwrap_or_else(|| {
                requests.push((Request { server, lane, parts: Vec::new() }, 0, 0));
                requests.len() - 1
            });
            let (request, actions, bytes) = &mut requests[at];
            if *actions >= MOST_ACTIONS || *bytes >= REQUEST_BYTES {
                self.again.push(index);
                continue;
            }
            *actions += 1;
            *bytes += bytes_of(item);
            place = (at, request.add(location, matches!(item, Item::Row(..)), index));
        }
        requests.into_iter().map(|request| request.0).collect()
    }

    fn send(&self, request: &Request, deadline: Deadline) -> std::result::Result<Pending, Failure> {
        let indexes = request.parts.iter().flat_map(|part| &part.indexes);
        let mut cells = Vec::with_capacity(indexes.map(|&index| bytes_of(&self.items[index])).sum());
        let parts = request.parts.iter().map(|part| self.part_message(part, &mut cells)).collect();
        let nonce_group = Some(self.table.cluster.nonces.group());
        let message = proto::MultiRequest { region_action: parts, nonce_group };
        let call = self.table.call("Multi", &message).with_cells(cells);
        request.server.connection(Service::Client, deadline)?.send(&call, deadline)
    }

    fn part_message(&self, part: &Part, cells: &mut Vec<u8>) -> proto::RegionAction {
        let mut action = Vec::with_capacity(part.indexes.len());
        for (position, &index) in part.indexes.iter().enumerate() {
            let index_of = Some(position as u32);
            match &self.items[index] {
                Item::Get(get) => {
                    action.push(proto::Action {
                        index: index_of,
                        get: Some(Box::new(get_message(get))),
                        mutation: None,
                    });
                }
                Item::Exists(get) => {
                    let get = proto::Get { existence_only: Some(true), ..get_message(get) };
                    action.push(proto::Action { index: index_of, get: Some(Box::new(get)), mutation: None });
                }
                Item::Mutation(mutation, nonce) => {
                    let mutation = Some(mutation_message(mutation, *nonce, cells));
                    action.push(proto::Action { index: index_of, mutation, get: None });
                }
                Item::Row(mutations, nonces) => {
                    for (mutation, nonce) in mutations.mutations.iter().zip(nonces) {
                        let mutation = Some(mutation_message(mutation, *nonce, cells));
                        action.push(proto::Action { index: None, mutation, get: None });
                    }
                }
            }
        }
        let atomic = part.is_atomic.then_some(true);
        proto::RegionAction { region: part.location.specifier(), atomic, action, condition: None }
    }

    /// Passes every result of a response to the sink, or schedules its action for the next round.
    fn read(&mut self, request: &Request, response: &Response) -> std::result::Result<(), Failure> {
        let message: proto::MultiResponse = response.message()?;
        if message.region_action_result.len() != request.parts.len() {
            return Err(Malformed("results for a different number of regions").into());
        }
        let mut block = response.cells();
        for (part, result) in request.parts.iter().zip(&message.region_action_result) {
            if let Some(exception) = &result.exception {
                self.fail(&part.indexes, failure_of(&exception_of(exception)), Some(&part.location));
            } else if part.is_atomic {
                self.read_group(part, result, &mut block)?;
            } else {
                self.read_part(part, result, &mut block)?;
            }
        }
        Ok(())
    }

    fn read_group(
        &mut self,
        part: &Part,
        result: &proto::RegionActionResult,
        block: &mut BlockReader<'_>,
    ) -> std::result::Result<(), Failure> {
        let exception = result.result_or_exception.iter().find_map(|entry| entry.exception.as_ref());
        match exception {
            Some(exception) => self.fail(&part.indexes, failure_of(&exception_of(exception)), Some(&part.location)),
            None => (self.sink)(part.indexes[0], Answer::Group(result, block))?,
        }
        Ok(())
    }

    fn read_part(
        &mut self,
        part: &Part,
        result: &proto::RegionActionResult,
        block: &mut BlockReader<'_>,
    ) -> std::result::Result<(), Failure> {
        let mut answered = vec![false; part.indexes.len()];
        for entry in &result.result_or_exception {
            let position = entry.index.unwrap_or(0) as usize;
            let (Some(&index), Some(seen)) = (part.indexes.get(position), answered.get_mut(position)) else {
                return Err(Malformed("a result for an unknown action").into());
            };
            if std::mem::replace(seen, true) {
                return Err(Malformed("two results of one action").into());
            }
            match (&entry.exception, &entry.result) {
                (Some(exception), _) => {
                    self.fail(&[index], failure_of(&exception_of(exception)), Some(&part.location));
                }
                (None, Some(result)) => (self.sink)(index, Answer::One(result, block))?,
                (None, None) => (self.sink)(index, Answer::One(&proto::Result::default(), block))?,
            }
        }
        let missing = answered.iter().zip(&part.indexes).filter(|(seen, _)| !**seen).map(|(_, index)| *index);
        let missing: Vec<usize> = missing.collect();
        if !missing.is_empty() {
            let failure = Failure::connection(format!(
                "{} left {} actions unanswered",
                part.location.server.as_deref().map_or_else(String::new, ToString::to_string),
                missing.len()
            ));
            self.fail(&missing, Failure { remedy: Remedy::Again, ..failure }, Some(&part.location));
        }
        Ok(())
    }

    fn fail_request(&mut self, request: &Request, failure: Failure) {
        for part in &request.parts {
            self.fail(&part.indexes, failure.clone(), Some(&part.location));
        }
    }

    /// Fails actions whose failure is permanent, and schedules the others for the next round.
    fn fail(&mut self, indexes: &[usize], failure: Failure, location: Option<&Arc<Location>>) {
        if failure.remedy == Remedy::Stop {
            for &index in indexes {
                let _ = (self.sink)(index, Answer::Failed(failure.error.clone()));
            }
            return;
        }
        if let Some(location) = location {
            self.table.cluster.note_failure(&self.table.cache, location, &failure);
        }
        self.again.extend_from_slice(indexes);
        let pause = failure.remedy.pause_order();
        if self.worst.as_ref().is_none_or(|(worst, _)| pause >= worst.remedy.pause_order()) {
            self.worst = Some((failure, location.cloned()));
        }
    }
}

/// Calls for the rows of a table.
impl Table {
    pub(super) fn call(&self, method: &'static str, message: &impl prost::Message) -> Call {
        let call = Call::new(method, message);
        if self.cache.name.is_system() {
            call.for_meta()
        } else {
            call
        }
    }
}
