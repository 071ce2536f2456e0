//! Encoding of snapshot messages.

use super::{Manifest, NamedFile, LAYOUT_VERSION};
use crate::hfile::format::proto::{put_bytes, put_number};
use crate::manifest::SnapshotEntry;
use rowstone_model::cell::first_on_row;
use rowstone_model::schema::{RegionInfo, TableDescriptor, TableName};
use std::collections::BTreeMap;

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
