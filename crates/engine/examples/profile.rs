//! The engine without Python under a profiler: `cargo run --release --example profile -- get|scan|reverse|batch|memory|row|row-file`.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::TableBackend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Get, Mutation, MutationKind, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;
use std::sync::Arc;
use std::time::Instant;

const ROWS: u64 = 100_000;

fn put(row: &[u8]) -> Mutation {
    let mut mutation = Mutation::new(MutationKind::Put, row);
    let (value, cell_type) = ([7; 100], CellType::Put);
    let timestamp = LATEST_TIMESTAMP;
    mutation.cells.push(CellParts {
        row,
        family: b"f",
        qualifier: b"q",
        timestamp,
        cell_type,
        value: &value,
        tags: &[],
    });
    mutation
}

/// Row keys in an order that looks random.
fn rows() -> Vec<Vec<u8>> {
    (0..ROWS).map(|index| format!("user{:020}", index * 7919 % ROWS).into_bytes()).collect()
}

fn measure(what: &str, rounds: u64, mut run: impl FnMut() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    for _ in 0..rounds {
        run()?;
    }
    println!("{what}: {:.0} ns an item", start.elapsed().as_nanos() as f64 / (ROWS * rounds) as f64);
    Ok(())
}

fn read_all(table: &Arc<dyn TableBackend>, reversed: bool) -> Result<()> {
    let mut scanner = table.scan(Scan { reversed, ..Scan::default() })?;
    while scanner.next_batch(1000, 1 << 20)?.is_some() {}
    Ok(())
}

fn main() -> Result<()> {
    let what = std::env::args().nth(1).unwrap_or_else(|| "all".into());
    let directory = std::env::temp_dir().join(format!("rowstone-profile-{}", std::process::id()));
    let db = open(OpenOptions { directory: Some(directory.clone()), create: true, ..OpenOptions::default() })?;
    let name = TableName::parse("t")?;
    db.admin().create_table(TableDescriptor::new(name.clone()).with_family(FamilyDescriptor::new("f")), Vec::new())?;
    let table = db.table(&name)?;
    let rows = rows();
    let is = |name: &str| what == name || what == "all";
    if !what.starts_with("row") {
        measure("put", 1, || rows.iter().try_for_each(|row| table.mutate(put(row)).map(|_| ())))?;
    }
    if is("batch") {
        let batch =
            |rows: &[Vec<u8>]| table.mutate_many(rows.iter().map(|row| put(row)).collect()).into_iter().collect();
        measure("batch", 5, || rows.chunks(1000).try_for_each(batch))?;
    }
    let gets: Vec<Get> = rows.iter().map(Get::of).collect();
    if what == "row" {
        let get = Get::of(b"row");
        table.mutate(put(b"row"))?;
        measure("get of one row", 10, || (0..ROWS).try_for_each(|_| table.get(&get).map(|_| ())))?;
        return db.close();
    }
    if what == "row-file" {
        let get = Get::of(b"row");
        table.mutate(put(b"row"))?;
        db.admin().flush(None)?;
        measure("get of one row from file", 10, || (0..ROWS).try_for_each(|_| table.get(&get).map(|_| ())))?;
        return db.close();
    }
    if is("memory") {
        measure("get from memory", 5, || gets.iter().try_for_each(|get| table.get(get).map(|_| ())))?;
        measure("scan of memory", 5, || read_all(&table, false))?;
    }
    db.admin().flush(None)?;
    db.admin().compact(&name, None, true)?;
    if is("get") {
        measure("get from file", 20, || gets.iter().try_for_each(|get| table.get(get).map(|_| ())))?;
    }
    if is("scan") {
        measure("scan of file", 50, || read_all(&table, false))?;
    }
    if is("reverse") {
        measure("reverse scan of file", 20, || read_all(&table, true))?;
    }
    db.close()?;
    std::fs::remove_dir_all(directory).ok();
    Ok(())
}
