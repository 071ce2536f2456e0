//! Consistent copy of a database while writers run.
//!
//! 1. Regions with writes that skipped the log are flushed, because a copy of the log would not contain them.
//! 2. The manifest's state is captured, then the log is rolled. The copy consists of the store files of that state
//!    and the logs up to the roll. For every region it contains what was written before the roll, in log order, and
//!    nothing later.
//! 3. Files that a compaction replaces meanwhile are retained until they are copied. No table is created, dropped
//!    or altered.

use super::super::Database;
use crate::check::{check_outside, check_target, copy_files, copy_logs, finish, CopyReport, Target};
use crate::db::state::shared::Schema;
use crate::manifest::State;
use crate::sys::{RealFileSystem, System};
use crate::wal::{find_logs, Wal};
use rowstone_model::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of attempts when logs are deleted before they could be copied.
const ATTEMPTS: usize = 5;

impl Database {
    pub(super) fn do_backup(&self, out: &Path) -> Result<CopyReport> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        let system = self.target_system();
        if !self.shared.is_memory_only() {
            check_outside(&self.shared.root, out)?;
        }
        check_target(&*system.files, out)?;
        for table in self.shared.tables.all() {
            for region in table.regions().iter().filter(|region| region.has_unlogged_writes()) {
                region.flush()?;
            }
        }
        let _pin = self.shared.pin_files();
        let target = Target { system: &system, directory: out, links: true };
        let wal = self.shared.wal_for_writes()?;
        target.fill(|| {
            for _ in 0..ATTEMPTS {
                if let Some(report) = self.try_backup(wal, &target)? {
                    return Ok(report);
                }
            }
            Err(Error::new(
                rowstone_model::ErrorKind::RegionTooBusy,
                "logs were deleted before they could be copied; raise hbase.master.logcleaner.ttl for the time of the backup",
            ))
        })
    }

    /// `None` if a log that the copy needs was deleted meanwhile.
    fn try_backup(&self, wal: &Arc<Wal>, target: &Target<'_>) -> Result<Option<CopyReport>> {
        let (files, folder) = (&*self.shared.system.files, self.shared.log_directory());
        let Schema::Written(manifest) = &self.shared.manifest else { return Err(self.shared.read_only_error()) };
        let mut state = State::clone(&manifest.state());
        let last = wal.roll()?.saturating_sub(1);
        let now = manifest.state();
        // Logs that were needed then, and those begun since, up to the roll. They may mention later commits.
        state.logs.extend(now.logs.iter().map(|(number, log)| (*number, log.clone())));
        state.logs.retain(|number, _| *number <= last);
        state.commits = now.commits;
        let mut report = CopyReport::default();
        let is_copied = wal.while_logs_stay(|| {
            let first = state.logs.keys().next().copied().unwrap_or(last + 1);
            let logs: Vec<(u64, PathBuf)> = find_logs(files, &folder, first..=last)?;
            let is_complete = logs.iter().map(|log| log.0).eq(state.logs.keys().copied());
            if is_complete {
                copy_logs(&self.shared.system, &logs, target, &mut report)?;
            }
            Ok::<_, Error>(is_complete)
        })?;
        if !is_copied {
            return Ok(None);
        }
        let logs = report;
        let mut report = copy_files(&self.shared.system, &self.shared.root, &state, target, &mut |_, _, _| {})?;
        report.logs = logs.logs;
        report.bytes += logs.bytes;
        report.linked_bytes += logs.linked_bytes;
        finish(target, &state)?;
        Ok(Some(report))
    }

    /// A database in memory is copied to the machine's disk.
    fn target_system(&self) -> System {
        let system = self.shared.system.clone();
        if self.shared.is_memory_only() {
            System { files: Arc::new(RealFileSystem), ..system }
        } else {
            system
        }
    }
}
