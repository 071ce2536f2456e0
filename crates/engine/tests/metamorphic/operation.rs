//! One operation of a stream: the request, its time, and its result as text.

use rowstone_model::backend::TableBackend;
use rowstone_model::operations::{CellBatch, CheckAndMutate, Get, Mutation, RowMutations, Scan};
use rowstone_model::Result;
use std::fmt::Write;

#[derive(Debug, Clone)]
pub enum Ask {
    Mutate(Mutation),
    Batch(Vec<Mutation>),
    Row(RowMutations),
    Check(Box<CheckAndMutate>),
    Get(Get),
    GetMany(Vec<Get>),
    Scan(Box<Scan>, usize),
}

#[derive(Debug, Clone)]
pub struct Operation {
    /// Its index in the original stream.
    pub number: u64,
    /// Its time.
    pub at_ms: i64,
    pub ask: Ask,
}

fn write_cells(batch: &CellBatch, out: &mut String) {
    for row in &batch.rows {
        let _ = write!(out, "[{} ", row.cell_count);
        for cell in batch.row_cells(*row) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let _ = write!(
                out,
                "{}/{}:{}@{}{:?}={:?}; ",
                text(cell.row()),
                text(cell.family()),
                text(cell.qualifier()),
                cell.timestamp(),
                cell.cell_type(),
                cell.value()
            );
        }
        out.push(']');
    }
}

impl Operation {
    /// Runs it on `table`, and appends the result to `out`.
    pub fn run(&self, table: &dyn TableBackend, out: &mut String) {
        if let Err(error) = self.try_run(table, out) {
            let _ = write!(out, "{:?}", error.kind());
        }
    }

    fn try_run(&self, table: &dyn TableBackend, out: &mut String) -> Result<()> {
        match &self.ask {
            Ask::Mutate(mutation) => write_cells(&table.mutate(mutation.clone())?, out),
            Ask::Batch(mutations) => {
                for result in table.mutate_many(mutations.clone()) {
                    let _ = write!(out, "{:?} ", result.map_err(|error| error.kind()));
                }
            }
            Ask::Row(mutations) => write_cells(&table.mutate_row(mutations.clone())?, out),
            Ask::Check(check) => {
                let found = table.check_and_mutate(CheckAndMutate::clone(check))?;
                let _ = write!(out, "{} ", found.success);
                write_cells(&found.cells, out);
            }
            Ask::Get(get) => {
                write_cells(&table.get(get)?, out);
                let _ = write!(out, " {}", table.exists(get)?);
            }
            Ask::GetMany(gets) => write_cells(&table.get_many(gets)?, out),
            Ask::Scan(scan, rows_at_once) => {
                let mut scanner = table.scan(Scan::clone(scan))?;
                while let Some(batch) = scanner.next_batch(*rows_at_once, 1 << 30)? {
                    write_cells(&batch, out);
                }
            }
        }
        Ok(())
    }
}
