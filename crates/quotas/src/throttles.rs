//! The limits of all owners, and the selection of those that apply to a request. Sources: `QuotaCache`,
//! `UserQuotaState`, `RegionServerRpcQuotaManager`, `ExceedOperationQuota`.

use super::limiter::{Amount, Limiter, Throttled};
use super::operation::{difference, Cost};
use rowstone_model::quota::{QuotaBoard, QuotaOwner, QuotaRules, Quotas, RequestQuotas};
use rowstone_model::schema::TableName;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// The owner name of the limits of every server.
const ALL_SERVERS: &str = "all";

/// The limits of one version of the board.
#[derive(Default)]
struct Limiters {
    owners: BTreeMap<QuotaOwner, Arc<Limiter>>,
    /// Users who bypass the limits of other owners.
    free: BTreeSet<String>,
    /// Users with quotas of any kind: the default limits do not apply to them.
    known: BTreeSet<String>,
    may_exceed: bool,
    rules: QuotaRules,
    /// The limits of users without quotas.
    others: Mutex<BTreeMap<String, Arc<Limiter>>>,
}

/// Maximum number of remembered users with default limits. Beyond it all are forgotten and start again: clients
/// choose the names.
const MOST_OTHERS: usize = 10_000;

/// The limits that apply to a request.
#[derive(Default)]
struct Chosen {
    limiters: Vec<Arc<Limiter>>,
    /// The server's limits, if the others may be exceeded while they have room.
    server: Option<Arc<Limiter>>,
}

impl Limiters {
    /// Creates the limits of `quotas`; amounts used of those in `old` still count.
    fn new(quotas: &RequestQuotas, old: &Limiters, rules: &QuotaRules) -> Self {
        let limiter = |(owner, own): (&QuotaOwner, &Quotas)| {
            let new = Limiter::new(&own.throttle, rules.refill);
            let kept = match old.owners.get(owner) {
                Some(known) => {
                    known.update(&new);
                    Arc::clone(known)
                }
                None => Arc::new(new),
            };
            (owner.clone(), kept)
        };
        let limited = quotas.owners.iter().filter(|(_, own)| !own.throttle.is_empty());
        let free = quotas.owners.iter().filter_map(|(owner, own)| match owner {
            QuotaOwner::User(user) if own.bypass_globals == Some(true) => Some(user.clone()),
            _ => None,
        });
        let known = quotas.owners.keys().filter_map(|owner| match owner {
            QuotaOwner::User(user) | QuotaOwner::UserInTable(user, _) | QuotaOwner::UserInNamespace(user, _) => {
                Some(user.clone())
            }
            _ => None,
        });
        Limiters {
            owners: limited.map(limiter).collect(),
            free: free.collect(),
            known: known.collect(),
            may_exceed: quotas.may_exceed,
            rules: rules.clone(),
            others: Mutex::new(lock(&old.others).clone()),
        }
    }

    /// The default limits of a user without quotas: `hbase.quota.default.user.machine.*`.
    fn default_of(&self, user: &str) -> Option<Arc<Limiter>> {
        if self.rules.default_user.is_empty() || self.known.contains(user) {
            return None;
        }
        let mut others = lock(&self.others);
        if let Some(limiter) = others.get(user) {
            return Some(Arc::clone(limiter));
        }
        if others.len() >= MOST_OTHERS {
            others.clear();
        }
        let limiter = Arc::new(Limiter::new(&self.rules.default_user, self.rules.refill));
        others.insert(user.to_string(), Arc::clone(&limiter));
        Some(limiter)
    }

    /// A user's limits in a table override those in its namespace, and these override the user's own.
    fn of_user(&self, user: &str, table: &TableName) -> Option<&Arc<Limiter>> {
        let find = |owner: QuotaOwner| self.owners.get(&owner);
        find(QuotaOwner::UserInTable(user.into(), table.clone()))
            .or_else(|| find(QuotaOwner::UserInNamespace(user.into(), table.namespace().into())))
            .or_else(|| find(QuotaOwner::User(user.into())))
    }

