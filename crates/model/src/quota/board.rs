//! The current quotas on requests, for a server that enforces them.

use super::{QuotaOwner, QuotaRules, Quotas};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// A consistent state of all quotas on requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestQuotas {
    /// The quotas of each owner that has any.
    pub owners: BTreeMap<QuotaOwner, Quotas>,
    /// Whether quotas other than the server's may be exceeded while the server's has room.
    pub may_exceed: bool,
    /// Whether quotas are enforced.
    pub are_kept: bool,
}

type Now = dyn Fn() -> i64 + Send + Sync;

/// The current quotas on requests of a database, for the server that enforces them. Each change replaces the state as
/// a whole.
pub struct QuotaBoard {
    /// Version of the state; 0 if there are no limits.
    version: AtomicU64,
    quotas: RwLock<(u64, Arc<RequestQuotas>)>,
    rules: QuotaRules,
    now_ms: Box<Now>,
}

impl QuotaBoard {
    /// A board without quotas; `now_ms` is the clock for their refill.
    pub fn new(now_ms: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self::with_rules(QuotaRules::default(), now_ms)
    }

    /// The same with the given `rules`.
    pub fn with_rules(rules: QuotaRules, now_ms: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        // With default user limits, requests must be checked from the beginning.
        let version = u64::from(!rules.default_user.is_empty());
        let quotas = RequestQuotas { are_kept: version != 0, ..RequestQuotas::default() };
        QuotaBoard {
            version: AtomicU64::new(version),
            quotas: RwLock::new((version, Arc::new(quotas))),
            rules,
            now_ms: Box::new(now_ms),
        }
    }

    /// The settings for enforcement.
    pub fn rules(&self) -> &QuotaRules {
        &self.rules
    }

    /// The current time in milliseconds.
    pub fn now_ms(&self) -> i64 {
        (self.now_ms)()
    }

    /// Version of the current state; 0 if no request needs to be checked.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// The current state with its version.
    pub fn read(&self) -> (u64, Arc<RequestQuotas>) {
        self.quotas.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the state.
    pub fn store(&self, quotas: RequestQuotas) {
        let has_none = || quotas.owners.values().all(|own| own.throttle.is_empty());
        let is_idle = !quotas.are_kept || (self.rules.default_user.is_empty() && has_none());
        let mut place = self.quotas.write().unwrap_or_else(PoisonError::into_inner);
        let number = place.0 + 1;
        *place = (number, Arc::new(quotas));
        self.version.store(if is_idle { 0 } else { number }, Ordering::Relaxed);
    }
}

impl fmt::Debug for QuotaBoard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("QuotaBoard").field("version", &self.version()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ThrottleKind, TimeUnit, TimedLimit};
    use super::*;

    #[test]
    fn a_board_without_limits_on_requests_is_idle() {
        let board = QuotaBoard::new(|| 7);
        let limit = TimedLimit { unit: TimeUnit::Seconds, limit: 1, scope: None };
        let throttled = Quotas { throttle: [(ThrottleKind::ReadNumber, limit)].into(), ..Quotas::default() };
        let with = |own: Quotas, are_kept| RequestQuotas {
            owners: [(QuotaOwner::User("ann".into()), own)].into(),
            are_kept,
            ..RequestQuotas::default()
        };
        board.store(with(Quotas { bypass_globals: Some(true), ..Quotas::default() }, true));
        assert_eq!(board.version(), 0);
        board.store(with(throttled.clone(), true));
        assert_eq!((board.version(), board.read().0, board.now_ms()), (2, 2, 7));
        board.store(with(throttled, false));
        assert_eq!(board.version(), 0);
    }
}
