//! A fake HBase in this process: one server, one table `t`, and faults at calls chosen by a test.

pub mod fault;
pub mod frames;
pub mod scans;
pub mod server;
pub mod table;

use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{CellBatch, Get, Mutation, MutationKind, Scan};
use rowstone_model::schema::TableName;
use rowstone_model::Result;
use rowstone_rpc::OpenOptions;
use std::sync::Arc;

/// Options with short limits: nothing takes long unless a test wants it.
pub fn options() -> OpenOptions {
    OpenOptions {
        operation_timeout_ms: Some(20_000),
        rpc_timeout_ms: Some(10_000),
        connect_timeout_ms: Some(2_000),
        ..OpenOptions::default()
    }
}

pub fn open(server: &server::FakeServer) -> Arc<dyn Backend> {
    rowstone_rpc::open(&server.url(), options()).unwrap()
}

pub fn table(backend: &Arc<dyn Backend>) -> Arc<dyn TableBackend> {
    backend.table(&TableName::parse("t").unwrap()).unwrap()
}

pub fn get(row: &str) -> Get {
    Get::of(row)
}

pub fn mutation(kind: MutationKind, row: &str, value: &[u8]) -> Mutation {
    let mut mutation = Mutation::new(kind, row);
    mutation.cells.push(CellParts {
        row: row.as_bytes(),
        family: b"f",
        qualifier: b"q",
        timestamp: LATEST_TIMESTAMP,
        cell_type: CellType::Put,
        value,
        tags: b"",
    });
    mutation
}

/// The values of a batch, row by row.
pub fn values(batch: &CellBatch) -> Vec<Vec<Vec<u8>>> {
    let row = |range: &_| batch.row_cells(*range).map(|cell| cell.value().to_vec()).collect();
    batch.rows.iter().map(row).collect()
}

/// The result of a scan: each row, or piece of one, with its qualifiers and whether more of it follows.
pub type Found = Vec<(Vec<u8>, Vec<Vec<u8>>, bool)>;

pub fn scan_all(table: &Arc<dyn TableBackend>, scan: Scan, (rows, bytes): (usize, usize)) -> Result<Found> {
    let mut scanner = table.scan(scan)?;
    let mut found = Vec::new();
    while let Some(batch) = scanner.next_batch(rows, bytes)? {
        assert!(!batch.rows.is_empty() && batch.rows.len() <= rows);
        for range in &batch.rows {
            let cells: Vec<_> = batch.row_cells(*range).collect();
            assert_eq!(cells.len(), range.cell_count as usize);
            let qualifiers = cells.iter().map(|cell| cell.qualifier().to_vec()).collect();
            found.push((cells[0].row().to_vec(), qualifiers, range.is_partial));
        }
    }
    Ok(found)
}
