//! Which groups a user is in: those that the configuration says, else those of this machine. Source: Hadoop's
//! `Groups`, `hadoop.user.group.static.mapping.overrides`.

use rowstone_model::{Error, Result};
use std::collections::BTreeMap;

/// Groups by user.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    overrides: BTreeMap<String, Vec<String>>,
}

impl Groups {
    /// The groups that `text` names: `user=group,group;user=`.
    ///
    /// # Errors
    /// `InvalidArgument` where it is not written so.
    pub fn parse(text: &str) -> Result<Self> {
        let mut overrides = BTreeMap::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((user, groups)) = part.split_once('=') else {
                return Err(Error::invalid(format!("groups '{part}' are not written as user=group,group")));
            };
            overrides.insert(user.trim().to_string(), names(groups));
        }
        Ok(Groups { overrides })
    }

    /// The groups of `user`.
    pub fn of(&self, user: &str) -> Vec<String> {
        if let Some(groups) = self.overrides.get(user) {
            return groups.clone();
        }
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        of_machine(user, &read("/etc/passwd"), &read("/etc/group"))
    }
}

fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

/// The groups of `user` as the machine's files name them; a user who is not in them is in none.
fn of_machine(user: &str, users: &str, groups: &str) -> Vec<String> {
    let primary = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(user)).then(|| fields.nth(2)).flatten()
    });
    let mut found = Vec::new();
    for line in groups.lines() {
        let mut fields = line.split(':');
        let (Some(name), Some(id)) = (fields.next(), fields.nth(1)) else { continue };
        let members = fields.next().unwrap_or_default();
        if primary == Some(id) || members.split(',').any(|member| member == user) {
            found.push(name.to_string());
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
        assert_eq!(of_machine("ann", users, groups), ["users", "dev"]);
        assert!(of_machine("eve", users, groups).is_empty());
    }
}
