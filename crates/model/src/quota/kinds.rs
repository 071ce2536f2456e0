//! What limits count, in which time, for whom, and what happens beyond them: HBase's names and numbers. Sources: `ThrottleType`,
//! `TimeUnit`, `QuotaScope`, `SpaceViolationPolicy`.

use crate::error::{Error, Result};
use std::fmt;

/// An enum whose variants have HBase's names and, counted from one, its numbers.
macro_rules! named {
    ($(#[$about:meta])* $what:literal $kind:ident { $($(#[$doc:meta])* $variant:ident $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$doc])* $variant,)* }

        impl $kind {
            /// All of them, in the order of their numbers.
            pub const ALL: &'static [$kind] = &[$($kind::$variant,)*];

            /// HBase's name.
            pub fn name(self) -> &'static str {
                match self { $($kind::$variant => $name,)* }
            }

            /// HBase's number.
            pub fn number(self) -> i32 {
                self as i32 + 1
            }

            /// The one of that number.
            pub fn from_number(number: i32) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.number() == number)
            }

            /// The one of that name.
            ///
            /// # Errors
            /// `InvalidArgument`, with the names there are.
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
    /// What a limit on requests counts.
    "kind of limit" ThrottleKind {
        /// Reads and writes.
        RequestNumber "REQUEST_NUMBER",
        /// Bytes of both.
        RequestSize "REQUEST_SIZE",
        /// Writes.
        WriteNumber "WRITE_NUMBER",
        /// Bytes written.
        WriteSize "WRITE_SIZE",
        /// Reads.
        ReadNumber "READ_NUMBER",
        /// Bytes read.
        ReadSize "READ_SIZE",
        /// Units of both, a begun KiB each.
        RequestCapacityUnit "REQUEST_CAPACITY_UNIT",
        /// Units written.
        WriteCapacityUnit "WRITE_CAPACITY_UNIT",
        /// Units read.
        ReadCapacityUnit "READ_CAPACITY_UNIT",
        /// Bytes read by increments, appends and what has a condition.
        AtomicReadSize "ATOMIC_READ_SIZE",
        /// How many of those there are.
        AtomicRequestNumber "ATOMIC_REQUEST_NUMBER",
        /// Bytes written by them.
        AtomicWriteSize "ATOMIC_WRITE_SIZE",
        /// Milliseconds that a server works on requests.
        RequestHandlerUsageMs "REQUEST_HANDLER_USAGE_MS",
    }
}

named! {
    /// The time in which a limit is given anew.
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
    /// How long it is; `None` for what is shorter than a limit can be given for.
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
    /// Whether all servers share a limit, or each has it.
    "scope" QuotaScope {
        /// All share it.
        Cluster "CLUSTER",
        /// Each has it.
        Machine "MACHINE",
    }
}

named! {
    /// What happens to a table that takes more space than it may.
    "policy" SpacePolicy {
        /// It is disabled.
        Disable "DISABLE",
        /// No writes, and no compactions that clients ask for.
        NoWritesCompactions "NO_WRITES_COMPACTIONS",
        /// No writes.
        NoWrites "NO_WRITES",
        /// No writes but deletes.
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
