//! Shrinking a failure to the smallest case that still fails: fewer operations, an earlier crash, fewer crashes,
//! simpler surviving data.

use super::life::live;
use super::operations::Op;
use rowstone_engine::sys::faulty::Crash;

/// Operations and crashes to replay.
#[derive(Debug, Clone)]
pub struct Case {
    pub ops: Vec<Op>,
    /// Each crash as the number of changes before it and the data that survives it. The first crash interrupts the
    /// run, each further one the recovery from the previous crash.
    pub crashes: Vec<(usize, Crash)>,
}

/// A case and why it fails.
pub struct Failure {
    case: Case,
    reason: String,
    tries: usize,
}

/// Maximum number of runs to try: each may take a tenth of a second.
const MOST_TRIES: usize = 600;

impl Case {
    /// Replays the case.
    pub fn check(&self) -> Result<(), String> {
        let life = live(&self.ops)?;
        if self.crashes.is_empty() {
            Ok(())
        } else {
            life.check(&self.crashes)
        }
    }

    /// The first failure among the crashes of these operations. At each point it tries the simplest kinds of crash and
    /// the kind of this case's first crash; each one alone, then followed by this case's further crashes.
    fn first_failure(&self) -> Option<(Case, String)> {
        let life = match live(&self.ops) {
            Err(reason) => return Some((Case { crashes: Vec::new(), ..self.clone() }, reason)),
            Ok(life) => life,
        };
        let mut kinds = vec![Crash::Synced, Crash::Everything];
        kinds.extend(self.crashes.first().map(|crash| crash.1));
        for point in 0..life.moments.len() {
            let loose = life.moments[point].loose_things();
            let single = (1..=loose).flat_map(|thing| [Crash::Only(thing), Crash::Without(thing)]);
            for crash in kinds.iter().copied().chain(single) {
                let mut tails = vec![&self.crashes[..0]];
                if self.crashes.len() > 1 {
                    tails.push(&self.crashes[1..]);
                }
                for tail in tails {
                    let crashes: Vec<_> = std::iter::once((point, crash)).chain(tail.iter().copied()).collect();
                    if let Err(reason) = life.check(&crashes) {
                        let ops = self.ops[..life.begun(point)].to_vec();
                        return Some((Case { ops, crashes }, reason));
                    }
                }
            }
        }
        None
    }
}

/// A smaller case that fails, perhaps for another reason.
pub fn shrink(case: Case, reason: String) -> Failure {
    let mut smallest = Failure { case, reason, tries: 0 };
    smallest.take(smallest.case.first_failure());
    let mut chunk = smallest.case.ops.len() / 2;
    while chunk > 0 && smallest.tries < MOST_TRIES {
        let mut start = 0;
        while start < smallest.case.ops.len() && smallest.tries < MOST_TRIES {
            let mut fewer = smallest.case.clone();
            fewer.ops.drain(start..(start + chunk).min(fewer.ops.len()));
            if !smallest.take(fewer.first_failure()) {
                start += chunk;
            }
        }
        chunk /= 2;
    }
    smallest
}

impl Failure {
    fn take(&mut self, found: Option<(Case, String)>) -> bool {
        self.tries += 1;
        match found {
            Some((case, reason)) => {
                (self.case, self.reason) = (case, reason);
                true
            }
            None => false,
        }
    }

    /// Source text of a test.
    pub fn explain(&self, seed: u64) -> String {
        let ops: String = self.case.ops.iter().map(|op| format!("            {op:?},\n")).collect();
        format!(
            "{}\n\nfound by workload {seed}, shrunk with {} tries; to keep it, give it a name in faults_random/found.rs:\n\n\
             #[test]\nfn name_of_the_promise() {{\n    check(\n        &[\n{ops}        ],\n        &{:?},\n    );\n}}\n",
            self.reason, self.tries, self.case.crashes
        )
    }
}
