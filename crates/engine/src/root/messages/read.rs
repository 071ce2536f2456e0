//! Decoding of messages.

use super::{Description, Manifest, NamedFile, RegionFiles};
use crate::hfile::format::file_info::PROTOBUF_MAGIC;
use crate::hfile::format::proto::{each_field, take_delimited, Value};
use crate::hfile::format::Damage;
use crate::manifest::{new_region, Half};
use rowstone_model::codec::{printable, Reader, Short};
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableName};
use rowstone_model::Result as ModelResult;
use std::collections::BTreeMap;

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
    let (info, is_shadow) = region_of(info, table)?;
    Ok(RegionFiles { info, is_shadow, families })
}

/// A region, and whether it has no rows of its own.
fn region_of(info: &[u8], table: &TableName) -> Result<(RegionInfo, bool), Damage> {
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
    // Files of large values belong to a region that has no rows, which a manifest lists like any other.
    let is_mob_region = region_id == 0 && start == b".mob";
    Ok((new_region(table, start, end, region_id), flags != 0 || is_mob_region))
}

/// Parses a file `.regioninfo`: a region of `table`, and whether it has no rows of its own.
pub fn read_region_info(bytes: &[u8], table: &TableName) -> Result<(RegionInfo, bool), Damage> {
    let message = take_delimited(&mut Reader::new(after_magic(bytes)?))?;
    region_of(message, table)
}

/// Parses a file `.tableinfo`. The outer error is about the bytes, the inner one about their contents.
pub fn read_table_info(bytes: &[u8]) -> Result<ModelResult<TableDescriptor>, Damage> {
    read_schema(after_magic(bytes)?)
}

/// Parses a reference to a half of a file.
pub fn read_reference(bytes: &[u8]) -> Result<Half, Damage> {
    read_half(after_magic(bytes)?)
}

fn after_magic(bytes: &[u8]) -> Result<&[u8], Damage> {
    let found = || printable(bytes.get(..PROTOBUF_MAGIC.len()).unwrap_or(bytes));
    bytes.strip_prefix(PROTOBUF_MAGIC).ok_or_else(|| Damage::new("PBUF at the start", found()))
}

/// Parses a list of the FILE store file tracker: its time, and the files. `None` if its end is missing.
pub fn read_tracked(bytes: &[u8]) -> Result<Option<(u64, Vec<NamedFile>)>, Damage> {
    let mut reader = Reader::new(bytes);
    let mut parts = || Ok::<_, Short>((reader.u32().and_then(|length| reader.take(length as usize))?, reader.u32()?));
    let Ok((message, sum)) = parts() else { return Ok(None) };
    let computed = crc32fast::hash(message);
    if computed != sum {
        return Err(Damage::new(format_args!("checksum {sum:#010x}"), format_args!("{computed:#010x}")));
    }
    let (mut time, mut files) = (0, Vec::new());
    each_field(message, |field, value| {
        match (field, value) {
            (1, Value::Number(number)) => time = number,
            (2, Value::Bytes(message)) => files.push(read_tracked_file(message)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(Some((time, files)))
}

fn read_tracked_file(bytes: &[u8]) -> Result<NamedFile, Damage> {
    let mut file = NamedFile { name: String::new(), half: None, size_bytes: 0 };
    each_field(bytes, |field, value| {
        match (field, value) {
            (1, Value::Bytes(name)) => file.name = read_text(name)?,
            (2, Value::Number(size)) => file.size_bytes = size,
            _ => {}
        }
        Ok(())
    })?;
    Ok(file)
}

/// Parses the property `COMPACTION_EVENT_KEY`: the names of the files that were compacted into this one.
pub fn read_compacted(bytes: &[u8]) -> Result<Vec<String>, Damage> {
    let mut names = Vec::new();
    each_field(after_magic(bytes)?, |field, value| {
        if let (1, Value::Bytes(name)) = (field, value) {
            names.push(read_text(name)?);
        }
        Ok(())
    })?;
    Ok(names)
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
