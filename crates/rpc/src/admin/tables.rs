//! Creating, altering and dropping tables.

use super::Admin;
use crate::cluster::{table_not_found, Recovery};
use crate::convert::to_schema;
use crate::convert::{from_table_name, table_name};
use crate::proto;
use crate::proto::table_state::State;
use rowstone_model::cell::check_row;
use rowstone_model::schema::{TableDescriptor, TableName, TableState};
use rowstone_model::{Error, ErrorKind, Result};

impl Admin {
    pub(super) fn create(&self, table: &TableDescriptor, mut splits: Vec<Vec<u8>>) -> Result<()> {
        check_change(&TableDescriptor::new(table.name.clone()), table)?;
        splits.sort();
        for pair in splits.windows(2) {
            if pair[0] == pair[1] {
                let key = rowstone_model::codec::printable(&pair[0]);
                return Err(Error::invalid(format!("split key '{key}' of table '{}' appears twice", table.name)));
            }
        }
        splits.iter().try_for_each(|key| check_row(key).map_err(|error| error.context("split key")))?;
        let (nonce_group, nonce) = self.nonce();
        let table_schema = to_schema(table, None);
        let request = proto::CreateTableRequest { table_schema, split_keys: splits, nonce_group, nonce };
        self.run("CreateTable", &request)?;
        self.forget(&table.name);
        Ok(())
    }

    pub(super) fn alter(&self, table: &TableDescriptor) -> Result<()> {
        let known = self.schema(&table.name)?;
        check_change(&crate::convert::from_schema(&known)?, table)?;
        self.modify(table, &known)
    }

    /// Replaces the descriptor `old` by `new`. A change of one family is a request of its own, with which the master changes
    /// its current descriptor. For all other changes HBase has no comparison: a change is lost if it happens between the
    /// comparison here and the master's work.
    pub(super) fn replace(&self, old: &TableDescriptor, new: &TableDescriptor) -> Result<()> {
        let known = self.schema(&new.name)?;
        if !old.is_same(&crate::convert::from_schema(&known)?) {
            let message = format!("the schema of table '{}' was changed at the same time", new.name);
            return Err(Error::new(ErrorKind::SchemaChanged, message));
        }
        check_change(old, new)?;
        let Some((method, family)) = only_change(old, new) else { return self.modify(new, &known) };
        let (table_name, (nonce_group, nonce)) = (table_name(&new.name), self.nonce());
        let families = to_schema(new, Some(&known)).column_families;
        let Some(column_families) = families.into_iter().find(|one| one.name == family) else {
            let column_name = family.to_vec();
            return self.run(method, &proto::DeleteColumnRequest { table_name, column_name, nonce_group, nonce });
        };
        self.run(method, &proto::AddColumnRequest { table_name, column_families, nonce_group, nonce })
    }

    fn modify(&self, table: &TableDescriptor, old: &proto::TableSchema) -> Result<()> {
        let (nonce_group, nonce) = self.nonce();
        let request = proto::ModifyTableRequest {
            table_name: table_name(&table.name),
            table_schema: to_schema(table, Some(old)),
            nonce_group,
            nonce,
        };
        self.run("ModifyTable", &request)
    }

    /// The master's descriptor of the table.
    pub(super) fn schema(&self, name: &TableName) -> Result<proto::TableSchema> {
        let request = proto::GetTableDescriptorsRequest {
            table_names: vec![table_name(name)],
            include_sys_tables: Some(true),
            ..proto::GetTableDescriptorsRequest::default()
        };
        let answer: proto::GetTableDescriptorsResponse = self.call("GetTableDescriptors", &request)?;
        answer.table_schema.into_iter().next().ok_or_else(|| table_not_found(name))
    }

