//! Switches of background work. Those that HBase persists are persisted in the manifest.

use super::Database;
use crate::manifest::Edit;
use rowstone_model::switches::Switch;
use rowstone_model::Result;

impl Database {
    /// Sets a switch and returns its previous value. If a persisted switch cannot be written, it stays unchanged.
    pub(in crate::db) fn do_set_switch(&self, switch: Switch, on: bool) -> Result<bool> {
        let shared = &self.shared;
        shared.check_changeable()?;
        if !switch.is_kept() {
            return Ok(shared.switches.set(switch, on));
        }
        // Memory and manifest must see two changes in the same order.
        let _turning = shared.turning.lock();
        if shared.switches.is_on(switch) != on {
            shared.commit_change(vec![Edit::TurnSwitch { switch, on }], || ())?;
        }
        Ok(shared.switches.set(switch, on))
    }
}
