//! Limits on requests and on space: whom they are for, what they say, how they change. Source: HBase's `QuotaSettings`.

mod board;
mod kinds;
mod rules;

pub use board::{QuotaBoard, RequestQuotas};
pub use kinds::{QuotaScope, SpacePolicy, ThrottleKind, TimeUnit};
pub use rules::{QuotaRules, Refill};

use crate::error::{Error, ErrorKind, Result};
use crate::schema::TableName;
use std::collections::BTreeMap;
use std::fmt;

/// The Java class of the error for a write that a limit on space forbids.
const SPACE_CLASS: &str = "org.apache.hadoop.hbase.quotas.SpaceLimitingException";

/// So much in a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedLimit {
    /// In which time.
    pub unit: TimeUnit,
    /// How much.
    pub limit: u64,
    /// Whose it is; where nothing is said, each server's.
    pub scope: Option<QuotaScope>,
}

/// Bytes of store files, and what happens beyond them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceLimit {
    /// Bytes that may be taken.
    pub limit_bytes: u64,
    /// What happens beyond them.
    pub policy: SpacePolicy,
}

/// Whose limits they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuotaOwner {
    /// A namespace's.
    Namespace(String),
    /// Every server's: its name is `all`.
    Server(String),
    /// A table's.
    Table(TableName),
    /// A user's.
    User(String),
    /// A user's in a namespace.
    UserInNamespace(String, String),
    /// A user's in a table.
    UserInTable(String, TableName),
}

impl QuotaOwner {
    /// The owner that these names mean: a user, perhaps in a table or a namespace, or one of the others.
    ///
    /// # Errors
    /// `InvalidArgument` where they mean none, or a user without a name.
    pub fn of(
        user: Option<String>,
        table: Option<TableName>,
        namespace: Option<String>,
        server: Option<String>,
    ) -> Result<Self> {
        let nobody = "a user, a table, a namespace or region server must be specified";
        if [&user, &namespace, &server].into_iter().flatten().any(String::is_empty) {
            return Err(Error::invalid("the owner of a quota has a name that is empty"));
        }
        Ok(match (user, table, namespace, server) {
            (Some(user), Some(table), _, _) => QuotaOwner::UserInTable(user, table),
            (Some(user), None, Some(namespace), _) => QuotaOwner::UserInNamespace(user, namespace),
            (Some(user), None, None, _) => QuotaOwner::User(user),
            (None, Some(table), _, _) => QuotaOwner::Table(table),
            (None, None, Some(namespace), _) => QuotaOwner::Namespace(namespace),
            (None, None, None, Some(server)) => QuotaOwner::Server(server),
            (None, None, None, None) => return Err(Error::invalid(nobody)),
        })
    }

    /// Its names: user, table, namespace, server.
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
    /// On requests.
    pub throttle: BTreeMap<ThrottleKind, TimedLimit>,
    /// Whether a user's requests pass limits that are not his own; what was never said is not stored.
    pub bypass_globals: Option<bool>,
    /// On space.
    pub space: Option<SpaceLimit>,
}

/// A change of an owner's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaChange {
    /// All limits go.
    RemoveAll,
    /// All limits on requests go.
    Unthrottle,
    /// One limit on requests is set, or goes.
    Throttle(ThrottleKind, Option<TimedLimit>),
    /// A user passes limits that are not his own, or no more.
    Bypass(bool),
    /// The limit on space is set, or goes.
    Space(Option<SpaceLimit>),
}

/// What a table takes of the space that it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceUse {
    /// Bytes that it takes.
    pub usage_bytes: u64,
    /// Bytes that it may take.
    pub limit_bytes: u64,
    /// What is in force, where it takes more.
    pub policy: Option<SpacePolicy>,
}

/// The error for a write that a limit on space forbids, in HBase's words.
pub fn space_error(policy: &str, message: impl fmt::Display) -> Error {
    Error::new(ErrorKind::QuotaExceeded, format!("{policy} {message}")).from_remote(SPACE_CLASS.to_string())
}
