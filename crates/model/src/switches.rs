//! Switches for the automatic work of a database. Source: HBase's `MasterSwitchType`, `Admin.balancerSwitch` and
//! similar ones.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicU16, Ordering};

/// Work that can be switched off, in the order of [`NAMES`]. Every switch but [`Switch::ExceedThrottleQuota`] is on
/// by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// Moving regions between servers.
    Balancer,
    /// Removing obsolete entries from `hbase:meta`.
    CatalogJanitor,
    /// Removing obsolete files and logs.
    CleanerChore,
    /// Compacting files, automatically or on request.
    Compaction,
    /// Letting users exceed their quotas on requests while a server has room. The only switch that is off by default.
    ExceedThrottleQuota,
    /// Merging regions, automatically or on request.
    Merge,
    /// Splitting and merging regions to even out their sizes.
    Normalizer,
    /// Changing replication peers.
    PeerModification,
    /// Enforcing quotas on requests.
    RpcThrottle,
    /// Removing expired snapshots.
    SnapshotCleanup,
    /// Splitting regions, automatically or on request.
    Split,
}

const NAMES: [(&str, Switch); 11] = [
    ("balancer", Switch::Balancer),
    ("catalog_janitor", Switch::CatalogJanitor),
    ("cleaner_chore", Switch::CleanerChore),
    ("compaction", Switch::Compaction),
    ("exceed_throttle_quota", Switch::ExceedThrottleQuota),
    ("merge", Switch::Merge),
    ("normalizer", Switch::Normalizer),
    ("peer_modification", Switch::PeerModification),
    ("rpc_throttle", Switch::RpcThrottle),
    ("snapshot_cleanup", Switch::SnapshotCleanup),
    ("split", Switch::Split),
];

impl Switch {
    /// The switch with that name.
    ///
    /// # Errors
    /// `InvalidArgument` for any other text.
    pub fn from_name(name: &str) -> Result<Self> {
        NAMES.iter().find(|known| known.0 == name).map(|known| known.1).ok_or_else(|| {
            let known: Vec<&str> = NAMES.iter().map(|known| known.0).collect();
            Error::invalid(format!("there is no switch '{name}'; there are: {}", known.join(", ")))
        })
    }

    /// The name that [`Switch::from_name`] parses.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].0
    }

    /// Whether the switch persists when the database is reopened. Source: HBase's `BooleanStateStore`s. In HBase, the
    /// compaction switch belongs to a region server and those of the two chores to a running master: a restart turns
    /// them on. The switch for exceeding quotas is a row of `hbase:quota`.
    pub fn is_kept(self) -> bool {
        use Switch::{CatalogJanitor, CleanerChore, Compaction, ExceedThrottleQuota};
        !matches!(self, Compaction | CatalogJanitor | CleanerChore | ExceedThrottleQuota)
    }

    fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// All switches of a database.
#[derive(Debug, Default)]
pub struct Switches {
    off: AtomicU16,
}

impl Switches {
    /// All switches on except those of `off`.
    pub fn all_but<'a>(off: impl IntoIterator<Item = &'a Switch>) -> Self {
        Switches { off: AtomicU16::new(off.into_iter().fold(0, |bits, switch| bits | switch.bit())) }
    }

    /// Whether the switch is on.
    pub fn is_on(&self, switch: Switch) -> bool {
        self.off.load(Ordering::Acquire) & switch.bit() == 0
    }

    /// Sets the switch; returns whether it was on.
    pub fn set(&self, switch: Switch, on: bool) -> bool {
        let before = if on {
            self.off.fetch_and(!switch.bit(), Ordering::AcqRel)
        } else {
            self.off.fetch_or(switch.bit(), Ordering::AcqRel)
        };
        before & switch.bit() == 0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn each_switch_is_turned_alone_and_says_what_it_was() {
        let switches = Switches::default();
        for (name, switch) in NAMES {
            assert_eq!((Switch::from_name(name).unwrap(), switch.name()), (switch, name));
            assert!(switches.set(switch, false));
            assert!(!switches.is_on(switch));
            assert_eq!(NAMES.iter().filter(|other| !switches.is_on(other.1)).count(), 1);
            assert!(!switches.set(switch, true));
            assert!(switches.is_on(switch));
        }
        assert!(Switch::from_name("lights").is_err());
    }

    #[test]
    fn those_that_are_named_are_off_at_first() {
        let switches = Switches::all_but(&[Switch::Merge, Switch::Split]);
        let off = NAMES.into_iter().filter(|known| !switches.is_on(known.1)).map(|known| known.0);
        assert_eq!(off.collect::<Vec<_>>(), ["merge", "split"]);
    }
}
