//! Statistics of a file's cells for its file info, collected while the cells are written.

use super::options::{FileFacts, WriterOptions};
use crate::hfile::format::file_info::{names, PROTOBUF_MAGIC};
use crate::hfile::format::{proto, FileInfo};
use rowstone_model::cell::{Cell, CellType, LATEST_TIMESTAMP};
use rowstone_model::schema::Encoding;

/// Counts, extremes and keys of the cells so far.
#[derive(Debug, Clone)]
pub struct Statistics {
    /// Number of cells.
    pub entry_count: u64,
    /// Flat key of the first cell.
    pub first_key: Vec<u8>,
    /// Smallest timestamp, included.
    pub min_timestamp: i64,
    /// See `min_timestamp`.
    pub max_timestamp: i64,
    key_bytes: u64,
    value_bytes: u64,
    biggest_key: Vec<u8>,
    biggest_len: usize,
    max_tags_len: usize,
    max_sequence_id: u64,
    earliest_put: i64,
    family_delete_count: u64,
}

impl Default for Statistics {
    fn default() -> Self {
        Statistics {
            entry_count: 0,
            first_key: Vec::new(),
            min_timestamp: LATEST_TIMESTAMP,
            max_timestamp: -1,
            key_bytes: 0,
            value_bytes: 0,
            biggest_key: Vec::new(),
            biggest_len: 0,
            max_tags_len: 0,
            max_sequence_id: 0,
            earliest_put: LATEST_TIMESTAMP,
            family_delete_count: 0,
        }
    }
}

impl Statistics {
    /// Adds a cell to the statistics.
    #[inline]
    pub fn add(&mut self, cell: &Cell<'_>) {
        if self.entry_count == 0 {
            self.first_key = cell.key().to_vec();
        }
        self.entry_count += 1;
        self.key_bytes += cell.key().len() as u64;
        self.value_bytes += cell.value().len() as u64;
        let tags = cell.tags().len();
        // The length as HBase estimates it on the wire, with a length field before the KeyValue.
        let length = 12 + cell.key().len() + cell.value().len() + if tags > 0 { 2 + tags } else { 0 };
        if length > self.biggest_len {
            self.biggest_len = length;
            self.biggest_key.clear();
            self.biggest_key.extend_from_slice(cell.key());
        }
        self.max_tags_len = self.max_tags_len.max(tags);
        self.max_sequence_id = self.max_sequence_id.max(cell.sequence_id());
        let timestamp = cell.timestamp();
        self.min_timestamp = self.min_timestamp.min(timestamp);
        self.max_timestamp = self.max_timestamp.max(timestamp);
        match cell.cell_type() {
            CellType::Put => self.earliest_put = self.earliest_put.min(timestamp),
            // Such a marker covers all older cells: no reader may skip the file because of its age.
            CellType::DeleteColumn | CellType::DeleteFamily => self.min_timestamp = self.min_timestamp.min(0),
            _ => {}
        }
        if cell.cell_type().is_family_delete() {
            self.family_delete_count += 1;
        }
    }

    fn average(&self, sum: u64) -> i32 {
        sum.checked_div(self.entry_count).unwrap_or(0) as i32
    }

    /// The file info of a file with these cells, without Bloom filter properties.
    pub fn file_info(&self, options: &WriterOptions, facts: &FileFacts, last_key: &[u8]) -> FileInfo {
        let mut info = FileInfo::default();
        if self.entry_count > 0 {
            info.set(names::LAST_KEY, last_key);
            info.set(names::KEY_OF_BIGGEST_CELL, self.biggest_key.as_slice());
            info.set_i64(names::LEN_OF_BIGGEST_CELL, self.biggest_len as i64);
        }
        info.set_i32(names::AVERAGE_KEY_LEN, self.average(self.key_bytes));
        info.set_i32(names::AVERAGE_VALUE_LEN, self.average(self.value_bytes));
        info.set_i64(names::CREATE_TIME, options.create_time_ms);
        if options.include_tags {
            info.set_i32(names::MAX_TAGS_LEN, self.max_tags_len as i32);
            info.set_bool(names::TAGS_COMPRESSED, options.compress_tags && options.encoding != Encoding::None);
        }
        if options.include_sequence_ids {
            info.set_i32(names::KEY_VALUE_VERSION, 1);
            info.set_i64(names::MAX_MEMSTORE_TS, self.max_sequence_id as i64);
        }
        if options.encoding != Encoding::None {
            info.set(names::DATA_BLOCK_ENCODING, options.encoding.name());
        }
        let mut range = self.min_timestamp.to_be_bytes().to_vec();
        range.extend_from_slice(&self.max_timestamp.to_be_bytes());
        info.set(names::TIME_RANGE, range);
        info.set_i64(names::EARLIEST_PUT, self.earliest_put);
        info.set_i64(names::DELETE_FAMILY_COUNT, self.family_delete_count as i64);
        info.set_i64(names::MAX_SEQUENCE_ID, facts.max_sequence_id as i64);
        info.set_bool(names::MAJOR_COMPACTION, facts.is_major);
        info.set_bool(names::HISTORICAL, false);
        let mut event = PROTOBUF_MAGIC.to_vec();
        for file in &facts.compacted_files {
            proto::put_bytes(&mut event, 1, file.as_bytes());
        }
        info.set(names::COMPACTION_EVENT, event);
        for (name, value) in &facts.extra_info {
            info.set(name, value.as_slice());
        }
        info
    }
}
