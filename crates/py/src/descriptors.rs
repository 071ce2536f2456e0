//! Descriptors of tables as plain dicts; `rowstone._base.schema` converts them to types.

use crate::arguments::{bytes_of, to_bytes, Name};
use crate::configuration::settings;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::collections::BTreeMap;

/// Names and values of attributes or settings.
pub type Settings = BTreeMap<String, String>;

/// A table's descriptor as (name, {family: (attributes, configuration)}, attributes, configuration).
#[derive(IntoPyObject)]
pub struct Schema(String, Families, Settings, Settings);

/// Families, converted to a dict with `bytes` keys.
pub struct Families(Vec<(Vec<u8>, Settings, Settings)>);

impl<'py> IntoPyObject<'py> for Families {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let families = PyDict::new(py);
        for (name, attributes, configuration) in self.0 {
            families.set_item(to_bytes(py, &name), (attributes, configuration))?;
        }
        Ok(families)
    }
}

impl Schema {
    /// The descriptor of `table`. Families include every attribute with a default in HBase.
    pub fn new(table: &TableDescriptor) -> Self {
        let defaults = rowstone_model::schema::FAMILY_DEFAULTS;
        let families = table.families.values().map(|family| {
            let mut attributes: Settings =
                defaults.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            attributes.extend(family.attributes.clone());
            (family.name.clone(), attributes, family.configuration.clone())
        });
        let families = Families(families.collect());
        Schema(table.name.to_string(), families, table.attributes.clone(), table.configuration.clone())
    }
}

/// A descriptor as `Schema` passes it to Python.
pub type SchemaParts<'py> = (Name, Bound<'py, PyDict>, Bound<'py, PyDict>, Bound<'py, PyDict>);

/// Builds a table's descriptor from the arguments that `rowstone._base.schema` passes.
pub fn descriptor(
    name: &Name,
    families: &Bound<'_, PyDict>,
    (attributes, configuration): (&Bound<'_, PyDict>, &Bound<'_, PyDict>),
) -> PyResult<TableDescriptor> {
    let name = TableName::parse(&name.0).map_err(|error| crate::errors::raise(families.py(), &error))?;
    let mut table = TableDescriptor::new(name);
    for (name, parts) in families {
        let mut family = FamilyDescriptor::new(bytes_of("family", name.as_borrowed())?.into_owned());
        let (attributes, configuration): (Bound<'_, PyDict>, Bound<'_, PyDict>) = parts.extract()?;
        family.attributes = settings(Some(&attributes))?;
        family.configuration = settings(Some(&configuration))?;
        table = table.with_family(family);
    }
    table.attributes = settings(Some(attributes))?;
    table.configuration = settings(Some(configuration))?;
    Ok(table)
}

/// The attribute names that HBase knows: of families, and of tables.
#[pyfunction]
pub fn known_attributes() -> (Vec<&'static str>, Vec<&'static str>) {
    use rowstone_model::schema::{FAMILY_DEFAULTS, OTHER_FAMILY_ATTRIBUTES, TABLE_ATTRIBUTES};
    let families = FAMILY_DEFAULTS.iter().map(|(name, _)| *name).chain(OTHER_FAMILY_ATTRIBUTES.iter().copied());
    (families.collect(), TABLE_ATTRIBUTES.to_vec())
}
