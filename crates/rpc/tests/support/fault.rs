//! What may go wrong with a call.

use std::sync::Mutex;
use std::time::Duration;

#[derive(Debug, Clone)]
pub enum Fault {
    /// The server answers with this exception (class, message, do not retry) and does nothing.
    Exception(&'static str, &'static str, bool),
    /// The connection ends before the call is done.
    CutBefore,
    /// The call is done, and the connection ends without an answer.
    CutAfter,
    /// The call is done, and the connection ends within the answer.
    CutInside,
    /// The answer comes late; other calls do not wait for it.
    Late(Duration),
    /// No answer at all.
    Silence,
}

#[derive(Debug, Clone)]
struct Plan {
    method: String,
    /// How many calls of the method pass first.
    after: usize,
    fault: Fault,
}

/// The faults that are to come.
#[derive(Default)]
pub struct Faults {
    plans: Mutex<Vec<Plan>>,
}

impl Faults {
    /// Lets the call of `method` fail after `after` others of it.
    pub fn plan(&self, method: &str, after: usize, fault: Fault) {
        self.plans.lock().unwrap().push(Plan { method: method.to_string(), after, fault });
    }

    /// The fault of this call of `method`; counts it.
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
