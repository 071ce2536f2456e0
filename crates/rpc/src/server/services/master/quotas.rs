//! Quotas: setting limits, and the state of tables and namespaces under space quotas.

use crate::convert::{from_set_quota, table_name};
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::session::Session;
use rowstone_model::quota::QuotaOwner;
use rowstone_quotas::messages::to_snapshot;

pub(super) fn set(session: &Session, call: &Call) -> Outcome {
    let request: proto::SetQuotaRequest = call.message()?;
    let (owner, change) = from_set_quota(&request)?;
    session.backend.admin().set_quota(&owner, &change)?;
    Ok(Answer::of(&proto::Empty {}))
}

/// Returns the size of each table in bytes.
pub(super) fn sizes(session: &Session) -> Outcome {
    let sizes = session.backend.admin().space_sizes()?;
    let size = |(name, bytes): &_| proto::TableSize { table_name: Some(table_name(name)), size: Some(*bytes) };
    Ok(Answer::of(&proto::TableSizes { sizes: sizes.iter().map(size).collect() }))
}

/// Returns the quota state of tables and namespaces, as the master reports it.
pub(super) fn states(session: &Session) -> Outcome {
    let mut states = proto::QuotaStates { tables: tables(session)?, ..proto::QuotaStates::default() };
    for (owner, usage) in session.backend.admin().space_uses()? {
        if let QuotaOwner::Namespace(namespace) = owner {
            let snapshot = Some(to_snapshot(&usage));
            states.namespaces.push(proto::NamespaceSnapshot { namespace: Some(namespace), snapshot });
        }
    }
    Ok(Answer::of(&states))
}

/// Returns the quota state of tables, as a region server reports it.
pub(in crate::server) fn snapshots(session: &Session) -> Outcome {
    Ok(Answer::of(&proto::TableSnapshots { snapshots: tables(session)? }))
}

fn tables(session: &Session) -> rowstone_model::Result<Vec<proto::TableSnapshot>> {
    let uses = session.backend.admin().space_uses()?;
    let message = |(owner, usage)| match owner {
        QuotaOwner::Table(name) => {
            let (table_name, snapshot) = (Some(table_name(&name)), Some(to_snapshot(&usage)));
            Some(proto::TableSnapshot { table_name, snapshot })
        }
        _ => None,
    };
    Ok(uses.into_iter().filter_map(message).collect())
}
