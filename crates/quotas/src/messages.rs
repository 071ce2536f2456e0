//! Limits as HBase's messages. Field numbers are those of its `Quota.proto`.

use prost::Message;
use rowstone_model::quota::{
    QuotaScope, Quotas, SpaceLimit, SpacePolicy, SpaceUse, ThrottleKind, TimeUnit, TimedLimit,
};

/// A limit per unit of time.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Timed {
    /// A `TimeUnit`.
    #[prost(int32, required, tag = "1")]
    pub unit: i32,
    /// The limit.
    #[prost(uint64, optional, tag = "2")]
    pub limit: Option<u64>,
    /// A share of the total; never set.
    #[prost(float, optional, tag = "3")]
    pub share: Option<f32>,
    /// A `QuotaScope`.
    #[prost(int32, optional, tag = "4")]
    pub scope: Option<i32>,
}

/// The limits on requests: each field has the name and number of its kind.
#[derive(Clone, Copy, PartialEq, Message)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Throttle {
    #[prost(message, optional, tag = "1")]
    pub request_number: Option<Timed>,
    #[prost(message, optional, tag = "2")]
    pub request_size: Option<Timed>,
    #[prost(message, optional, tag = "3")]
    pub write_number: Option<Timed>,
    #[prost(message, optional, tag = "4")]
    pub write_size: Option<Timed>,
    #[prost(message, optional, tag = "5")]
    pub read_number: Option<Timed>,
    #[prost(message, optional, tag = "6")]
    pub read_size: Option<Timed>,
    #[prost(message, optional, tag = "7")]
    pub request_capacity_unit: Option<Timed>,
    #[prost(message, optional, tag = "8")]
    pub write_capacity_unit: Option<Timed>,
    #[prost(message, optional, tag = "9")]
    pub read_capacity_unit: Option<Timed>,
    #[prost(message, optional, tag = "10")]
    pub atomic_read_size: Option<Timed>,
    #[prost(message, optional, tag = "11")]
    pub atomic_request_number: Option<Timed>,
    #[prost(message, optional, tag = "12")]
    pub atomic_write_size: Option<Timed>,
    #[prost(message, optional, tag = "13")]
    pub request_handler_usage_ms: Option<Timed>,
}

impl Throttle {
    /// The field of each kind.
    fn fields(&mut self) -> [(ThrottleKind, &mut Option<Timed>); 13] {
        use ThrottleKind as Kind;
        [
            (Kind::RequestNumber, &mut self.request_number),
            (Kind::RequestSize, &mut self.request_size),
            (Kind::WriteNumber, &mut self.write_number),
            (Kind::WriteSize, &mut self.write_size),
            (Kind::ReadNumber, &mut self.read_number),
            (Kind::ReadSize, &mut self.read_size),
            (Kind::RequestCapacityUnit, &mut self.request_capacity_unit),
            (Kind::WriteCapacityUnit, &mut self.write_capacity_unit),
            (Kind::ReadCapacityUnit, &mut self.read_capacity_unit),
            (Kind::AtomicReadSize, &mut self.atomic_read_size),
            (Kind::AtomicRequestNumber, &mut self.atomic_request_number),
            (Kind::AtomicWriteSize, &mut self.atomic_write_size),
            (Kind::RequestHandlerUsageMs, &mut self.request_handler_usage_ms),
        ]
    }
}

/// A limit on space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub struct Space {
    /// Bytes.
    #[prost(uint64, optional, tag = "1")]
    pub limit: Option<u64>,
    /// A `SpacePolicy`.
    #[prost(int32, optional, tag = "2")]
    pub policy: Option<i32>,
    /// In a request: removes the limit.
    #[prost(bool, optional, tag = "3")]
    pub remove: Option<bool>,
}

