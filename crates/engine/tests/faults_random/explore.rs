//! Crash states by the hundred thousand: random operations, a crash at every change, several subsets of surviving
//! data for each.

use super::generate::{operations, Dice};
use super::life::{live, Life};
use super::shrink::{shrink, Case};
use rowstone_engine::sys::faulty::{Crash, Moment, Tail};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Number of states to check, and number checked so far.
pub struct Quota {
    pub states: u64,
    pub doubles: u64,
    pub seed: u64,
    done: AtomicU64,
    doubled: AtomicU64,
    workloads: AtomicU64,
    has_failed: AtomicBool,
    failure: Mutex<Option<String>>,
    start: Instant,
    last_line: Mutex<Instant>,
}

/// Selects what survives a crash when `loose` things are not durable.
fn survivors(dice: &Dice, loose: usize) -> Crash {
    let thing = 1 + dice.below(loose);
    match dice.below(10) {
        0 => Crash::Everything,
        1 => Crash::Killed,
        2 => Crash::Only(thing),
        3 => Crash::Without(thing),
        4 | 5 => Crash::Torn {
            unit: [1, 512, 4096][dice.below(3)],
            tail: [Tail::Cut, Tail::Zeros, Tail::Garbage][dice.below(3)],
            seed: dice.number() % 1000,
        },
        _ => Crash::Subset(dice.number() % 100_000),
    }
}

fn choose(dice: &Dice, moment: &Moment) -> Vec<Crash> {
    match moment.loose_things() {
        // All choices of surviving data give the same disk.
        0 => vec![Crash::Synced],
        loose => {
            let mut crashes = vec![Crash::Synced];
            for _ in 0..3 {
                let crash = survivors(dice, loose);
                if !crashes.contains(&crash) {
                    crashes.push(crash);
                }
            }
            crashes
        }
    }
}

impl Quota {
    pub fn new(states: u64, doubles: u64, seed: u64) -> Self {
        let now = Instant::now();
        Quota {
            states,
            doubles,
            seed,
            done: AtomicU64::new(0),
            doubled: AtomicU64::new(0),
            workloads: AtomicU64::new(0),
            has_failed: AtomicBool::new(false),
            failure: Mutex::new(None),
            start: now,
            last_line: Mutex::new(now),
        }
    }

    fn is_over(&self) -> bool {
        let is_done =
            self.done.load(Ordering::Relaxed) >= self.states && self.doubled.load(Ordering::Relaxed) >= self.doubles;
        is_done || self.has_failed.load(Ordering::Relaxed)
    }

    pub fn summary(&self) -> String {
        let (done, seconds) = (self.done.load(Ordering::Relaxed), self.start.elapsed().as_secs_f64());
        format!(
            "seed {}: {done} crashed disks of {} workloads, {} of them crashed again while recovering; {seconds:.0} s, {:.0} a second",
            self.seed,
            self.workloads.load(Ordering::Relaxed),
            self.doubled.load(Ordering::Relaxed),
            done as f64 / seconds.max(0.001)
        )
    }

    fn report(&self) {
        let Ok(mut last) = self.last_line.try_lock() else { return };
        if last.elapsed() > Duration::from_secs(5) {
            *last = Instant::now();
            println!("  {}", self.summary());
        }
    }

    /// Runs workloads until enough states were checked, on all CPUs. Returns the first failure.
    pub fn run(&self) -> Option<String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while !self.is_over() {
                        let number = self.workloads.fetch_add(1, Ordering::Relaxed);
                        self.explore(self.seed * 1_000_000 + number);
                    }
                });
            }
        });
        self.failure.lock().unwrap().take()
    }

    fn explore(&self, seed: u64) {
        let dice = Dice::new(seed);
        let ops = operations(&dice, 12 + dice.below(40));
        let broken = match live(&ops) {
            Err(reason) => Some((Case { ops, crashes: Vec::new() }, reason)),
            Ok(life) => self.crash_everywhere(&life, &dice).map(|(crashes, reason)| (Case { ops, crashes }, reason)),
        };
        let Some((case, reason)) = broken else { return };
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            println!("workload {seed} fails: {case:?}\n{reason}\nlooking for a smaller one");
            *self.failure.lock().unwrap() = Some(shrink(case, reason).explain(seed));
        }
    }

    /// Every point of the run, with the surviving data.
    fn crash_everywhere(&self, life: &Life, dice: &Dice) -> Option<(Vec<(usize, Crash)>, String)> {
        for (point, moment) in life.moments.iter().enumerate() {
            if self.is_over() {
                return None;
            }
            for crash in choose(dice, moment) {
                let mut crashes = vec![(point, crash)];
                if let Err(reason) = self.crash(life, moment, &mut crashes, dice) {
                    return Some((crashes, reason));
                }
            }
            self.report();
        }
        None
    }

    /// Checks one state. For some of them the recovery crashes too, and for some of these the second recovery.
    fn crash(
        &self,
        life: &Life,
        moment: &Moment,
        crashes: &mut Vec<(usize, Crash)>,
        dice: &Dice,
    ) -> Result<(), String> {
        let mut recovered = life.recover(moment.crash(crashes[0].1), crashes)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        let again = (self.doubles * 5 / 4 * 1000 / self.states.max(1)) as usize;
        while dice.below(1000) < again.min(900) && crashes.len() < 4 {
            let point = dice.below(recovered.moments.len());
            let moment = recovered.moments[point].clone();
            let is_complete = point == recovered.moments.len() - 1;
            crashes.push((point, survivors(dice, moment.loose_things())));
            let next = life.recover(moment.crash(crashes[crashes.len() - 1].1), crashes)?;
            self.done.fetch_add(1, Ordering::Relaxed);
            self.doubled.fetch_add(1, Ordering::Relaxed);
            if is_complete {
                recovered.check_kept(&next)?;
            }
            recovered = next;
        }
        if dice.below(16) == 0 {
            return recovered.go_on();
        }
        Ok(())
    }
}
