//! Selecting files for a compaction: HBase's `SortedCompactionPolicy` and `ExploringCompactionPolicy` as pure
//! functions.
//!
//! Files are ordered from old to new. A selection is a contiguous run of them, so that the order of files stays the
//! order of writes.

use crate::settings::Settings;
use std::ops::Range;

/// Properties of a file that the selection depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Bytes on disk.
    pub size_bytes: u64,
    /// The largest timestamp in it; `None` for a file without cells.
    pub max_timestamp: Option<i64>,
    /// Whether it refers to half of another file.
    pub is_reference: bool,
}

/// Limits of the selection, from the settings of a store.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// Minimum number of files to merge.
    pub min_files: usize,
    /// Minimum number of small files to merge while nothing is written.
    pub min_leftovers: usize,
    /// Maximum number of files merged at once.
    pub max_files: usize,
    /// A run of files smaller than this is always worth merging.
    pub min_bytes: u64,
    /// A run of files larger than this is only merged by a major compaction.
    pub max_bytes: u64,
    /// No file of a run may be larger than the sum of the others times this ratio.
    pub ratio: f64,
    /// With this many files a store may be stuck: any run that helps is selected.
    pub blocking_files: usize,
    /// A compaction of more bytes than this is large: it has its own thread, so that small ones need not wait.
    pub large_bytes: u64,
}

/// Kind of compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// All files.
    Major,
    /// A run that HBase's rules select.
    Minor,
    /// A run of at least two files that are small together. Reads would merge them each time while nothing is
    /// written.
    Leftovers,
}

/// The files to merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Indices among the candidates.
    pub files: Range<usize>,
    /// Whether they are all files of the store: then markers may be dropped.
    pub is_all_files: bool,
}

impl Selection {
    /// Index of the first of `candidates` that may be merged before this run is: the first after the references, which
    /// are always merged together with all files, or after the run.
    pub fn end_of_large(&self, candidates: &[Candidate]) -> usize {
        let references = candidates.iter().rposition(|file| file.is_reference);
        references.map_or(self.files.end, |last| last + 1)
    }
}

impl Policy {
    /// Reads the policy from `settings`.
    pub fn new(settings: &Settings) -> Self {
        let count = |key| usize::try_from(settings.size(key)).unwrap_or(usize::MAX);
        let min_files = count("hbase.hstore.compaction.min").max(2);
        let max_files = count("hbase.hstore.compaction.max");
        Policy {
            min_files,
            // A configured minimum also applies to small files, as in HBase.
            min_leftovers: if settings.has("hbase.hstore.compaction.min") { min_files } else { 2 },
            max_files,
            min_bytes: settings.size("hbase.hstore.compaction.min.size"),
            max_bytes: settings.size("hbase.hstore.compaction.max.size"),
            ratio: settings.number("hbase.hstore.compaction.ratio") as f64 / 1_000.0,
            blocking_files: count("hbase.hstore.blockingStoreFiles"),
            large_bytes: large_bytes(settings, max_files as u64),
        }
    }

    /// Minimum number of files for a compaction. In a burst of flushes more files follow soon, so it is as many as
    /// one compaction merges. Merging those once costs less than merging three at a time again and again.
    pub fn enough_files(&self, in_burst: bool) -> usize {
        if in_burst {
            self.max_files.min(self.blocking_files).max(self.min_files)
        } else {
            self.min_files
        }
    }

    /// The files that a compaction of this kind merges, if any.
    pub fn select(&self, choice: Choice, files: &[Candidate]) -> Option<Selection> {
        match choice {
            Choice::Major => self.select_major(files),
            Choice::Minor => self.select_minor(files),
            Choice::Leftovers => self.select_leftovers(files),
        }
    }

    /// Whether a compaction of these files is large.
    pub fn is_large(&self, files: &[Candidate]) -> bool {
        files.iter().map(|file| file.size_bytes).sum::<u64>() > self.large_bytes
    }

    /// Small files that are fewer than a minor compaction needs. Markers are retained: only a requested major
    /// compaction may drop them.
    fn select_leftovers(&self, files: &[Candidate]) -> Option<Selection> {
        if files.iter().any(|file| file.is_reference) {
            return None;
        }
        // The number of files does not matter: no large run is merged because the store is stuck.
        let max_bytes = self.max_bytes.min(self.min_bytes);
        let policy = Policy { min_files: self.min_leftovers, max_bytes, blocking_files: usize::MAX, ..*self };
        policy.select_minor(files).map(|selection| Selection { is_all_files: false, ..selection })
    }

    /// The files that a major compaction merges: all of them.
    fn select_major(&self, files: &[Candidate]) -> Option<Selection> {
        (!files.is_empty()).then_some(Selection { files: 0..files.len(), is_all_files: true })
    }

