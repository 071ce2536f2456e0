//! Copying cells from a source to a sink, under the rules of a flush or a compaction.

use crate::scan::new_version::{NewVersionRules, NewVersionSource};
use crate::scan::{Expiry, MatchCode, Matcher, Mode};
use rowstone_model::cell::{Cell, CellSource};
use rowstone_model::schema::FamilyOptions;
use rowstone_model::Result;

/// Counts of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Cells read.
    pub read: u64,
    /// Cells written.
    pub written: u64,
}

/// Copies the cells of `source` that `mode` retains to `sink`. Seeks `source` to its first cell.
pub fn rewrite(
    source: impl CellSource,
    family: &FamilyOptions,
    mode: Mode,
    expiry: Expiry,
    mut sink: impl FnMut(&Cell<'_>) -> Result<()>,
) -> Result<Counts> {
    if !family.new_version_behavior {
        return pump(source, Some(Matcher::for_rewrite(family, mode, expiry)), &mut sink);
    }
    match mode {
        Mode::DropDeletes { cut, .. } => {
            let rules = NewVersionRules::for_rewrite(family, expiry, cut);
            pump(NewVersionSource::new(source, rules), Some(Matcher::for_new_version(family, mode, expiry)), &mut sink)
        }
        // Cells written after a marker may stay visible forever: nothing can be dropped before all files are merged
        // together.
        _ => pump(source, None, &mut sink),
    }
}

fn pump(
    mut source: impl CellSource,
    mut matcher: Option<Matcher>,
    sink: &mut impl FnMut(&Cell<'_>) -> Result<()>,
) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut row: Vec<u8> = Vec::new();
    let mut dropped_column: Option<Vec<u8>> = None;
    source.seek(&rowstone_model::cell::first_on_row(&[]))?;
    while let Some(cell) = source.peek() {
        counts.read += 1;
        if cell.row() != row.as_slice() {
            row.clear();
            row.extend_from_slice(cell.row());
            dropped_column = None;
            if let Some(matcher) = &mut matcher {
                matcher.reset();
            }
        }
        let is_dropped = dropped_column.as_deref() == Some(cell.qualifier());
        let code = match &mut matcher {
            _ if is_dropped => MatchCode::Skip,
            Some(matcher) => matcher.check(&cell),
            None => MatchCode::Include,
        };
        match code {
            MatchCode::Include | MatchCode::IncludeAndSeekNextColumn | MatchCode::IncludeAndSeekNextRow => {
                sink(&cell)?;
                counts.written += 1;
            }
            // Family delete markers share the empty qualifier with real columns, so each of its cells is checked.
            MatchCode::SeekNextColumn if !cell.qualifier().is_empty() => {
                dropped_column = Some(cell.qualifier().to_vec());
            }
            MatchCode::Skip | MatchCode::SeekNextColumn | MatchCode::SeekNextRow => {}
        }
        source.advance()?;
    }
    Ok(counts)
}
