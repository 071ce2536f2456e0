//! A log file of HBase. Sources: `ProtobufWALStreamReader`, `WALCellCodec`, `WALKeyImpl`.
//!
//! ```text
//! "PWAL" | varint length | header message
//! entries: varint length | key message: region, table, sequence id, time, number of cells | the cells
//! trailer, after a clean end: message | u32 length | "LAWP"
//!
//! cell             u32 length | serialized KeyValue, with tags if it has any
//! compressed cell  varint lengths of key, value and tags | row, family, qualifier from dictionaries
//!                  | i64 timestamp | u8 type | value | tags, from a dictionary or as they are
//! ```

use super::dictionary::{Dictionary, FEW, MANY};
use crate::hfile::format::proto::{each_field, Value};
use crate::hfile::format::Damage;
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::codec::{printable, Reader, Short};

const MAGIC: &[u8; 4] = b"PWAL";
const END_MAGIC: &[u8; 4] = b"LAWP";
/// An empty trailer.
const TRAILER: &[u8; 8] = b"\0\0\0\0LAWP";
const CODEC: &[u8] = b"org.apache.hadoop.hbase.regionserver.wal.WALCellCodec";
/// Bytes of a flat key without row, family and qualifier.
const KEY_BYTES: usize = 12;
const MAX_ROW_BYTES: usize = i16::MAX as usize;
const MAX_FAMILY_BYTES: usize = i8::MAX as usize;

/// One atomic write.
pub(super) struct Entry {
    /// The encoded name of the region.
    pub region: Vec<u8>,
    pub sequence_id: u64,
    pub write_time_ms: i64,
    pub cells: CellBuffer,
}

/// Reason why the rest of a log is not read.
pub(super) enum Stop {
    /// The file ends inside an entry: a crash left it so, or it is being written.
    Torn,
    /// The file is encrypted, or its values are compressed.
    Unsupported(String),
    /// Anything else.
    Damaged(Damage, u64),
}

/// The form of a log's entries, from its header.
#[derive(Default)]
struct Form {
    is_compressed: bool,
    has_compressed_tags: bool,
    has_compressed_values: bool,
    is_encrypted: bool,
    /// The class that wrote the cells, if it is not HBase's.
    foreign_codec: Option<String>,
}

impl Form {
    /// The reason not to read such a log; `None` to read it.
    fn refusal(&self) -> Option<String> {
        if self.is_encrypted {
            return Some("it is encrypted".to_string());
        }
        if self.has_compressed_values {
            return Some("its values are compressed".to_string());
        }
        self.foreign_codec.as_ref().map(|class| format!("its cells were written by {class}"))
    }
}

/// Dictionaries of a compressed log.
struct Dictionaries {
    regions: Dictionary,
    tables: Dictionary,
    families: Dictionary,
    qualifiers: Dictionary,
    rows: Dictionary,
    tags: Dictionary,
}

impl Dictionaries {
    /// Empty ones. A log of a single region has one place for its name.
    fn new(is_of_region: bool) -> Self {
        let names = || Dictionary::new(if is_of_region { 1 } else { MANY });
        Dictionaries {
            regions: names(),
            tables: names(),
            families: Dictionary::new(FEW),
            qualifiers: Dictionary::new(FEW),
            rows: Dictionary::new(MANY),
            tags: Dictionary::new(MANY),
        }
    }
}

/// Passes every entry of the log in `bytes` to `visit`. `is_of_region` says that it has entries of a single region.
pub(super) fn read(bytes: &[u8], is_of_region: bool, visit: &mut dyn FnMut(Entry)) -> Result<(), Stop> {
    let entries = without_trailer(bytes);
    let was_closed = entries.len() < bytes.len();
    let mut reader = Reader::new(entries);
    let form = match read_header(&mut reader) {
        Ok(form) => form,
        Err(Failure::End) => return Err(Stop::Torn),
        Err(Failure::Damage(damage)) => return Err(Stop::Damaged(damage, 0)),
    };
    if let Some(what) = form.refusal() {
        return Err(Stop::Unsupported(what));
    }
    let mut dictionaries = Dictionaries::new(is_of_region);
    // The beginning of a trailer is the end too.
    while !TRAILER.starts_with(reader.rest()) {
        let offset = reader.offset();
        match read_entry(&mut reader, &form, &mut dictionaries) {
            Ok(entry) => visit(entry),
            Err(Failure::End) if was_closed => {
                let damage = Damage::new("a whole entry before the trailer", "its beginning");
                return Err(Stop::Damaged(damage, offset as u64));
            }
            Err(Failure::End) => return Err(Stop::Torn),
            Err(Failure::Damage(damage)) => return Err(Stop::Damaged(damage, offset as u64)),
        }
    }
    Ok(())
}

/// The log without the trailer of a clean end.
fn without_trailer(bytes: &[u8]) -> &[u8] {
    let Some(rest) = bytes.strip_suffix(END_MAGIC) else { return bytes };
    let Some((rest, length)) = rest.split_last_chunk::<4>() else { return bytes };
    let length = u32::from_be_bytes(*length) as usize;
    rest.len().checked_sub(length).and_then(|end| rest.get(..end)).unwrap_or(bytes)
}

