//! Calls to the active master, and waiting for the procedures that it starts.

use super::polling::Wait;
use super::Admin;
use crate::cluster::Recovery;
use crate::connection::Service;
use crate::failure::{failure_of, Failure, Remedy};
use crate::proto;
use crate::proto::get_procedure_result_response::State;
use crate::wire::{Call, Malformed, RemoteException, Response};
use prost::Message;
use rowstone_model::{ErrorKind, Result};

impl Admin {
    /// Calls the active master, retrying until it answers.
    pub(super) fn call<M: Message + Default>(&self, method: &'static str, request: &impl Message) -> Result<M> {
        self.call_master(Service::Master, &Call::new(method, request), Response::message)
    }

    /// Calls `service` of the active master, retrying until `read` accepts the answer.
    pub(super) fn call_master<T>(
        &self,
        service: Service,
        call: &Call,
        read: impl Fn(&Response) -> Result<T, Malformed>,
    ) -> Result<T> {
        self.cluster.check_open()?;
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            let deadline = recovery.call_deadline();
            let answer = self.cluster.master(deadline).map_err(again).and_then(|master| {
                let response = master.call(service, call, deadline)?;
                Ok(read(&response)?)
            });
            match answer {
                Ok(message) => return Ok(message),
                // The master knows all regions: one that it does not know does not exist.
                Err(failure) if failure.error.kind() == ErrorKind::RegionNotFound => return Err(failure.error),
                Err(failure) => {
                    if matches!(failure.remedy, Remedy::Relocate | Remedy::Reconnect) {
                        self.cluster.forget_master();
                    }
                    recovery.after(failure, call.method(), None, None)?;
                }
            }
        }
    }

    /// Starts a procedure and waits for its end.
    pub(super) fn run(&self, method: &'static str, request: &impl Message) -> Result<()> {
        let started: proto::ProcedureId = self.call(method, request)?;
        started.proc_id.map_or(Ok(()), |id| self.wait_for(id, method))
    }

    /// Waits for the end of a procedure, for ten minutes or the operation timeout. The master works on it in any case.
    ///
    /// # Errors
    /// The procedure's; `Timeout`.
    pub(super) fn wait_for(&self, proc_id: u64, doing: &str) -> Result<()> {
        let mut wait = Wait::for_master(self.cluster.options.operation_timeout);
        loop {
            let request = proto::GetProcedureResultRequest { proc_id };
            let answer: proto::GetProcedureResultResponse = self.call("getProcedureResult", &request)?;
            match answer.state() {
                State::Running => {}
                // The master only retains results for a while.
                State::NotFound => return Ok(()),
                State::Finished => return finished(answer.exception, doing),
            }
            wait.sleep(&|| format!("{doing} (procedure {proc_id}) has not ended"))?;
        }
    }

    /// Nonce group and nonce of a request that must not be executed twice.
    pub(super) fn nonce(&self) -> (Option<u64>, Option<u64>) {
        (Some(self.cluster.nonces.group()), Some(self.cluster.nonces.next()))
    }
}

/// Finding the master may fail during a failover, so such failures are retried.
fn again(failure: Failure) -> Failure {
    match failure.remedy {
        Remedy::Stop => failure,
        _ => Failure { remedy: Remedy::Again, ..failure },
    }
}

fn finished(exception: Option<proto::ForeignExceptionMessage>, doing: &str) -> Result<()> {
    let Some(exception) = exception else { return Ok(()) };
    let generic = exception.generic_exception.unwrap_or_default();
    let class = generic.class_name.unwrap_or_default();
    let message = generic.message.unwrap_or_else(|| format!("{doing} failed"));
    let text = format!("{class}: {message}");
    Err(failure_of(&RemoteException { class, text, do_not_retry: true, is_overloaded: false }).error)
}
