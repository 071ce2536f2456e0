//! Conversion of messages to mutations and conditions. Cells are in the message, in the cell block of the call, or in
//! both. Source: `ProtobufUtil.toPut`, `toDelete`, `toIncrement`, `toAppend`, `toCheckAndMutate`.

use crate::filter::{comparator_from_wire, from_wire, operator};
use crate::proto;
use crate::proto::mutation_proto::{self, DeleteType, MutationType};
use crate::server::messages::exception::Exception;
use crate::server::messages::reads::time_range;
use crate::wire::BlockReader;
use rowstone_model::cell::{check_family, check_row, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::codec::printable;
use rowstone_model::filter::Comparator;
use rowstone_model::operations::{ComparedCondition, Condition, Durability, Mutation, MutationKind, ValueCondition};
use std::sync::Arc;

/// Attribute with the TTL of a mutation's cells.
const TTL_ATTRIBUTE: &str = "_ttl";
/// Attribute with the permissions of the cells.
const ACL_ATTRIBUTE: &str = "acl";
/// Attribute with the value 0 if the client does not want the new values.
const RESULTS_ATTRIBUTE: &str = "_rr_";

fn refused(message: impl Into<String>) -> Exception {
    Exception::last("DoNotRetryIOException", message)
}

/// Number of cells in the block that belong to a mutation.
pub(in crate::server) fn block_cells(message: &proto::MutationProto) -> usize {
    usize::try_from(message.associated_cell_count.unwrap_or(0)).unwrap_or(0)
}

/// Whether the client wants the new values of an increment or append.
pub(in crate::server) fn wants_result(message: &proto::MutationProto) -> bool {
    let no = |pair: &proto::NameBytesPair| pair.name == RESULTS_ATTRIBUTE && pair.value.as_deref() == Some(&[0]);
    !message.attribute.iter().any(no)
}

/// Decodes a client's mutation. Its cells are consumed from `block` even if it is refused. Without access control,
/// permissions in its cells are ignored, as in an HBase without `AccessController`.
pub(in crate::server) fn mutation_for(
    message: &proto::MutationProto,
    block: &mut BlockReader<'_>,
    has_access_control: bool,
) -> Result<Mutation, Exception> {
    let mut mutation = mutation_of(message, block)?;
    if has_access_control {
        let own = message.attribute.iter().find(|pair| pair.name == ACL_ATTRIBUTE);
        mutation.acl = own.and_then(|pair| pair.value.as_deref()).map(Arc::from);
    }
    Ok(mutation)
}

/// Decodes a mutation. Its cells are consumed from `block` even if it is refused.
fn mutation_of(message: &proto::MutationProto, block: &mut BlockReader<'_>) -> Result<Mutation, Exception> {
    let kind = match message.mutate_type() {
        MutationType::Put => MutationKind::Put,
        MutationType::Delete => MutationKind::Delete,
        MutationType::Increment => MutationKind::Increment,
        MutationType::Append => MutationKind::Append,
    };
    let mut mutation = Mutation::new(kind, message.row.as_deref().unwrap_or_default());
    block.take(block_cells(message), &mut mutation.cells)?;
    if message.row.is_none() {
        let row = mutation.cells.iter().next().map(|cell| cell.row().to_vec());
        mutation.row = row.unwrap_or_default().into();
    }
    check_row(&mutation.row)?;
    mutation.timestamp = message.timestamp.map_or(LATEST_TIMESTAMP, |timestamp| timestamp as i64);
    mutation.durability = durability(message.durability());
    mutation.time_range = time_range(message.time_range.as_ref())?;
    mutation.ttl_ms = ttl_of(message)?;
    mutation.returns_values = wants_result(message);
    add_inline(message, &mut mutation)?;
    check_cells(&mutation)?;
    Ok(mutation)
}

fn durability(wire: mutation_proto::Durability) -> Durability {
    use mutation_proto::Durability as Wire;
    match wire {
        Wire::UseDefault => Durability::UseDefault,
        Wire::SkipWal => Durability::SkipWal,
        Wire::AsyncWal => Durability::AsyncWal,
        Wire::SyncWal => Durability::SyncWal,
        Wire::FsyncWal => Durability::FsyncWal,
    }
}

fn ttl_of(message: &proto::MutationProto) -> Result<Option<i64>, Exception> {
    let Some(pair) = message.attribute.iter().find(|pair| pair.name == TTL_ATTRIBUTE) else { return Ok(None) };
    let bytes = pair.value.as_deref().unwrap_or_default();
    let bytes = bytes.try_into().map_err(|_| refused(format!("a time to live of {} bytes, not 8", bytes.len())))?;
    Ok(Some(i64::from_be_bytes(bytes)))
}

/// Adds the cells that are in the message itself.
fn add_inline(message: &proto::MutationProto, mutation: &mut Mutation) -> Result<(), Exception> {
    for column in &message.column_value {
        check_family(&column.family)?;
        for cell in &column.qualifier_value {
            // As in HBase, a put may contain delete markers, while those of increments and appends count as values.
            let cell_type = match (mutation.kind, cell.delete_type) {
                (MutationKind::Delete, _) | (MutationKind::Put, Some(_)) => delete_type(cell.delete_type()),
                _ => CellType::Put,
            };
            let tags = cell.tags.as_deref().unwrap_or_default();
            if tags.len() > usize::from(u16::MAX) {
                return Err(refused(format!("tags of {} bytes", tags.len())));
            }
            mutation.cells.push(CellParts {
                row: &mutation.row,
                family: &column.family,
                qualifier: cell.qualifier.as_deref().unwrap_or_default(),
                timestamp: cell.timestamp.map_or(mutation.timestamp, |timestamp| timestamp as i64),
                cell_type,
                value: if cell_type == CellType::Put { cell.value.as_deref().unwrap_or_default() } else { &[] },
                tags,
            });
        }
    }
    Ok(())
}

fn delete_type(wire: DeleteType) -> CellType {
    match wire {
        DeleteType::DeleteOneVersion => CellType::Delete,
        DeleteType::DeleteMultipleVersions => CellType::DeleteColumn,
        DeleteType::DeleteFamily => CellType::DeleteFamily,
        DeleteType::DeleteFamilyVersion => CellType::DeleteFamilyVersion,
    }
}

/// Checks that the cells have the mutation's row and type. A put may contain delete markers, which are written
/// unchanged.
fn check_cells(mutation: &Mutation) -> Result<(), Exception> {
    for cell in &mutation.cells {
        if cell.row() != &mutation.row[..] {
            let message = format!(
                "The row in {} doesn't match the original one {}",
                printable(cell.row()),
                printable(&mutation.row)
            );
            return Err(Exception::last("client.WrongRowIOException", message));
        }
        let cell_type = cell.cell_type();
        let fits = match mutation.kind {
            MutationKind::Put => cell_type == CellType::Put || cell_type.is_delete(),
            MutationKind::Delete => cell_type.is_delete(),
            MutationKind::Increment | MutationKind::Append => cell_type == CellType::Put,
        };
        if !fits {
            return Err(refused(format!("a cell of type {} in a {:?}", cell_type.name(), mutation.kind)));
        }
    }
    Ok(())
}

/// Decodes a condition.
pub(in crate::server) fn condition_of(message: &proto::Condition) -> Result<Condition, Exception> {
    let time_range = time_range(message.time_range.as_ref())?;
    if let Some(filter) = &message.filter {
        return Ok(Condition::Matches { filter: Arc::new(from_wire(filter)?), time_range });
    }
    let comparator = message.comparator.as_ref().ok_or_else(|| refused("a condition without a comparator"))?;
    let family = message.family.clone().unwrap_or_default();
    let qualifier = message.qualifier.clone().unwrap_or_default();
    let operator = operator(message.compare_type());
    Ok(match comparator_from_wire(comparator)? {
        Comparator::BinaryComparator { value } => {
            let value = (!value.is_empty()).then_some(value);
            Condition::Value(ValueCondition { family, qualifier, operator, value, time_range })
        }
        comparator => Condition::Compared(ComparedCondition { family, qualifier, operator, comparator, time_range }),
    })
}
