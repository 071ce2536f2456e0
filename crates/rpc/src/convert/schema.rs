//! Conversion of table descriptors and names. Attributes in HBase's messages that are not text, which the model cannot
//! represent, are retained.

use crate::proto;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

type Settings = BTreeMap<String, String>;

/// Builds the message for `name`.
pub fn table_name(name: &TableName) -> proto::TableName {
    proto::TableName { namespace: name.namespace().into(), qualifier: name.qualifier().into() }
}

/// Extracts the name from a message.
pub fn from_table_name(name: &proto::TableName) -> Result<TableName> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    TableName::new(&text(&name.namespace), &text(&name.qualifier))
        .map_err(|error| Error::new(ErrorKind::Remote, error.message()))
}

/// Extracts the descriptor from `schema`.
pub fn from_schema(schema: &proto::TableSchema) -> Result<TableDescriptor> {
    let name = schema.table_name.as_ref().ok_or_else(|| Error::new(ErrorKind::Remote, "a table without a name"))?;
    let mut table = TableDescriptor::new(from_table_name(name)?);
    table.attributes = texts(&schema.attributes);
    table.configuration = settings(&schema.configuration);
    for family in &schema.column_families {
        table = table.with_family(from_family(family));
    }
    Ok(table)
}

/// Extracts the family from a message.
pub fn from_family(family: &proto::ColumnFamilySchema) -> FamilyDescriptor {
    FamilyDescriptor {
        name: family.name.clone(),
        attributes: texts(&family.attributes),
        configuration: settings(&family.configuration),
    }
}

fn texts(pairs: &[proto::BytesBytesPair]) -> Settings {
    pairs.iter().filter_map(text).collect()
}

fn text(pair: &proto::BytesBytesPair) -> Option<(String, String)> {
    Some((String::from_utf8(pair.first.clone()).ok()?, String::from_utf8(pair.second.clone()).ok()?))
}

fn settings(pairs: &[proto::NameStringPair]) -> Settings {
    pairs.iter().map(|pair| (pair.name.clone(), pair.value.clone())).collect()
}

/// Builds the message for `table`. Attributes of `old` that are not text are retained.
pub fn to_schema(table: &TableDescriptor, old: Option<&proto::TableSchema>) -> proto::TableSchema {
    let families = table.families.values().map(|family| {
        let same = |known: &&proto::ColumnFamilySchema| known.name == family.name;
        let old = old.and_then(|old| old.column_families.iter().find(same));
        proto::ColumnFamilySchema {
            name: family.name.clone(),
            attributes: pairs(attributes_of(family), old.map_or(&[], |old| &old.attributes)),
            configuration: name_pairs(&family.configuration),
        }
    });
    proto::TableSchema {
        table_name: Some(table_name(&table.name)),
        attributes: pairs(table.attributes.clone(), old.map_or(&[], |old| &old.attributes)),
        column_families: families.collect(),
        configuration: name_pairs(&table.configuration),
    }
}

/// The attributes that HBase's client sends: all with defaults, except one that it sends only if it is set.
fn attributes_of(family: &FamilyDescriptor) -> Settings {
    const UNLESS_SET: &str = "NEW_VERSION_BEHAVIOR";
    let mut attributes = family.all_attributes();
    if !family.attributes.contains_key(UNLESS_SET) {
        attributes.remove(UNLESS_SET);
    }
    attributes
}

fn pairs(settings: Settings, old: &[proto::BytesBytesPair]) -> Vec<proto::BytesBytesPair> {
    let new = settings
        .into_iter()
        .map(|(name, value)| proto::BytesBytesPair { first: name.into_bytes(), second: value.into_bytes() });
    new.chain(old.iter().filter(|pair| text(pair).is_none()).cloned()).collect()
}

/// Settings as name-value pairs.
pub fn name_pairs(settings: &Settings) -> Vec<proto::NameStringPair> {
    settings.iter().map(|(name, value)| proto::NameStringPair { name: name.clone(), value: value.clone() }).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::schema::TableName;

    #[test]
    fn a_description_survives_both_ways() {
        let mut family = FamilyDescriptor::new("f");
        family.attributes.insert("VERSIONS".into(), "3".into());
        family.attributes.insert("SOMETHING_NEW".into(), "x".into());
        family.configuration.insert("a.b".into(), "c".into());
        let mut table = TableDescriptor::new(TableName::parse("n:t").unwrap()).with_family(family);
        table.attributes.insert("OWNER".into(), "me".into());
        let again = from_schema(&to_schema(&table, None)).unwrap();
        assert_eq!(again.attributes, table.attributes);
        assert_eq!(again.families[b"f".as_slice()].attributes["SOMETHING_NEW"], "x");
        assert_eq!(again.families[b"f".as_slice()].attributes["VERSIONS"], "3");
        assert_eq!(again.families[b"f".as_slice()].attributes["TTL"], "2147483647");
        assert_eq!(again.families[b"f".as_slice()].configuration["a.b"], "c");
    }

    #[test]
    fn binary_attributes_are_kept() {
        let table = TableDescriptor::new(TableName::parse("t").unwrap()).with_family(FamilyDescriptor::new("f"));
        let mut old = to_schema(&table, None);
        let binary = proto::BytesBytesPair { first: vec![0xff, 0xfe], second: vec![0x80] };
        old.attributes.push(binary.clone());
        old.column_families[0].attributes.push(binary.clone());
        let new = to_schema(&from_schema(&old).unwrap(), Some(&old));
        assert!(new.attributes.contains(&binary) && new.column_families[0].attributes.contains(&binary));
    }
}
