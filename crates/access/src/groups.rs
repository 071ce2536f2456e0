//! Group membership of users: from the configuration, otherwise from the operating system's files. Source: Hadoop's
//! `Groups`, `hadoop.user.group.static.mapping.overrides`.

use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Groups by user.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    overrides: BTreeMap<String, Vec<String>>,
    machine: Arc<Machine>,
}

/// Groups from `/etc/passwd` and `/etc/group`. A gateway resolves a user for each request, so the files are read
/// again only after a change; that costs one `stat` call per file.
#[derive(Debug)]
struct Machine {
    users: PathBuf,
    groups: PathBuf,
    read: Mutex<Read>,
}

/// The groups as last read, and the stamps of the files at that time.
#[derive(Debug, Default)]
struct Read {
    stamps: [Option<Stamp>; 2],
    groups: BTreeMap<String, Vec<String>>,
}

/// Identifies a version of a file: modification time (seconds, nanoseconds), length, inode.
type Stamp = (i64, i64, u64, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let state = std::fs::metadata(path).ok()?;
    Some((state.mtime(), state.mtime_nsec(), state.len(), state.ino()))
}

impl Default for Machine {
    fn default() -> Self {
        Machine::of_files("/etc/passwd".into(), "/etc/group".into())
    }
}

impl Machine {
    fn of_files(users: PathBuf, groups: PathBuf) -> Self {
        Machine { users, groups, read: Mutex::default() }
    }

    fn of(&self, user: &str) -> Vec<String> {
        // Taken before reading: a change in between is picked up the next time.
        let stamps = [stamp(&self.users), stamp(&self.groups)];
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.stamps != stamps {
            let text = |path| std::fs::read_to_string(path).unwrap_or_default();
            *read = Read { stamps, groups: by_user(&text(&self.users), &text(&self.groups)) };
        }
        read.groups.get(user).cloned().unwrap_or_default()
    }
}

impl Groups {
    /// Parses `user=group,group;user=`.
    ///
    /// # Errors
    /// `InvalidArgument` for any other format.
    pub fn parse(text: &str) -> Result<Self> {
        let mut overrides = BTreeMap::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((user, groups)) = part.split_once('=') else {
                return Err(Error::invalid(format!("groups '{part}' have the wrong format; write user=group,group")));
            };
            overrides.insert(user.trim().to_string(), names(groups));
        }
        Ok(Groups { overrides, ..Groups::default() })
    }

    /// The groups of `user`.
    pub fn of(&self, user: &str) -> Vec<String> {
        if let Some(groups) = self.overrides.get(user) {
            return groups.clone();
        }
        self.machine.of(user)
    }
}

fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

/// The groups of every user that the two files name, in the order of the group file. A user in neither has no groups.
fn by_user(users: &str, groups: &str) -> BTreeMap<String, Vec<String>> {
    let mut by_group: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in users.lines() {
        let mut fields = line.split(':');
        if let (Some(user), Some(group)) = (fields.next(), fields.nth(2)) {
            by_group.entry(group).or_default().push(user);
        }
    }
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in groups.lines() {
        let mut fields = line.split(':');
        let (Some(name), Some(id)) = (fields.next(), fields.nth(1)) else { continue };
        let members = fields.next().unwrap_or_default().split(',').filter(|member| !member.is_empty());
        for user in by_group.get(id).into_iter().flatten().copied().chain(members) {
            let own = found.entry(user.to_string()).or_default();
            if own.last().is_none_or(|last| last.as_str() != name) {
                own.push(name.to_string());
            }
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_goes_before_the_machine() {
        let groups = Groups::parse("ann=dev, ops; root=;").unwrap();
        assert_eq!(groups.of("ann"), ["dev", "ops"]);
        assert!(groups.of("root").is_empty());
        assert!(Groups::parse("ann").is_err());
    }

    #[test]
    fn a_machine_has_a_first_group_and_others() {
        let (users, groups) = ("ann:x:7:100:Ann:/:/bin/sh\n", "users:x:100:\ndev:x:5:bob,ann\nops:x:6:bob\nbroken\n");
        let found = by_user(users, groups);
        assert_eq!(found["ann"], ["users", "dev"]);
        assert_eq!(found["bob"], ["dev", "ops"]);
        assert!(!found.contains_key("eve") && !found.contains_key(""));
    }

    #[test]
    fn files_are_read_again_when_they_have_changed_and_only_then() {
        let folder = std::env::temp_dir().join(format!("rowstone-groups-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (users, groups) = (folder.join("passwd"), folder.join("group"));
        let machine = Machine::of_files(users.clone(), groups.clone());
        assert!(machine.of("ann").is_empty(), "no files, no groups");
        std::fs::write(&users, "ann:x:7:100:Ann:/:/bin/sh\n").unwrap();
        std::fs::write(&groups, "users:x:100:\n").unwrap();
        assert_eq!(machine.of("ann"), ["users"]);
        // The cache is used: otherwise this entry would not be seen.
        machine.read.lock().unwrap().groups.insert("ann".into(), vec!["kept".into()]);
        assert_eq!(machine.of("ann"), ["kept"]);
        // As `groupadd` does it: the file is replaced.
        std::fs::write(folder.join("new"), "users:x:100:\ndev:x:5:ann\n").unwrap();
        std::fs::rename(folder.join("new"), &groups).unwrap();
        assert_eq!(machine.of("ann"), ["users", "dev"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
