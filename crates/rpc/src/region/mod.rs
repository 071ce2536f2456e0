//! Regions and their locations, as read from `hbase:meta` and as learned since.

mod cache;
mod location;
mod meta;

pub use cache::{Position, TableRegions};
pub use location::Location;
pub use meta::{all_regions, encoded_name, every_region, meta_location, regions_at, table_range, MetaRow};
