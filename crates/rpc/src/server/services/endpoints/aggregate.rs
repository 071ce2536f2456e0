//! AggregateService: partial counts, sums, minima and maxima of one region, which the client combines. Source:
//! `AggregateImplementation`.

use super::interpreter::{sum, Interpreter, Number};
use crate::proto;
use crate::server::messages::exception::Exception;
use crate::server::messages::reads::{clip, scan_of};
use crate::server::services::client::region_error;
use crate::server::services::meta;
use crate::server::services::regions::Target;
use crate::server::services::throttle;
use crate::server::session::Session;
use crate::wire::Malformed;
use prost::Message;
use rowstone_model::cell::Cell;
use rowstone_model::filter::Filter;
use rowstone_model::operations::{CellBatch, Scan};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rows and bytes per read.
const BATCH: (usize, usize) = (1024, 1 << 20);

/// Maximum time between two checks whether the client still waits.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// The region to read, and the client that waits for the answer.
pub(super) struct Source<'a> {
    session: &'a Session,
    target: &'a Target,
    /// End of the client's timeout.
    deadline: Option<Instant>,
}

impl<'a> Source<'a> {
    /// Creates the source for a call with a timeout in milliseconds; 0 means none.
    pub fn new(session: &'a Session, target: &'a Target, timeout_ms: u32) -> Self {
        let timeout = (timeout_ms > 0).then(|| Duration::from_millis(u64::from(timeout_ms)));
        Source { session, target, deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)) }
    }

    /// Fails if the client no longer waits.
    fn check_waiting(&self) -> Result<(), Exception> {
        if self.session.has_ended.load(Ordering::Relaxed) {
            return Err(Exception::new("exceptions.TimeoutIOException", "the client has disconnected"));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let message = "the aggregation took longer than the client's timeout; raise it, or aggregate fewer rows";
            return Err(Exception::new("exceptions.TimeoutIOException", message));
        }
        Ok(())
    }
}

/// Executes a method; `None` for an unknown method.
pub(super) fn call(
    source: &Source<'_>,
    method: &str,
    request: &[u8],
) -> Result<Option<proto::AggregateResponse>, Exception> {
    let request = proto::AggregateRequest::decode(request).map_err(Malformed::from)?;
    let mut scan = scan_of(&request.scan)?;
    // HBase uses the first family and its columns in order.
    let columns: Vec<Vec<u8>> = match scan.options.columns.families.first_key_value() {
        Some((_, Some(qualifiers))) => qualifiers.to_vec(),
        _ => Vec::new(),
    };
    if method == "GetRowNum" {
        if scan.options.filter.is_none() && columns.is_empty() {
            scan.options.filter = Some(Arc::new(Filter::FirstKeyOnlyFilter {}));
        }
        forget_first_column(&mut scan);
        let mut rows = 0u64;
        each_row(source, scan, |_| {
            rows += 1;
            Ok(())
        })?;
        return Ok(Some(parts(vec![rows.to_be_bytes().to_vec()], None)));
    }
    if scan.options.columns.is_all() {
        return Err(Exception::last("DoNotRetryIOException", "an aggregation needs a column family"));
    }
    let interpreter = Interpreter::of_class(&request.interpreter_class_name)?;
    let read = |cell: &Cell<'_>| interpreter.value(cell.value());
    Ok(Some(match method {
        "GetMax" => best(source, scan, &read, |new, old| new.is_above(old))?,
        "GetMin" => best(source, scan, &read, |new, old| old.is_above(new))?,
        "GetSum" => one(total(source, scan, &read)?.sum),
        "GetAvg" => {
            let total = total(source, scan, &read)?;
            let rows = total.sum.as_ref().map(|_| total.rows);
            parts(messages([total.sum]), rows)
        }
        "GetStd" => {
            let total = total(source, scan, &read)?;
            let rows = total.sum.as_ref().map(|_| total.rows);
            parts(messages([total.sum, total.squares]), rows)
        }
        "GetMedian" => {
            // The first column has the values. If there are two or more, the last one has the weights.
            let weight = (columns.len() > 1).then(|| columns[columns.len() - 1].as_slice());
            let (values, weights) = weighted(source, scan, &read, weight)?;
            let values = values.unwrap_or(interpreter.zero());
            parts(messages([Some(values), Some(weights.unwrap_or(interpreter.least()))]), None)
        }
        _ => return Ok(None),
    }))
}

