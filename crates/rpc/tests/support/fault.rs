//! Faults of calls.

use std::sync::Mutex;
use std::time::Duration;

#[derive(Debug, Clone)]
pub enum Fault {
    /// The server responds with this exception (class, message, do not retry) and does nothing.
    Exception(&'static str, &'static str, bool),
    /// The connection ends before the call is executed.
    CutBefore,
    /// The call is executed, and the connection ends without a response.
    CutAfter,
    /// The call is executed, and the connection ends within the response.
    CutInside,
    /// The response is delayed; other calls are not.
    Late(Duration),
    /// No response at all.
    Silence,
}

#[derive(Debug, Clone)]
struct Plan {
    method: String,
    /// Number of calls of the method that succeed first.
    after: usize,
    fault: Fault,
}

/// The planned faults.
#[derive(Default)]
pub struct Faults {
    plans: Mutex<Vec<Plan>>,
}

impl Faults {
    /// Makes the call of `method` after `after` others fail.
    pub fn plan(&self, method: &str, after: usize, fault: Fault) {
        self.plans.lock().unwrap().push(Plan { method: method.to_string(), after, fault });
    }

    /// The fault of this call of `method`; counts the call.
    pub fn next(&self, method: &str) -> Option<Fault> {
        let mut plans = self.plans.lock().unwrap();
        let due = plans.iter().position(|plan| plan.method == method && plan.after == 0);
        for plan in plans.iter_mut().filter(|plan| plan.method == method) {
            plan.after = plan.after.saturating_sub(1);
        }
        due.map(|index| plans.remove(index).fault)
    }

    pub fn is_empty(&self) -> bool {
        self.plans.lock().unwrap().is_empty()
    }
}
