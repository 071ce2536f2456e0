//! The quotas on requests as they are now, for a server that keeps them.

use super::{QuotaOwner, QuotaRules, Quotas};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// What is known of quotas on requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestQuotas {
    /// The limits, of those who have any.
    pub owners: BTreeMap<QuotaOwner, Quotas>,
    /// Whether the limits of others than the server may be passed while the server has room.
    pub may_exceed: bool,
    /// Whether they count at all.
    pub are_kept: bool,
}

type Now = dyn Fn() -> i64 + Send + Sync;

/// The quotas on requests of a database as they are now, for the server that keeps them; exchanged as a whole by each change.
pub struct QuotaBoard {
    /// Which state it is; 0 where nobody has a limit.
    version: AtomicU64,
    quotas: RwLock<(u64, Arc<RequestQuotas>)>,
    rules: QuotaRules,
    now_ms: Box<Now>,
}

impl QuotaBoard {
    /// A board without quotas; `now_ms` is the clock by which they run.
    pub fn new(now_ms: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self::with_rules(QuotaRules::default(), now_ms)
    }

    /// The same, where limits are kept by `rules`.
    pub fn with_rules(rules: QuotaRules, now_ms: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        // Where users have limits that nobody set, requests have to be looked at from the beginning.
        let version = u64::from(!rules.default_user.is_empty());
        let quotas = RequestQuotas { are_kept: version != 0, ..RequestQuotas::default() };
        QuotaBoard {
            version: AtomicU64::new(version),
            quotas: RwLock::new((version, Arc::new(quotas))),
            rules,
            now_ms: Box::new(now_ms),
        }
    }

    /// How limits are kept.
    pub fn rules(&self) -> &QuotaRules {
        &self.rules
    }

    /// The time, in milliseconds.
    pub fn now_ms(&self) -> i64 {
        (self.now_ms)()
    }

    /// The number of the present state; 0 where no request has to be looked at.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// The present state with its number.
    pub fn read(&self) -> (u64, Arc<RequestQuotas>) {
        self.quotas.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another state in its place.
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
