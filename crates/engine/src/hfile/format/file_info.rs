//! The file info block: properties of the file by name, with values as Java wrote them (big-endian, untyped).
//!
//! ```text
//! "PBUF" | varint length | message { repeated { bytes name = 1; bytes value = 2 } = 1 }      sorted by name
//! ```

use super::proto::{each_field, put_bytes, take_delimited, Value};
use super::Damage;
use rowstone_model::codec::{printable, write_varint, Reader};

/// Prefix of HBase's protobuf values.
pub const PROTOBUF_MAGIC: &[u8; 4] = b"PBUF";

/// Names of the properties that are read or written; HBase's, byte for byte.
pub mod names {
    #![allow(missing_docs, reason = "the names are their own documentation; the storage notes list their meaning")]
    pub const LAST_KEY: &[u8] = b"hfile.LASTKEY";
    pub const AVERAGE_KEY_LEN: &[u8] = b"hfile.AVG_KEY_LEN";
    pub const AVERAGE_VALUE_LEN: &[u8] = b"hfile.AVG_VALUE_LEN";
    pub const CREATE_TIME: &[u8] = b"hfile.CREATE_TIME_TS";
    pub const KEY_OF_BIGGEST_CELL: &[u8] = b"hfile.KEY_OF_BIGGEST_CELL";
    pub const LEN_OF_BIGGEST_CELL: &[u8] = b"hfile.LEN_OF_BIGGEST_CELL";
    pub const MAX_TAGS_LEN: &[u8] = b"hfile.MAX_TAGS_LEN";
    pub const TAGS_COMPRESSED: &[u8] = b"hfile.TAGS_COMPRESSED";
    pub const KEY_VALUE_VERSION: &[u8] = b"KEY_VALUE_VERSION";
    pub const MAX_MEMSTORE_TS: &[u8] = b"MAX_MEMSTORE_TS_KEY";
    pub const DATA_BLOCK_ENCODING: &[u8] = b"DATA_BLOCK_ENCODING";
    pub const INDEX_BLOCK_ENCODING: &[u8] = b"INDEX_BLOCK_ENCODING";
    pub const MAX_SEQUENCE_ID: &[u8] = b"MAX_SEQ_ID_KEY";
    pub const MAJOR_COMPACTION: &[u8] = b"MAJOR_COMPACTION_KEY";
    pub const COMPACTION_EVENT: &[u8] = b"COMPACTION_EVENT_KEY";
    pub const TIME_RANGE: &[u8] = b"TIMERANGE";
    pub const EARLIEST_PUT: &[u8] = b"EARLIEST_PUT_TS";
    pub const DELETE_FAMILY_COUNT: &[u8] = b"DELETE_FAMILY_COUNT";
    pub const BLOOM_TYPE: &[u8] = b"BLOOM_FILTER_TYPE";
    pub const BLOOM_PARAMETER: &[u8] = b"BLOOM_FILTER_PARAM";
    pub const LAST_BLOOM_KEY: &[u8] = b"LAST_BLOOM_KEY";
    pub const BULK_LOAD_TIME: &[u8] = b"BULKLOAD_TIMESTAMP";
    pub const KEEPS_SEQUENCE_IDS: &[u8] = b"SKIP_RESET_SEQ_ID";
    pub const MOB_CELLS_COUNT: &[u8] = b"MOB_CELLS_COUNT";
    pub const MOB_FILE_REFS: &[u8] = b"MOB_FILE_REFS";
    pub const HISTORICAL: &[u8] = b"HISTORICAL";
    /// Ours: the random name that a store gave the file. It ensures that no two files end with the same bytes.
    pub const OWN_NAME: &[u8] = b"rowstone.NAME";
}

/// Name and value.
type Property = (Box<[u8]>, Box<[u8]>);

/// Properties by name. Every open file keeps them, so they are a sorted list without spare room: a map of a dozen
/// properties takes a kilobyte more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileInfo {
    entries: Vec<Property>,
}

fn pair(message: &[u8]) -> Result<(Vec<u8>, Vec<u8>), Damage> {
    let (mut name, mut value) = (Vec::new(), Vec::new());
    each_field(message, |field, content| {
        match (field, content) {
            (1, Value::Bytes(bytes)) => name = bytes.to_vec(),
            (2, Value::Bytes(bytes)) => value = bytes.to_vec(),
            _ => {}
        }
        Ok(())
    })?;
    Ok((name, value))
}