fn read_header(reader: &mut Reader<'_>) -> Result<Form, Failure> {
    let magic = reader.take(MAGIC.len())?;
    if magic != MAGIC {
        return Err(Damage::new("PWAL at the start", printable(magic)).into());
    }
    let mut form = Form::default();
    each_field(take_message(reader)?, |field, value| {
        match (field, value) {
            (1, Value::Number(flag)) => form.is_compressed = flag != 0,
            (2, Value::Bytes(_)) => form.is_encrypted = true,
            (5, Value::Bytes(class)) if class != CODEC => form.foreign_codec = Some(printable(class)),
            (3, Value::Number(flag)) => form.has_compressed_tags = flag != 0,
            (6, Value::Number(flag)) => form.has_compressed_values = flag != 0,
            _ => {}
        }
        Ok(())
    })?;
    Ok(form)
}

/// Reason why an entry cannot be read.
pub(super) enum Failure {
    /// The file ends inside it.
    End,
    Damage(Damage),
}

impl From<Damage> for Failure {
    fn from(damage: Damage) -> Self {
        Failure::Damage(damage)
    }
}

impl From<Short> for Failure {
    fn from(_: Short) -> Self {
        Failure::End
    }
}

/// For a message that is there as a whole.
impl From<Failure> for Damage {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::End => Damage::new("a whole entry of a dictionary", "its beginning"),
            Failure::Damage(damage) => damage,
        }
    }
}

fn take_message<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Short> {
    let length = reader.varint()?;
    reader.take(usize::try_from(length).unwrap_or(usize::MAX))
}

fn read_entry(reader: &mut Reader<'_>, form: &Form, known: &mut Dictionaries) -> Result<Entry, Failure> {
    let message = take_message(reader)?;
    if message.is_empty() {
        return Err(Damage::new("the key of an entry", "none").into());
    }
    let mut entry = Entry { region: Vec::new(), sequence_id: 0, write_time_ms: 0, cells: CellBuffer::new() };
    let count = read_key(message, form, known, &mut entry)?;
    for _ in 0..count {
        if form.is_compressed {
            read_compressed_cell(reader, form, known, &mut entry.cells)?;
        } else {
            let length = reader.u32()? as usize;
            entry.cells.push_key_value(reader.take(length)?).map_err(Damage::from)?;
        }
    }
    Ok(entry)
}

/// Reads the key of an entry; returns the number of its cells.
fn read_key(message: &[u8], form: &Form, known: &mut Dictionaries, entry: &mut Entry) -> Result<u64, Damage> {
    let (mut count, mut families) = (0, Vec::new());
    each_field(message, |field, value| {
        match (field, value) {
            (1, Value::Bytes(name)) if form.is_compressed => {
                entry.region = known.regions.read(&mut Reader::new(name))?;
            }
            (1, Value::Bytes(name)) => entry.region = name.to_vec(),
            (2, Value::Bytes(name)) if form.is_compressed => drop(known.tables.read(&mut Reader::new(name))?),
            (3, Value::Number(number)) => entry.sequence_id = number,
            (4, Value::Number(number)) => entry.write_time_ms = number as i64,
            (6, Value::Bytes(scope)) if form.is_compressed => families.push(scope),
            (7, Value::Number(number)) => count = number,
            _ => {}
        }
        Ok(())
    })?;
    for scope in families {
        each_field(scope, |field, value| {
            if let (1, Value::Bytes(family)) = (field, value) {
                known.families.read(&mut Reader::new(family))?;
            }
            Ok(())
        })?;
    }
    Ok(count)
}

fn read_compressed_cell(
    reader: &mut Reader<'_>,
    form: &Form,
    known: &mut Dictionaries,
    out: &mut CellBuffer,
) -> Result<(), Failure> {
    let mut length = || Ok::<_, Failure>(usize::try_from(reader.varint()?).unwrap_or(usize::MAX));
    let (key_bytes, value_bytes, tags_bytes) = (length()?, length()?, length()?);
    let row = known.rows.read(reader)?;
    let family = known.families.read(reader)?;
    let qualifier = known.qualifiers.read(reader)?;
    let found = KEY_BYTES + row.len() + family.len() + qualifier.len();
    if found != key_bytes || row.len() > MAX_ROW_BYTES || family.len() > MAX_FAMILY_BYTES {
        return Err(Damage::new(format_args!("a key of {key_bytes} bytes"), format_args!("one of {found}")).into());
    }
    let timestamp = reader.i64()?;
    let code = reader.u8()?;
    let cell_type =
        CellType::from_code(code).ok_or_else(|| Damage::new("the type of a cell", format_args!("{code}")))?;
    let value = reader.take(value_bytes)?;
    let mut tags = Vec::new();
    if form.has_compressed_tags {
        while tags.len() < tags_bytes {
            let tag = known.tags.read(reader)?;
            tags.extend_from_slice(&(tag.len() as u16).to_be_bytes());
            tags.extend_from_slice(&tag);
        }
    } else {
        tags.extend_from_slice(reader.take(tags_bytes)?);
    }
    out.push(CellParts { row: &row, family: &family, qualifier: &qualifier, timestamp, cell_type, value, tags: &tags });
    Ok(())
}
