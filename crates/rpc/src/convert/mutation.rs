//! Mutations and conditions; their cells are sent in the call's cell block. Source: `ProtobufUtil.toMutation`.

use super::read::bounded;
use crate::filter::{comparator_to_wire, compare_type, to_wire};
use crate::proto;
use crate::proto::mutation_proto::MutationType;
use crate::wire::encode_cells;
use prost::Message;
use rowstone_model::operations::{Condition, Durability, Mutation, MutationKind, ValueCondition};
use rowstone_model::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// Attribute with the time to live of a mutation's cells.
const TTL_ATTRIBUTE: &str = "_ttl";
/// Attribute with the permissions of a mutation's cells.
const ACL_ATTRIBUTE: &str = "acl";

/// Nonces, by which servers recognize increments and appends that they have already executed.
pub struct Nonces {
    group: u64,
    next: AtomicU64,
}

impl Nonces {
    /// Creates a random nonce group.
    pub fn new() -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| Error::internal(format!("no random bytes available: {error}")))?;
        let (group, next) = bytes.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
        // 0 means none.
        Ok(Nonces { group: number(group) | 1, next: AtomicU64::new(number(next)) })
    }

    /// The group of this client.
    pub fn group(&self) -> u64 {
        self.group
    }

    /// A nonce that was never returned before.
    pub fn next(&self) -> u64 {
        loop {
            let nonce = self.next.fetch_add(1, Ordering::Relaxed);
            if nonce != 0 {
                return nonce;
            }
        }
    }
}

/// Builds the message for `mutation`; its cells are appended to `block`.
pub fn mutation_message(mutation: &Mutation, nonce: Option<u64>, block: &mut Vec<u8>) -> proto::MutationProto {
    encode_cells(&mutation.cells, block);
    let count = mutation.cells.iter().count();
    let attribute = |name: &str, value| proto::NameBytesPair { name: name.to_string(), value: Some(value) };
    let ttl = mutation.ttl_ms.map(|ttl| attribute(TTL_ATTRIBUTE, ttl.to_be_bytes().to_vec()));
    let acl = mutation.acl.as_ref().map(|acl| attribute(ACL_ATTRIBUTE, acl.to_vec()));
    proto::MutationProto {
        row: Some(mutation.row.to_vec()),
        mutate_type: Some(mutation_type(mutation.kind) as i32),
        column_value: Vec::new(),
        timestamp: Some(mutation.timestamp as u64),
        attribute: ttl.into_iter().chain(acl).collect(),
        durability: Some(durability(mutation.durability) as i32),
        time_range: bounded(mutation.time_range),
        associated_cell_count: Some(i32::try_from(count).unwrap_or(i32::MAX)),
        nonce,
    }
}

fn mutation_type(kind: MutationKind) -> MutationType {
    match kind {
        MutationKind::Put => MutationType::Put,
        MutationKind::Delete => MutationType::Delete,
        MutationKind::Increment => MutationType::Increment,
        MutationKind::Append => MutationType::Append,
    }
}

fn durability(durability: Durability) -> proto::mutation_proto::Durability {
    use proto::mutation_proto::Durability as Wire;
    match durability {
        Durability::UseDefault => Wire::UseDefault,
        Durability::SkipWal => Wire::SkipWal,
        Durability::AsyncWal => Wire::AsyncWal,
        Durability::SyncWal => Wire::SyncWal,
        Durability::FsyncWal => Wire::FsyncWal,
    }
}

/// Builds the message for `condition` on `row`.
pub fn condition_message(row: &[u8], condition: &Condition) -> proto::Condition {
    match condition {
        Condition::Value(condition) => value_condition(row, condition),
        Condition::Compared(condition) => proto::Condition {
            row: row.to_vec(),
            family: Some(condition.family.clone()),
            qualifier: Some(condition.qualifier.clone()),
            compare_type: Some(compare_type(condition.operator) as i32),
            comparator: Some(comparator_to_wire(&condition.comparator)),
            time_range: bounded(condition.time_range),
            filter: None,
        },
        Condition::Matches { filter, time_range } => proto::Condition {
            row: row.to_vec(),
            family: None,
            qualifier: None,
            compare_type: None,
            comparator: None,
            time_range: bounded(*time_range),
            filter: Some(to_wire(filter)),
        },
    }
}

fn value_condition(row: &[u8], condition: &ValueCondition) -> proto::Condition {
    let value = condition.value.clone().unwrap_or_default();
    let comparator = proto::BinaryComparator { comparable: proto::ByteArrayComparable { value: Some(value) } };
    proto::Condition {
        row: row.to_vec(),
        family: Some(condition.family.clone()),
        qualifier: Some(condition.qualifier.clone()),
        compare_type: Some(compare_type(condition.operator) as i32),
        comparator: Some(proto::Comparator {
            name: "org.apache.hadoop.hbase.filter.BinaryComparator".to_string(),
            serialized_comparator: Some(comparator.encode_to_vec()),
        }),
        time_range: bounded(condition.time_range),
        filter: None,
    }
}
