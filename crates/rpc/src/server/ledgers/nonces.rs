//! Nonces: increments and appends that are repeated because their answer was lost are executed once, and the repetition
//! gets the first attempt's answer. Source: `ServerNonceManager`.
//!
//! Nonces of logged writes are in the log and survive a restart (`Backend::written_nonces`). Nonces of operations that
//! wrote nothing, or skipped the log, do not survive one. Answers do not survive a restart either, and only the last 32
//! MiB are stored (`answers`). A caller whose answer is not stored reads the row, and may see later changes.
//!
//! Nonces are per user, so a user never gets the answer to another user's operation. HBase's are common to all users.

use super::answers::{Answers, Position};
use crate::server::ledgers::clock::LeaseClock;
use crate::server::messages::exception::Exception;
use crate::sync::{lock, wait};
use rowstone_model::operations::{CellBatch, CheckResult, Nonce};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Time that a nonce is remembered: longer than clients retry.
const MEMORY_MS: u64 = 30 * 60 * 1000;
/// Maximum number of nonces; the oldest are dropped first.
const MOST: usize = 1 << 20;
/// Time that a repeated operation waits for the first attempt.
const PATIENCE: Duration = Duration::from_secs(60);

/// A user's nonce. The user of a nonce from the log is unknown, and empty here.
type Key = (Nonce, Arc<str>);

#[derive(Debug, Clone, Copy)]
enum State {
    Running,
    /// The check failed, so nothing was written.
    CheckFailed,
    /// It was applied. The answer is unknown: the nonce is from the log, or the answer was too large.
    Applied,
    /// It was applied, and its answer is here unless it was overwritten.
    Answered(Position),
}

#[derive(Default)]
struct Operations {
    known: HashMap<Key, State>,
    /// Finished operations with their time, oldest first.
    done: VecDeque<(u64, Key)>,
    answers: Answers,
}

impl Operations {
    fn note(&mut self, now_ms: u64, key: Key, state: State) {
        self.known.insert(key.clone(), state);
        self.done.push_back((now_ms, key));
    }

    fn state(&self, key: &Key) -> Option<State> {
        self.known.get(key).or_else(|| self.known.get(&(key.0, "".into()))).copied()
    }

    fn finish(&mut self, now_ms: u64, key: Key, result: &CheckResult) {
        let state = if result.success {
            self.answers.add(&result.cells.cells).map_or(State::Applied, State::Answered)
        } else {
            State::CheckFailed
        };
        self.note(now_ms, key, state);
        while self.done.len() > MOST || self.done.front().is_some_and(|(at, _)| at + MEMORY_MS < now_ms) {
            let Some((_, oldest)) = self.done.pop_front() else { break };
            if let Some(State::Answered(position)) = self.known.remove(&oldest) {
                self.answers.remove_until(position);
            }
        }
    }

    /// Returns the answer of a finished operation, if it is known.
    fn answer(&self, state: State) -> Option<CheckResult> {
        match state {
            State::CheckFailed => Some(CheckResult { success: false, cells: CellBatch::default() }),
            State::Answered(position) => Some(CheckResult::applied(CellBatch::of_row(self.answers.get(position)?))),
            State::Applied | State::Running => None,
        }
    }
}

/// Nonces of running and finished operations.
pub(in crate::server) struct Nonces {
    operations: Mutex<Operations>,
    changed: Condvar,
    clock: LeaseClock,
}

enum Begun<'a> {
    First(Attempt<'a>),
    /// With the answer of the first attempt, if it is known.
    Repeated(Option<CheckResult>),
}

/// The first attempt. If it is dropped before `finish`, another attempt may run.
struct Attempt<'a> {
    nonces: &'a Nonces,
    key: Key,
    is_finished: bool,
}

impl Attempt<'_> {
    fn finish(mut self, result: &CheckResult) {
        self.is_finished = true;
        let now = self.nonces.clock.now_ms();
        lock(&self.nonces.operations).finish(now, self.key.clone(), result);
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            lock(&self.nonces.operations).known.remove(&self.key);
        }
        self.nonces.changed.notify_all();
    }
}

impl Nonces {
    pub fn new(clock: LeaseClock) -> Self {
        Nonces { operations: Mutex::default(), changed: Condvar::new(), clock }
    }

    /// Creates a ledger with the nonces `written`, oldest first, which an earlier server executed.
    pub fn with(clock: LeaseClock, written: Vec<Nonce>) -> Self {
        let now = clock.now_ms();
        let nonces = Nonces::new(clock);
        let mut operations = lock(&nonces.operations);
        written.into_iter().for_each(|nonce| operations.note(now, (nonce, "".into()), State::Applied));
        drop(operations);
        nonces
    }

    /// Runs `work`, or returns the answer of this user's first attempt. A repeated operation waits for a running first attempt.
    /// If the operation was applied but its answer is unknown, `again` finds one.
    pub fn once<I>(
        &self,
        user: &str,
        nonce: Option<Nonce>,
        input: I,
        work: impl FnOnce(I) -> Result<CheckResult, Exception>,
        again: impl FnOnce(I) -> Result<CheckResult, Exception>,
    ) -> Result<CheckResult, Exception> {
        let Some(nonce) = nonce else { return work(input) };
        match self.begin((nonce, user.into()))? {
            Begun::First(attempt) => {
                let result = work(input)?;
                attempt.finish(&result);
                Ok(result)
            }
            Begun::Repeated(Some(answer)) => Ok(answer),
            Begun::Repeated(None) => again(input),
        }
    }

