//! Bit rot: any file of a database is changed anywhere, and everything is read again. Every read gives the right answer or a
//! typed error; nothing panics, nothing answers wrong, memory stays bounded; `check` finds whatever is not harmless.
//!
//! `ROWSTONE_ROT` is the number of changes (5,000), `ROWSTONE_ROT_SEED` the first seed. A failure prints its seed.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "rot_support/mod.rs"]
mod support;

use rowstone_engine::check::{check, repair, RepairOptions};
use rowstone_model::{Error, ErrorKind};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{bases, damage, directory, read_all, Answers, Base, Dice, Harm, Machine};

/// What became of one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Every answer was right.
    Harmless,
    /// The tail of the last log went, as after a crash.
    Torn,
    /// Some reads failed.
    SomeReads,
    /// It could not be opened.
    Refused,
}

fn is_clean(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Corruption | ErrorKind::Unsupported)
}

/// The answers that are right after the harm: those of before, and where it may be what a crash left of the last log, those
/// of the records before it. Where marks behind it say that the place had been synced, it must be found out.
fn right_answers<'a>(base: &'a Base, harm: &Harm) -> Vec<&'a Answers> {
    let mut right = vec![&base.answers];
    if base.last_log.as_ref() == Some(&harm.path) && !has_proof(harm) {
        right.extend(base.earlier.iter().rev().find(|(end, _)| *end <= harm.from).map(|(_, answers)| answers));
    }
    right
}

/// Whether a whole mark behind the harm says that the place was synced.
fn has_proof(harm: &Harm) -> bool {
    const MARK: [u8; 4] = [0x80, 0, 0, 8];
    let rest = harm.bytes.get(harm.to as usize..).unwrap_or(&[]);
    rest.windows(16).any(|mark| mark[4..8] == MARK && u64::from_be_bytes(mark[8..].try_into().unwrap()) > harm.from)
}

fn run(base: &Base, harm: &Harm, read_only: bool, with_repair: bool) -> Result<Outcome, String> {
    let machine = Machine::on(base.files());
    machine.files.damage(&harm.path, |bytes| bytes.clone_from(&harm.bytes)).unwrap();
    let report =
        check(&machine.system(), &directory(), &mut |_, _, _| {}).map_err(|error| format!("check: {error}"))?;
    let outcome = read(&machine, base, harm, read_only)?;
    if report.is_clean() && matches!(outcome, Outcome::SomeReads | Outcome::Refused) {
        return Err(format!("{outcome:?}, but check finds nothing: {:?}", report.findings));
    }
    if with_repair {
        save(base, harm)?;
    }
    Ok(outcome)
}

/// What repair saves can be opened and read, and check finds nothing in it.
fn save(base: &Base, harm: &Harm) -> Result<(), String> {
    let machine = Machine::on(base.files());
    machine.files.damage(&harm.path, |bytes| bytes.clone_from(&harm.bytes)).unwrap();
    let (system, out) = (machine.system(), Path::new("/saved"));
    let saved = repair(&system, &directory(), out, RepairOptions::default(), &mut |_, _, _| {});
    let saved = saved.map_err(|error| format!("repair: {error}"))?;
    let report = check(&system, out, &mut |_, _, _| {}).map_err(|error| format!("check of the copy: {error}"))?;
    if !report.is_clean() {
        return Err(format!("the saved copy is damaged: {:?}", report.findings));
    }
    let db = machine.open_at(out.to_path_buf(), false).map_err(|error| format!("opening the copy: {error}"))?;
    let reading = read_all(&*db, Some(&base.answers));
    // A table of which nothing is left may be missing.
    let failure = reading.failures.iter().find(|failure| failure.2.kind() != ErrorKind::TableNotFound);
    if let Some((table, what, error)) = failure {
        return Err(format!("the saved copy: {table} {what}: {error}"));
    }
    let is_whole = right_answers(base, harm).iter().any(|right| reading.wrong(right).is_none());
    if saved.is_complete() && !saved.is_manifest_rebuilt && !is_whole {
        return Err(format!("repair says that nothing is lost: {:?}", saved.found.findings));
    }
    Ok(())
}

