//! Per-cell permissions: the users and groups that may read or write one cell. Source:
//! `AccessControlUtil.toUsersAndPermissions`.
//!
//! The bytes are HBase's message `UsersAndPermissions`. Clients send it with a mutation (attribute `acl`), and a cell
//! stores it as a tag. It lists permissions per user, each of one of three kinds; only the actions inside a
//! permission matter, not its kind.

use super::{Permission, Permissions};
use crate::codec::{read_varint, write_varint};

/// Field numbers: the users of the message; name and permissions of a user; kind of a permission.
const USER: u64 = 1;
const NAME: u64 = 1;
const PERMISSION: u64 = 2;
const KIND: u64 = 1;
/// Each kind of permission, the field that contains its message, and the field of that message that lists the
/// actions: global, namespace, table.
const KINDS: [(u64, u64, u64); 3] = [(1, 2, 1), (2, 3, 2), (3, 4, 4)];

const VARINT: u64 = 0;
const BYTES: u64 = 2;

/// Users, and groups with `@`, with their permissions.
///
/// ```
/// use rowstone_model::access::{CellPermissions, Permission, Permissions};
/// let permissions = CellPermissions::new([("ada", Permissions::parse("R")?), ("@dev", Permissions::parse("RW")?)]);
/// let read = CellPermissions::decode(&permissions.encode()).unwrap_or_default();
/// assert!(read.of("@dev").has(Permission::Write) && !read.of("ada").has(Permission::Write) && read.of("eve").is_empty());
/// # Ok::<(), rowstone_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellPermissions(Vec<(Vec<u8>, Permissions)>);

impl CellPermissions {
    /// Build from pairs of user and permissions.
    pub fn new<N: Into<String>>(users: impl IntoIterator<Item = (N, Permissions)>) -> Self {
        CellPermissions(users.into_iter().map(|(name, permissions)| (name.into().into_bytes(), permissions)).collect())
    }

    /// Permissions of a user, or of `@` and a group.
    pub fn of(&self, name: &str) -> Permissions {
        let own = self.0.iter().filter(|(known, _)| known == name.as_bytes());
        own.fold(Permissions::NONE, |all, (_, permissions)| all.with(*permissions))
    }

    /// Encode as HBase's clients do: every permission as a global one.
    pub fn encode(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for (name, permissions) in &self.0 {
            let mut actions = Vec::new();
            for permission in permissions.iter() {
                write_number(&mut actions, KINDS[0].2, permission as u64);
            }
            let mut permission = Vec::new();
            write_number(&mut permission, KIND, KINDS[0].0);
            write_bytes(&mut permission, KINDS[0].1, &actions);
            let mut user = Vec::new();
            write_bytes(&mut user, NAME, name);
            write_bytes(&mut user, PERMISSION, &permission);
            write_bytes(&mut all, USER, &user);
        }
        all
    }

    /// Decode the message; `None` if the bytes are malformed.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut users = Vec::new();
        for field in fields(bytes)? {
            if let (USER, Value::Bytes(user)) = field {
                users.push(user_of(user)?);
            }
        }
        Some(CellPermissions(users))
    }
}

fn user_of(bytes: &[u8]) -> Option<(Vec<u8>, Permissions)> {
    let (mut name, mut permissions) = (None, Permissions::NONE);
    for field in fields(bytes)? {
        match field {
            (NAME, Value::Bytes(bytes)) => name = Some(bytes.to_vec()),
            (PERMISSION, Value::Bytes(bytes)) => permissions = permissions.with(permissions_of(bytes)?),
            _ => {}
        }
    }
    Some((name?, permissions))
}

fn permissions_of(permission: &[u8]) -> Option<Permissions> {
    let all = fields(permission)?;
    let kind = all.iter().find_map(|field| match field {
        (KIND, Value::Number(kind)) => Some(*kind),
        _ => None,
    })?;
    let (_, message, actions) = KINDS.into_iter().find(|(number, ..)| *number == kind)?;
    let mut permissions = Permissions::NONE;
    for field in all {
        let (number, Value::Bytes(bytes)) = field else { continue };
        if number != message {
            continue;
        }
        for action in fields(bytes)? {
            match action {
                (number, Value::Number(action)) if number == actions => permissions = with_action(permissions, action),
                (number, Value::Bytes(mut packed)) if number == actions => {
                    while !packed.is_empty() {
                        let (action, length) = read_varint(packed)?;
                        (permissions, packed) = (with_action(permissions, action), &packed[length..]);
                    }
                }
                _ => {}
            }
        }
    }
    Some(permissions)
}

