//! Creating, changing and dropping namespaces, and their limits.

use super::super::Database;
use crate::manifest::{Edit, State};
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
        self.shared.commit_change(vec![Edit::PutNamespace { namespace }], || ())
    }

    pub(super) fn do_alter_namespace(&self, namespace: NamespaceDescriptor) -> Result<()> {
        self.shared.check_changeable()?;
        check_properties(&namespace)?;
        let _ddl = self.shared.begin_schema_change()?;
        self.find_namespace(&namespace.name)?;
        self.shared.commit_change(vec![Edit::PutNamespace { namespace }], || ())
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
        self.shared.commit_change(vec![Edit::DropNamespace { name: name.to_string() }], || ())?;
        // A snapshot may still have files there.
        self.remove_directory(&format!("data/{name}"));
        self.remove_directory(&format!("mobdir/data/{name}"));
        Ok(())
    }
}

/// Refuses new tables and regions that would exceed the namespace's limits.
pub(in crate::db) fn check_quota(state: &State, namespace: &str, new_tables: usize, new_regions: usize) -> Result<()> {
    let Some(descriptor) = state.namespaces.get(namespace) else { return Ok(()) };
    let tables = || state.tables.iter().filter(|(name, _)| name.namespace() == namespace);
    let checks = [
        (MAX_TABLES, new_tables, tables().count(), "tables"),
        (MAX_REGIONS, new_regions, tables().map(|(_, table)| table.regions.len()).sum::<usize>(), "regions"),
    ];
    for (key, new, present, what) in checks {
        let limit = descriptor.properties.get(key).and_then(|text| text.parse::<usize>().ok());
        let needed = present + new;
        if let Some(limit) = limit.filter(|limit| new > 0 && needed > *limit) {
            return Err(Error::new(
                ErrorKind::QuotaExceeded,
                format!(
                    "namespace '{namespace}' may have {limit} {what} ({key}) and would have {needed} \
                     (QuotaExceededException)"
                ),
            ));
        }
    }
    Ok(())
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
