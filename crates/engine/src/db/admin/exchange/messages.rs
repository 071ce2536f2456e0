//! Protobuf messages in the files of an exported snapshot. Field numbers are HBase's.

use crate::hfile::format::proto::{each_field, put_bytes, put_number, Value};
use crate::hfile::format::Damage;
use crate::manifest::{new_region, Half, SnapshotEntry};
use rowstone_model::cell::first_on_row;
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableName};
use rowstone_model::Result as ModelResult;
use std::collections::BTreeMap;

/// Version of the layout with one manifest for all regions.
pub const LAYOUT_VERSION: u64 = 2;

/// Contents of `.snapshotinfo`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Description {
    pub created_ms: i64,
    pub ttl_seconds: i64,
    pub owner: String,
    pub version: u64,
}

/// Contents of `data.manifest`.
pub struct Manifest {
    pub descriptor: TableDescriptor,
    pub regions: Vec<RegionFiles>,
}

/// A region with the files of its families.
pub struct RegionFiles {
    pub info: RegionInfo,
    /// Whether the region has no rows of its own: it was split, or is a replica of another region.
    pub is_shadow: bool,
    pub families: Vec<(Vec<u8>, Vec<NamedFile>)>,
}

/// A store file by its name in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    pub name: String,
    pub half: Option<Half>,
    pub size_bytes: u64,
}

pub fn write_description(snapshot: &SnapshotEntry) -> Vec<u8> {
    const FLUSHED: u64 = 1;
    let mut out = Vec::new();
    put_bytes(&mut out, 1, snapshot.name.as_bytes());
    put_bytes(&mut out, 2, snapshot.descriptor.name.to_string().as_bytes());
    put_number(&mut out, 3, snapshot.created_ms as u64);
    put_number(&mut out, 4, FLUSHED);
    put_number(&mut out, 5, LAYOUT_VERSION);
    if !snapshot.owner.is_empty() {
        put_bytes(&mut out, 6, snapshot.owner.as_bytes());
    }
    if snapshot.ttl_seconds > 0 {
        put_number(&mut out, 8, snapshot.ttl_seconds as u64);
    }
    out
}

pub fn read_description(bytes: &[u8]) -> Result<Description, Damage> {
    let mut found = Description::default();
    each_field(bytes, |field, value| {
        match (field, value) {
            (3, Value::Number(number)) => found.created_ms = number as i64,
            (5, Value::Number(number)) => found.version = number,
            (6, Value::Bytes(bytes)) => found.owner = String::from_utf8_lossy(bytes).into_owned(),
            (8, Value::Number(number)) => found.ttl_seconds = number as i64,
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

pub fn write_manifest(manifest: &Manifest) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(&mut out, 1, &schema(&manifest.descriptor));
    for region in &manifest.regions {
        let mut message = Vec::new();
        put_bytes(&mut message, 2, &region_info(&region.info));
        for (family, files) in &region.families {
            let mut family_files = Vec::new();
            put_bytes(&mut family_files, 1, family);
            for file in files {
                put_bytes(&mut family_files, 2, &store_file(file));
            }
            put_bytes(&mut message, 3, &family_files);
        }
        put_bytes(&mut out, 2, &message);
    }
    out
}

fn schema(table: &TableDescriptor) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(&mut out, 1, &table_name(&table.name));
    put_pairs(&mut out, 2, &table.attributes);
    for family in table.families.values() {
        let mut message = Vec::new();
        put_bytes(&mut message, 1, &family.name);
        put_pairs(&mut message, 2, &family.all_attributes());
        put_pairs(&mut message, 3, &family.configuration);
        put_bytes(&mut out, 3, &message);
    }
    put_pairs(&mut out, 4, &table.configuration);
    out
}

fn put_pairs(out: &mut Vec<u8>, field: u32, settings: &BTreeMap<String, String>) {
    for (name, value) in settings {
        let mut pair = Vec::new();
        put_bytes(&mut pair, 1, name.as_bytes());
        put_bytes(&mut pair, 2, value.as_bytes());
        put_bytes(out, field, &pair);
    }
}

fn table_name(name: &TableName) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(&mut out, 1, name.namespace().as_bytes());
    put_bytes(&mut out, 2, name.qualifier().as_bytes());
    out
}

fn region_info(info: &RegionInfo) -> Vec<u8> {
    let mut out = Vec::new();
    put_number(&mut out, 1, info.region_id as u64);
    put_bytes(&mut out, 2, &table_name(&info.table));
    put_bytes(&mut out, 3, &info.start_key);
    put_bytes(&mut out, 4, &info.end_key);
    for field in 5..=7 {
        put_number(&mut out, field, 0);
    }
    out
}

fn store_file(file: &NamedFile) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(&mut out, 1, file.name.as_bytes());
    if let Some(half) = &file.half {
        let mut reference = Vec::new();
        put_bytes(&mut reference, 1, &first_on_row(&half.split_row));
        // 0 is the upper half.
        put_number(&mut reference, 2, u64::from(!half.is_top));
        put_bytes(&mut out, 2, &reference);
    }
    put_number(&mut out, 3, file.size_bytes);
    out
}

