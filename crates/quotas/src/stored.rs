//! Limits as cells of `hbase:quota`: rows are `n.`, `r.`, `t.` or `u.` and a name; family `q` has limits, `u` has the
//! usage of space. Source: `QuotaTableUtil`.

use super::messages::{from_message, from_snapshot, to_message, to_snapshot, AllQuotas, SpaceSnapshot};
use prost::Message;
use rowstone_model::backend::TableBackend;
use rowstone_model::cell::{Cell, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind, Scan};
use rowstone_model::quota::{QuotaOwner, Quotas, SpaceUse};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;

/// The quota table.
pub const TABLE: &str = "hbase:quota";
/// Its families: limits, and usage.
pub const LIMITS: &[u8] = b"q";
const USED: &[u8] = b"u";
/// Qualifier of an owner's limits. A user's limits in a table or a namespace append a dot and its name.
const SETTINGS: &[u8] = b"s";
/// Qualifier of a table's usage of its space quota.
const STANDING: &[u8] = b"p";
/// Start of the qualifiers with sizes of snapshots. In a table's row, the name of one of its snapshots follows. In a
/// namespace's row nothing follows, and the size is the total of all its snapshots.
const SNAPSHOT: &[u8] = b"ss";
const EXCEED_ROW: &[u8] = b"exceedThrottleQuota";
/// HBase's prefix of encoded limits.
const MAGIC: &[u8] = b"PBUF";
/// Cells and bytes per read.
const BATCH: (usize, usize) = (1024, 1 << 20);

/// A decoded cell of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// The limits of an owner.
    Limits(QuotaOwner, Quotas),
    /// A table's usage of its space quota.
    Standing(TableName, SpaceUse),
    /// Bytes retained only by a snapshot of a table.
    Snapshot(TableName, String, u64),
    /// Whether quotas may be exceeded while servers have room.
    MayExceed(bool),
}

/// The table's name.
pub fn table() -> Result<TableName> {
    TableName::parse(TABLE)
}

/// HBase's descriptor of the table.
pub fn descriptor() -> Result<TableDescriptor> {
    let family = |name: &[u8]| {
        let mut family = FamilyDescriptor::new(name);
        family.attributes.insert("VERSIONS".into(), "1".into());
        family
    };
    Ok(TableDescriptor::new(table()?).with_family(family(LIMITS)).with_family(family(USED)))
}

/// Row and qualifier of an owner's limits.
fn place(owner: &QuotaOwner) -> (Vec<u8>, Vec<u8>) {
    let row = |letter: &str, name: &str| format!("{letter}.{name}").into_bytes();
    let inside = |name: String| [SETTINGS, b".", name.as_bytes()].concat();
    match owner {
        QuotaOwner::Namespace(name) => (row("n", name), SETTINGS.to_vec()),
        QuotaOwner::Server(name) => (row("r", name), SETTINGS.to_vec()),
        QuotaOwner::Table(name) => (row("t", &name.to_string()), SETTINGS.to_vec()),
        QuotaOwner::User(user) => (row("u", user), SETTINGS.to_vec()),
        QuotaOwner::UserInNamespace(user, name) => (row("u", user), inside(format!("{name}:"))),
        QuotaOwner::UserInTable(user, name) => (row("u", user), inside(name.to_string())),
    }
}

fn owner_of(row: &str, qualifier: &[u8]) -> Option<QuotaOwner> {
    let (letter, name) = row.split_once('.')?;
    let name = name.to_string();
    if let (Some(inside), "u") = (qualifier.strip_prefix(b"s."), letter) {
        let inside = std::str::from_utf8(inside).ok()?;
        return Some(match inside.strip_suffix(':') {
            Some(namespace) => QuotaOwner::UserInNamespace(name, namespace.into()),
            None => QuotaOwner::UserInTable(name, TableName::parse(inside).ok()?),
        });
    }
    match letter {
        _ if qualifier != SETTINGS => None,
        "n" => Some(QuotaOwner::Namespace(name)),
        "r" => Some(QuotaOwner::Server(name)),
        "t" => Some(QuotaOwner::Table(TableName::parse(&name).ok()?)),
        "u" => Some(QuotaOwner::User(name)),
        _ => None,
    }
}

