//! Many scripts, each with every kind of trouble.

use super::generate::{operations, Dice};
use super::operations::Op;
use super::trouble::{endure, Trouble};
use rowstone_engine::sys::faulty::{CallKind, Fault};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The next script's number, totals so far, and the first failure.
struct Course {
    name: &'static str,
    scripts: u64,
    seed: u64,
    next: AtomicU64,
    runs: AtomicU64,
    failures: AtomicU64,
    broken: Mutex<Option<String>>,
    start: Instant,
    last_line: Mutex<Instant>,
}

/// Runs scripts in which every call fails once in every way, and scripts in which the disk is full from a call on.
/// Returns the first failure.
pub fn every_call(scripts: u64, seed: u64) -> Option<String> {
    Course::new("every call", scripts, seed).run(|course, ops, _| {
        let changes = [Fault::Io, Fault::DiskFull, Fault::ShortWrite, Fault::Interrupted];
        let once = |kind, fault| move |number| Trouble::Once { kind, number, fault };
        changes.iter().try_for_each(|fault| course.at_each_call(ops, once(CallKind::Change, *fault)))?;
        course.at_each_call(ops, once(CallKind::Read, Fault::Io))?;
        course.at_each_call(ops, |number| Trouble::Full { number, until_closed: number % 2 == 0 })
    })
}

/// Runs scripts in which calls fail at random. Returns the first failure.
pub fn at_random(scripts: u64, seed: u64) -> Option<String> {
    Course::new("at random", scripts, seed).run(|course, ops, seed| {
        for one_in in [32, 128, 1000] {
            for kind in [CallKind::Change, CallKind::Read] {
                course.endure(ops, Trouble::Random { kind, one_in, seed })?;
            }
        }
        Ok(())
    })
}

impl Course {
    fn new(name: &'static str, scripts: u64, seed: u64) -> Self {
        let now = Instant::now();
        Course {
            name,
            scripts,
            seed,
            next: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            broken: Mutex::new(None),
            start: now,
            last_line: Mutex::new(now),
        }
    }

    fn run(self, script: impl Fn(&Self, &[Op], u64) -> Result<(), String> + Sync) -> Option<String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(seed) = self.next_seed() {
                        let dice = Dice::new(seed);
                        let ops = operations(&dice, 12 + dice.below(12));
                        if let Err(reason) = script(&self, &ops, seed) {
                            self.broken.lock().unwrap().get_or_insert(format!("script {seed}: {reason}"));
                        }
                    }
                });
            }
        });
        println!("failing calls, {}", self.summary());
        self.broken.into_inner().unwrap()
    }

    fn next_seed(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.scripts && self.broken.lock().unwrap().is_none()).then_some(self.seed * 1_000_000 + number)
    }

    fn summary(&self) -> String {
        format!(
            "{}, seed {}: {} scripts, {} runs, {} failures; {:.0} s",
            self.name,
            self.seed,
            self.next.load(Ordering::Relaxed).min(self.scripts),
            self.runs.load(Ordering::Relaxed),
            self.failures.load(Ordering::Relaxed),
            self.start.elapsed().as_secs_f64()
        )
    }

    fn endure(&self, ops: &[Op], trouble: Trouble) -> Result<u64, String> {
        let failures = endure(ops, trouble).map_err(|reason| explain(ops, trouble, reason))?;
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.failures.fetch_add(failures, Ordering::Relaxed);
        if let Ok(mut last) = self.last_line.try_lock() {
            if last.elapsed() > Duration::from_secs(5) {
                *last = Instant::now();
                println!("  {}", self.summary());
            }
        }
        Ok(failures)
    }

    fn at_each_call(&self, ops: &[Op], trouble: impl Fn(u64) -> Trouble) -> Result<(), String> {
        let mut number = 1;
        while self.endure(ops, trouble(number))? > 0 {
            number += 1;
        }
        Ok(())
    }
}

/// Shrinks the script to the fewest operations that still fail, with the same trouble at this call or an earlier one.
fn explain(ops: &[Op], trouble: Trouble, reason: String) -> String {
    let (mut ops, mut trouble, mut reason) = (ops.to_vec(), trouble, reason);
    let mut index = 0;
    while index < ops.len() {
        let mut fewer = ops.clone();
        fewer.remove(index);
        match elsewhere(trouble).into_iter().find_map(|trouble| Some((trouble, endure(&fewer, trouble).err()?))) {
            Some((found, why)) => (ops, trouble, reason) = (fewer, found, why),
            None => index += 1,
        }
    }
    let ops: String = ops.iter().map(|op| format!("            {op:?},\n")).collect();
    format!(
        "{reason}\n\nshrunk; to keep it, add it under a name to faults_random/found.rs:\n\n\
         #[test]\n\
         fn name_of_the_promise() {{\n    survives(\n        &[\n{ops}        ],\n        {trouble:?},\n    );\n}}\n"
    )
}

/// The same trouble at this call and at earlier ones.
fn elsewhere(trouble: Trouble) -> Vec<Trouble> {
    match trouble {
        Trouble::Once { kind, number, fault } => {
            (1..=number).rev().map(|number| Trouble::Once { kind, number, fault }).collect()
        }
        Trouble::Full { number, until_closed } => {
            (1..=number).rev().map(|number| Trouble::Full { number, until_closed }).collect()
        }
        Trouble::Random { .. } => vec![trouble],
    }
}
