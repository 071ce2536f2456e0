//! Bit rot: any file of a database is changed anywhere, and everything is read again. Every read returns the right
//! result or a typed error. Nothing panics, no result is wrong, memory stays bounded, and `check` finds all damage
//! that is not harmless.
//!
//! `ROWSTONE_ROT` is the number of changes (5,000), `ROWSTONE_ROT_SEED` the first seed. A failure prints its seed.

use crate::rot_support as support;
use rowstone_engine::check::{check, repair, RepairOptions};
use rowstone_model::{Error, ErrorKind};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{bases, damage, directory, read_all, Answers, Base, Dice, Harm, Machine};

fn all_bases() -> &'static [Base] {
    static BASES: std::sync::OnceLock<Vec<Base>> = std::sync::OnceLock::new();
    BASES.get_or_init(bases)
}

fn closed_base() -> &'static Base {
    &all_bases()[0]
}

/// Outcome of one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Every result was right.
    Harmless,
    /// The tail of the last log was lost, as after a crash.
    Torn,
    /// Some reads failed.
    SomeReads,
    /// It could not be opened.
    Refused,
}

fn is_clean(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Corruption | ErrorKind::Unsupported)
}

/// The right results after the harm. These are the previous ones and, if the harm may look like a crash's effect on
/// the last log, those before its lost records. If later marks prove that the position had been synced, the harm
/// must be detected.
fn right_answers<'a>(base: &'a Base, harm: &Harm) -> Vec<&'a Answers> {
    let mut right = vec![&base.answers];
    if base.last_log.as_ref() == Some(&harm.path) && !has_proof(harm) {
        right.extend(base.earlier.iter().rev().find(|(end, _)| *end <= harm.from).map(|(_, answers)| answers));
    }
    right
}

