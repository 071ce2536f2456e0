//! Compaction of a store's files. Sources: HBase's `HStore.requestCompaction`, `compact`, `removeUnneededFiles`.

use super::claims::{Claim, Turn};
use super::files::mob_set;
use super::flush::FileForm;
use super::rows::RowsBetween;
use super::services::{FileChange, Work};
use super::source::Source;
use super::warm::Origin;
use super::{Store, StoreFile};
use crate::compact::selection::{expired_files, Candidate, Choice, Selection};
use crate::hfile::FileFacts;
use crate::manifest::MobEntry;
use crate::memstore::Memstore;
use crate::scan::{Expiry, MergedSource, Mode};
use rowstone_model::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// Result of [`Store::compact`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compacted {
    /// Whether files were merged or dropped.
    pub any: bool,
    /// Whether a large compaction is due, which the caller must not run.
    pub is_large_due: bool,
}

impl Store {
    /// Merges files, and drops those in which every cell has expired. The read point is asked for when it is this
    /// compaction's turn.
    pub fn compact(&self, choice: Choice, turn: Turn, smallest_read_point: &dyn Fn() -> u64) -> Result<Compacted> {
        let dropped = self.drop_expired_files()?;
        let (plan, is_large_due) = self.plan(choice, turn);
        let any = dropped || plan.is_some();
        if let Some((claim, selection)) = plan {
            let merged = self.merge(&claim.files, &selection, choice == Choice::Major, smallest_read_point());
            if merged.is_err() && is_large_due {
                // The caller does not learn of it.
                self.services.request(Work::CompactLarge(self.region.clone()));
            }
            merged?;
        }
        Ok(Compacted { any, is_large_due })
    }