fn read(machine: &Machine, base: &Base, harm: &Harm, read_only: bool) -> Result<Outcome, String> {
    let db = match machine.open(read_only) {
        Ok(db) => db,
        Err(error) if is_clean(&error) => return Ok(Outcome::Refused),
        Err(error) => return Err(format!("opening: {:?} {error}", error.kind())),
    };
    let reading = read_all(&*db, Some(&base.answers));
    if let Some((table, what, error)) = reading.failures.iter().find(|failure| !is_clean(&failure.2)) {
        return Err(format!("{table} {what}: {:?} {error}", error.kind()));
    }
    let mut wrongs = Vec::new();
    for (index, right) in right_answers(base, harm).into_iter().enumerate() {
        match reading.wrong(right) {
            None if !reading.failures.is_empty() => return Ok(Outcome::SomeReads),
            None if index == 0 => return Ok(Outcome::Harmless),
            None => return Ok(Outcome::Torn),
            Some(wrong) => wrongs.push(wrong),
        }
    }
    Err(wrongs.join("\n"))
}

/// The change that `seed` stands for.
fn harm_of(bases: &[Base], seed: u64) -> Option<(&Base, Harm, bool)> {
    let dice = Dice::new(seed);
    let base = &bases[dice.below(bases.len())];
    let harm = damage(base, &dice)?;
    Some((base, harm, dice.below(2) == 0))
}

fn judge(bases: &[Base], seed: u64) -> Result<Option<Outcome>, String> {
    let Some((base, harm, read_only)) = harm_of(bases, seed) else { return Ok(None) };
    let told = || format!("seed {seed}: {}, {}: {}", base.name, harm.path.display(), harm.what);
    match catch_unwind(AssertUnwindSafe(|| run(base, &harm, read_only, seed.is_multiple_of(10)))) {
        Ok(Ok(outcome)) => Ok(Some(outcome)),
        Ok(Err(wrong)) => Err(format!("{} (read-only {read_only}): {wrong}", told())),
        Err(_) => Err(format!("{}: a panic", told())),
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.replace('_', "").parse().ok()).unwrap_or(default)
}

#[test]
fn no_harm_gives_a_wrong_answer() {
    let bases = bases();
    let (count, first) = (number("ROWSTONE_ROT", 5_000), number("ROWSTONE_ROT_SEED", 1));
    let next = AtomicU64::new(first);
    let counts = [const { AtomicU64::new(0) }; 5];
    let failures = std::sync::Mutex::new(Vec::new());
    let began = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first + count {
                    return;
                }
                match judge(&bases, seed) {
                    Ok(None) => {}
                    Ok(Some(outcome)) => drop(counts[outcome as usize].fetch_add(1, Ordering::Relaxed)),
                    Err(failure) => {
                        eprintln!("{failure}");
                        failures.lock().unwrap().push(failure);
                    }
                }
                if seed % 5_000 == 0 {
                    eprintln!("{} of {count} changes, {} s", seed - first, began.elapsed().as_secs());
                }
            });
        }
    });
    let [harmless, torn, some, refused] = [0, 1, 2, 3].map(|index: usize| counts[index].load(Ordering::Relaxed));
    let failures = failures.into_inner().unwrap();
    eprintln!(
        "rot: {count} changes from seed {first}: {harmless} harmless, {torn} as a crash, {some} with reads that fail, \
         {refused} refused at open, {} wrong; {} s, at most {} MiB",
        failures.len(),
        began.elapsed().as_secs(),
        most_memory_mib()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(most_memory_mib() < 1024);
}

/// The most memory that this process had.
fn most_memory_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) >> 10
}