    /// The files that a minor compaction merges, if any run of them is worth it.
    fn select_minor(&self, files: &[Candidate]) -> Option<Selection> {
        if files.iter().any(|file| file.is_reference) {
            return self.select_major(files);
        }
        let too_large = files.iter().take_while(|file| file.size_bytes > self.max_bytes).count();
        let chosen = self.explore(&files[too_large..]);
        let run = chosen.start + too_large..chosen.end + too_large;
        (run.len() >= self.min_files).then(|| Selection { is_all_files: run.len() == files.len(), files: run })
    }

    fn explore(&self, files: &[Candidate]) -> Range<usize> {
        let may_be_stuck = files.len() >= self.blocking_files;
        let mut best = (0..0, 0u64);
        let mut smallest = (0..if may_be_stuck { files.len().min(self.max_files) } else { 0 }, u64::MAX);
        for start in 0..files.len() {
            for end in start + self.min_files..=files.len().min(start + self.max_files) {
                let run = &files[start..end];
                let size = run.iter().map(|file| file.size_bytes).sum();
                if may_be_stuck && size < smallest.1 {
                    smallest = (start..end, size);
                }
                if size > self.max_bytes || (size >= self.min_bytes && !self.is_in_ratio(run, size)) {
                    continue;
                }
                if is_better(&best, &(start..end), size, may_be_stuck) {
                    best = (start..end, size);
                }
            }
        }
        if best.0.is_empty() && may_be_stuck {
            return smallest.0;
        }
        best.0
    }

    fn is_in_ratio(&self, run: &[Candidate], total: u64) -> bool {
        run.iter().all(|file| file.size_bytes as f64 <= (total - file.size_bytes) as f64 * self.ratio)
    }
}

/// `hbase.regionserver.thread.compaction.throttle`. Its default follows the flush size, as in HBase.
fn large_bytes(settings: &Settings, max_files: u64) -> u64 {
    let key = "hbase.regionserver.thread.compaction.throttle";
    if settings.has(key) {
        settings.size(key)
    } else {
        max_files.saturating_mul(2).saturating_mul(settings.size("hbase.hregion.memstore.flush.size"))
    }
}

fn is_better(best: &(Range<usize>, u64), run: &Range<usize>, size: u64, may_be_stuck: bool) -> bool {
    if may_be_stuck && best.1 > 0 && size > 0 {
        // Prefers the most files for the least work. A later run must be better by 5 %.
        return (best.0.len() as f64 / best.1 as f64) * 1.05 < run.len() as f64 / size as f64;
    }
    run.len() > best.0.len() || (run.len() == best.0.len() && size < best.1)
}

/// Indices of the files in which every cell has expired. The newest file is always retained.
pub fn expired_files(files: &[Candidate], oldest_unexpired: i64) -> Vec<usize> {
    let older = &files[..files.len().saturating_sub(1)];
    let is_expired = |file: &Candidate| file.max_timestamp.is_some_and(|timestamp| timestamp < oldest_unexpired);
    older.iter().enumerate().filter(|(_, file)| is_expired(file)).map(|(index, _)| index).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_wants_as_many_files_as_go_at_once_but_no_more_than_block() {
        let policy = Policy { min_bytes: 0, ..Policy::new(&Settings::default()) };
        assert_eq!((policy.enough_files(false), policy.enough_files(true)), (3, 10));
        let blocking = |blocking_files| Policy { blocking_files, ..policy }.enough_files(true);
        assert_eq!((blocking(5), blocking(1)), (5, 3));
    }

    #[test]
    fn leftovers_wait_for_the_minimum_that_a_user_has_set() {
        let small = Candidate { size_bytes: 1_000, max_timestamp: None, is_reference: false };
        let merged = |settings: &Settings, files: usize| {
            let selected = Policy::new(settings).select(Choice::Leftovers, &vec![small; files]);
            selected.map(|selection| selection.files)
        };
        let table = [("hbase.hstore.compaction.min".to_string(), "4".to_string())].into();
        let set = Settings::default().overridden_by(&table).unwrap();
        assert_eq!(merged(&Settings::default(), 2), Some(0..2));
        assert_eq!((merged(&set, 3), merged(&set, 4)), (None, Some(0..4)));
    }

    #[test]
    fn the_throttle_follows_the_flush_size_until_it_is_set() {
        let large = |key: &str, value: &str| {
            let table = [(key.to_string(), value.to_string())].into();
            Policy::new(&Settings::default().overridden_by(&table).unwrap()).large_bytes
        };
        assert_eq!(Policy::new(&Settings::default()).large_bytes, 2_684_354_560);
        assert_eq!(large("hbase.hregion.memstore.flush.size", "1000000"), 20_000_000);
        assert_eq!(large("hbase.regionserver.thread.compaction.throttle", "7"), 7);
        let file = Candidate { size_bytes: 4, max_timestamp: None, is_reference: false };
        let policy = Policy { large_bytes: 8, ..Policy::new(&Settings::default()) };
        assert_eq!((policy.is_large(&[file; 2]), policy.is_large(&[file; 3])), (false, true));
    }
}
