//! Names of regions, their stores and files.

use md5::{Digest, Md5};
use rowstone_model::codec::printable;
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::{Error, Result};

/// Creates the region of `table` from `start_key` (included) to `end_key` (excluded), named as HBase names it.
///
/// `region_id` is the time of creation in milliseconds; see [`super::State::next_region_id`].
pub fn new_region(table: &TableName, start_key: Vec<u8>, end_key: Vec<u8>, region_id: i64) -> RegionInfo {
    let mut info = RegionInfo { table: table.clone(), start_key, end_key, region_id, encoded_name: String::new() };
    info.encoded_name = Md5::digest(info.name_without_hash()).iter().map(|byte| format!("{byte:02x}")).collect();
    info
}

/// The 16 bytes whose hex form is the encoded name: the region's key in the log.
///
/// # Errors
/// `Internal` if the encoded name does not have that form.
pub fn region_key(info: &RegionInfo) -> Result<[u8; 16]> {
    let name = &info.encoded_name;
    match u128::from_str_radix(name, 16) {
        Ok(key) if name.len() == 32 && !name.starts_with('+') => Ok(key.to_be_bytes()),
        _ => Err(Error::internal(format!("region name '{name}' is not 32 hex digits"))),
    }
}

/// The folder of a store, relative to the database's directory, as in an HBase root directory.
pub fn store_directory(info: &RegionInfo, family: &[u8]) -> String {
    let (namespace, table) = (info.table.namespace(), info.table.qualifier());
    format!("data/{namespace}/{table}/{}/{}", info.encoded_name, printable(family))
}

/// The folder of a family's MOB files, relative to the database's directory, as in an HBase root directory. They
/// belong to a dummy region, one per table.
pub fn mob_directory(table: &TableName, family: &[u8]) -> String {
    format!("mobdir/{}", store_directory(&mob_region(table), family))
}

/// The table's dummy region for MOB files.
pub fn mob_region(table: &TableName) -> RegionInfo {
    new_region(table, b".mob".to_vec(), Vec::new(), 0)
}

/// The path of the store's file `name`, relative to the database's directory.
pub fn file_path(info: &RegionInfo, family: &[u8], name: &str) -> String {
    format!("{}/{name}", store_directory(info, family))
}
