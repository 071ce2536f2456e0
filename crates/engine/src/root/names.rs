//! Names of store files: a file, a link to one of another table, a reference to half of one.
//!
//! ```text
//! <32 hex digits>                        a file of the store; bulk loaded ones end in _SeqId_<number>_
//! <table>=<region>-<file>                a link, in a cloned table; <namespace>=<table>=... outside `default`
//! <either>.<region>                      a reference to the parent region's file, after a split or a merge
//! ```
//!
//! Sources: HBase's `StoreFileInfo`, `HFileLink`, `Reference`.

use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::{Error, Result};

/// The store file that a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The table to whose folder it belongs.
    pub table: TableName,
    /// The encoded name of the region.
    pub region: String,
    /// The file's own name.
    pub file: String,
}

/// Form of a name in a store's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The file itself.
    File,
    /// A link.
    Link,
    /// A reference, possibly to a link.
    Reference,
}

/// The form of a name; `None` if it is not the name of a store file.
pub(super) fn form_of(name: &str) -> Option<Form> {
    // The name of a table, and thus of a link, may contain dots.
    let (base, parent) = match name.rsplit_once('.') {
        Some((base, parent)) if is_plain(parent) => (base, Some(parent)),
        _ => (name, None),
    };
    let is_link = base.rsplit_once('=').is_some_and(|(_, rest)| rest.contains('-'));
    match (parent, is_link) {
        (Some(_), _) if is_link || is_file_name(base) => Some(Form::Reference),
        (None, true) => Some(Form::Link),
        (None, false) if is_file_name(base) => Some(Form::File),
        _ => None,
    }
}

/// Whether HBase takes it for the name of a store file: `StoreFileInfo.HFILE_NAME_REGEX`.
fn is_file_name(name: &str) -> bool {
    let digits = match name.split_once('_') {
        None => name,
        Some((digits, "del")) => digits,
        Some((digits, _)) if sequence_id_in(name).is_some() => digits,
        Some(_) => return false,
    };
    !digits.is_empty() && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Parses the name of a file of `region`. `is_half` says whether it is a reference.
///
/// # Errors
/// `InvalidArgument` for a name that HBase does not write.
pub fn meaning_of(region: &RegionInfo, name: &str, is_half: bool) -> Result<Meant> {
    let strange = || Error::invalid(format!("'{name}' is not the name of a store file"));
    let (base, parent) = if is_half {
        name.rsplit_once('.').map(|(base, parent)| (base, Some(parent))).ok_or_else(strange)?
    } else {
        (name, None)
    };
    let meant = match base.rsplit_once('=') {
        None => {
            let region_name = parent.unwrap_or(&region.encoded_name);
            Meant { table: region.table.clone(), region: region_name.to_string(), file: base.to_string() }
        }
        Some((table, rest)) => {
            let (region, file) = rest.split_once('-').ok_or_else(strange)?;
            let (namespace, qualifier) = table.split_once('=').unwrap_or(("default", table));
            Meant { table: TableName::new(namespace, qualifier)?, region: region.to_string(), file: file.to_string() }
        }
    };
    // These names become part of a path.
    if is_plain(&meant.region) && is_plain(&meant.file) {
        Ok(meant)
    } else {
        Err(strange())
    }
}

fn is_plain(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Sequence id in the name of a bulk-loaded file, such as `_SeqId_17_` at its end.
pub fn sequence_id_in(name: &str) -> Option<u64> {
    name.strip_suffix('_')?.rsplit_once("_SeqId_")?.1.parse().ok()
}

/// The folder of a family, as HBase names it.
pub fn family_folder(family: &[u8]) -> String {
    String::from_utf8_lossy(family).into_owned()
}
