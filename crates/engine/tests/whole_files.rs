//! Damage to whole files: missing, emptied, cut, exchanged, replaced by an older copy or by another database's, and
//! unknown files, for single files and whole folders. No read returns a wrong result without a typed error. `check`
//! finds all damage that is not harmless. `repair` saves nothing of another database and reports losses.

use crate::rot_support as support;
use rowstone_engine::check::{check, repair, RepairOptions};
use rowstone_engine::sys::faulty::FaultyFileSystem;
use rowstone_engine::sys::FileSystem;
use rowstone_model::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{all_files, directory, history, read_all, Answers, Base, Machine, Reading, OTHER_WORD};

/// New contents of files; `None` for a removed one.
type Change = BTreeMap<PathBuf, Option<Vec<u8>>>;

struct Case {
    what: String,
    change: Change,
    /// All files of the database are as they were at an earlier time, except for unreferenced ones.
    is_whole_older_copy: bool,
    /// The manifest is another database's, so the directory counts as that database, damaged.
    is_other: bool,
}

/// Material for the cases.
struct World {
    /// The database after each session; the last is the one to damage.
    sessions: Vec<Base>,
    other: Base,
}

fn bytes(base: &Base, path: &Path) -> Vec<u8> {
    base.files().read(path).unwrap()
}

fn kind_of(path: &Path) -> String {
    let inside = path.strip_prefix(directory()).unwrap();
    inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned()
}

impl World {
    fn new() -> Self {
        let other = history(OTHER_WORD).pop().unwrap();
        World { sessions: history("value"), other }
    }

    fn now(&self) -> &Base {
        self.sessions.last().unwrap()
    }

    fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        let mut add = |what: String, change: Change| {
            cases.push(Case { what, change, is_whole_older_copy: false, is_other: false });
        };
        let now = self.now();
        for path in &now.paths {
            let (name, old) = (path.display(), bytes(now, path));
            let mut one = |what: String, content: Option<Vec<u8>>| {
                if content.as_ref() != Some(&old) {
                    add(format!("{name} {what}"), Change::from([(path.clone(), content)]));
                }
            };
            one("goes".into(), None);
            for length in [0, 1, old.len() / 3, old.len() / 2, old.len().saturating_sub(1)] {
                one(format!("is cut to {length}"), Some(old[..length.min(old.len())].to_vec()));
            }
            one("is zeroed".into(), Some(vec![0; old.len()]));
            for earlier in &self.sessions[..self.sessions.len() - 1] {
                if earlier.paths.contains(path) {
                    one(format!("is that of the {} session", earlier.name), Some(bytes(earlier, path)));
                }
            }
            let alike = |base: &Base| -> Vec<PathBuf> {
                base.paths.iter().filter(|other| kind_of(other) == kind_of(path)).cloned().collect()
            };
            for other in alike(&self.other) {
                one(format!("is {} of another database", other.display()), Some(bytes(&self.other, &other)));
            }
            for other in alike(now).iter().filter(|other| *other > path) {
                let exchange = [(path.clone(), Some(bytes(now, other))), (other.clone(), Some(old.clone()))];
                add(format!("{name} and {} change places", other.display()), Change::from(exchange));
            }
        }
        cases.extend(self.folders());
        cases.extend(self.strangers());
        cases
    }

    /// Whole folders, and the manifest with them, replaced by older ones or those of another database.
    fn folders(&self) -> Vec<Case> {
        let now = self.now();
        let mut cases = Vec::new();
        let parts = [
            vec!["MANIFEST"],
            vec!["WALs"],
            vec!["MANIFEST", "WALs"],
            vec!["data"],
            vec!["data", "WALs"],
            vec!["data", "MANIFEST"],
            vec!["mobdir"],
            vec!["oldWALs", "WALs"],
        ];
        let older = self.sessions[..self.sessions.len() - 1].iter();
        for (base, keeps_newer) in older.chain([&self.other]).flat_map(|base| [(base, false), (base, true)]) {
            for part in &parts {
                let is_in = |path: &Path| part.contains(&kind_of(path).as_str());
                let mut change = Change::new();
                if !keeps_newer {
                    change.extend(now.paths.iter().filter(|path| is_in(path)).map(|path| (path.clone(), None)));
                }
                change.extend(
                    base.paths.iter().filter(|path| is_in(path)).map(|path| (path.clone(), Some(bytes(base, path)))),
                );
                let is_own = base.name != self.other.name || !std::ptr::eq(base, &self.other);
                let is_whole_older_copy =
                    is_own && part.contains(&"MANIFEST") && part.contains(&"WALs") && !keeps_newer;
                let how = if keeps_newer { "over what is there" } else { "instead of what is there" };
                let whose = if is_own { base.name } else { "another database" };
                let what = format!("{part:?} of {whose} {how}");
                let is_other = !is_own && part.contains(&"MANIFEST");
                cases.push(Case { what, change, is_whole_older_copy, is_other });
            }
        }
        for part in parts {
            let is_in = |path: &&PathBuf| part.contains(&kind_of(path).as_str());
            let change = now.paths.iter().filter(is_in).map(|path| (path.clone(), None)).collect();
            let what = format!("{part:?} go");
            cases.push(Case { what, change, is_whole_older_copy: false, is_other: false });
        }
        cases
    }

    /// Unknown files under names that could be ours.
    fn strangers(&self) -> Vec<Case> {
        let now = self.now();
        let store_file = now.paths.iter().find(|path| path.starts_with("/db/data")).unwrap();
        let folder = store_file.parent().unwrap();
        let log = now.paths.iter().rfind(|path| path.starts_with("/db/WALs")).unwrap();
        let number: u64 = log.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let other_log = self.other.paths.iter().rfind(|path| path.starts_with("/db/WALs")).unwrap();
        let other_file = self.other.paths.iter().find(|path| path.starts_with("/db/data")).unwrap();
        let logs = [number - 1, number + 1, number + 2, 1, u64::MAX];
        let mut names: Vec<PathBuf> =
            logs.iter().map(|number| PathBuf::from(format!("/db/WALs/{number:020}.wal"))).collect();
        names.extend([
            folder.join("0123456789abcdef0123456789abcdef"),
            folder.join("0123456789abcdef0123456789abcdef_SeqId_99_"),
            folder.join("notes.txt"),
            PathBuf::from("/db/MANIFEST.tmp"),
            PathBuf::from("/db/RESERVE"),
            PathBuf::from("/db/HEAT"),
            PathBuf::from("/db/ENDS"),
            PathBuf::from("/db/oldWALs/00000000000000000001.5.wal"),
            PathBuf::from("/db/archive/data/default/plain/x"),
            PathBuf::from("/db/data/default/plain/0123456789abcdef0123456789abcdef/a/0123456789abcdef0123456789abcdef"),
            PathBuf::from(
                "/db/data/default/stranger/0123456789abcdef0123456789abcdef/a/0123456789abcdef0123456789abcdef",
            ),
        ]);
        let contents = [
            ("nothing", Vec::new()),
            ("zeros", vec![0; 5_000]),
            ("words", b"These are notes.\n".repeat(300)),
            ("our last log", bytes(now, log)),
            ("another database's log", bytes(&self.other, other_log)),
            ("one of our store files", bytes(now, store_file)),
            ("another database's store file", bytes(&self.other, other_file)),
            ("another database's manifest", bytes(&self.other, &directory().join("MANIFEST"))),
        ];
        let case = |path: &PathBuf, (what, content): &(&str, Vec<u8>)| Case {
            what: format!("{} is there, with {what}", path.display()),
            change: Change::from([(path.clone(), Some(content.clone()))]),
            is_whole_older_copy: false,
            is_other: false,
        };
        let is_new = |path: &&PathBuf| !now.paths.contains(path);
        names.iter().filter(is_new).flat_map(|path| contents.iter().map(move |content| case(path, content))).collect()
    }
}

fn hurt(base: &Base, change: &Change) -> FaultyFileSystem {
    let files = base.files();
    for (path, content) in change {
        match content {
            None => {
                if files.exists(path) {
                    files.remove_file(path).unwrap();
                }
            }
            Some(content) => {
                files.create_dir_all(path.parent().unwrap()).unwrap();
                files.create(path).unwrap().append(content).unwrap();
            }
        }
    }
    files
}