    fn choose(&self, user: &str, table: &TableName) -> Chosen {
        let of_user = self.of_user(user, table).cloned().or_else(|| self.default_of(user));
        let mut limiters: Vec<Arc<Limiter>> = of_user.into_iter().collect();
        if self.free.contains(user) {
            return Chosen { limiters, server: None };
        }
        let others = [QuotaOwner::Table(table.clone()), QuotaOwner::Namespace(table.namespace().into())];
        limiters.extend(others.iter().filter_map(|owner| self.owners.get(owner)).cloned());
        let server = self.owners.get(&QuotaOwner::Server(ALL_SERVERS.into())).cloned();
        if self.may_exceed {
            return Chosen { limiters, server };
        }
        limiters.extend(server);
        Chosen { limiters, server: None }
    }
}

/// The limits on requests that a server enforces.
pub struct Throttles {
    board: Arc<QuotaBoard>,
    seen: AtomicU64,
    limiters: RwLock<Arc<Limiters>>,
}

impl Throttles {
    /// Enforces the limits on `board`, following its changes.
    pub fn new(board: Arc<QuotaBoard>) -> Self {
        Throttles { board, seen: AtomicU64::new(0), limiters: RwLock::default() }
    }

    /// Whether there are any limits.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.board.version() != 0
    }

    /// Admits a request with the given `cost`. `None` if no limit applies. System tables have no limits.
    ///
    /// # Errors
    /// The exhausted limit and the time to wait. Nothing was deducted.
    #[inline]
    pub fn acquire(
        &self,
        user: &str,
        table: &TableName,
        cost: impl FnOnce() -> Cost,
    ) -> Result<Option<Permit>, Throttled> {
        match self.board.version() {
            0 => Ok(None),
            version => self.charge(version, user, table, cost),
        }
    }

    #[cold]
    fn charge(
        &self,
        version: u64,
        user: &str,
        table: &TableName,
        cost: impl FnOnce() -> Cost,
    ) -> Result<Option<Permit>, Throttled> {
        if table.is_system() {
            return Ok(None);
        }
        let chosen = self.present(version).choose(user, table);
        if chosen.limiters.is_empty() && chosen.server.is_none() {
            return Ok(None);
        }
        let now_ms = self.board.now_ms();
        let expected = cost().amount(chosen.limiters.iter().chain(&chosen.server).map(|limiter| &**limiter));
        check(&chosen, &expected, now_ms)?;
        let board = Arc::clone(&self.board);
        let (read_bytes, write_bytes) = (Cell::new(0), Cell::new(0));
        Ok(Some(Permit { board, chosen, expected, began_ms: now_ms, read_bytes, write_bytes }))
    }

    fn present(&self, version: u64) -> Arc<Limiters> {
        let known = self.limiters.read().unwrap_or_else(PoisonError::into_inner).clone();
        if self.seen.load(Ordering::Acquire) == version {
            return known;
        }
        let mut place = self.limiters.write().unwrap_or_else(PoisonError::into_inner);
        let (version, quotas) = self.board.read();
        if self.seen.load(Ordering::Acquire) != version {
            *place = Arc::new(Limiters::new(&quotas, &place, self.board.rules()));
            self.seen.store(version, Ordering::Release);
        }
        Arc::clone(&place)
    }
}

fn lock<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deducts the expected amount from all limits or from none.
fn check(chosen: &Chosen, expected: &Amount, now_ms: i64) -> Result<(), Throttled> {
    let passed = chosen.limiters.iter().try_for_each(|limiter| limiter.check(expected, now_ms));
    match &chosen.server {
        None => passed?,
        // While the server has room, the other limits may be exceeded.
        Some(server) => server.check(expected, now_ms)?,
    }
    chosen.limiters.iter().chain(&chosen.server).for_each(|limiter| limiter.grab(expected));
    Ok(())
}

/// A running request. When dropped, it reports its actual consumption to the limits.
pub struct Permit {
    board: Arc<QuotaBoard>,
    chosen: Chosen,
    expected: Amount,
    began_ms: i64,
    read_bytes: Cell<i64>,
    write_bytes: Cell<i64>,
}

impl Permit {
    /// Adds bytes read.
    pub fn read(&self, bytes: usize) {
        self.read_bytes.set(self.read_bytes.get().saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX)));
    }

    /// Adds bytes written.
    pub fn wrote(&self, bytes: usize) {
        self.write_bytes.set(self.write_bytes.get().saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX)));
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let took_ms = self.board.now_ms().saturating_sub(self.began_ms);
        let more = difference(&self.expected, self.read_bytes.get(), self.write_bytes.get(), took_ms);
        self.chosen.limiters.iter().chain(&self.chosen.server).for_each(|limiter| limiter.adjust(&more));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