/// All limits of an owner.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct AllQuotas {
    /// Whether the limits of other owners are bypassed.
    #[prost(bool, optional, tag = "1")]
    pub bypass_globals: Option<bool>,
    /// Limits on requests.
    #[prost(message, optional, tag = "2")]
    pub throttle: Option<Throttle>,
    /// Limit on space.
    #[prost(message, optional, tag = "3")]
    pub space: Option<Space>,
}

/// Whether a table exceeds its space quota.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub struct SpaceStatus {
    /// The `SpacePolicy` in force.
    #[prost(int32, optional, tag = "1")]
    pub policy: Option<i32>,
    /// Whether a policy is in force.
    #[prost(bool, optional, tag = "2")]
    pub in_violation: Option<bool>,
}

/// A table's usage of its space quota; or, with only `usage` set, the size of a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub struct SpaceSnapshot {
    /// Whether it exceeds the quota.
    #[prost(message, optional, tag = "1")]
    pub status: Option<SpaceStatus>,
    /// Bytes used.
    #[prost(uint64, optional, tag = "2")]
    pub usage: Option<u64>,
    /// Maximum number of bytes.
    #[prost(uint64, optional, tag = "3")]
    pub limit: Option<u64>,
}

/// Encodes a limit.
pub fn to_timed(limit: &TimedLimit) -> Timed {
    let scope = limit.scope.map(QuotaScope::number);
    Timed { unit: limit.unit.number(), limit: Some(limit.limit), share: None, scope }
}

/// Decodes a limit; `None` if the message has no limit or an unknown unit of time.
pub fn from_timed(timed: &Timed) -> Option<TimedLimit> {
    let scope = timed.scope.and_then(QuotaScope::from_number);
    Some(TimedLimit { unit: TimeUnit::from_number(timed.unit)?, limit: timed.limit?, scope })
}

/// Encodes all limits of an owner.
pub fn to_message(quotas: &Quotas) -> AllQuotas {
    let mut throttle = Throttle::default();
    for (kind, field) in throttle.fields() {
        *field = quotas.throttle.get(&kind).map(to_timed);
    }
    let space = |space: &SpaceLimit| Space {
        limit: Some(space.limit_bytes),
        policy: Some(space.policy.number()),
        remove: None,
    };
    AllQuotas {
        bypass_globals: quotas.bypass_globals,
        throttle: (!quotas.throttle.is_empty()).then_some(throttle),
        space: quotas.space.as_ref().map(space),
    }
}

/// Decodes all limits of an owner.
pub fn from_message(mut message: AllQuotas) -> Quotas {
    let mut quotas = Quotas { bypass_globals: message.bypass_globals, ..Quotas::default() };
    for (kind, field) in message.throttle.get_or_insert_default().fields() {
        if let Some(limit) = field.as_ref().and_then(from_timed) {
            quotas.throttle.insert(kind, limit);
        }
    }
    quotas.space = message.space.as_ref().and_then(from_space);
    quotas
}

/// Decodes a space limit; `None` if the message has none.
pub fn from_space(space: &Space) -> Option<SpaceLimit> {
    let policy = SpacePolicy::from_number(space.policy?)?;
    Some(SpaceLimit { limit_bytes: space.limit?, policy })
}

/// Encodes a table's usage of its space quota.
pub fn to_snapshot(usage: &SpaceUse) -> SpaceSnapshot {
    let policy = usage.policy.map(SpacePolicy::number);
    SpaceSnapshot {
        status: Some(SpaceStatus { policy, in_violation: Some(policy.is_some()) }),
        usage: Some(usage.usage_bytes),
        limit: Some(usage.limit_bytes),
    }
}

/// Decodes a table's usage of its space quota.
pub fn from_snapshot(message: &SpaceSnapshot) -> SpaceUse {
    let status = message.status.unwrap_or_default();
    let policy = status.policy.filter(|_| status.in_violation.unwrap_or(false));
    SpaceUse {
        usage_bytes: message.usage.unwrap_or(0),
        limit_bytes: message.limit.unwrap_or(0),
        policy: policy.and_then(SpacePolicy::from_number),
    }
}