    /// Claims the files to merge, if any. Also returns whether a large compaction is due that `turn` does not permit.
    /// Until a thread is free for that one, newer files are merged without it. Otherwise their number would grow.
    fn plan(&self, choice: Choice, turn: Turn) -> (Option<(Claim<'_>, Selection)>, bool) {
        let Some(mut running) = self.claims.turn(turn) else { return (None, false) };
        let policy = self.config().policy;
        let files = self.files();
        let is_small = turn == Turn::Beside { may_be_large: false };
        let after_due = running.first_after_due(&files).filter(|_| is_small);
        let mut is_large_due = after_due.is_some();
        if is_large_due && running.is_due_next() {
            return (None, true);
        }
        if !is_small {
            running.come_for_due(&files);
        }
        let mut oldest = running.first_newer(&files).max(after_due.unwrap_or(0));
        loop {
            let candidates: Vec<Candidate> = files[oldest..].iter().map(|file| file.candidate()).collect();
            let Some(selected) = policy.select(choice, &candidates) else { return (None, is_large_due) };
            let is_large = turn == Turn::Alone || policy.is_large(&candidates[selected.files.clone()]);
            if is_large && !running.may_begin_large(turn) {
                if !is_small {
                    return (None, false);
                }
                is_large_due = true;
                oldest += selected.end_of_large(&candidates);
                running.note_due(&files[oldest - 1]);
                continue;
            }
            let is_all_files = selected.is_all_files && oldest == 0;
            let chosen = oldest + selected.files.start..oldest + selected.files.end;
            let claim = self.claims.claim(running, files[chosen.clone()].to_vec(), is_large);
            return (Some((claim, Selection { files: chosen, is_all_files })), is_large_due);
        }
    }

    /// Whether there are small files, but too few for a minor compaction.
    pub fn has_leftovers(&self) -> bool {
        let files = self.files();
        let candidates: Vec<Candidate> =
            files[self.claims.first_newer(&files)..].iter().map(|file| file.candidate()).collect();
        self.config().policy.select(Choice::Leftovers, &candidates).is_some()
    }

    /// Deletes files in which every cell has expired, unless `hbase.store.delete.expired.storefile` is off.
    fn drop_expired_files(&self) -> Result<bool> {
        let config = self.config();
        let Some(ttl) = config.family.ttl_ms.filter(|_| config.drops_expired_files && config.family.min_versions == 0)
        else {
            return Ok(false);
        };
        let Some(running) = self.claims.turn(Turn::Beside { may_be_large: false }) else { return Ok(false) };
        let files = self.files();
        let candidates: Vec<Candidate> = files.iter().map(|file| file.candidate()).collect();
        let oldest = self.services.system().clock.now_ms().saturating_sub(ttl);
        let expired = expired_files(&candidates, oldest).into_iter().map(|index| &files[index]);
        let expired: Vec<Arc<StoreFile>> = expired.filter(|file| !running.has(file)).cloned().collect();
        if expired.is_empty() {
            return Ok(false);
        }
        let claim = self.claims.claim(running, expired, false);
        self.replace(&claim.files, None, 0)?;
        Ok(true)
    }

    /// `major` means that it was requested as such; a minor compaction may also select all files.
    fn merge(
        &self,
        chosen: &[Arc<StoreFile>],
        selection: &Selection,
        major: bool,
        smallest_read_point: u64,
    ) -> Result<()> {
        let began = Instant::now();
        let config = self.config();
        let expiry = Expiry::new(self.services.system().clock.now_ms(), config.family.ttl_ms);
        let mode = if selection.is_all_files {
            let puts = chosen.iter().map(|file| earliest_put(file));
            Mode::DropDeletes {
                cut: smallest_read_point,
                earliest_put: puts.min().unwrap_or(i64::MAX),
                purge_delay_ms: config.purge_delay_ms,
            }
        } else {
            Mode::KeepDeletes { cut: smallest_read_point }
        };
        let facts = FileFacts {
            max_sequence_id: chosen.iter().map(|file| file.entry.max_sequence_id).max().unwrap_or(0),
            is_major: selection.is_all_files,
            compacted_files: chosen.iter().map(|file| file_name(&file.entry.path)).collect(),
            ..FileFacts::default()
        };
        // Blocks that a compaction reads bypass the block cache: they will not be read again.
        let sources = chosen.iter().rev().map(|file| Source::File(file.reader.source(false))).collect();
        let form = FileForm {
            has_tags: chosen.iter().any(|file| file.reader.info().layout.has_tags),
            expected_bytes: chosen.iter().map(|file| file.size_bytes()).sum(),
            mob: mob_set(chosen, &self.mob_directory, &config.family),
            rewritten: if major && selection.is_all_files {
                mob_to_rewrite(chosen, config.max_mob_file_bytes)
            } else {
                BTreeSet::new()
            },
            origin: Origin::Compaction { is_major: major },
        };
        let merged = MergedSource::new(sources, u64::MAX);
        let file = if chosen.iter().any(|file| file.is_reference()) {
            self.write_file(RowsBetween::new(merged, &self.rows), mode, expiry, facts, form)?
        } else {
            self.write_file(merged, mode, expiry, facts, form)?
        };
        self.replace(chosen, Some(file), smallest_read_point)?;
        self.counters.compacted(began, chosen.iter().map(|file| file.size_bytes()).sum());
        Ok(())
    }

    /// Makes the replacement permanent, shows it to readers, then deletes files that are no longer named.
    fn replace(&self, old: &[Arc<StoreFile>], new: Option<Arc<StoreFile>>, cut: u64) -> Result<()> {
        let remove: Vec<String> = old.iter().map(|file| file.entry.path.clone()).collect();
        let gone: Vec<String> = old.iter().flat_map(|file| file.paths()).collect();
        let change = FileChange {
            region: self.region.clone(),
            family: self.family.clone(),
            remove: remove.clone(),
            add: new.iter().map(|file| file.entry.clone()).collect(),
            flushed_sequence_id: None,
            last_write_ms: None,
        };
        if let Err(error) = self.services.commit_files(vec![change]) {
            new.iter().for_each(|file| self.discard_file(file, &error));
            return Err(error);
        }
        let exchange = |files: &mut Vec<Arc<StoreFile>>| {
            files.retain(|file| !remove.contains(&file.entry.path));
            files.extend(new);
        };
        self.swap_files(cut, exchange, Memstore::set_files);
        self.services.remove_files(&gone);
        Ok(())
    }
}

/// Names of the MOB files whose values a requested major compaction rewrites: those of which less than half is
/// still referenced, and small ones if there are several. HBase's compactor rewrites all files, or with
/// `hbase.mob.compaction.type` = `optimized` all small ones.
fn mob_to_rewrite(files: &[Arc<StoreFile>], max_bytes: u64) -> BTreeSet<String> {
    let mut references: BTreeMap<&str, (u64, &MobEntry)> = BTreeMap::new();
    for entry in files.iter().flat_map(|file| &file.entry.mob_files) {
        references.entry(entry.name()).or_insert((0, entry)).0 += entry.references;
    }
    let small = |entry: &MobEntry| entry.size_bytes < max_bytes;
    let has_several = references.values().filter(|(_, entry)| small(entry)).count() > 1;
    let is_chosen = |count: u64, entry: &MobEntry| count * 2 < entry.entry_count || (has_several && small(entry));
    let chosen = references.into_iter().filter(|(_, (count, entry))| is_chosen(*count, entry));
    chosen.map(|(name, _)| name.to_string()).collect()
}

/// The smallest timestamp of a put. A file without puts counts as the latest possible; one that does not record it
/// may have very old ones.
fn earliest_put(file: &StoreFile) -> i64 {
    let info = file.reader.info();
    match info.earliest_put_timestamp {
        Some(timestamp) => timestamp,
        None if info.raw.get(b"EARLIEST_PUT_TS").is_some() => i64::MAX,
        None => i64::MIN,
    }
}

fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_string()
}