/// Adds the permission with HBase's code `action`; unknown codes are ignored.
fn with_action(permissions: Permissions, action: u64) -> Permissions {
    let known = Permission::ALL.into_iter().find(|permission| *permission as u64 == action);
    known.map_or(permissions, |permission| permissions.and(permission))
}

enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// The fields of a message; fields that are neither varints nor bytes are skipped.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Value<'_>)>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (key, length) = read_varint(bytes)?;
        bytes = &bytes[length..];
        let number = key >> 3;
        match key & 7 {
            VARINT => {
                let (value, length) = read_varint(bytes)?;
                bytes = &bytes[length..];
                found.push((number, Value::Number(value)));
            }
            BYTES => {
                let (count, length) = read_varint(bytes)?;
                let end = length.checked_add(usize::try_from(count).ok()?)?;
                found.push((number, Value::Bytes(bytes.get(length..end)?)));
                bytes = &bytes[end..];
            }
            1 => bytes = bytes.get(8..)?,
            5 => bytes = bytes.get(4..)?,
            _ => return None,
        }
    }
    Some(found)
}

fn write_number(out: &mut Vec<u8>, field: u64, value: u64) {
    write_varint(out, field << 3 | VARINT);
    write_varint(out, value);
}

fn write_bytes(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    write_varint(out, field << 3 | BYTES);
    write_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn permissions(letters: &str) -> Permissions {
        Permissions::parse(letters).unwrap()
    }

    #[test]
    fn the_bytes_are_those_of_hbases_java_client() {
        // `put.setACL("ada", new Permission(Action.READ, Action.WRITE))`
        let bytes = b"\x0a\x0f\x0a\x03ada\x12\x08\x08\x01\x12\x04\x08\x00\x08\x01";
        assert_eq!(CellPermissions::new([("ada", permissions("RW"))]).encode(), bytes);
        assert_eq!(CellPermissions::decode(bytes).unwrap().of("ada"), permissions("RW"));
        // The same with a map of two users.
        let bytes = b"\x0a\x10\x0a\x04@dev\x12\x08\x08\x01\x12\x04\x08\x00\x08\x01\
            \x0a\x11\x0a\x03ada\x12\x0a\x08\x01\x12\x06\x08\x02\x08\x03\x08\x04";
        assert_eq!(CellPermissions::new([("@dev", permissions("RW")), ("ada", permissions("XCA"))]).encode(), bytes);
    }

    #[test]
    fn actions_of_all_kinds_and_repeated_users_add_up() {
        // Namespace and table permissions, the latter with packed actions. The table message inside the namespace
        // permission and the unknown action 0x63 add nothing.
        let namespace = b"\x08\x02\x1a\x05\x0a\x01n\x10\x00\x22\x02\x20\x04";
        let table = b"\x08\x03\x22\x04\x22\x02\x01\x63";
        let mut user = b"\x0a\x01u".to_vec();
        for permission in [namespace.as_slice(), table] {
            write_bytes(&mut user, PERMISSION, permission);
        }
        let mut all = Vec::new();
        write_bytes(&mut all, USER, &user);
        write_bytes(&mut all, USER, b"\x0a\x01u\x12\x06\x08\x01\x12\x02\x08\x02");
        assert_eq!(CellPermissions::decode(&all).unwrap().of("u"), permissions("RWX"));
    }

    #[test]
    fn malformed_messages_grant_nothing_and_lengths_are_checked() {
        let whole = CellPermissions::new([("ada", permissions("RWXCA")), ("@dev", permissions("R"))]).encode();
        for end in 0..whole.len() {
            let cut = CellPermissions::decode(&whole[..end]);
            assert!(cut.is_none_or(|cut| cut.of("@dev").is_empty()), "cut at {end}");
        }
        for wrong in [b"\x0a\xff\xff\xff\xff\x0f".as_slice(), b"\x0f", b"\x0a\x02\x12\x00", b"\xff"] {
            assert_eq!(CellPermissions::decode(wrong), None);
        }
    }
}