fn cell_of(row: &[u8], family: &[u8], qualifier: &[u8], value: Option<&[u8]>) -> Mutation {
    let (kind, cell_type) = match value {
        Some(_) => (MutationKind::Put, CellType::Put),
        None => (MutationKind::Delete, CellType::DeleteColumn),
    };
    let mut mutation = Mutation::new(kind, row);
    mutation.cells.push(CellParts {
        row,
        family,
        qualifier,
        timestamp: LATEST_TIMESTAMP,
        cell_type,
        value: value.unwrap_or_default(),
        tags: &[],
    });
    mutation
}

/// Encodes limits as a cell value.
pub fn encoded(quotas: &Quotas) -> Vec<u8> {
    [MAGIC, &to_message(quotas).encode_to_vec()].concat()
}

/// The mutation that stores an owner's limits, or removes them if `quotas` is `None`. The removal deletes the whole
/// row, as in HBase; but for a user in a table or a namespace it deletes one column.
pub fn limits(owner: &QuotaOwner, quotas: Option<&Quotas>) -> Mutation {
    let (row, qualifier) = place(owner);
    let is_inside = matches!(owner, QuotaOwner::UserInNamespace(..) | QuotaOwner::UserInTable(..));
    match quotas {
        None if !is_inside => Mutation::new(MutationKind::Delete, row),
        quotas => cell_of(&row, LIMITS, &qualifier, quotas.map(encoded).as_deref()),
    }
}

/// The mutation that stores whether quotas may be exceeded.
pub fn may_exceed(on: bool) -> Mutation {
    // As Java's `Bytes.toBytes(boolean)`.
    cell_of(EXCEED_ROW, LIMITS, SETTINGS, Some(&[if on { 0xff } else { 0 }]))
}

/// The mutation that stores or removes a table's usage of its space quota.
pub fn standing(table: &TableName, usage: Option<&SpaceUse>) -> Mutation {
    let value = usage.map(|usage| to_snapshot(usage).encode_to_vec());
    cell_of(format!("t.{table}").as_bytes(), USED, STANDING, value.as_deref())
}

/// The mutation that stores or removes the size of a snapshot.
pub fn snapshot_size(table: &TableName, snapshot: &str, bytes: Option<u64>) -> Mutation {
    let size = |usage| SpaceSnapshot { usage: Some(usage), ..SpaceSnapshot::default() }.encode_to_vec();
    let qualifier = [SNAPSHOT, snapshot.as_bytes()].concat();
    cell_of(format!("t.{table}").as_bytes(), USED, &qualifier, bytes.map(size).as_deref())
}

/// Decodes a cell of the table; `None` for cells that HBase ignores too.
pub fn entry_of(cell: &Cell<'_>) -> Option<Entry> {
    if cell.row() == EXCEED_ROW {
        let is_on = cell.value().first().is_some_and(|byte| *byte != 0);
        return (cell.family() == LIMITS && cell.qualifier() == SETTINGS).then_some(Entry::MayExceed(is_on));
    }
    let row = std::str::from_utf8(cell.row()).ok()?;
    if cell.family() == LIMITS {
        let message = AllQuotas::decode(cell.value().strip_prefix(MAGIC)?).ok()?;
        return Some(Entry::Limits(owner_of(row, cell.qualifier())?, from_message(message)));
    }
    let table = TableName::parse(row.strip_prefix("t.")?).ok()?;
    let message = SpaceSnapshot::decode(cell.value()).ok()?;
    match cell.qualifier().strip_prefix(SNAPSHOT) {
        Some(name) => {
            let name = String::from_utf8(name.to_vec()).ok()?;
            Some(Entry::Snapshot(table, name, message.usage.unwrap_or(0)))
        }
        None if cell.qualifier() == STANDING => Some(Entry::Standing(table, from_snapshot(&message))),
        None => None,
    }
}

