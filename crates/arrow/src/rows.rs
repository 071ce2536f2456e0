//! A scan as one record per row, with a field for each column; or one per version of a row, with its timestamp.

use crate::array::{Array, Field};
use crate::batches::{finished, misfit, BatchSource, Limits, Pages};
use crate::column::Column;
use crate::columns::{escape, Columns, Kinds};
use crate::kind::{Kind, INT64};
use rowstone_model::cell::Cell;
use rowstone_model::codec::printable;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// The shape of a scan's records.
#[derive(Debug, Clone)]
pub struct RowShape {
    /// The columns.
    pub columns: Columns,
    /// Their types.
    pub kinds: Kinds,
    /// The type of row keys.
    pub key: Kind,
    /// Whether there is a record for each timestamp of a row, newest first, instead of one with the newest values.
    pub has_versions: bool,
    /// Whether cells of unknown columns are ignored instead of being an error.
    pub ignores_others: bool,
}

/// One record per row of a scan, or per version of a row.
pub struct RowRecords {
    pages: Pages,
    limits: Limits,
    shape: RowShape,
    fields: Vec<Field>,
    frame: Frame,
}

/// The batch under construction: row key, timestamp if there are versions, then the columns.
struct Frame {
    columns: Vec<Column>,
    /// Number of columns before those of the table.
    lead: usize,
    records: usize,
    bytes: usize,
    /// Bytes of a record besides those of its key and values.
    record_bytes: usize,
}

impl RowRecords {
    /// Reads the rows of `pages`.
    pub fn new(pages: Pages, limits: Limits, shape: RowShape) -> Self {
        let mut fields = vec![Field::new("row", shape.key)];
        if shape.has_versions {
            fields.push(Field::new("timestamp", INT64));
        }
        let lead = fields.len();
        fields.extend(shape.columns.fields(&shape.kinds));
        let columns: Vec<Column> = fields.iter().map(|field| Column::new(field.kind)).collect();
        let record_bytes = 8 * columns.len();
        RowRecords { pages, limits, shape, fields, frame: Frame { columns, lead, records: 0, bytes: 0, record_bytes } }
    }
}

impl BatchSource for RowRecords {
    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn next_batch(&mut self) -> Result<Option<Arc<Array>>> {
        let (fields, frame, shape) = (&self.fields, &mut self.frame, &self.shape);
        while frame.records < self.limits.records && frame.bytes < self.limits.bytes {
            let Some((page, range)) = self.pages.next_row()? else { break };
            let cells = page.row_cells(range);
            if shape.has_versions {
                let mut all: Vec<Cell<'_>> = cells.collect();
                all.sort_by_key(|cell| std::cmp::Reverse(cell.timestamp()));
                for version in all.chunk_by(|left, right| left.timestamp() == right.timestamp()) {
                    let timestamp = version.first().map(Cell::timestamp);
                    frame.add_record(fields, shape, timestamp, version.iter().copied())?;
                }
            } else {
                frame.add_record(fields, shape, None, cells)?
            }
        }
        let records = std::mem::take(&mut frame.records);
        frame.bytes = 0;
        Ok((records > 0).then(|| finished(records, &mut frame.columns)))
    }
}

impl Frame {
    /// Adds a record with the first cell of each column. A row with none of the columns is omitted.
    fn add_record<'a>(
        &mut self,
        fields: &[Field],
        shape: &RowShape,
        timestamp: Option<i64>,
        cells: impl Iterator<Item = Cell<'a>>,
    ) -> Result<()> {
        let (mut guess, mut first) = (0, None);
        for cell in cells {
            let Some(place) = shape.columns.find(cell.family(), cell.qualifier(), guess) else {
                if shape.ignores_others {
                    continue;
                }
                return Err(unexpected(&cell));
            };
            guess = place + 1;
            let index = self.lead + place;
            // Newest first: later cells of the same column are older.
            if self.columns[index].length() > self.records {
                guess = place;
                continue;
            }
            first.get_or_insert(cell);
            let value = cell.value();
            self.columns[index].push(value).map_err(|wrong| misfit(wrong, &cell, value, &fields[index]))?;
            self.bytes += value.len();
        }
        let Some(cell) = first else { return Ok(()) };
        self.columns[0].push(cell.row()).map_err(|wrong| misfit(wrong, &cell, cell.row(), &fields[0]))?;
        if let Some(timestamp) = timestamp {
            self.columns[1].push_number(timestamp);
        }
        for column in &mut self.columns[self.lead..] {
            if column.length() == self.records {
                column.push_null();
            }
        }
        self.records += 1;
        self.bytes += self.record_bytes + cell.row().len();
        Ok(())
    }
}

#[cold]
fn unexpected(cell: &Cell<'_>) -> Error {
    let column = [cell.family(), b":", cell.qualifier()].concat();
    Error::invalid(format!(
        "row '{}' has column '{}', which did not exist when the scan determined its columns: the table is being \
         written; name the columns to read with columns=[...]",
        printable(cell.row()),
        escape(&column)
    ))
}
