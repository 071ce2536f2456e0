//! Tables in the folders of a root, as they are now. Sources: HBase's `FSTableDescriptors`, `HRegionFileSystem`.
//!
//! Which regions a table has is in `hbase:meta`, whose newest rows are only in a log. So it is inferred: after a split
//! or a merge, the folders of the old regions remain for a while, and the new ones have larger ids.

use super::flushes;
use super::messages::{read_region_info, read_table_info, Manifest, RegionFiles};
use super::places::{list, name_of, read};
use super::snapshot::understood;
use crate::sys::FileSystem;
use rowstone_model::schema::{RegionInfo, TableDescriptor, TableName};
use rowstone_model::{Error, Result};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

const DESCRIPTORS: &str = ".tabledesc";
const DESCRIPTOR: &str = ".tableinfo.";
const REGION_INFO: &str = ".regioninfo";
const EDITS: &str = "recovered.edits";
/// End of the name of a file that HBase writes when all files of a region are there: by a split or a merge before
/// `hbase:meta` has the new region, and at each opening.
const OPENED: &str = ".seqid";

/// Lists tables with their regions and files: all but `hbase:meta`, or only those of `wanted`.
///
/// # Errors
/// `Io`, such as for a folder that vanishes meanwhile, and for a table whose regions have gaps: a split or a merge is
/// going on, and the next attempt may succeed. `Corruption`, `Unsupported`.
pub(super) fn read_tables(files: &dyn FileSystem, root: &Path, wanted: &[TableName]) -> Result<Vec<Manifest>> {
    let mut found = Vec::new();
    for namespace in folders(files, &root.join("data"))? {
        for table in folders(files, &namespace)? {
            let name = TableName::new(&name_of(&namespace), &name_of(&table))?;
            let is_meta = name.is_system() && name.qualifier() == "meta";
            if is_meta || !(wanted.is_empty() || wanted.contains(&name)) {
                continue;
            }
            // A table without a descriptor, or without regions, is being created or dropped.
            if let Some(descriptor) = read_descriptor(files, &table)? {
                let regions = read_regions(files, &table, &descriptor)?;
                if !regions.is_empty() {
                    found.push(Manifest { descriptor, regions });
                }
            }
        }
    }
    Ok(found)
}

/// The descriptor with the highest number: `.tableinfo.<number>.<length>`.
fn read_descriptor(files: &dyn FileSystem, table: &Path) -> Result<Option<TableDescriptor>> {
    let number = |path: &PathBuf| name_of(path).strip_prefix(DESCRIPTOR)?.split('.').next()?.parse::<u64>().ok();
    let length = |path: &PathBuf| name_of(path).rsplit('.').next()?.parse::<usize>().ok();
    let paths = list(files, &table.join(DESCRIPTORS))?;
    let mut newest: Vec<_> = paths.into_iter().filter_map(|path| Some((number(&path)?, path))).collect();
    newest.sort();
    for (_, path) in newest.iter().rev() {
        let bytes = read(files, path)?;
        // One that is shorter than its name says is being written; its predecessor is valid until then.
        if length(path).is_none_or(|length| bytes.len() == length) {
            return Ok(Some(understood(read_table_info(&bytes), path)??));
        }
    }
    Ok(None)
}

fn read_regions(files: &dyn FileSystem, table: &Path, descriptor: &TableDescriptor) -> Result<Vec<RegionFiles>> {
    let mut infos = Vec::new();
    for folder in folders(files, table)? {
        let path = folder.join(REGION_INFO);
        // A folder without it is a region that is being created or removed. HBase creates the file before it fills it.
        let bytes = if files.exists(&path) { read(files, &path)? } else { Vec::new() };
        if bytes.is_empty() {
            continue;
        }
        let (info, is_shadow) = understood(read_region_info(&bytes, &descriptor.name), &path)?;
        if !is_shadow {
            let edits = list(files, &folder.join(EDITS))?;
            let is_complete = edits.iter().any(|path| name_of(path).ends_with(OPENED));
            infos.push((info, is_complete));
        }
    }
    let mut regions = Vec::new();
    if infos.is_empty() {
        return Ok(regions);
    }
    for info in current(infos, &descriptor.name, table)? {
        let families = flushes::committed(files, &table.join(&info.encoded_name), descriptor)?;
        regions.push(RegionFiles { info, is_shadow: false, families });
    }
    Ok(regions)
}

/// The table's regions among all that have a folder, in key order. A newer region replaces those that it overlaps once
/// its split or merge has written all files. With `hbase.wal.dir`, the marks of complete regions are in another folder:
/// if no region has a mark, all count as complete.
pub(super) fn current(mut infos: Vec<(RegionInfo, bool)>, table: &TableName, folder: &Path) -> Result<Vec<RegionInfo>> {
    infos.sort_by_key(|(info, _)| Reverse(info.region_id));
    let has_marks = infos.iter().any(|(_, is_complete)| *is_complete);
    let mut chosen: Vec<RegionInfo> = Vec::new();
    for (at, (info, is_complete)) in infos.iter().enumerate() {
        let replaces = infos[at + 1..].iter().any(|(older, _)| overlaps(info, older));
        let counts = *is_complete || !has_marks || !replaces;
        if counts && chosen.iter().all(|other| !overlaps(info, other)) {
            chosen.push(info.clone());
        }
    }
    chosen.sort_by(|left, right| left.start_key.cmp(&right.start_key));
    let ends = chosen.iter().map(|info| info.end_key.as_slice());
    let expected = std::iter::once(&b""[..]).chain(ends);
    let gap = chosen.iter().map(|info| info.start_key.as_slice()).zip(expected).find(|(start, end)| start != end);
    let reaches_end = chosen.last().is_some_and(|last| last.end_key.is_empty());
    if gap.is_none() && reaches_end {
        return Ok(chosen);
    }
    let what = format!("the regions of table '{table}' do not cover all rows; a split or a merge may be going on");
    Err(Error::io("list", folder.display(), &std::io::Error::new(std::io::ErrorKind::NotFound, what)))
}

fn overlaps(left: &RegionInfo, right: &RegionInfo) -> bool {
    let begins_before =
        |left: &RegionInfo, right: &RegionInfo| right.end_key.is_empty() || left.start_key < right.end_key;
    begins_before(left, right) && begins_before(right, left)
}

fn folders(files: &dyn FileSystem, folder: &Path) -> Result<Vec<PathBuf>> {
    let paths = list(files, folder)?;
    Ok(paths.into_iter().filter(|path| !name_of(path).starts_with('.') && files.is_dir(path)).collect())
}