impl FileInfo {
    /// Parses the content of a file info block.
    pub fn parse(content: &[u8]) -> Result<Self, Damage> {
        let mut reader = Reader::new(content);
        let magic = reader.take(4)?;
        if magic != PROTOBUF_MAGIC {
            return Err(Damage::new("file info that begins with PBUF", printable(magic)));
        }
        let message = take_delimited(&mut reader)?;
        let mut info = FileInfo::default();
        each_field(message, |field, value| {
            if let (1, Value::Bytes(bytes)) = (field, value) {
                let (name, value) = pair(bytes)?;
                info.set(&name, value);
            }
            Ok(())
        })?;
        info.entries.shrink_to_fit();
        Ok(info)
    }

    /// The content of the file info block.
    pub fn write(&self) -> Vec<u8> {
        let mut message = Vec::new();
        for (name, value) in &self.entries {
            let mut entry = Vec::with_capacity(name.len() + value.len() + 6);
            put_bytes(&mut entry, 1, name);
            put_bytes(&mut entry, 2, value);
            put_bytes(&mut message, 1, &entry);
        }
        let mut content = PROTOBUF_MAGIC.to_vec();
        write_varint(&mut content, message.len() as u64);
        content.extend_from_slice(&message);
        content
    }

    /// Sets a property.
    pub fn set(&mut self, name: &[u8], value: impl Into<Vec<u8>>) {
        let value = value.into().into_boxed_slice();
        match self.find(name) {
            Ok(index) => self.entries[index].1 = value,
            Err(index) => self.entries.insert(index, (name.into(), value)),
        }
    }

    /// Sets a property to an eight-byte number.
    pub fn set_i64(&mut self, name: &[u8], value: i64) {
        self.set(name, value.to_be_bytes());
    }

    /// Sets a property to a four-byte number.
    pub fn set_i32(&mut self, name: &[u8], value: i32) {
        self.set(name, value.to_be_bytes());
    }

    /// Sets a property to true or false, which Java's `Bytes` writes as FF and 00.
    pub fn set_bool(&mut self, name: &[u8], value: bool) {
        self.set(name, if value { [0xff] } else { [0] });
    }

    /// The property's bytes.
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.find(name).ok().map(|index| &*self.entries[index].1)
    }

    /// The index of a property, or the one where it would be.
    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.entries.binary_search_by(|(known, _)| (**known).cmp(name))
    }

    fn array<const N: usize>(&self, name: &[u8]) -> Result<Option<[u8; N]>, Damage> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match value.try_into() {
            Ok(array) => Ok(Some(array)),
            Err(_) => Err(Damage::new(
                format_args!("{N} bytes in {}", printable(name)),
                format_args!("{} bytes", value.len()),
            )),
        }
    }

    /// The property as an eight-byte number.
    pub fn get_i64(&self, name: &[u8]) -> Result<Option<i64>, Damage> {
        Ok(self.array(name)?.map(i64::from_be_bytes))
    }

    /// The property as a four-byte number.
    pub fn get_i32(&self, name: &[u8]) -> Result<Option<i32>, Damage> {
        Ok(self.array(name)?.map(i32::from_be_bytes))
    }

    /// The property as a boolean: any byte but 00 is true.
    pub fn get_bool(&self, name: &[u8]) -> Result<Option<bool>, Damage> {
        Ok(self.array::<1>(name)?.map(|[byte]| byte != 0))
    }

    /// The timestamps of the cells, both included: 16 bytes, or the protobuf form of 3.x. `None` if the property is
    /// missing or there are no cells.
    pub fn time_range(&self) -> Result<Option<(i64, i64)>, Damage> {
        let Some(value) = self.get(names::TIME_RANGE) else { return Ok(None) };
        let (mut from, mut to) = (i64::MAX, -1);
        if let Some(message) = value.strip_prefix(PROTOBUF_MAGIC.as_slice()) {
            each_field(message, |field, value| {
                match (field, value) {
                    (1, Value::Number(number)) => from = number as i64,
                    (2, Value::Number(number)) => to = number as i64,
                    _ => {}
                }
                Ok(())
            })?;
        } else {
            let mut reader = Reader::new(value);
            (from, to) = (reader.i64()?, reader.i64()?);
        }
        Ok((from <= to).then_some((from, to)))
    }

    /// All properties, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.entries.iter().map(|(name, value)| (&**name, &**value))
    }
}
