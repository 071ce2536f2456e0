//! What the database does by itself: turned, and where HBase keeps it, kept in the manifest.

use super::Database;
use crate::manifest::Edit;
use rowstone_model::switches::Switch;
use rowstone_model::Result;

impl Database {
    /// Turns a switch; whether it was on. Where it is kept and cannot be written, it stays as it was.
    pub(in crate::db) fn do_set_switch(&self, switch: Switch, on: bool) -> Result<bool> {
        let shared = &self.shared;
        shared.check_changeable()?;
        if !switch.is_kept() {
            return Ok(shared.switches.set(switch, on));
        }
        // So that memory and manifest hear of two turns in the same order.
        let _turning = shared.turning.lock();
        if shared.switches.is_on(switch) != on {
            shared.commit_change(vec![Edit::TurnSwitch { switch, on }], || ())?;
        }
        Ok(shared.switches.set(switch, on))
    }
}