/// Parses the manifest. The outer error is about the bytes, the inner one about their contents.
pub fn read_manifest(bytes: &[u8]) -> Result<ModelResult<Manifest>, Damage> {
    let (mut schema, mut regions) = (&[][..], Vec::new());
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(message)) => schema = message,
            (2, Value::Bytes(message)) => regions.push(message),
            _ => {}
        }
        Ok(())
    })?;
    let descriptor = match read_schema(schema)? {
        Ok(descriptor) => descriptor,
        Err(error) => return Ok(Err(error)),
    };
    let regions = regions.into_iter().map(|message| read_region(message, &descriptor.name));
    Ok(Ok(Manifest { regions: regions.collect::<Result<_, _>>()?, descriptor }))
}

fn read_schema(bytes: &[u8]) -> Result<ModelResult<TableDescriptor>, Damage> {
    let mut name = (String::new(), String::new());
    let (mut attributes, mut configuration, mut families) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(message)) => name = read_pair(message)?,
            (2, Value::Bytes(message)) => attributes.extend([read_pair(message)?]),
            (3, Value::Bytes(message)) => families.push(read_family(message)?),
            (4, Value::Bytes(message)) => configuration.extend([read_pair(message)?]),
            _ => {}
        }
        Ok(())
    })?;
    Ok(TableName::new(&name.0, &name.1).map(|name| {
        let mut table = TableDescriptor::new(name);
        (table.attributes, table.configuration) = (attributes, configuration);
        families.into_iter().fold(table, TableDescriptor::with_family)
    }))
}

fn read_family(bytes: &[u8]) -> Result<FamilyDescriptor, Damage> {
    let mut family = FamilyDescriptor::new("");
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(name)) => family.name = name.to_vec(),
            (2, Value::Bytes(message)) => family.attributes.extend([read_pair(message)?]),
            (3, Value::Bytes(message)) => family.configuration.extend([read_pair(message)?]),
            _ => {}
        }
        Ok(())
    })?;
    Ok(family)
}

fn read_pair(bytes: &[u8]) -> Result<(String, String), Damage> {
    let (mut first, mut second) = (String::new(), String::new());
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(text)) => first = read_text(text)?,
            (2, Value::Bytes(text)) => second = read_text(text)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((first, second))
}

fn read_text(bytes: &[u8]) -> Result<String, Damage> {
    let text = std::str::from_utf8(bytes).map_err(|error| Damage::new("text in UTF-8", error))?;
    Ok(text.to_string())
}

fn read_region(bytes: &[u8], table: &TableName) -> Result<RegionFiles, Damage> {
    let (mut info, mut families) = (&[][..], Vec::new());
    each_field(bytes, |field, value| {
        match (field, value) {
            (2, Value::Bytes(message)) => info = message,
            (3, Value::Bytes(message)) => families.push(read_files(message)?),
            _ => {}
        }
        Ok(())
    })?;
    let (mut region_id, mut start, mut end, mut flags) = (0, Vec::new(), Vec::new(), 0);
    each_field(info, |field, value| {
        match (field, value) {
            (1, Value::Number(number)) => region_id = number as i64,
            (3, Value::Bytes(key)) => start = key.to_vec(),
            (4, Value::Bytes(key)) => end = key.to_vec(),
            (5..=7, Value::Number(flag)) => flags |= flag,
            _ => {}
        }
        Ok(())
    })?;
    Ok(RegionFiles { info: new_region(table, start, end, region_id), is_shadow: flags != 0, families })
}

fn read_files(bytes: &[u8]) -> Result<(Vec<u8>, Vec<NamedFile>), Damage> {
    let (mut family, mut files) = (Vec::new(), Vec::new());
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(name)) => family = name.to_vec(),
            (2, Value::Bytes(message)) => files.push(read_file(message)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok((family, files))
}

fn read_file(bytes: &[u8]) -> Result<NamedFile, Damage> {
    let mut file = NamedFile { name: String::new(), half: None, size_bytes: 0 };
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(name)) => file.name = read_text(name)?,
            (2, Value::Bytes(reference)) => file.half = Some(read_half(reference)?),
            (3, Value::Number(size)) => file.size_bytes = size,
            _ => {}
        }
        Ok(())
    })?;
    Ok(file)
}

fn read_half(bytes: &[u8]) -> Result<Half, Damage> {
    let mut half = Half { split_row: Vec::new(), is_top: true };
    each_field(bytes, |field, value| {
        match (field, value) {
            // A cell's flat key begins with the length of its row.
            (1, Value::Bytes([high, low, rest @ ..])) => {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                let row = rest.get(..length).ok_or_else(|| Damage::new("a key with its row", rest.len()))?;
                half.split_row = row.to_vec();
            }
            (2, Value::Number(range)) => half.is_top = range == 0,
            _ => {}
        }
        Ok(())
    })?;
    Ok(half)
}
