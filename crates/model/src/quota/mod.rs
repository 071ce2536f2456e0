//! Quotas on requests and on space: owners, limits, and changes. Source: HBase's `QuotaSettings`.

mod board;
mod kinds;

pub use board::{QuotaBoard, RequestQuotas};
pub use kinds::{QuotaScope, SpacePolicy, ThrottleKind, TimeUnit};

use crate::error::{Error, ErrorKind, Result};
use crate::schema::TableName;
use std::collections::BTreeMap;
use std::fmt;

/// The Java class of the error for a write that a space quota forbids.
const SPACE_CLASS: &str = "org.apache.hadoop.hbase.quotas.SpaceLimitingException";

/// A limit per unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedLimit {
    /// The unit of time.
    pub unit: TimeUnit,
    /// The limit.
    pub limit: u64,
    /// Whether servers share it; `None` means that each server has it for itself.
    pub scope: Option<QuotaScope>,
}

/// A limit on bytes of store files, and the policy for violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceLimit {
    /// Maximum number of bytes.
    pub limit_bytes: u64,
    /// The policy for violations.
    pub policy: SpacePolicy,
}

/// The owner of quotas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuotaOwner {
    /// A namespace.
    Namespace(String),
    /// Every region server; its name is `all`.
    Server(String),
    /// A table.
    Table(TableName),
    /// A user.
    User(String),
    /// A user in a namespace.
    UserInNamespace(String, String),
    /// A user in a table.
    UserInTable(String, TableName),
}

impl QuotaOwner {
    /// The owner that these names describe: a user, optionally in a table or a namespace, or one of the others.
    ///
    /// # Errors
    /// `InvalidArgument` if they describe none, or if a name is empty.
    pub fn of(
        user: Option<String>,
        table: Option<TableName>,
        namespace: Option<String>,
        server: Option<String>,
    ) -> Result<Self> {
        let missing = "a user, a table, a namespace or region server must be specified";
        if [&user, &namespace, &server].into_iter().flatten().any(String::is_empty) {
            return Err(Error::invalid("the owner of a quota has an empty name"));
        }
        Ok(match (user, table, namespace, server) {
            (Some(user), Some(table), _, _) => QuotaOwner::UserInTable(user, table),
            (Some(user), None, Some(namespace), _) => QuotaOwner::UserInNamespace(user, namespace),
            (Some(user), None, None, _) => QuotaOwner::User(user),
            (None, Some(table), _, _) => QuotaOwner::Table(table),
            (None, None, Some(namespace), _) => QuotaOwner::Namespace(namespace),
            (None, None, None, Some(server)) => QuotaOwner::Server(server),
            (None, None, None, None) => return Err(Error::invalid(missing)),
        })
    }

    /// The names: user, table, namespace, server.
    pub fn names(&self) -> (Option<&str>, Option<&TableName>, Option<&str>, Option<&str>) {
        match self {
            QuotaOwner::Namespace(namespace) => (None, None, Some(namespace), None),
            QuotaOwner::Server(server) => (None, None, None, Some(server)),
            QuotaOwner::Table(table) => (None, Some(table), None, None),
            QuotaOwner::User(user) => (Some(user), None, None, None),
            QuotaOwner::UserInNamespace(user, namespace) => (Some(user), None, Some(namespace), None),
            QuotaOwner::UserInTable(user, table) => (Some(user), Some(table), None, None),
        }
    }
}

/// All limits of an owner.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quotas {
    /// Limits on requests.
    pub throttle: BTreeMap<ThrottleKind, TimedLimit>,
    /// Whether a user's requests bypass the limits of other owners; `None` if it was never set.
    pub bypass_globals: Option<bool>,
    /// The limit on space.
    pub space: Option<SpaceLimit>,
}

/// A change of an owner's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaChange {
    /// Remove all limits.
    RemoveAll,
    /// Remove all limits on requests.
    Unthrottle,
    /// Set or remove one limit on requests.
    Throttle(ThrottleKind, Option<TimedLimit>),
    /// Set whether a user bypasses the limits of other owners.
    Bypass(bool),
    /// Set or remove the limit on space.
    Space(Option<SpaceLimit>),
}

/// A table's or namespace's usage of its space quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceUse {
    /// Bytes used.
    pub usage_bytes: u64,
    /// Maximum number of bytes.
    pub limit_bytes: u64,
    /// The policy in force, if the limit is exceeded.
    pub policy: Option<SpacePolicy>,
}

/// The way a used limit refills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Refill {
    /// Continuously, in proportion to elapsed milliseconds.
    #[default]
    Average,
    /// In steps, one interval's share at the end of each interval.
    Fixed {
        /// Length of the interval, at most one second.
        interval_ms: i64,
    },
}

/// Settings for limits on requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QuotaRules {
    /// The limits of each user without quotas of any kind.
    pub default_user: BTreeMap<ThrottleKind, TimedLimit>,
    /// The way limits refill.
    pub refill: Refill,
}

/// The error for a write that a space quota forbids, with HBase's message.
pub fn space_error(policy: &str, message: impl fmt::Display) -> Error {
    Error::new(ErrorKind::QuotaExceeded, format!("{policy} {message}")).from_remote(SPACE_CLASS.to_string())
}
