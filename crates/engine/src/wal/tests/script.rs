//! A scripted life of a log, and the conditions that hold however it ends.

use super::*;
use crate::sys::faulty::FaultyFileSystem;

/// Facts that the script knows for certain.
#[derive(Debug, Default, Clone)]
pub(super) struct Knowledge {
    /// The last id that was allocated.
    pub issued: u64,
    /// The last id that was certainly in the kernel: survives the process.
    pub kernel: u64,
    /// The last id that was certainly on the disk: survives the machine.
    pub disk: u64,
    /// Ids up to this one may be missing from the logs.
    pub flushed: u64,
}

pub(super) fn on_disk(files: &FaultyFileSystem) -> System {
    files.create_dir_all(Path::new("/db")).unwrap();
    files.sync_dir(Path::new("/")).unwrap();
    system_on(files.clone(), &Arc::new(ManualClock::new(1_000)))
}

pub(super) fn small() -> WalOptions {
    WalOptions { roll_bytes: 700, ..quiet() }
}

/// Replays, begins a new log, writes with all durabilities, rolls, archives.
pub(super) fn session(system: &System, known: &mut Knowledge, count: u64, is_clean: bool) -> Result<()> {
    let (found, report) = read(system)?;
    check(&found, known, known.kernel);
    known.issued = found.last().copied().unwrap_or(known.flushed);
    let wal = open_wal(system, directory(), small(), &report)?;
    (known.kernel, known.disk) = (known.issued, known.issued);
    let ids = AtomicU64::new(known.issued);
    for step in 0..count {
        let durability = [Durability::SyncWal, Durability::AsyncWal, Durability::FsyncWal][(step % 3) as usize];
        let result = put(&wal, &ids, durability);
        known.issued = ids.load(Ordering::SeqCst);
        result?;
        if durability >= Durability::SyncWal {
            known.kernel = known.issued;
        }
        if durability == Durability::FsyncWal {
            known.disk = known.issued;
        }
        if step == count / 2 {
            wal.sync()?;
            (known.kernel, known.disk) = (known.issued, known.issued);
            known.flushed = known.flushed.max(known.disk.saturating_sub(4));
            wal.flushed(REGION, known.flushed)?;
        }
    }
    if is_clean {
        wal.close()?;
        (known.kernel, known.disk) = (known.issued, known.issued);
    }
    Ok(())
}

/// Three sessions: a clean one, a killed one, a clean one.
pub(super) fn life(system: &System, known: &mut Knowledge) -> Result<()> {
    session(system, known, 14, true)?;
    session(system, known, 11, false)?;
    session(system, known, 5, true)
}

/// Checks that the ids found in the logs are a run without gaps. It begins where the files end or before, and ends
/// at `least` or later.
pub(super) fn check(found: &[u64], known: &Knowledge, least: u64) {
    assert!(found.windows(2).all(|pair| pair[0] + 1 == pair[1]), "a hole: {found:?}");
    if let (Some(&first), Some(&last)) = (found.first(), found.last()) {
        assert!(first <= known.flushed + 1, "lost the front: {found:?} {known:?}");
        assert!(last >= least && last <= known.issued, "{last} is not between {least} and {known:?}");
    } else {
        assert!(least <= known.flushed, "lost all: {known:?}, at least {least}");
    }
}
