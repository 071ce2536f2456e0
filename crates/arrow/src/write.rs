//! Another's batches as puts: a row for each record, a cell for each value that is there.

use crate::encode::Encoding;
use crate::import::{Batch, StreamReader, Type, Value, View};
use rowstone_model::backend::TableBackend;
use rowstone_model::cell::{check_row, check_timestamp, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::codec::printable;
use rowstone_model::operations::{Durability, Mutation, MutationKind};
use rowstone_model::{Error, Result};

/// Bytes of cells that go to the store in one call, about: HBase's `hbase.client.write.buffer`.
const PIECE_BYTES: usize = 2 << 20;
/// Rows that go to the store in one call.
const PIECE_ROWS: usize = 20_000;

/// A column of the source, and what becomes of it.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its place in the source.
    pub index: usize,
    /// The name of its codec; `None` for what its type suggests.
    pub codec: Option<String>,
}

/// A column of the source, and the one of the table that it is written to.
#[derive(Debug, Clone)]
pub struct Target {
    /// Where it comes from.
    pub part: Part,
    /// The family.
    pub family: Vec<u8>,
    /// The qualifier.
    pub qualifier: Vec<u8>,
}

/// What is written of a source.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Row keys.
    pub key: Part,
    /// Values.
    pub targets: Vec<Target>,
    /// The timestamp of all cells; `None` for the time of the write.
    pub timestamp: Option<i64>,
    /// The place of a column with timestamps, instead.
    pub timestamps: Option<usize>,
    /// Time to live of the cells, in milliseconds.
    pub ttl_ms: Option<i64>,
    /// When a write counts as done.
    pub durability: Durability,
}

/// A column as it is read: its name, its type, the way to bytes.
struct Source {
    index: usize,
    name: String,
    found: Type,
    encoding: Encoding,
}

/// A source on its way into a table.
pub struct FrameWriter {
    reader: StreamReader,
    plan: Plan,
    key: Source,
    sources: Vec<Source>,
    timestamps: Option<Source>,
    batch: Option<Batch>,
    next: usize,
    /// Records before those of the batch.
    before: u64,
    /// Rows that were written.
    rows_written: u64,
}

impl FrameWriter {
    /// The way of `reader`'s columns into a table.
    ///
    /// # Errors
    /// `InvalidArgument` for a column of a type that cannot be written as the plan says; it names both.
    pub fn new(reader: StreamReader, plan: Plan) -> Result<Self> {
        let key = source(&reader, &plan.key)?;
        let sources = plan.targets.iter().map(|target| source(&reader, &target.part)).collect::<Result<_>>()?;
        let timestamps = match plan.timestamps {
            None => None,
            Some(index) => {
                let is_instant = matches!(reader.columns()[index].found, Ok(Type::Instant { .. }));
                let codec = Some(if is_instant { "datetime" } else { "int64" }.to_string());
                Some(source(&reader, &Part { index, codec })?)
            }
        };
        let (batch, next, before, rows_written) = (None, 0, 0, 0);
        Ok(FrameWriter { reader, plan, key, sources, timestamps, batch, next, before, rows_written })
    }

    /// Rows that were written so far.
    pub fn rows_written(&self) -> u64 {
        self.rows_written
    }

    /// Writes some more rows; false at the end.
    ///
    /// # Errors
    /// What the source or the store met; `InvalidArgument` for a record that cannot be written, with its number and column.
    /// Where it is the record, all before it are written and none behind it.
    pub fn step(&mut self, table: &dyn TableBackend) -> Result<bool> {
        if self.batch.as_ref().is_none_or(|batch| self.next >= batch.length()) {
            self.before += self.next as u64;
            (self.batch, self.next) = (self.reader.next_batch()?, 0);
        }
        let Some(batch) = &self.batch else { return Ok(false) };
        let mut piece = Piece::default();
        let filled = self.fill(batch, &mut piece);
        self.next += piece.records;
        let numbers = piece.numbers;
        let keys: Vec<_> = piece.mutations.iter().map(|mutation| mutation.row.to_vec()).collect();
        let mut failed = None;
        for (place, result) in table.mutate_many(piece.mutations).into_iter().enumerate() {
            match result {
                Ok(()) => self.rows_written += 1,
                Err(error) => {
                    let (number, key) = (numbers.get(place), keys.get(place).map(|key| printable(key)));
                    let named = format!("row {} ('{}')", number.unwrap_or(&0), key.unwrap_or_default());
                    failed.get_or_insert_with(|| error.context(named));
                }
            }
        }
        failed.map_or(Ok(()), Err).and(filled).map(|()| true)
    }

