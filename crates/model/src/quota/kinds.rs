//! The dimensions of a quota: kind, unit of time, scope, and policy for violations, with HBase's names and numbers.
//! Sources: `ThrottleType`, `TimeUnit`, `QuotaScope`, `SpaceViolationPolicy`.

use crate::error::{Error, Result};
use std::fmt;

/// Defines an enum whose variants have HBase's names and, counted from one, its numbers.
macro_rules! named {
    ($(#[$about:meta])* $what:literal $kind:ident { $($(#[$doc:meta])* $variant:ident $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$doc])* $variant,)* }

        impl $kind {
            /// All values, in the order of their numbers.
            pub const ALL: &'static [$kind] = &[$($kind::$variant,)*];

            /// HBase's name.
            pub fn name(self) -> &'static str {
                match self { $($kind::$variant => $name,)* }
            }

            /// HBase's number.
            pub fn number(self) -> i32 {
                self as i32 + 1
            }

            /// The value with that number.
            pub fn from_number(number: i32) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.number() == number)
            }

            /// The value with that name.
            ///
            /// # Errors
            /// `InvalidArgument`, with the valid names.
            pub fn parse(name: &str) -> Result<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name).ok_or_else(|| {
                    let known: Vec<&str> = Self::ALL.iter().map(|one| one.name()).collect();
                    Error::invalid(format!("there is no {} '{name}'; there are: {}", $what, known.join(", ")))
                })
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}

named! {
    /// The quantity that a limit on requests counts.
    "kind of limit" ThrottleKind {
        /// Number of reads and writes.
        RequestNumber "REQUEST_NUMBER",
        /// Bytes read and written.
        RequestSize "REQUEST_SIZE",
        /// Number of writes.
        WriteNumber "WRITE_NUMBER",
        /// Bytes written.
        WriteSize "WRITE_SIZE",
        /// Number of reads.
        ReadNumber "READ_NUMBER",
        /// Bytes read.
        ReadSize "READ_SIZE",
        /// Capacity units read and written, one for each KiB or part of it.
        RequestCapacityUnit "REQUEST_CAPACITY_UNIT",
        /// Capacity units written.
        WriteCapacityUnit "WRITE_CAPACITY_UNIT",
        /// Capacity units read.
        ReadCapacityUnit "READ_CAPACITY_UNIT",
        /// Bytes read by increments, appends and operations with a condition.
        AtomicReadSize "ATOMIC_READ_SIZE",
        /// Number of those operations.
        AtomicRequestNumber "ATOMIC_REQUEST_NUMBER",
        /// Bytes written by those operations.
        AtomicWriteSize "ATOMIC_WRITE_SIZE",
        /// Milliseconds that a handler works on requests.
        RequestHandlerUsageMs "REQUEST_HANDLER_USAGE_MS",
    }
}

named! {
    /// The period of a limit.
    "unit of time" TimeUnit {
        /// 1e-9 s.
        Nanoseconds "NANOSECONDS",
        /// 1e-6 s.
        Microseconds "MICROSECONDS",
        /// 1e-3 s.
        Milliseconds "MILLISECONDS",
        /// 1 s.
        Seconds "SECONDS",
        /// 60 s.
        Minutes "MINUTES",
        /// 60 minutes.
        Hours "HOURS",
        /// 24 hours.
        Days "DAYS",
    }
}

impl TimeUnit {
    /// Length in milliseconds; `None` for units below the resolution of a limit.
    pub fn millis(self) -> Option<i64> {
        Some(match self {
            TimeUnit::Nanoseconds | TimeUnit::Microseconds => return None,
            TimeUnit::Milliseconds => 1,
            TimeUnit::Seconds => 1_000,
            TimeUnit::Minutes => 60_000,
            TimeUnit::Hours => 3_600_000,
            TimeUnit::Days => 86_400_000,
        })
    }
}

named! {
    /// Whether servers share a limit.
    "scope" QuotaScope {
        /// All servers share the limit.
        Cluster "CLUSTER",
        /// Each server has the limit for itself.
        Machine "MACHINE",
    }
}

named! {
    /// The consequence for a table that exceeds its space quota.
    "policy" SpacePolicy {
        /// It is disabled.
        Disable "DISABLE",
        /// It rejects writes, and compactions requested by clients.
        NoWritesCompactions "NO_WRITES_COMPACTIONS",
        /// It rejects writes.
        NoWrites "NO_WRITES",
        /// It rejects writes other than deletes.
        NoInserts "NO_INSERTS",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_hbases() {
        assert_eq!(ThrottleKind::parse("WRITE_SIZE").unwrap().number(), 4);
        assert_eq!(ThrottleKind::from_number(13), Some(ThrottleKind::RequestHandlerUsageMs));
        assert_eq!(TimeUnit::from_number(4), Some(TimeUnit::Seconds));
        assert_eq!(SpacePolicy::parse("NO_INSERTS").unwrap().number(), 4);
        assert!(QuotaScope::parse("machine").unwrap_err().message().contains("CLUSTER, MACHINE"));
        assert!(ThrottleKind::from_number(0).is_none() && ThrottleKind::from_number(14).is_none());
    }
}
