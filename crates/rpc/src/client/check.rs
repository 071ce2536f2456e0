//! Checks before sending: limits of the wire format, and arguments that every server rejects. Also the check of
//! the answer to a repeated operation.

use rowstone_model::cell::{check_row, check_timestamp, Cell, Layout, DEFAULT_MAX_CELL_BYTES, MAX_FAMILY_BYTES};
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, Get, Mutation, MutationKind, RowMutations};
use rowstone_model::{Error, ErrorKind, Result};

/// Rejects gets that no server could answer.
pub(super) fn check_get(get: &Get) -> Result<()> {
    check_row(&get.row)?;
    get.options.check()
}

/// Rejects mutations that no server would accept.
pub(super) fn check_mutation(mutation: &Mutation) -> Result<()> {
    check_row(&mutation.row)?;
    check_timestamp(mutation.timestamp)?;
    if mutation.cells.is_empty() && mutation.kind != MutationKind::Delete {
        return Err(Error::invalid(format!("no columns to write in row '{}'", printable(&mutation.row))));
    }
    if let Some(ttl) = mutation.ttl_ms.filter(|ttl| *ttl <= 0) {
        return Err(Error::invalid(format!("time to live of {ttl} ms is not positive")));
    }
    let may_be_large = mutation.cells.byte_len() > DEFAULT_MAX_CELL_BYTES;
    for cell in &mutation.cells {
        check_timestamp(cell.timestamp())?;
        if cell.family().len() > MAX_FAMILY_BYTES {
            let message =
                format!("family name of {} bytes is over the limit of {MAX_FAMILY_BYTES}", cell.family().len());
            return Err(Error::new(ErrorKind::NoSuchColumnFamily, message));
        }
        let bytes = if may_be_large { cell.written_len(Layout::PLAIN) } else { 0 };
        if bytes > DEFAULT_MAX_CELL_BYTES {
            let row = printable(cell.row());
            let message = format!("cell of {bytes} bytes in row '{row}' is over the limit of {DEFAULT_MAX_CELL_BYTES} (hbase.client.keyvalue.maxsize)");
            return Err(Error::new(ErrorKind::CellTooLarge, message));
        }
    }
    Ok(())
}

/// Rejects mutations of different rows.
pub(super) fn check_mutations(mutations: &RowMutations) -> Result<()> {
    check_row(&mutations.row)?;
    if let Some(other) = mutations.mutations.iter().find(|mutation| mutation.row[..] != mutations.row[..]) {
        let (row, other) = (printable(&mutations.row), printable(&other.row));
        return Err(Error::invalid(format!("row mutations of row '{row}' include one of row '{other}'")));
    }
    if mutations.mutations.is_empty() {
        return Err(Error::invalid(format!("row mutations of row '{}' are empty", printable(&mutations.row))));
    }
    mutations.mutations.iter().try_for_each(check_mutation)
}

/// Rejects the answer to a repeated increment or append if it lacks the new value of a column.
///
/// A server that recognizes the nonce reads the columns. It finds nothing if they were deleted meanwhile, or, in HBase, if
/// it was restarted.
pub(super) fn check_repeated(mutation: &Mutation, answer: &CellBatch) -> Result<()> {
    if !matches!(mutation.kind, MutationKind::Increment | MutationKind::Append) || !mutation.returns_values {
        return Ok(());
    }
    let has_value = |asked: &Cell<'_>| {
        answer.cells.iter().any(|cell| (cell.family(), cell.qualifier()) == (asked.family(), asked.qualifier()))
    };
    let Some(lost) = mutation.cells.iter().find(|asked| !has_value(asked)) else { return Ok(()) };
    let message = format!(
        "the change of row '{}' was applied once, but its response was lost and the server no longer knows the new value \
         of column '{}:{}'; read the row, and do not repeat the change",
        printable(&mutation.row),
        printable(lost.family()),
        printable(lost.qualifier())
    );
    Err(Error::new(ErrorKind::ResultLost, message))
}