fn is_typed(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Corruption | ErrorKind::Unsupported | ErrorKind::NotADatabase)
}

/// Whether a value of the other database was read.
fn has_alien(reading: &Reading) -> bool {
    reading.values().any(|value| value.contains(OTHER_WORD))
}

/// The right results: those before the harm, and for a whole older copy those of its time.
fn rights<'w>(world: &'w World, case: &Case) -> Vec<&'w Answers> {
    let older = world.sessions.iter().rev().skip(1).filter(|_| case.is_whole_older_copy);
    std::iter::once(world.now()).chain(older).map(|base| &base.answers).collect()
}

/// Runs one case. Returns whether all results were right, or something was refused.
fn run(world: &World, case: &Case, read_only: bool) -> Result<bool, String> {
    let machine = Machine::on(hurt(world.now(), &case.change));
    let report = match check(&machine.system(), &directory(), &mut |_, _, _| {}) {
        Ok(report) => Some(report),
        Err(error) if error.kind() == ErrorKind::NotADatabase => None,
        Err(error) => return Err(format!("check: {error}")),
    };
    let is_right = read(world, case, &machine, read_only)?;
    if report.as_ref().is_some_and(|report| report.is_clean()) && !is_right {
        return Err(format!("refused, but check finds nothing: {:?}", report.unwrap().findings));
    }
    if report.is_some() {
        save(world, case)?;
    }
    Ok(is_right)
}

fn read(world: &World, case: &Case, machine: &Machine, read_only: bool) -> Result<bool, String> {
    let db = match machine.open_existing(read_only) {
        Ok(db) => db,
        Err(error) if is_typed(&error) => return Ok(false),
        Err(error) => return Err(format!("opening: {:?} {error}", error.kind())),
    };
    let reading = read_all(&*db, Some(&world.now().answers));
    if has_alien(&reading) {
        return Err("a value of another database was read".into());
    }
    if let Some((table, what, error)) = reading.failures.iter().find(|failure| !is_typed(&failure.2)) {
        return Err(format!("{table} {what}: {:?} {error}", error.kind()));
    }
    let wrongs: Vec<String> = rights(world, case).iter().map_while(|right| reading.wrong(right)).collect();
    if wrongs.len() == rights(world, case).len() {
        return Err(wrongs.join("\n"));
    }
    Ok(reading.failures.is_empty())
}

fn save(world: &World, case: &Case) -> Result<(), String> {
    let machine = Machine::on(hurt(world.now(), &case.change));
    let (system, out) = (machine.system(), Path::new("/saved"));
    let saved = repair(&system, &directory(), out, RepairOptions::default(), &mut |_, _, _| {});
    let saved = saved.map_err(|error| format!("repair: {error}"))?;
    let report = check(&system, out, &mut |_, _, _| {}).map_err(|error| format!("check of the copy: {error}"))?;
    if !report.is_clean() {
        return Err(format!("the saved copy is damaged: {:?}", report.findings));
    }
    let db = machine.open_at(out.to_path_buf(), false).map_err(|error| format!("opening the copy: {error}"))?;
    let reading = read_all(&*db, Some(&world.now().answers));
    if has_alien(&reading) && !case.is_other {
        return Err("repair saved a value of another database".into());
    }
    if let Some((table, what, error)) = reading.failures.iter().find(|one| one.2.kind() != ErrorKind::TableNotFound) {
        return Err(format!("the saved copy: {table} {what}: {error}"));
    }
    let is_wrong = rights(world, case).iter().all(|right| reading.wrong(right).is_some());
    if saved.is_complete() && !saved.is_manifest_rebuilt && is_wrong {
        return Err(format!("repair says that nothing is lost: {:?}", saved.found.findings));
    }
    Ok(())
}

