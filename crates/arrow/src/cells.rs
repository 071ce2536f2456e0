//! A scan as one record per cell: row, family, qualifier, timestamp, value; and the type, if delete markers may
//! occur.

use crate::array::{Array, Field};
use crate::batches::{finished, misfit, BatchSource, Limits, Pages};
use crate::column::Column;
use crate::kind::{Kind, INT64};
use rowstone_model::cell::Cell;
use rowstone_model::Result;
use std::sync::Arc;

const ROW: usize = 0;
const FAMILY: usize = 1;
const QUALIFIER: usize = 2;
const TIMESTAMP: usize = 3;
const VALUE: usize = 4;
const TYPE: usize = 5;

/// Bytes of a record besides those of its key and value: offsets of four columns, and a timestamp.
const RECORD_BYTES: usize = 24;

/// One record per cell of a scan.
pub struct CellRecords {
    pages: Pages,
    limits: Limits,
    fields: Vec<Field>,
    columns: Vec<Column>,
}

impl CellRecords {
    /// Reads the cells of `pages`: row keys have type `key`, and `has_type` adds the cell type.
    pub fn new(pages: Pages, limits: Limits, key: Kind, has_type: bool) -> Self {
        let mut fields = vec![
            Field::new("row", key),
            Field::new("family", Kind::Binary),
            Field::new("qualifier", Kind::Binary),
            Field::new("timestamp", INT64),
            Field::new("value", Kind::Binary),
        ];
        if has_type {
            fields.push(Field::new("type", Kind::Text));
        }
        let columns = fields.iter().map(|field| Column::new(field.kind)).collect();
        CellRecords { pages, limits, fields, columns }
    }
}

impl BatchSource for CellRecords {
    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn next_batch(&mut self) -> Result<Option<Arc<Array>>> {
        let (mut records, mut bytes) = (0, 0);
        // A row is not split: batches end between rows, or between partial rows of the scan.
        while records < self.limits.records && bytes < self.limits.bytes {
            let Some((page, range)) = self.pages.next_row()? else { break };
            for cell in page.row_cells(range) {
                bytes += RECORD_BYTES + cell.key().len() + cell.value().len();
                push(&mut self.columns, &self.fields, &cell)?;
                records += 1;
            }
        }
        Ok((records > 0).then(|| finished(records, &mut self.columns)))
    }
}

#[inline]
fn push(columns: &mut [Column], fields: &[Field], cell: &Cell<'_>) -> Result<()> {
    let parts = [(ROW, cell.row()), (FAMILY, cell.family()), (QUALIFIER, cell.qualifier()), (VALUE, cell.value())];
    for (index, part) in parts {
        if let Err(wrong) = columns[index].push_part(part) {
            return Err(misfit(wrong, cell, part, &fields[index]));
        }
    }
    columns[TIMESTAMP].push_number(cell.timestamp());
    if let Some(column) = columns.get_mut(TYPE) {
        let name = cell.cell_type().name().as_bytes();
        column.push(name).map_err(|wrong| misfit(wrong, cell, name, &fields[TYPE]))?;
    }
    Ok(())
}