/// HBase removes the first column from the scan before it begins. Rows are therefore counted by the other columns, or
/// by the whole family if it was the only one.
fn forget_first_column(scan: &mut Scan) {
    let Some(mut first) = scan.options.columns.families.first_entry() else { return };
    let left = first.get().as_ref().map(|columns| columns.iter().skip(1).cloned().collect::<Vec<_>>());
    *first.get_mut() = left.filter(|left| !left.is_empty()).map(Arc::new);
}

fn parts(first_part: Vec<Vec<u8>>, rows: Option<u64>) -> proto::AggregateResponse {
    proto::AggregateResponse { first_part, second_part: rows.map(|rows| rows.to_be_bytes().to_vec()) }
}

fn messages<const N: usize>(numbers: [Option<Number>; N]) -> Vec<Vec<u8>> {
    numbers.iter().flatten().map(Number::to_message).collect()
}

fn one(number: Option<Number>) -> proto::AggregateResponse {
    parts(messages([number]), None)
}

type Read<'a> = &'a dyn Fn(&Cell<'_>) -> Result<Option<Number>, Exception>;

fn best(
    source: &Source<'_>,
    scan: Scan,
    read: Read<'_>,
    is_better: impl Fn(&Number, &Number) -> bool,
) -> Result<proto::AggregateResponse, Exception> {
    let mut best: Option<Number> = None;
    each_row(source, scan, |row| {
        for cell in row {
            let number = read(cell)?;
            if number.as_ref().is_some_and(|number| best.as_ref().is_none_or(|best| is_better(number, best))) {
                best = number;
            }
        }
        Ok(())
    })?;
    Ok(one(best))
}

#[derive(Default)]
struct Total {
    sum: Option<Number>,
    /// Sum of the squares of the row sums.
    squares: Option<Number>,
    rows: u64,
}

fn total(source: &Source<'_>, scan: Scan, read: Read<'_>) -> Result<Total, Exception> {
    let mut total = Total::default();
    each_row(source, scan, |row| {
        let mut of_row = None;
        for cell in row {
            of_row = sum(of_row, read(cell)?);
        }
        total.squares = sum(total.squares.take(), of_row.as_ref().map(Number::squared));
        total.sum = sum(total.sum.take(), of_row);
        total.rows += 1;
        Ok(())
    })?;
    Ok(total)
}

/// Sums all values, and the values of the column `weight`. As in HBase, whose interpreters ignore the column, the
/// weights are part of the first sum too.
fn weighted(
    source: &Source<'_>,
    scan: Scan,
    read: Read<'_>,
    weight: Option<&[u8]>,
) -> Result<(Option<Number>, Option<Number>), Exception> {
    let (mut values, mut weights) = (None, None);
    each_row(source, scan, |row| {
        for cell in row {
            let number = read(cell)?;
            if weight.is_some() {
                weights = sum(weights.take(), number.clone());
            }
            values = sum(values.take(), number);
        }
        Ok(())
    })?;
    Ok((values, weights))
}

/// Calls `visit` with the cells of each row of the region.
fn each_row(
    source: &Source<'_>,
    mut scan: Scan,
    mut visit: impl FnMut(&[Cell<'_>]) -> Result<(), Exception>,
) -> Result<(), Exception> {
    let mut visit_all = |batch: &CellBatch| {
        batch.rows.iter().try_for_each(|range| {
            let cells: Vec<Cell<'_>> = batch.row_cells(*range).collect();
            visit(&cells)
        })
    };
    let (session, target) = (source.session, source.target);
    // A partial row would be counted as a row.
    scan.batch = 0;
    let failed = |error| match target {
        Target::Region(region) => region_error(session, region, error),
        Target::Meta => error.into(),
    };
    let mut scanner = match target {
        Target::Meta => meta::scan(session, scan)?,
        Target::Region(region) => {
            clip(&mut scan, &region.info);
            region.table.scan(scan).map_err(failed)?
        }
    };
    // A filter may drop all rows, so a batch ends after some time too.
    let permit = match target {
        Target::Meta => None,
        Target::Region(region) => throttle::scan(session, &region.info.table, None)?,
    };
    let mut bytes = 0;
    while let Some(batch) = scanner.next_until(BATCH.0, BATCH.1, Instant::now() + CHECK_EVERY).map_err(failed)? {
        bytes += batch.cells.byte_len();
        visit_all(&batch)?;
        source.check_waiting()?;
    }
    // A call that has begun is not refused, because its client would begin again. Later calls pay for its bytes.
    if let Some(permit) = permit {
        permit.read(bytes);
    }
    Ok(())
}