/// All entries of the quota table, in its order.
pub fn entries(quota: &dyn TableBackend) -> Result<Vec<Entry>> {
    let mut found = Vec::new();
    let mut scanner = quota.scan(Scan::default())?;
    while let Some(batch) = scanner.next_batch(BATCH.0, BATCH.1)? {
        found.extend(batch.cells.iter().filter_map(|cell| entry_of(&cell)));
    }
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::quota::{QuotaScope, SpaceLimit, SpacePolicy, ThrottleKind, TimeUnit, TimedLimit};

    fn name(text: &str) -> TableName {
        TableName::parse(text).unwrap()
    }

    fn read(mutation: &Mutation) -> Option<Entry> {
        entry_of(&mutation.cells.iter().next().unwrap())
    }

    #[test]
    fn limits_are_stored_where_and_as_hbase_stores_them() {
        let limit = TimedLimit { unit: TimeUnit::Seconds, limit: 10, scope: Some(QuotaScope::Machine) };
        let quotas = Quotas { throttle: [(ThrottleKind::RequestNumber, limit)].into(), ..Quotas::default() };
        for (owner, row, qualifier) in [
            (QuotaOwner::Namespace("ns".into()), "n.ns", "s"),
            (QuotaOwner::Server("all".into()), "r.all", "s"),
            (QuotaOwner::Table(name("ns:t")), "t.ns:t", "s"),
            (QuotaOwner::Table(name("t")), "t.t", "s"),
            (QuotaOwner::User("bob".into()), "u.bob", "s"),
            (QuotaOwner::UserInNamespace("bob".into(), "ns".into()), "u.bob", "s.ns:"),
            (QuotaOwner::UserInTable("b.ob".into(), name("ns:t")), "u.b.ob", "s.ns:t"),
        ] {
            let mutation = limits(&owner, Some(&quotas));
            let cell = mutation.cells.iter().next().unwrap();
            assert_eq!((cell.row(), cell.qualifier()), (row.as_bytes(), qualifier.as_bytes()));
            assert_eq!(cell.value(), b"PBUF\x12\x08\x0a\x06\x08\x04\x10\x0a\x20\x02");
            assert_eq!(read(&mutation), Some(Entry::Limits(owner, quotas.clone())));
        }
    }

    #[test]
    fn space_is_stored_as_hbase_stores_it() {
        let space = SpaceLimit { limit_bytes: 1 << 30, policy: SpacePolicy::NoInserts };
        let quotas = Quotas { space: Some(space), bypass_globals: Some(false), ..Quotas::default() };
        assert_eq!(encoded(&quotas), b"PBUF\x08\x00\x1a\x08\x08\x80\x80\x80\x80\x04\x10\x04");
        let over = SpaceUse { usage_bytes: 300, limit_bytes: 200, policy: Some(SpacePolicy::Disable) };
        let mutation = standing(&name("t"), Some(&over));
        assert_eq!(mutation.cells.iter().next().unwrap().value(), b"\x0a\x04\x08\x01\x10\x01\x10\xac\x02\x18\xc8\x01");
        assert_eq!(read(&mutation), Some(Entry::Standing(name("t"), over)));
        let mutation = snapshot_size(&name("t"), "s1", Some(7));
        assert_eq!(mutation.cells.iter().next().unwrap().qualifier(), b"sss1");
        assert_eq!(read(&mutation), Some(Entry::Snapshot(name("t"), "s1".into(), 7)));
        assert_eq!(read(&may_exceed(true)), Some(Entry::MayExceed(true)));
        assert_eq!(read(&may_exceed(false)), Some(Entry::MayExceed(false)));
    }

    #[test]
    fn invalid_entries_are_skipped() {
        for (row, family, qualifier, value) in [
            ("u.ann", "q", "s", &b"\x08\x01"[..]),
            ("x.ann", "q", "s", b"PBUF\x08\x01"),
            ("u.ann", "q", "t", b"PBUF\x08\x01"),
            ("t.", "q", "s", b"PBUF\x08\x01"),
            ("n.ns", "u", "ss", b"\x10\x01"),
            ("t.t", "u", "p", b"\xff"),
        ] {
            let mutation = cell_of(row.as_bytes(), family.as_bytes(), qualifier.as_bytes(), Some(value));
            assert_eq!(read(&mutation), None, "{row} {qualifier}");
        }
    }
}