    pub(super) fn state(&self, name: &TableName) -> Result<TableState> {
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            match self.cluster.table_state(name, recovery.call_deadline()) {
                Ok(Some(State::Enabled | State::Enabling)) => return Ok(TableState::Enabled),
                Ok(Some(State::Disabled | State::Disabling)) => return Ok(TableState::Disabled),
                Ok(None) => return Err(table_not_found(name)),
                Err(failure) => recovery.after(failure, "check a table's state", None, None)?,
            }
        }
    }

    pub(super) fn set_state(&self, name: &TableName, state: TableState) -> Result<()> {
        let method = match state {
            TableState::Enabled => "EnableTable",
            TableState::Disabled => "DisableTable",
        };
        self.run(method, &self.by_name(name))?;
        self.forget(name);
        Ok(())
    }

    pub(super) fn delete(&self, name: &TableName) -> Result<()> {
        self.run("DeleteTable", &self.by_name(name))?;
        self.forget(name);
        Ok(())
    }

    pub(super) fn truncate(&self, name: &TableName, preserve_splits: bool) -> Result<()> {
        let (nonce_group, nonce) = self.nonce();
        let request = proto::TruncateTableRequest {
            table_name: table_name(name),
            preserve_splits: Some(preserve_splits),
            nonce_group,
            nonce,
        };
        self.run("truncateTable", &request)?;
        self.forget(name);
        Ok(())
    }

    fn by_name(&self, name: &TableName) -> proto::DeleteTableRequest {
        let (nonce_group, nonce) = self.nonce();
        proto::DeleteTableRequest { table_name: table_name(name), nonce_group, nonce }
    }

    /// The user tables, sorted by name; for a namespace its own tables, even if it is the system's.
    pub(super) fn list(&self, namespace: Option<&str>) -> Result<Vec<TableName>> {
        let request = proto::GetTableNamesRequest {
            regex: None,
            include_sys_tables: Some(namespace.is_some()),
            namespace: namespace.map(str::to_string),
        };
        let answer: proto::GetTableNamesResponse = self.call("GetTableNames", &request)?;
        let mut names = answer.table_names.iter().map(from_table_name).collect::<Result<Vec<_>>>()?;
        names.retain(|name| namespace.is_some() || !name.is_system());
        names.sort();
        Ok(names)
    }

    /// Discards the cached regions of a table.
    fn forget(&self, name: &TableName) {
        self.cluster.table(name).regions.clear();
    }
}

/// Refuses new values that a directory refuses, with the same errors. Masters accept some of them, such as VERSIONS => 0,
/// and retry others in vain. Values that the table already has are not checked.
fn check_change(old: &TableDescriptor, new: &TableDescriptor) -> Result<()> {
    let mut changed = new.clone();
    changed.attributes.retain(|name, value| old.attributes.get(name) != Some(value));
    for (name, family) in &mut changed.families {
        let old = old.families.get(name);
        let is_old = |name: &String, value: &String| old.is_some_and(|old| old.attributes.get(name) == Some(value));
        family.attributes.retain(|name, value| !is_old(name, value) && !is_compression_of_clusters(name, value));
    }
    changed.options()?;
    changed.family_options().map(drop)
}

/// Whether a family is compressed in a way that HBase has and a directory does not.
fn is_compression_of_clusters(name: &str, value: &str) -> bool {
    name.starts_with("COMPRESSION")
        && ["LZO", "BZIP2", "LZMA", "BROTLI"].iter().any(|one| one.eq_ignore_ascii_case(value))
}

/// The request that changes `old` to `new`, and its family, if nothing but one family differs.
fn only_change<'t>(old: &'t TableDescriptor, new: &'t TableDescriptor) -> Option<(&'static str, &'t [u8])> {
    let names = old.families.keys().chain(new.families.keys().filter(|name| !old.families.contains_key(*name)));
    let is_same = |name: &&Vec<u8>| match (old.families.get(*name), new.families.get(*name)) {
        (Some(old), Some(new)) => old.is_same(new),
        _ => false,
    };
    let mut changed = names.filter(|name| !is_same(name));
    let family = changed.next()?;
    let is_only =
        changed.next().is_none() && old.attributes == new.attributes && old.configuration == new.configuration;
    let method = match (old.families.contains_key(family), new.families.contains_key(family)) {
        (false, _) => "AddColumn",
        (true, true) => "ModifyColumn",
        (true, false) => "DeleteColumn",
    };
    is_only.then_some((method, family))
}