    fn begin(&self, key: Key) -> Result<Begun<'_>, Exception> {
        let mut operations = lock(&self.operations);
        loop {
            match operations.state(&key) {
                None => break,
                Some(State::Running) => {
                    let (guard, timeout) = wait(&self.changed, operations, PATIENCE);
                    operations = guard;
                    if timeout.timed_out() {
                        let message = "the first attempt at this operation is still under way";
                        return Err(Exception::new("exceptions.OperationConflictException", message));
                    }
                }
                Some(state) => return Ok(Begun::Repeated(operations.answer(state))),
            }
        }
        operations.known.insert(key.clone(), State::Running);
        Ok(Begun::First(Attempt { nonces: self, key, is_finished: false }))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::cell::{CellBuffer, CellParts, CellType};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc;

    fn result(value: &[u8]) -> CheckResult {
        let (row, family, qualifier, tags) = (b"r", b"f", b"q", b"");
        let mut cells = CellBuffer::new();
        cells.push(CellParts { row, family, qualifier, timestamp: 1, cell_type: CellType::Put, value, tags });
        CheckResult::applied(CellBatch::of_row(cells))
    }

    /// Runs an operation that answers `value`; "again" if it was applied with an unknown answer.
    fn run(nonces: &Nonces, number: u64, value: &str) -> String {
        let work = |_| Ok(result(value.as_bytes()));
        let done = nonces.once("ann", Nonce::new(1, number), (), work, |_| Ok(result(b"again"))).unwrap();
        done.cells.cells.iter().map(|cell| String::from_utf8_lossy(cell.value()).into_owned()).collect()
    }

    #[test]
    fn a_repetition_gets_the_first_answer_until_the_nonce_is_forgotten() {
        let now = Arc::new(AtomicU64::new(0));
        let told = Arc::clone(&now);
        let nonces = Nonces::new(LeaseClock::new(move || told.load(Ordering::Relaxed)));
        assert_eq!(["a", "b", "c"].map(|value| run(&nonces, 7, value)), ["a", "a", "a"]);
        assert_eq!(run(&nonces, 8, "d"), "d");
        now.store(MEMORY_MS + 1, Ordering::Relaxed);
        assert_eq!((run(&nonces, 9, "e"), run(&nonces, 7, "f")), ("e".into(), "f".into()));
    }

    #[test]
    fn a_failed_check_fails_again() {
        let nonces = Nonces::new(LeaseClock::default());
        let failed = CheckResult { success: false, cells: CellBatch::default() };
        let first = nonces.once("ann", Nonce::new(1, 1), (), |_| Ok(failed.clone()), |_| Ok(result(b"again")));
        let second = nonces.once("ann", Nonce::new(1, 1), (), |_| Ok(result(b"done")), |_| Ok(result(b"again")));
        assert_eq!((first.unwrap(), second.unwrap()), (failed.clone(), failed));
    }

    #[test]
    fn an_answer_that_is_too_large_is_not_stored() {
        let nonces = Nonces::new(LeaseClock::default());
        let large = "x".repeat(1 << 20);
        assert_eq!((run(&nonces, 1, &large), run(&nonces, 1, &large)), (large, "again".into()));
    }

    #[test]
    fn a_repetition_waits_for_the_running_attempt() {
        let nonces = &Nonces::new(LeaseClock::default());
        let (started, is_started) = mpsc::channel();
        let (release, is_released) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let first = scope.spawn(move || {
                let work = move |_| {
                    started.send(()).unwrap();
                    is_released.recv().unwrap();
                    Ok(result(b"first"))
                };
                nonces.once("ann", Nonce::new(1, 1), (), work, |_| Ok(result(b"again"))).unwrap()
            });
            is_started.recv().unwrap();
            let second = scope.spawn(move || run(nonces, 1, "second"));
            release.send(()).unwrap();
            assert_eq!((first.join().unwrap(), second.join().unwrap()), (result(b"first"), "first".into()));
        });
    }

    #[test]
    fn failed_calls_can_be_retried() {
        let nonces = Nonces::new(LeaseClock::default());
        let fails = |_| Err(Exception::new("RegionTooBusyException", "full"));
        assert!(nonces.once("ann", Nonce::new(1, 1), (), fails, |_| Ok(result(b"again"))).is_err());
        assert_eq!(run(&nonces, 1, "done"), "done");
    }

    #[test]
    fn calls_done_by_another_server_are_not_repeated() {
        let nonces = Nonces::with(LeaseClock::default(), Nonce::new(1, 7).into_iter().collect());
        assert_eq!((run(&nonces, 7, "done"), run(&nonces, 8, "done")), ("again".into(), "done".into()));
    }

    #[test]
    fn a_user_does_not_get_the_answer_to_the_nonce_of_another() {
        let nonces = Nonces::with(LeaseClock::default(), Nonce::new(1, 8).into_iter().collect());
        let run = |user: &str, number, value: &'static [u8]| {
            let done = nonces.once(user, Nonce::new(1, number), (), |()| Ok(result(value)), |()| Ok(result(b"again")));
            done.unwrap().cells.cells
        };
        let answers = [run("ann", 7, b"secret"), run("bob", 7, b"own"), run("ann", 7, b"x"), run("bob", 7, b"x")];
        assert_eq!(answers, [&b"secret"[..], b"own", b"secret", b"own"].map(|value| result(value).cells.cells));
        assert_eq!(run("bob", 8, b"x"), result(b"again").cells.cells, "a nonce from the log is everybody's");
    }
}
