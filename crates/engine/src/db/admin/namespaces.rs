//! Namespaces: making, changing, dropping them, and their limits.

use super::super::Database;
use crate::manifest::Edit;
use rowstone_model::schema::{check_namespace, NamespaceDescriptor};
use rowstone_model::{Error, ErrorKind, Result};

const MAX_TABLES: &str = "hbase.namespace.quota.maxtables";
const MAX_REGIONS: &str = "hbase.namespace.quota.maxregions";

impl Database {
    /// # Errors
    /// `NamespaceNotFound`.
    pub(super) fn find_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        self.shared.state().namespaces.get(name).cloned().ok_or_else(|| {
            Error::new(ErrorKind::NamespaceNotFound, format!("no namespace '{name}' (NamespaceNotFoundException)"))
        })
    }

    pub(super) fn do_create_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        self.shared.check_changeable()?;
        check_namespace(&namespace.name)?;
        check_properties(&namespace)?;
        let _ddl = self.shared.begin_schema_change()?;
        if self.shared.state().namespaces.contains_key(&namespace.name) {
            let message = format!("namespace '{}' exists already (NamespaceExistException)", namespace.name);
            return Err(Error::new(ErrorKind::NamespaceExists, message));
        }
        self.shared.commit(vec![Edit::PutNamespace { namespace }])
    }

    pub(super) fn do_alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        self.shared.check_changeable()?;
        check_properties(&namespace)?;
        let _ddl = self.shared.begin_schema_change()?;
        self.find_namespace(&namespace.name)?;
        self.shared.commit(vec![Edit::PutNamespace { namespace }])
    }

    pub(super) fn do_drop_namespace(&self, name: &str) -> Result<()> {
        self.shared.check_changeable()?;
        let _ddl = self.shared.begin_schema_change()?;
        self.find_namespace(name)?;
        if matches!(name, "default" | "hbase") {
            let message = format!("namespace '{name}' is reserved and cannot be dropped (ConstraintException)");
            return Err(Error::new(ErrorKind::Constraint, message));
        }
        let tables = self.shared.state().tables.keys().filter(|table| table.namespace() == name).count();
        if tables > 0 {
            return Err(Error::new(
                ErrorKind::Constraint,
                format!("namespace '{name}' still has {tables} table(s); drop them first (ConstraintException)"),
            ));
        }
        self.shared.commit(vec![Edit::DropNamespace { name: name.to_string() }])
    }

    /// Refuses a new table of `regions` regions where the namespace has a limit that it would pass.
    pub(super) fn check_quota(&self, namespace: &NamespaceDescriptor, regions: usize) -> Result<()> {
        let state = self.shared.state();
        let tables = || state.tables.iter().filter(|(name, _)| name.namespace() == namespace.name);
        let checks = [
            (MAX_TABLES, tables().count() + 1, "tables"),
            (MAX_REGIONS, tables().map(|(_, table)| table.regions.len()).sum::<usize>() + regions, "regions"),
        ];
        for (key, needed, what) in checks {
            let limit = namespace.properties.get(key).and_then(|text| text.parse::<usize>().ok());
            if let Some(limit) = limit.filter(|limit| needed > *limit) {
                return Err(Error::new(
                    ErrorKind::QuotaExceeded,
                    format!(
                        "namespace '{}' may have {limit} {what} ({key}) and would have {needed} (QuotaExceededException)",
                        namespace.name
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// Limits are numbers above zero. Source: HBase's `TableNamespaceManager.validateTableAndRegionCount`.
fn check_properties(namespace: &NamespaceDescriptor) -> Result<()> {
    for key in [MAX_TABLES, MAX_REGIONS] {
        if let Some(text) = namespace.properties.get(key).filter(|text| text.parse::<usize>().is_err()) {
            return Err(Error::invalid(format!("{key} = '{text}' is not a number")));
        }
    }
    for (key, what) in [(MAX_REGIONS, "region"), (MAX_TABLES, "tables")] {
        if namespace.properties.get(key).is_some_and(|text| text.parse() == Ok(0)) {
            let message = format!(
                "The max {what} quota for {} is less than or equal to zero. ({key}, ConstraintException)",
                namespace.name
            );
            return Err(Error::new(ErrorKind::Constraint, message));
        }
    }
    Ok(())
}
