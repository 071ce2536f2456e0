//! The loop for one target: choose an input, mutate it, run it, retain it if it reached something new.

use crate::coverage::{comparisons, Coverage};
use crate::memory;
use crate::mutate::{mutate, Material};
use crate::random::Random;
use crate::targets::Target;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum CPU time for one input.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Wall-clock time after which an input counts as hanging.
const HANGS_AFTER_SECONDS: u64 = 60;

/// The results of a loop.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outcome {
    pub executions: u64,
    pub edges: usize,
    pub corpus: usize,
    pub crashes: usize,
}

thread_local! {
    /// Location and message of the last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

static STARTED: AtomicU64 = AtomicU64::new(0);

/// Records panics instead of printing them.
pub fn watch_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line())).unwrap_or_default();
        let payload = info.payload();
        let text =
            payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("").chars().take(300).collect::<String>();
        PANIC.with(|panic| *panic.borrow_mut() = format!("{place}: {text}"));
    }));
}

/// Ends the process if an input hangs.
fn watch_time() {
    std::thread::spawn(|| {
        let (mut last, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let run = STARTED.load(Ordering::Relaxed);
            if run != last {
                (last, since) = (run, Instant::now());
            }
            if since.elapsed().as_secs() > HANGS_AFTER_SECONDS {
                eprintln!("an input does not end");
                std::process::exit(3);
            }
        }
    });
}

/// CPU time of this thread.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0))
}

/// Runs one input; returns a description of the failure, if any.
pub fn run_once(target: &Target, input: &[u8]) -> Option<String> {
    let before = memory::begin();
    let clock = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let took = clock.elapsed();
    if outcome.is_err() {
        return Some(PANIC.with(|panic| panic.borrow().clone()));
    }
    let bytes = memory::most_since(before);
    if bytes > memory::LIMIT_BYTES {
        return Some(format!("memory: {} MiB at once", bytes >> 20));
    }
    if took > MOST_TIME {
        let started = processor_time();
        let _ = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
        let took = processor_time().saturating_sub(started);
        if took > MOST_TIME {
            return Some("time: more than a second".into());
        }
    }
    None
}

/// The class of a failure: its location, without the numbers in the message.
fn class(failure: &str) -> String {
    failure.splitn(4, ':').take(2).collect::<Vec<_>>().join(":")
}

