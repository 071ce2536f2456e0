//! The limits that apply to a request: nearest owner, bypass, defaults, refunds.

use super::super::operation::Work;
use super::*;
use rowstone_model::quota::{ThrottleKind, TimeUnit, TimedLimit};
use std::sync::atomic::AtomicI64;

struct Scene {
    now: Arc<AtomicI64>,
    board: Arc<QuotaBoard>,
    throttles: Throttles,
}

fn table(name: &str) -> TableName {
    TableName::parse(name).unwrap()
}

fn limits(limit: u64) -> Quotas {
    let limit = TimedLimit { unit: TimeUnit::Seconds, limit, scope: None };
    Quotas { throttle: [(ThrottleKind::RequestNumber, limit)].into(), ..Quotas::default() }
}

impl Scene {
    fn new() -> Self {
        Self::with_rules(QuotaRules::default())
    }

    fn with_rules(rules: QuotaRules) -> Self {
        let now = Arc::new(AtomicI64::new(0));
        let told = Arc::clone(&now);
        let board = Arc::new(QuotaBoard::with_rules(rules, move || told.load(Ordering::Relaxed)));
        let throttles = Throttles::new(Arc::clone(&board));
        Scene { now, board, throttles }
    }

    fn set(&self, owners: &[(QuotaOwner, Quotas)], may_exceed: bool) {
        let owners = owners.iter().cloned().collect();
        self.board.store(RequestQuotas { owners, may_exceed, are_kept: true });
    }

    /// The number of a user's requests, out of twenty, that are admitted at this moment.
    fn passed(&self, user: &str, name: &str) -> usize {
        let get = || Cost::Rows(Work { reads: 1, ..Work::default() }, 65_536);
        (0..20).filter(|_| self.throttles.acquire(user, &table(name), get).is_ok()).count()
    }
}

#[test]
fn users_without_limits_each_have_the_default() {
    let rules = QuotaRules { default_user: limits(4).throttle, ..QuotaRules::default() };
    let scene = Scene::with_rules(rules);
    scene.set(&[(QuotaOwner::UserInTable("ann".into(), table("u")), limits(2))], false);
    assert_eq!((scene.passed("bob", "t"), scene.passed("eve", "u")), (4, 4));
    // A user with quotas has no default limits, even where these quotas do not apply.
    assert_eq!((scene.passed("ann", "u"), scene.passed("ann", "t")), (2, 20));
    // A change of other owners' limits does not reset used amounts.
    scene.set(&[], false);
    assert_eq!((scene.passed("bob", "t"), scene.passed("ann", "t")), (0, 4));
    scene.now.store(1_000, Ordering::Relaxed);
    assert_eq!(scene.passed("bob", "t"), 4);
}

#[test]
fn names_that_clients_make_up_are_forgotten_in_time() {
    let rules = QuotaRules { default_user: limits(4).throttle, ..QuotaRules::default() };
    let scene = Scene::with_rules(rules);
    scene.set(&[], false);
    let present = scene.throttles.present(scene.board.version());
    for number in 0..=MOST_OTHERS {
        present.default_of(&number.to_string());
    }
    assert_eq!(lock(&present.others).len(), 1);
}

#[test]
fn the_nearest_limit_of_a_user_counts_and_the_next_second_has_as_much() {
    let scene = Scene::new();
    assert_eq!(scene.passed("ann", "t"), 20);
    scene.set(
        &[
            (QuotaOwner::User("ann".into()), limits(5)),
            (QuotaOwner::UserInNamespace("ann".into(), "ns".into()), limits(3)),
            (QuotaOwner::UserInTable("ann".into(), table("ns:t")), limits(2)),
        ],
        false,
    );
    assert_eq!((scene.passed("ann", "t"), scene.passed("ann", "ns:u"), scene.passed("ann", "ns:t")), (5, 3, 2));
    assert_eq!((scene.passed("bob", "t"), scene.passed("ann", "hbase:acl")), (20, 20));
    assert_eq!(scene.passed("ann", "u"), 0);
    scene.now.store(1_000, Ordering::Relaxed);
    assert_eq!(scene.passed("ann", "u"), 5);
}

#[test]
fn all_limits_are_passed_or_none_is_used() {
    let scene = Scene::new();
    let owners = [
        (QuotaOwner::Table(table("t")), limits(9)),
        (QuotaOwner::Namespace("default".into()), limits(6)),
        (QuotaOwner::Server("all".into()), limits(4)),
    ];
    scene.set(&owners, false);
    assert_eq!(scene.passed("ann", "t"), 4);
    // Nothing more was deducted from the table's limit.
    scene.set(&owners[..1], false);
    assert_eq!(scene.passed("ann", "t"), 5);
}

#[test]
fn bypass_ignores_all_but_the_users_own_limits() {
    let scene = Scene::new();
    let free = Quotas { bypass_globals: Some(true), ..Quotas::default() };
    let own = Quotas { bypass_globals: Some(true), ..limits(7) };
    let owners = [
        (QuotaOwner::User("ann".into()), free),
        (QuotaOwner::User("bob".into()), own),
        (QuotaOwner::Table(table("t")), limits(1)),
    ];
    scene.set(&owners, false);
    assert_eq!((scene.passed("ann", "t"), scene.passed("bob", "t"), scene.passed("carl", "t")), (20, 7, 1));
}

#[test]
fn while_the_server_has_room_others_may_be_passed() {
    let scene = Scene::new();
    let owners = [(QuotaOwner::User("ann".into()), limits(2)), (QuotaOwner::Server("all".into()), limits(8))];
    scene.set(&owners, true);
    assert_eq!((scene.passed("ann", "t"), scene.passed("bob", "t")), (8, 0));
    // Without a server limit there is no spare room, and overdrawn limits refill one unit of time after the
    // other.
    scene.set(&owners[..1], true);
    for (now_ms, passed) in [(5_000, 0), (6_000, 0), (7_000, 0), (8_000, 2)] {
        scene.now.store(now_ms, Ordering::Relaxed);
        assert_eq!(scene.passed("ann", "t"), passed, "{now_ms}");
    }
}

#[test]
fn actual_sizes_are_charged_after_the_call() {
    let scene = Scene::new();
    let limit = TimedLimit { unit: TimeUnit::Seconds, limit: 1_000, scope: None };
    let sizes = Quotas { throttle: [(ThrottleKind::WriteSize, limit)].into(), ..Quotas::default() };
    scene.set(&[(QuotaOwner::Table(table("t")), sizes)], false);
    let put = || Cost::Rows(Work { writes: 1, ..Work::default() }, 65_536);
    let ask = || scene.throttles.acquire("ann", &table("t"), put);
    for _ in 0..20 {
        ask().unwrap().unwrap().wrote(40);
    }
    ask().unwrap().unwrap().wrote(2_100);
    let throttled = ask().err().unwrap();
    assert_eq!((throttled.kind, throttled.wait_ms), (ThrottleKind::WriteSize, 2_000));
}