/// Trials found databases that opened with missing or wrong rows: a log or the manifest was missing, older or
/// another database's.
#[test]
fn no_damage_of_whole_files_gives_a_wrong_answer() {
    let world = World::new();
    let cases = world.cases();
    assert!(cases.len() >= 700, "{} cases", cases.len());
    let (next, right, refused) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| loop {
                let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                for read_only in [false, true] {
                    match run(&world, case, read_only) {
                        Ok(true) => drop(right.fetch_add(1, Ordering::Relaxed)),
                        Ok(false) => drop(refused.fetch_add(1, Ordering::Relaxed)),
                        Err(failure) => {
                            let failure = format!("{} (read-only {read_only}): {failure}", case.what);
                            eprintln!("{failure}");
                            failures.lock().unwrap().push(failure);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    let (right, refused) = (right.into_inner(), refused.into_inner());
    eprintln!(
        "whole files: {} cases, twice each: {right} right, {refused} refused, {} wrong",
        cases.len(),
        failures.len()
    );
    assert!(failures.is_empty(), "{} wrong", failures.len());
}

/// Link targets in place of the file.
const LINKS: [&str; 6] =
    ["to itself", "to nothing", "to another file", "to a folder", "a pipe", "to the file, moved away"];

fn put_link(root: &Path, path: &Path, another: &Path, kind: &str) {
    use std::os::unix::fs::symlink;
    let moved = root.join("moved-away");
    std::fs::rename(path, &moved).unwrap();
    match kind {
        "to itself" => symlink(path, path).unwrap(),
        "to nothing" => symlink(root.join("nowhere"), path).unwrap(),
        "to another file" => symlink(another, path).unwrap(),
        "to a folder" => symlink(root.join("data"), path).unwrap(),
        "a pipe" => assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
        _ => symlink(&moved, path).unwrap(),
    }
}

/// On the machine's own file system: names that lead elsewhere. A pipe in the place of a file blocked the open
/// forever.
#[test]
fn links_and_pipes_in_the_place_of_files_are_found_out() {
    let world = World::new();
    let now = world.now();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("links-{}", std::process::id()));
    let real = |path: &Path| root.join(path.strip_prefix(directory()).unwrap());
    let files: Vec<&PathBuf> =
        now.paths.iter().filter(|path| !path.ends_with("LOCK") && kind_of(path) != "oldWALs").collect();
    let mut refused = 0;
    for (index, path) in files.iter().enumerate() {
        for kind in LINKS {
            let _ = std::fs::remove_dir_all(&root);
            for path in &now.paths {
                std::fs::create_dir_all(real(path).parent().unwrap()).unwrap();
                std::fs::write(real(path), bytes(now, path)).unwrap();
            }
            put_link(&root, &real(path), &real(files[(index + 1) % files.len()]), kind);
            let machine = Machine::on_disk();
            let what = format!("{} is {kind}", path.display());
            let db = match machine.open_in(root.clone(), index % 2 == 0) {
                Ok(db) => db,
                Err(error) => {
                    assert!(is_typed(&error) || error.kind() == ErrorKind::Io, "{what}: {error}");
                    assert!(kind != LINKS[5], "{what}: {error}");
                    refused += 1;
                    continue;
                }
            };
            let reading = read_all(&*db, Some(&now.answers));
            assert_eq!(reading.wrong(&now.answers), None, "{what}");
            let bad = reading.failures.iter().find(|one| !is_typed(&one.2) && one.2.kind() != ErrorKind::Io);
            assert!(bad.is_none(), "{what}: {bad:?}");
            db.close().unwrap();
        }
    }
    std::fs::remove_dir_all(&root).unwrap();
    assert!(refused > 2 * files.len(), "{refused} of {}", files.len() * LINKS.len());
}

/// Checks the cases themselves: without damage, all results are right, and an old file differs from the new one.
#[test]
fn the_world_of_the_cases_is_sound() {
    let world = World::new();
    let none = Case { what: "nothing".into(), change: Change::new(), is_whole_older_copy: false, is_other: false };
    assert_eq!(run(&world, &none, false), Ok(true));
    let [first, second, third] = &world.sessions[..] else { panic!("three sessions") };
    assert!(first.answers != second.answers && second.answers != third.answers);
    assert!(all_files(&third.files(), &directory()).len() > 15);
}
