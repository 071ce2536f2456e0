//! Oracle: checks that a state satisfies the promises of the durabilities.
//!
//! Each region must contain everything that was flushed, and a prefix of the logged writes after that, no shorter
//! than the durable part. Writes that skipped the log exist up to the last flush. A running flush may have
//! happened. So may a running commit of the manifest, in all regions or in none.

use super::cells::{describe, Cells, Found, FoundTable};
use super::operations::Op;
use super::world::{region_of, Kept, Region, Table, World};

/// Data that a crash may have lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The machine kept running.
    Process,
    /// Power loss.
    Machine,
}

/// Expected state at one point of the run.
pub struct Expected<'a> {
    pub before: &'a World,
    /// The running operation, and the world once it is acknowledged.
    pub under_way: Option<(&'a Op, &'a World)>,
    pub reach: Reach,
    /// All writes so far may have been flushed, because the database was being closed.
    pub may_have_closed: bool,
}

/// Returns why `found` breaks a promise.
pub fn judge(found: &Found, expected: &Expected<'_>) -> Result<(), String> {
    let may_flush = expected.may_have_closed;
    let Some((op, after)) = expected.under_way else {
        return fits(found, expected.before, expected.before, expected.reach, may_flush);
    };
    if !op.is_commit() {
        return fits(found, expected.before, after, expected.reach, may_flush);
    }
    let flushed = expected.before.flushed_for(op);
    fits(found, after, after, expected.reach, may_flush).or_else(|without| {
        fits(found, expected.before, &flushed, expected.reach, may_flush)
            .map_err(|with| format!("as if {op:?} had happened: {without}\nas if not: {with}"))
    })
}

fn fits(found: &Found, before: &World, after: &World, reach: Reach, may_flush: bool) -> Result<(), String> {
    let (present, wanted): (Vec<_>, Vec<_>) = (found.tables.keys().collect(), after.tables.keys().collect());
    if present != wanted {
        return Err(format!("tables {present:?}, not {wanted:?}"));
    }
    snapshots_fit(found, after)?;
    found.tables.iter().try_for_each(|(number, found)| {
        let (before, after) = (&before.tables[number], &after.tables[number]);
        table_fits(found, before, after, reach, may_flush).map_err(|reason| format!("table {number}: {reason}"))
    })
}

/// A snapshot is complete: its contents were flushed before it was taken.
fn snapshots_fit(found: &Found, wanted: &World) -> Result<(), String> {
    let (present, known): (Vec<_>, Vec<_>) = (found.snapshots.keys().collect(), wanted.snapshots.keys().collect());
    if present != known {
        return Err(format!("snapshots {present:?}, not {known:?}"));
    }
    let looked_at = found.snapshots.iter().filter_map(|(number, kept)| Some((number, kept.as_ref()?)));
    looked_at.into_iter().try_for_each(|(number, kept)| {
        let (wanted, say) = (&*wanted.snapshots[number], |kept: &Kept| {
            format!("of table {}, c {}, bounds {:?}: {}", kept.table, kept.has_c, kept.bounds, describe(&kept.cells))
        });
        let differs = || format!("snapshot {number}\n  found {}\n wanted {}", say(kept), say(wanted));
        (kept == wanted).then_some(()).ok_or_else(differs)
    })
}

fn table_fits(found: &FoundTable, before: &Table, after: &Table, reach: Reach, may_flush: bool) -> Result<(), String> {
    let (schema, wanted) =
        ((found.has_c, found.is_enabled, &found.bounds), (after.has_c, after.is_enabled, &after.bounds));
    if schema != wanted {
        return Err(format!("(family c, enabled, bounds) is {schema:?}, not {wanted:?}"));
    }
    let Some(cells) = &found.cells else { return Ok(()) };
    for (index, (before, after)) in before.regions.iter().zip(&after.regions).enumerate() {
        let is_here = |key: &(u8, u8)| region_of(&found.bounds, key.0) == index;
        let here: Cells =
            cells.iter().filter(|(key, _)| is_here(key)).map(|(key, versions)| (*key, versions.clone())).collect();
        region_fits(&here, before, after, reach, may_flush).map_err(|reason| format!("region {index}: {reason}"))?;
    }
    Ok(())
}

fn region_fits(found: &Cells, before: &Region, after: &Region, reach: Reach, may_flush: bool) -> Result<(), String> {
    let safe = match reach {
        Reach::Process => before.written,
        Reach::Machine => before.synced,
    };
    let mut flushes = vec![before.flushed, after.flushed];
    if may_flush {
        flushes.push(before.writes.len());
    }
    flushes.dedup();
    for flushed in flushes {
        let mut cells = Cells::clone(&after.base);
        for (index, write) in after.writes.iter().enumerate() {
            if index >= flushed.max(safe) && cells == *found {
                return Ok(());
            }
            if index < flushed || write.is_logged {
                write.changes.iter().for_each(|change| change.apply(&mut cells));
            }
        }
        if cells == *found {
            return Ok(());
        }
    }
    Err(explain(found, before, after, safe))
}

fn explain(found: &Cells, before: &Region, after: &Region, safe: usize) -> String {
    let mut least = Cells::clone(&after.base);
    for (index, write) in after.writes.iter().enumerate() {
        if index < before.flushed || (write.is_logged && index < safe) {
            write.changes.iter().for_each(|change| change.apply(&mut least));
        }
    }
    format!(
        "of {} writes {} are in files and {safe} safe\n found {}\n least {}\n  most {}",
        after.writes.len(),
        before.flushed,
        describe(found),
        describe(&least),
        describe(&after.live)
    )
}
