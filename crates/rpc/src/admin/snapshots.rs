//! Snapshots of tables.

use super::polling::Wait;
use super::Admin;
use crate::proto;
use crate::proto::snapshot_description::Kind;
use rowstone_model::admin::{SnapshotInfo, SnapshotKind};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};

/// A snapshot description for requests that only need the name.
fn description_of(name: &str) -> proto::SnapshotDescription {
    proto::SnapshotDescription { name: name.to_string(), ..proto::SnapshotDescription::default() }
}

impl Admin {
    pub(super) fn snapshot(&self, name: &str, table: &TableName, flush: bool, ttl_seconds: i64) -> Result<()> {
        if ttl_seconds < 0 {
            return Err(Error::invalid(format!("time to live of {ttl_seconds} s is negative")));
        }
        // A disabled table, which has no memstore, requires a snapshot type of its own.
        let kind = match self.state(table)? {
            rowstone_model::schema::TableState::Disabled => Kind::Disabled,
            rowstone_model::schema::TableState::Enabled if flush => Kind::Flush,
            rowstone_model::schema::TableState::Enabled => Kind::Skipflush,
        };
        let snapshot = proto::SnapshotDescription {
            name: name.to_string(),
            table: Some(table.to_string()),
            r#type: Some(kind as i32),
            ttl: (ttl_seconds > 0).then_some(ttl_seconds),
            ..proto::SnapshotDescription::default()
        };
        let (nonce_group, nonce) = self.nonce();
        let request = proto::SnapshotRequest { snapshot: snapshot.clone(), nonce_group, nonce };
        let answer: proto::SnapshotResponse = self.call("Snapshot", &request)?;
        match answer.proc_id.and_then(|id| u64::try_from(id).ok()) {
            Some(id) => self.wait_for(id, "Snapshot"),
            None => self.await_snapshot(&snapshot),
        }
    }

    /// Before 2.6 a snapshot is not a procedure: poll until it exists.
    fn await_snapshot(&self, snapshot: &proto::SnapshotDescription) -> Result<()> {
        let mut wait = Wait::for_master(self.cluster.options.operation_timeout);
        loop {
            let request = proto::IsSnapshotDoneRequest { snapshot: Some(snapshot.clone()) };
            let answer: proto::IsSnapshotDoneResponse = self.call("IsSnapshotDone", &request)?;
            if answer.done.unwrap_or(false) {
                return Ok(());
            }
            wait.sleep(&|| format!("snapshot '{}' is not complete", snapshot.name))?;
        }
    }

    fn completed(&self) -> Result<Vec<proto::SnapshotDescription>> {
        let answer: proto::GetCompletedSnapshotsResponse = self.call("GetCompletedSnapshots", &proto::Empty {})?;
        Ok(answer.snapshots)
    }

    /// The master's description of the snapshot.
    fn find_snapshot(&self, name: &str) -> Result<proto::SnapshotDescription> {
        let found = self.completed()?.into_iter().find(|snapshot| snapshot.name == name);
        found.ok_or_else(|| {
            Error::new(ErrorKind::SnapshotNotFound, format!("there is no snapshot '{name}'"))
                .from_remote("org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException")
        })
    }

    pub(super) fn snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        let mut all: Vec<_> = self
            .completed()?
            .into_iter()
            .map(|snapshot| SnapshotInfo {
                kind: match snapshot.r#type() {
                    Kind::Disabled => SnapshotKind::Disabled,
                    Kind::Flush => SnapshotKind::Flush,
                    Kind::Skipflush => SnapshotKind::SkipFlush,
                },
                name: snapshot.name,
                table: snapshot.table.unwrap_or_default(),
                created_ms: snapshot.creation_time.unwrap_or(0),
                ttl_seconds: snapshot.ttl.unwrap_or(0),
                owner: snapshot.owner.unwrap_or_default(),
            })
            .collect();
        all.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(all)
    }

    pub(super) fn remove_snapshot(&self, name: &str) -> Result<()> {
        // The master checks that it exists, and that the user may delete it: the user may not be allowed to list it.
        let snapshot = Some(description_of(name));
        self.call::<proto::Empty>("DeleteSnapshot", &proto::IsSnapshotDoneRequest { snapshot }).map(drop)
    }

    /// Restores the snapshot into its own disabled table, or clones it to the new table `target`.
    pub(super) fn restore(&self, name: &str, target: Option<&TableName>) -> Result<()> {
        // Only the list has the table of the snapshot. To clone it, the name suffices.
        let mut snapshot = if target.is_some() { description_of(name) } else { self.find_snapshot(name)? };
        let table = match target {
            Some(target) => target.clone(),
            None => TableName::parse(snapshot.table.as_deref().unwrap_or_default())?,
        };
        self.check_target(&table, target.is_some())?;
        snapshot.table = Some(table.to_string());
        let (nonce_group, nonce) = self.nonce();
        self.run("RestoreSnapshot", &proto::RestoreSnapshotRequest { snapshot, nonce_group, nonce })?;
        self.cluster.table(&table).regions.clear();
        Ok(())
    }

    /// One request covers both: a clone must not become a restore of an existing table, nor the other way round.
    fn check_target(&self, table: &TableName, is_clone: bool) -> Result<()> {
        match self.state(table) {
            Ok(_) if is_clone => Err(Error::new(ErrorKind::TableExists, format!("table '{table}' exists already"))
                .from_remote("org.apache.hadoop.hbase.TableExistsException")),
            Err(error) if is_clone && error.kind() == ErrorKind::TableNotFound => Ok(()),
            Ok(rowstone_model::schema::TableState::Enabled) => {
                let message = format!("table '{table}' is enabled; disable it to restore a snapshot");
                Err(Error::new(ErrorKind::TableNotDisabled, message)
                    .from_remote("org.apache.hadoop.hbase.TableNotDisabledException"))
            }
            other => other.map(drop),
        }
    }
}