/// Whether a valid mark after the harm proves that the position was synced.
fn has_proof(harm: &Harm) -> bool {
    const MARK: [u8; 4] = [0x80, 0, 0, 16];
    let rest = harm.bytes.get(harm.to as usize..).unwrap_or(&[]);
    rest.windows(24).any(|mark| mark[4..8] == MARK && u64::from_be_bytes(mark[8..16].try_into().unwrap()) > harm.from)
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

/// Checks that the repaired copy can be opened and read, and that a check finds nothing in it.
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
    // A table without any saved row may be missing.
    let failure = reading.failures.iter().find(|failure| failure.2.kind() != ErrorKind::TableNotFound);
    if let Some((table, what, error)) = failure {
        return Err(format!("the saved copy: {table} {what}: {error}"));
    }
    let rights = right_answers(base, harm);
    let wrongs: Vec<String> = rights.iter().filter_map(|right| reading.wrong(right)).collect();
    if saved.is_complete() && !saved.is_manifest_rebuilt && wrongs.len() == rights.len() {
        return Err(format!("repair says that nothing is lost, but {wrongs:?}: {:?}", saved.found.findings));
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

/// The change for `seed`.
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

/// Applies the checks of the whole test to one specific change.
fn harmed(base: &Base, path: &Path, change: impl FnOnce(&mut Vec<u8>)) -> Result<Outcome, String> {
    let mut bytes = rowstone_engine::sys::FileSystem::read(&base.files(), path).unwrap();
    let old = bytes.clone();
    change(&mut bytes);
    let from = old.iter().zip(&bytes).take_while(|(old, new)| old == new).count() as u64;
    let harm = Harm { path: path.to_path_buf(), what: "by hand".into(), from, to: bytes.len() as u64, bytes };
    run(base, &harm, false, true)
}

/// The file of family `a` of table `plain` with the most blocks of one length.
fn file_with_equal_blocks(base: &Base) -> (std::path::PathBuf, Vec<(usize, usize)>) {
    let of = |path: &std::path::PathBuf| {
        let bytes = rowstone_engine::sys::FileSystem::read(&base.files(), path).unwrap();
        let blocks = support::blocks(&bytes);
        let length = blocks[0].1;
        blocks.into_iter().filter(|block| block.1 == length).collect::<Vec<_>>()
    };
    let paths = base
        .paths
        .iter()
        .filter(|path| path.to_string_lossy().contains("/plain/") && path.to_string_lossy().contains("/a/"));
    paths.map(|path| (path.clone(), of(path))).max_by_key(|(_, blocks)| blocks.len()).unwrap()
}

/// A block with valid checksums in the place of another one was read as that one: its rows were not found.
#[test]
fn a_block_in_the_place_of_another_is_damage() {
    let base = closed_base();
    let (path, blocks) = file_with_equal_blocks(base);
    assert!(blocks.len() > 2, "{blocks:?}");
    for (from, to) in [(0, 1), (1, 0)] {
        let (from, to, length) = (blocks[from].0, blocks[to].0, blocks[0].1);
        let outcome = harmed(base, &path, |bytes| bytes.copy_within(from..from + length, to));
        assert_eq!(outcome, Ok(Outcome::SomeReads));
    }
}

/// Offset and length of a block, and whether it has cells.
type Block = (usize, usize, bool);

/// Every store file and its blocks.
fn all_blocks(base: &Base) -> Vec<(std::path::PathBuf, Vec<Block>)> {
    let of = |path: &std::path::PathBuf| {
        let bytes = rowstone_engine::sys::FileSystem::read(&base.files(), path).unwrap();
        let has_cells = |at: usize| bytes[at..].starts_with(b"DATABLK");
        let blocks = support::blocks(&bytes).into_iter().map(|(at, length)| (at, length, has_cells(at))).collect();
        (path.clone(), blocks)
    };
    base.paths.iter().filter(|path| path.starts_with("/db/data")).map(of).collect()
}

/// Damage across the boundary of an index block and a data block was mistaken for damage of the index alone: repair
/// reported no loss.
#[test]
fn cells_behind_a_damaged_index_block_are_reported_as_lost() {
    let base = closed_base();
    let mut tried = 0;
    for (path, blocks) in all_blocks(base) {
        let borders = blocks.windows(2).filter(|pair| !pair[0].2 && pair[1].2);
        for border in borders.map(|pair| pair[1].0) {
            let outcome = harmed(base, &path, |bytes| bytes[border - 2..border + 40].fill(0));
            assert!(outcome.is_ok(), "{}: {outcome:?}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 0);
}

/// Another kind of block over a data block was mistaken for a block of its own kind: repair reported no loss.
#[test]
fn cells_under_a_misplaced_index_block_are_reported_as_lost() {
    let base = closed_base();
    let mut tried = 0;
    for (path, blocks) in all_blocks(base) {
        let pairs = blocks.iter().flat_map(|other| blocks.iter().map(move |data| (other, data)));
        for (other, data) in pairs.filter(|(other, data)| !other.2 && data.2 && other.1 == data.1) {
            let outcome = harmed(base, &path, |bytes| bytes.copy_within(other.0..other.0 + other.1, data.0));
            assert!(outcome.is_ok(), "{}: {outcome:?}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 0);
}

/// A log or manifest that lost whole records at its end looked like one after a crash, even if the database had
/// been closed.
#[test]
fn an_end_that_is_lost_after_closing_is_damage() {
    let base = closed_base();
    let log = base.paths.iter().rfind(|path| path.starts_with("/db/WALs")).unwrap();
    for path in [log, &directory().join("MANIFEST")] {
        let ends = support::frame_ends(base, path);
        assert!(ends.len() > 2, "{}: {ends:?}", path.display());
        // The last two are the last record and a mark.
        for end in &ends[..ends.len() - 2] {
            assert_eq!(
                harmed(base, path, |bytes| bytes.truncate(*end)),
                Ok(Outcome::Refused),
                "{} at {end}",
                path.display()
            );
        }
    }
}

/// A store file of another length, or of another store, is not mistaken for the one that the manifest names.
#[test]
fn another_store_file_in_its_place_is_damage() {
    let base = closed_base();
    let (path, _) = file_with_equal_blocks(base);
    let other = base.paths.iter().rfind(|other| other.starts_with("/db/data") && **other != path).unwrap();
    let bytes = rowstone_engine::sys::FileSystem::read(&base.files(), other).unwrap();
    assert_eq!(harmed(base, &path, |old| *old = bytes), Ok(Outcome::Refused));
}

/// Only reads that need the block fail, and the check reports the rows.
#[test]
fn a_corrupt_block_fails_the_reads_that_need_it_and_no_others() {
    let base = closed_base();
    let (path, blocks) = file_with_equal_blocks(base);
    let (offset, length) = blocks[1];
    let machine = Machine::on(base.files());
    machine.files.damage(&path, |bytes| bytes[offset + length / 2] ^= 1).unwrap();
    let report = check(&machine.system(), &directory(), &mut |_, _, _| {}).unwrap();
    let [finding] = report.findings.iter().filter(|finding| finding.problem.is_damage()).collect::<Vec<_>>()[..] else {
        panic!("{:?}", report.findings)
    };
    assert_eq!((finding.place.offset, finding.place.file.as_str()), (offset as u64, path.to_str().unwrap()));
    let [loss] = &finding.losses[..] else { panic!("{finding:?}") };
    let (first, last) = (loss.first_row.clone().unwrap(), loss.last_row.clone().unwrap());
    assert!(loss.cells.is_some_and(|cells| (1..10).contains(&cells)), "{loss:?}");
    let db = machine.open(false).unwrap();
    let reading = read_all(&*db, Some(&base.answers));
    assert_eq!(reading.wrong(&base.answers), None);
    let gets: Vec<_> = reading.failures.iter().filter(|(table, _, _)| table.ends_with("/get")).collect();
    assert!(!gets.is_empty() && gets.len() < 5, "{gets:?}");
    for (table, row, error) in gets {
        assert_eq!((table.as_str(), error.kind()), ("plain/get", ErrorKind::Corruption));
        assert_eq!(error.place().unwrap().offset, offset as u64);
        assert!(row.as_bytes() >= first.as_slice() && row.as_bytes() <= last.as_slice(), "{row}");
    }
    let others = reading.failures.iter().filter(|(table, _, _)| !table.starts_with("plain"));
    assert_eq!(others.count(), 0);
}

/// Without a manifest, tables, regions and all cells in files come back.
#[test]
fn a_lost_manifest_is_rebuilt_from_folders_and_files() {
    let base = closed_base();
    let machine = Machine::on(base.files());
    let system = machine.system();
    system.files.remove_file(&directory().join("MANIFEST")).unwrap();
    let saved =
        repair(&system, &directory(), Path::new("/saved"), RepairOptions::default(), &mut |_, _, _| {}).unwrap();
    assert!(saved.is_manifest_rebuilt && !saved.is_complete());
    assert_eq!((saved.tables, saved.lost_files, saved.skipped_records), (3, 0, 0));
    let db = machine.open_at("/saved".into(), false).unwrap();
    let reading = read_all(&*db, Some(&base.answers));
    assert!(reading.failures.is_empty(), "{:?}", reading.failures);
    for (what, rows) in base.answers.iter().filter(|(what, _)| what.ends_with("/get")) {
        assert_eq!(reading.rows(what), rows.keys().collect::<Vec<_>>(), "{what}");
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.replace('_', "").parse().ok()).unwrap_or(default)
}

#[test]
fn no_harm_gives_a_wrong_answer() {
    let bases = all_bases();
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
                match judge(bases, seed) {
                    Ok(None) => {}
                    Ok(Some(outcome)) => drop(counts[outcome as usize].fetch_add(1, Ordering::Relaxed)),
                    Err(failure) => {
                        eprintln!("{failure}");
                        failures.lock().unwrap().push(failure);
                    }
                }
                if seed.is_multiple_of(5_000) {
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

/// Peak memory of this process.
fn most_memory_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) >> 10
}
