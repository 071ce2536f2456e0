//! Access control settings, with HBase's and Hadoop's names.

use super::groups::Groups;
use rowstone_model::nearest::nearest;
use rowstone_model::schema::TableDescriptor;
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;

const AUTHORIZATION: &str = "hbase.security.authorization";
const SUPERUSER: &str = "hbase.superuser";
const EXEC_CHECKS: &str = "hbase.security.exec.permission.checks";
const EARLY_OUT: &str = "hbase.security.access.early_out";
const GROUPS: &str = "hadoop.user.group.static.mapping.overrides";
const AUDIT_FILE: &str = "rowstone.audit.file";
const AUDIT_ALLOWED: &str = "rowstone.audit.allowed";

/// Every key with its default.
pub const KEYS: [(&str, &str); 7] = [
    (AUTHORIZATION, "false"),
    (SUPERUSER, ""),
    (EXEC_CHECKS, "false"),
    (EARLY_OUT, "true"),
    (GROUPS, ""),
    (AUDIT_FILE, ""),
    (AUDIT_ALLOWED, "false"),
];

/// The access control settings.
#[derive(Debug, Clone, Default)]
pub struct AccessSettings {
    /// Whether access control is enabled.
    pub authorization: bool,
    /// Users and `@groups` with all permissions.
    pub superusers: Vec<String>,
    /// Whether calling an endpoint requires the EXEC permission.
    pub exec_checks: bool,
    /// Whether per-cell permissions count, for tables without a setting of their own.
    pub asks_cells: bool,
    /// Group membership of users.
    pub groups: Groups,
    /// Path of the audit file, with one line of JSON per decision.
    pub audit_file: Option<String>,
    /// Whether allowed operations are audited too.
    pub audit_allowed: bool,
}

impl AccessSettings {
    /// Removes the access control settings from `configuration` and parses them.
    ///
    /// # Errors
    /// `InvalidArgument` for an invalid value; `configuration` is unchanged then.
    pub fn take(configuration: &mut BTreeMap<String, String>) -> Result<Self> {
        let value = |key: &str| configuration.get(key).map(|text| text.trim().to_string()).unwrap_or_default();
        let superusers = value(SUPERUSER);
        let superusers = superusers.split(',').map(str::trim).filter(|name| !name.is_empty());
        let settings = AccessSettings {
            authorization: flag(AUTHORIZATION, &value(AUTHORIZATION))?,
            superusers: superusers.map(str::to_string).collect(),
            exec_checks: flag(EXEC_CHECKS, &value(EXEC_CHECKS))?,
            asks_cells: !value(EARLY_OUT).is_empty() && !flag(EARLY_OUT, &value(EARLY_OUT))?,
            groups: Groups::parse(&value(GROUPS))?,
            audit_file: Some(value(AUDIT_FILE)).filter(|path| !path.is_empty()),
            audit_allowed: flag(AUDIT_ALLOWED, &value(AUDIT_ALLOWED))?,
        };
        let is_own = |key: &str| KEYS.iter().any(|(own, _)| *own == key);
        for key in configuration.keys().filter(|key| !is_own(key)) {
            // A misspelt setting must not leave a user believing that access control is on.
            if let Some(near) =
                nearest(key, KEYS.map(|(own, _)| own)).filter(|near| near.len().abs_diff(key.len()) <= 2)
            {
                return Err(Error::invalid(format!("setting '{key}' is unknown; did you mean '{near}'?")));
            }
        }
        configuration.retain(|key, _| !is_own(key));
        Ok(settings)
    }
}

impl AccessSettings {
    /// Whether per-cell permissions of a table count: its own attribute overrides the setting. Source:
    /// `CF_ATTRIBUTE_EARLY_OUT`.
    pub fn asks_cells_of(&self, table: &TableDescriptor) -> bool {
        let own = table.attributes.get(EARLY_OUT).or_else(|| table.configuration.get(EARLY_OUT));
        match own.map(|text| text.trim().to_ascii_lowercase()).as_deref() {
            Some("true") => false,
            Some("false") => true,
            _ => self.asks_cells,
        }
    }
}

fn flag(key: &str, text: &str) -> Result<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "" | "false" | "0" => Ok(false),
        _ => Err(Error::invalid(format!("setting {key} = '{text}' is neither true nor false"))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_is_almost_one_of_access_is_refused() {
        let mut given = BTreeMap::from([("hbase.security.authorisation".to_string(), "true".to_string())]);
        let error = AccessSettings::take(&mut given).unwrap_err();
        assert!(error.message().contains("did you mean 'hbase.security.authorization'?"), "{error}");
        assert_eq!(given.len(), 1);
    }

    #[test]
    fn the_settings_of_access_are_taken_out_and_the_others_stay() {
        let text = |text: &str| text.to_string();
        let mut all = BTreeMap::from([
            (text(AUTHORIZATION), text("TRUE")),
            (text(SUPERUSER), text("root, @ops ,")),
            (text("hbase.hregion.max.filesize"), text("1")),
        ]);
        let settings = AccessSettings::take(&mut all).unwrap();
        assert!(settings.authorization && !settings.exec_checks);
        assert_eq!(settings.superusers, ["root", "@ops"]);
        assert_eq!(all.len(), 1);
        let mut wrong = BTreeMap::from([(text(AUTHORIZATION), text("perhaps"))]);
        assert!(AccessSettings::take(&mut wrong).is_err());
        assert_eq!(wrong.len(), 1);
    }
}