    /// Fills `piece` with records of the batch, up to its end, a full piece or a record that cannot be written.
    fn fill(&self, batch: &Batch, piece: &mut Piece) -> Result<()> {
        let key = batch.column(self.key.index, &self.key.found)?;
        let views = self.sources.iter().map(|source| batch.column(source.index, &source.found));
        let views = views.collect::<Result<Vec<_>>>()?;
        let stamps = self.timestamps.as_ref().map(|source| batch.column(source.index, &source.found)).transpose()?;
        let mut value = Vec::new();
        while piece.has_room() && self.next + piece.records < batch.length() {
            let row = self.next + piece.records;
            let number = self.before + row as u64;
            let wrong = |name: &str, reason: String| {
                Error::invalid(format!("row {number}, column '{name}': {reason} (rows are counted from 0)"))
            };
            value.clear();
            self.key.write(&key, row, &mut value).map_err(|reason| wrong(&self.key.name, reason))?;
            check_row(&value).map_err(|error| wrong(&self.key.name, error.message().to_string()))?;
            let mut mutation = Mutation::new(MutationKind::Put, &value);
            (mutation.ttl_ms, mutation.durability) = (self.plan.ttl_ms, self.plan.durability);
            mutation.timestamp = self.timestamp(stamps.as_ref(), row).map_err(|(name, reason)| wrong(name, reason))?;
            for ((source, target), view) in self.sources.iter().zip(&self.plan.targets).zip(&views) {
                if view.get(row) == Value::Null {
                    continue;
                }
                value.clear();
                source.write(view, row, &mut value).map_err(|reason| wrong(&source.name, reason))?;
                mutation.cells.push(CellParts {
                    row: &mutation.row,
                    family: &target.family,
                    qualifier: &target.qualifier,
                    timestamp: mutation.timestamp,
                    cell_type: CellType::Put,
                    value: &value,
                    tags: &[],
                });
            }
            piece.add(mutation, number);
        }
        Ok(())
    }

    fn timestamp(&self, stamps: Option<&View<'_>>, row: usize) -> std::result::Result<i64, (&str, String)> {
        let (Some(source), Some(view)) = (&self.timestamps, stamps) else {
            return Ok(self.plan.timestamp.unwrap_or(LATEST_TIMESTAMP));
        };
        let mut bytes = Vec::with_capacity(8);
        source.write(view, row, &mut bytes).map_err(|reason| (source.name.as_str(), reason))?;
        let timestamp = i64::from_be_bytes(bytes.try_into().unwrap_or_default());
        match check_timestamp(timestamp) {
            Ok(()) => Ok(timestamp),
            Err(error) => Err((&source.name, error.message().to_string())),
        }
    }
}

impl Source {
    /// Appends the bytes of a value, which has to be there.
    fn write(&self, view: &View<'_>, row: usize, out: &mut Vec<u8>) -> std::result::Result<(), String> {
        match view.get(row) {
            Value::Null => Err("it is missing".into()),
            value => self.encoding.write(value, out),
        }
    }
}

fn source(reader: &StreamReader, part: &Part) -> Result<Source> {
    let Some(incoming) = reader.columns().get(part.index) else {
        return Err(Error::invalid(format!("the source has no column {}", part.index)));
    };
    let name = incoming.name.clone();
    let found = incoming.found.clone().map_err(|format| {
        Error::invalid(format!(
            "column '{name}' is of a type that cannot be written (Arrow's '{format}'); convert it, or leave it out"
        ))
    })?;
    let encoding = Encoding::of(part.codec.as_deref(), &found)
        .map_err(|reason| Error::invalid(format!("column '{name}' cannot be written: {reason}")))?;
    Ok(Source { index: part.index, name, found, encoding })
}

/// Rows that go to the store together.
#[derive(Default)]
struct Piece {
    mutations: Vec<Mutation>,
    /// The number of each one's record.
    numbers: Vec<u64>,
    /// Records that were looked at, those without values included.
    records: usize,
    bytes: usize,
}

impl Piece {
    fn has_room(&self) -> bool {
        self.records < PIECE_ROWS && self.bytes < PIECE_BYTES
    }

    /// Adds a row; one without values is none.
    fn add(&mut self, mutation: Mutation, number: u64) {
        self.records += 1;
        if !mutation.cells.is_empty() {
            self.bytes += mutation.row.len() + mutation.cells.byte_len();
            self.numbers.push(number);
            self.mutations.push(mutation);
        }
    }
}
