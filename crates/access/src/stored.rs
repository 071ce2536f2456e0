//! Grants as cells of `hbase:acl`: the row is the scope, the qualifier the user and the part of the table, the value
//! the letters of the permissions. Source: `PermissionStorage`.

use rowstone_model::access::{Grant, Permission, Permissions, Scope};
use rowstone_model::cell::{Cell, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::{Error, Result};

/// The grant table, and also the row of global grants.
pub const TABLE: &str = "hbase:acl";
/// Its one family.
pub const FAMILY: &[u8] = b"l";
const DELIMITER: u8 = b',';
const NAMESPACE: char = '@';

/// The table's name.
pub fn table() -> Result<TableName> {
    TableName::parse(TABLE)
}

/// Whether a table is the grant table.
pub fn is_table(name: &TableName) -> bool {
    name.is_system() && name.qualifier() == "acl"
}

/// HBase's descriptor of the table.
pub fn descriptor() -> Result<TableDescriptor> {
    let mut family = FamilyDescriptor::new(FAMILY);
    for (name, value) in [("VERSIONS", "1"), ("IN_MEMORY", "true"), ("BLOCKSIZE", "8192"), ("BLOOMFILTER", "NONE")] {
        family.attributes.insert(name.into(), value.into());
    }
    Ok(TableDescriptor::new(table()?).with_family(family))
}

/// The row of a scope.
pub fn row(scope: &Scope) -> Vec<u8> {
    match scope {
        Scope::Global => TABLE.into(),
        Scope::Namespace(name) => format!("{NAMESPACE}{name}").into_bytes(),
        Scope::Table { name, .. } => name.to_string().into_bytes(),
    }
}

fn qualifier(grant: &Grant) -> Vec<u8> {
    let mut key = grant.user.clone().into_bytes();
    if let Scope::Table { family: Some(family), qualifier, .. } = &grant.scope {
        for part in std::iter::once(family).chain(qualifier) {
            key.push(DELIMITER);
            key.extend_from_slice(part);
        }
    }
    key
}

/// Rejects a grant whose stored form would be ambiguous.
///
/// # Errors
/// `InvalidArgument` for a user name that is empty or contains a comma, and for an empty family or qualifier.
pub fn check(grant: &Grant) -> Result<()> {
    if grant.user.is_empty() || grant.user == "@" || grant.user.contains(',') {
        return Err(Error::invalid(format!("user name '{}' is invalid: it is empty or contains a comma", grant.user)));
    }
    match &grant.scope {
        Scope::Table { family: None, qualifier: Some(_), .. } => {
            Err(Error::invalid("permissions on a column need its family too"))
        }
        Scope::Table { family: Some(part), .. } | Scope::Table { qualifier: Some(part), .. } if part.is_empty() => {
            Err(Error::invalid("permissions on a family need its name, which must not be empty"))
        }
        _ => Ok(()),
    }
}

/// The mutation that stores `grant`; if it has no permissions, the mutation that removes the stored one.
pub fn mutation(grant: &Grant) -> Mutation {
    let (kind, cell_type) = if grant.permissions.is_empty() {
        (MutationKind::Delete, CellType::DeleteColumn)
    } else {
        (MutationKind::Put, CellType::Put)
    };
    let row = row(&grant.scope);
    let mut mutation = Mutation::new(kind, &row);
    mutation.cells.push(CellParts {
        row: &row,
        family: FAMILY,
        qualifier: &qualifier(grant),
        timestamp: LATEST_TIMESTAMP,
        cell_type,
        value: grant.permissions.to_string().as_bytes(),
        tags: &[],
    });
    mutation
}

/// Parses a grant from a cell of the table; `None` if it is not a grant.
pub fn grant_of(cell: &Cell<'_>) -> Option<Grant> {
    if cell.family() != FAMILY {
        return None;
    }
    let row = std::str::from_utf8(cell.row()).ok()?;
    let known = |byte: &u8| Permission::ALL.into_iter().find(|permission| permission.letter() == char::from(*byte));
    // As in HBase, unknown letters are ignored.
    let permissions: Permissions = cell.value().iter().filter_map(known).collect();
    let key = cell.qualifier();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    if row == TABLE {
        return Some(Grant { user: text(key)?, scope: Scope::Global, permissions });
    }
    if let Some(namespace) = row.strip_prefix(NAMESPACE) {
        return Some(Grant { user: text(key)?, scope: Scope::Namespace(namespace.into()), permissions });
    }
    let mut parts = key.splitn(3, |byte| *byte == DELIMITER);
    let user = text(parts.next()?)?;
    let name = TableName::parse(row).ok()?;
    let (family, qualifier) = (parts.next().map(<[u8]>::to_vec), parts.next().map(<[u8]>::to_vec));
    // No family or qualifier of a grant is empty; an empty one must not be read as "all".
    if [&family, &qualifier].into_iter().flatten().any(Vec::is_empty) {
        return None;
    }
    Some(Grant { user, scope: Scope::Table { name, family, qualifier }, permissions })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn grant(user: &str, scope: Scope, permissions: &str) -> Grant {
        Grant { user: user.into(), scope, permissions: Permissions::parse(permissions).unwrap() }
    }

    fn column(table: &str, family: Option<&str>, qualifier: Option<&str>) -> Scope {
        let bytes = |part: Option<&str>| part.map(|part| part.as_bytes().to_vec());
        Scope::Table { name: TableName::parse(table).unwrap(), family: bytes(family), qualifier: bytes(qualifier) }
    }

    #[test]
    fn a_grant_is_stored_as_hbase_stores_it_and_read_back() {
        for (given, row, key) in [
            (grant("ann", Scope::Global, "RA"), "hbase:acl", "ann"),
            (grant("@dev", Scope::Namespace("ns".into()), "C"), "@ns", "@dev"),
            (grant("ann", column("t", None, None), "RWXCA"), "t", "ann"),
            (grant("ann", column("ns:t", Some("f"), None), "W"), "ns:t", "ann,f"),
            (grant("ann", column("t", Some("f"), Some("a,b")), "R"), "t", "ann,f,a,b"),
        ] {
            let mutation = mutation(&given);
            let cell = mutation.cells.iter().next().unwrap();
            assert_eq!((cell.row(), cell.qualifier()), (row.as_bytes(), key.as_bytes()));
            assert_eq!(cell.value(), given.permissions.to_string().as_bytes());
            assert_eq!(grant_of(&cell), Some(given));
        }
    }

    #[test]
    fn ambiguous_grants_are_rejected() {
        for wrong in [
            grant("", Scope::Global, "R"),
            grant("a,b", Scope::Global, "R"),
            grant("ann", column("t", None, Some("q")), "R"),
            grant("ann", column("t", Some(""), None), "R"),
        ] {
            assert!(check(&wrong).is_err(), "{wrong:?}");
        }
        assert!(check(&grant("@dev", column("t", Some("f"), Some("q")), "R")).is_ok());
    }
}