/// Minimizes a failing input by cutting out pieces and zeroing bytes while it fails in the same way.
pub fn minimize(target: &Target, input: &[u8], failure: &str) -> Vec<u8> {
    let wanted = class(failure);
    let fails = |bytes: &[u8]| run_once(target, bytes).is_some_and(|found| class(&found) == wanted);
    let (mut best, clock) = (input.to_vec(), Instant::now());
    let mut piece = best.len() / 2;
    while piece > 0 && clock.elapsed() < Duration::from_secs(20) {
        let mut at = 0;
        while at < best.len() {
            let mut shorter = best.clone();
            shorter.drain(at..(at + piece).min(best.len()));
            if fails(&shorter) {
                best = shorter;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    for at in 0..best.len() {
        let old = std::mem::replace(&mut best[at], 0);
        if old != 0 && (clock.elapsed() > Duration::from_secs(30) || !fails(&best)) {
            best[at] = old;
        }
    }
    best
}

/// The inputs of a loop, and its output files.
pub struct Worker<'a> {
    target: &'a Target,
    corpus: Vec<Vec<u8>>,
    coverage: Coverage,
    random: Random,
    folder: PathBuf,
    artifacts: PathBuf,
    /// The running input, in case the process dies of it.
    current: File,
    line: Vec<u8>,
    failures: BTreeSet<String>,
    outcome: Outcome,
}

fn name_of(bytes: &[u8]) -> String {
    format!("{:08x}{:08x}", crc32c::crc32c(bytes), crc32c::crc32c_append(0x5bd1_e995, bytes))
}

impl<'a> Worker<'a> {
    /// Creates a loop below `root`, the folder of `corpus` and `artifacts`.
    pub fn new(target: &'a Target, root: &Path, seed: u64) -> std::io::Result<Self> {
        let (folder, artifacts) = (root.join("corpus").join(target.name), root.join("artifacts"));
        std::fs::create_dir_all(&folder)?;
        std::fs::create_dir_all(&artifacts)?;
        let current = File::create(artifacts.join(format!("{}.current", target.name)))?;
        let (corpus, coverage, random) = (Vec::new(), Coverage::default(), Random::new(seed));
        let (line, failures, outcome) = (Vec::new(), BTreeSet::new(), Outcome::default());
        Ok(Worker { target, corpus, coverage, random, folder, artifacts, current, line, failures, outcome })
    }

    /// Runs for `time`.
    pub fn run(&mut self, time: Duration) -> std::io::Result<Outcome> {
        watch_time();
        let clock = Instant::now();
        for seed in (self.target.seeds)() {
            self.execute(&seed, false)?;
            // Seeds are retained even if they reach nothing new.
            if self.corpus.last() != Some(&seed) {
                self.corpus.push(seed);
            }
        }
        self.load()?;
        let mut told = Instant::now();
        while clock.elapsed() < time {
            self.change_one()?;
            if told.elapsed() > Duration::from_secs(30) {
                told = Instant::now();
                let Outcome { executions, .. } = self.outcome;
                let (name, edges, corpus) = (self.target.name, self.coverage.edges(), self.corpus.len());
                eprintln!(
                    "{name}: {} s, {executions} executions, {edges} edges, {corpus} inputs",
                    clock.elapsed().as_secs()
                );
            }
        }
        self.outcome.edges = self.coverage.edges();
        self.outcome.corpus = self.corpus.len();
        self.outcome.crashes = self.failures.len();
        Ok(self.outcome)
    }

    /// Loads inputs retained by earlier runs.
    fn load(&mut self) -> std::io::Result<()> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&self.folder)?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let bytes = std::fs::read(path)?;
            self.execute(&bytes, false)?;
        }
        Ok(())
    }

    /// Chooses an input, with a preference for newer and shorter ones, and tries some mutations of it.
    fn change_one(&mut self) -> std::io::Result<()> {
        let count = self.corpus.len();
        let at =
            if self.random.one_in(3) { count - 1 - self.random.below(count.min(20)) } else { self.random.below(count) };
        let other = self.random.below(count);
        let at = if self.corpus[other].len() * 4 < self.corpus[at].len() { other } else { at };
        let base = self.corpus[at].clone();
        let other = self.corpus[self.random.below(count)].clone();
        self.execute(&base, false)?;
        let compared = comparisons();
        let rounds = if base.len() > 10_000 { 8 } else { 32 };
        for _ in 0..rounds {
            let mut changed = base.clone();
            let material = Material {
                other: &other,
                comparisons: &compared,
                words: self.target.words,
                most_bytes: self.target.most_bytes,
            };
            mutate(&mut changed, &mut self.random, &material);
            self.execute(&changed, true)?;
        }
        Ok(())
    }

    fn execute(&mut self, input: &[u8], keeps: bool) -> std::io::Result<()> {
        self.line.clear();
        self.line.extend_from_slice(&(input.len() as u64).to_be_bytes());
        self.line.extend_from_slice(input);
        self.current.write_all_at(&self.line, 0)?;
        self.outcome.executions += 1;
        STARTED.store(self.outcome.executions, Ordering::Relaxed);
        self.coverage.begin();
        let failure = run_once(self.target, input);
        let is_new = self.coverage.is_new();
        if let Some(failure) = failure {
            if self.failures.insert(class(&failure)) {
                self.report(input, &failure)?;
            }
        } else if is_new {
            self.corpus.push(input.to_vec());
            if keeps {
                std::fs::write(self.folder.join(name_of(input)), input)?;
            }
        }
        Ok(())
    }

    fn report(&self, input: &[u8], failure: &str) -> std::io::Result<()> {
        let small = minimize(self.target, input, failure);
        let path = self.artifacts.join(format!("{}-{}", self.target.name, name_of(&small)));
        std::fs::write(&path, &small)?;
        eprintln!(
            "{}: {failure}\n  {} bytes in {}: {:02x?}",
            self.target.name,
            small.len(),
            path.display(),
            &small[..small.len().min(200)]
        );
        Ok(())
    }
}

/// The input that was running when a worker died.
pub fn last_input(root: &Path, name: &str) -> Option<Vec<u8>> {
    let bytes = std::fs::read(root.join("artifacts").join(format!("{name}.current"))).ok()?;
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.get(..u64::from_be_bytes(*length) as usize).map(<[u8]>::to_vec)
}
