//! Writes imported batches as puts: one row per record, one cell per non-null value.

use crate::encode::Encoding;
use crate::import::{Batch, StreamReader, Type, Value, View};
use rowstone_model::backend::TableBackend;
use rowstone_model::cell::{check_row, check_timestamp, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::codec::printable;
use rowstone_model::operations::{Durability, Mutation, MutationKind};
use rowstone_model::{Error, Result};

/// Approximate bytes of cells per call to the store: HBase's `hbase.client.write.buffer`.
const PIECE_BYTES: usize = 2 << 20;
/// Maximum number of rows per call to the store.
const PIECE_ROWS: usize = 20_000;

/// A column of the source, and the codec to write it with.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its position in the source.
    pub index: usize,
    /// The name of its codec; `None` selects one by type.
    pub codec: Option<String>,
}

/// A column of the source, and the table's column that it is written to.
#[derive(Debug, Clone)]
pub struct Target {
    /// The source column.
    pub part: Part,
    /// The family.
    pub family: Vec<u8>,
    /// The qualifier.
    pub qualifier: Vec<u8>,
}

/// A plan for writing a source to a table.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The column with row keys.
    pub key: Part,
    /// The columns with values.
    pub targets: Vec<Target>,
    /// The timestamp of all cells; `None` for the time of the write.
    pub timestamp: Option<i64>,
    /// Position of a column with timestamps, used instead.
    pub timestamps: Option<usize>,
    /// Time to live of the cells, in milliseconds.
    pub ttl_ms: Option<i64>,
    /// The durability of the writes.
    pub durability: Durability,
}

/// A source column: its name, its type, its encoding.
struct Source {
    index: usize,
    name: String,
    found: Type,
    encoding: Encoding,
}

/// Writes a source to a table.
pub struct FrameWriter {
    reader: StreamReader,
    plan: Plan,
    key: Source,
    sources: Vec<Source>,
    timestamps: Option<Source>,
    batch: Option<Batch>,
    next: usize,
    /// Number of records before the current batch.
    before: u64,
    /// Number of rows written.
    rows_written: u64,
}

impl FrameWriter {
    /// Prepares writing the columns of `reader`.
    ///
    /// # Errors
    /// `InvalidArgument` for a column whose type cannot be written as planned; the message names both.
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

    /// Number of rows written so far.
    pub fn rows_written(&self) -> u64 {
        self.rows_written
    }

    /// Writes some more rows; returns false at the end.
    ///
    /// # Errors
    /// Errors of the source or the store; `InvalidArgument` for a record that cannot be written, with its number and
    /// column. In that case all records before it are written and none after it.
    pub fn step(&mut self, table: &dyn TableBackend) -> Result<bool> {
        self.step_to(|puts| table.mutate_many(puts))
    }

    /// Like [`Self::step`], with a function that writes puts and returns a result for each.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_to(&mut self, write: impl FnOnce(Vec<Mutation>) -> Vec<Result<()>>) -> Result<bool> {
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
        for (place, result) in write(piece.mutations).into_iter().enumerate() {
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

    /// Fills `piece` with records of the batch until the batch ends, the piece is full or a record cannot be written.
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
    /// Appends the bytes of a value, which must not be null.
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

/// Rows that are sent to the store in one call.
#[derive(Default)]
struct Piece {
    mutations: Vec<Mutation>,
    /// The record number of each mutation.
    numbers: Vec<u64>,
    /// Number of records processed, including those without values.
    records: usize,
    bytes: usize,
}

impl Piece {
    fn has_room(&self) -> bool {
        self.records < PIECE_ROWS && self.bytes < PIECE_BYTES
    }

    /// Adds a row; a row without values is skipped.
    fn add(&mut self, mutation: Mutation, number: u64) {
        self.records += 1;
        if !mutation.cells.is_empty() {
            self.bytes += mutation.row.len() + mutation.cells.byte_len();
            self.numbers.push(number);
            self.mutations.push(mutation);
        }
    }
}
