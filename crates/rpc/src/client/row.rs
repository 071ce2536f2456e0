//! Operations on one row: one call to the server of its region, with retries.

use super::check::{check_get, check_mutation, check_mutations, check_repeated};
use super::table::Table;
use crate::cluster::Recovery;
use crate::connection::Service;
use crate::convert::{append_result, condition_message, get_message, mutation_message};
use crate::failure::{Deadline, Failure};
use crate::proto;
use crate::region::{Location, Position};
use crate::wire::{Call, Malformed, Response};
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, CheckAndMutate, CheckResult, Get, Mutation, MutationKind, RowMutations};
use rowstone_model::Result;
use std::sync::Arc;

impl Table {
    /// Calls the server of the region of `row`, retrying until `read` accepts the response.
    pub(super) fn row_call<T>(
        &self,
        row: &[u8],
        doing: &str,
        mut build: impl FnMut(&Location) -> Call,
        mut read: impl FnMut(&Response) -> Result<T, Failure>,
    ) -> Result<T> {
        self.cluster.check_open()?;
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            let deadline = recovery.call_deadline();
            let mut at = None;
            let failure = match self.attempt(row, deadline, &mut build, &mut at).and_then(|response| read(&response)) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            recovery
                .after(failure, doing, Some(&self.cache), at.as_deref())
                .map_err(|error| error.context(format!("row '{}' of table '{}'", printable(row), self.cache.name)))?;
        }
    }

    fn attempt(
        &self,
        row: &[u8],
        deadline: Deadline,
        build: &mut impl FnMut(&Location) -> Call,
        at: &mut Option<Arc<Location>>,
    ) -> Result<Response, Failure> {
        let location = self.cluster.locate(&self.cache, Position::At(row), deadline)?;
        let location = at.insert(location);
        let Some(server) = &location.server else {
            return Err(Failure::connection("the region is not assigned to a server"));
        };
        server.call(Service::Client, &build(location), deadline)
    }

    pub(super) fn get_row(&self, get: &Get) -> Result<CellBatch> {
        check_get(get)?;
        let message = get_message(get);
        self.row_call(
            &get.row,
            "get",
            |location| self.call("Get", &proto::GetRequest { region: location.specifier(), get: message.clone() }),
            |response| {
                let answer: proto::GetResponse = response.message()?;
                let mut batch = CellBatch::default();
                batch.cells.reserve(response.cell_block().len());
                append_result(&answer.result.unwrap_or_default(), &mut response.cells(), &mut batch)?;
                batch.rows.retain(|row| row.cell_count > 0);
                Ok(batch)
            },
        )
    }

    pub(super) fn row_exists(&self, get: &Get) -> Result<bool> {
        check_get(get)?;
        let message = proto::Get { existence_only: Some(true), ..get_message(get) };
        self.row_call(
            &get.row,
            "exists",
            |location| self.call("Get", &proto::GetRequest { region: location.specifier(), get: message.clone() }),
            |response| {
                let answer: proto::GetResponse = response.message()?;
                Ok(answer.result.and_then(|result| result.exists).unwrap_or(false))
            },
        )
    }

    /// A nonce for a mutation that must not be executed twice.
    pub(super) fn nonce_for(&self, kind: MutationKind) -> Option<u64> {
        matches!(kind, MutationKind::Increment | MutationKind::Append).then(|| self.cluster.nonces.next())
    }

    pub(super) fn mutate_one(&self, mutation: &Mutation) -> Result<CellBatch> {
        check_mutation(mutation)?;
        let (answer, attempts) = self.send_mutation(mutation, None)?;
        if attempts > 1 {
            check_repeated(mutation, &answer.cells)?;
        }
        Ok(answer.cells)
    }

    /// Returns the answer and the number of attempts.
    fn send_mutation(&self, mutation: &Mutation, condition: Option<proto::Condition>) -> Result<(CheckResult, u32)> {
        let mut attempts = 0;
        let mut cells = Vec::new();
        let message = mutation_message(mutation, self.nonce_for(mutation.kind), &mut cells);
        let returns = matches!(mutation.kind, MutationKind::Increment | MutationKind::Append);
        let answer = self.row_call(
            &mutation.row,
            name_of(mutation.kind),
            |location| {
                attempts += 1;
                let request = proto::MutateRequest {
                    region: location.specifier(),
                    mutation: message.clone(),
                    condition: condition.clone(),
                    nonce_group: Some(self.cluster.nonces.group()),
                };
                self.call("Mutate", &request).with_cells(cells.clone())
            },
            |response| {
                let answer: proto::MutateResponse = response.message()?;
                let mut cells = CellBatch::default();
                if let Some(result) = answer.result.filter(|_| returns) {
                    append_result(&result, &mut response.cells(), &mut cells)?;
                }
                Ok(CheckResult { success: answer.processed.unwrap_or(true), cells })
            },
        )?;
        Ok((answer, attempts))
    }

    pub(super) fn check_row_and_mutate(&self, check: &CheckAndMutate) -> Result<CheckResult> {
        check_mutations(&check.mutations)?;
        let condition = condition_message(&check.mutations.row, &check.condition);
        match check.mutations.mutations.as_slice() {
            [only] => self.send_mutation(only, Some(condition)).map(|(answer, _)| answer),
            _ => self.send_row(&check.mutations, Some(condition)),
        }
    }

    pub(super) fn mutate_atomically(&self, mutations: &RowMutations) -> Result<CellBatch> {
        check_mutations(mutations)?;
        self.send_row(mutations, None).map(|answer| answer.cells)
    }

    /// Sends several mutations of one row, to be applied if `condition` holds.
    fn send_row(&self, mutations: &RowMutations, condition: Option<proto::Condition>) -> Result<CheckResult> {
        let mut cells = Vec::new();
        let actions: Vec<_> = mutations
            .mutations
            .iter()
            .map(|mutation| proto::Action {
                mutation: Some(mutation_message(mutation, self.nonce_for(mutation.kind), &mut cells)),
                ..proto::Action::default()
            })
            .collect();
        self.row_call(
            &mutations.row,
            "mutate_row",
            |location| {
                let action = proto::RegionAction {
                    region: location.specifier(),
                    atomic: Some(true),
                    action: actions.clone(),
                    condition: condition.clone(),
                };
                let nonce_group = Some(self.cluster.nonces.group());
                let request = proto::MultiRequest { region_action: vec![action], nonce_group };
                self.call("Multi", &request).with_cells(cells.clone())
            },
            |response| {
                let answer: proto::MultiResponse = response.message()?;
                let processed = answer.processed;
                let [result] = <[_; 1]>::try_from(answer.region_action_result)
                    .map_err(|_| Malformed("results for a different number of regions"))?;
                let success = result.processed.or(processed).unwrap_or(true);
                let mut cells = CellBatch::default();
                super::multi::read_atomic(&result, &mut response.cells(), &mut cells)?;
                Ok(CheckResult { success, cells })
            },
        )
    }
}

fn name_of(kind: MutationKind) -> &'static str {
    match kind {
        MutationKind::Put => "put",
        MutationKind::Delete => "delete",
        MutationKind::Increment => "increment",
        MutationKind::Append => "append",
    }
}
