//! Access control vocabulary: permissions, their scopes, and the users they are granted to. Sources: HBase's
//! `Permission`, `UserPermission`.
//!
//! This module only defines the types. The crate `access` decides which permissions an operation needs and who has
//! them.

mod cell_permissions;

pub use cell_permissions::CellPermissions;

use crate::error::{Error, Result};
use crate::schema::TableName;
use std::fmt;

/// A permission. The order is HBase's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// Read cells.
    Read,
    /// Write cells.
    Write,
    /// Call endpoints.
    Exec,
    /// Create, alter and drop tables.
    Create,
    /// Administer tables, regions, namespaces and permissions.
    Admin,
}

impl Permission {
    /// All five, in HBase's order.
    pub const ALL: [Permission; 5] =
        [Permission::Read, Permission::Write, Permission::Exec, Permission::Create, Permission::Admin];

    /// Its letter: one of `RWXCA`.
    pub fn letter(self) -> char {
        match self {
            Permission::Read => 'R',
            Permission::Write => 'W',
            Permission::Exec => 'X',
            Permission::Create => 'C',
            Permission::Admin => 'A',
        }
    }

    /// HBase's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Permission::Read => "READ",
            Permission::Write => "WRITE",
            Permission::Exec => "EXEC",
            Permission::Create => "CREATE",
            Permission::Admin => "ADMIN",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Permissions(u8);

impl Permissions {
    /// No permissions.
    pub const NONE: Permissions = Permissions(0);
    /// All five permissions.
    pub const ALL: Permissions = Permissions(0b1_1111);

    /// Parse `letters`, each one of `RWXCA`.
    ///
    /// ```
    /// use rowstone_model::access::{Permission, Permissions};
    /// let permissions = Permissions::parse("WR")?;
    /// assert!(permissions.has(Permission::Read) && !permissions.has(Permission::Admin));
    /// assert_eq!(permissions.to_string(), "RW");
    /// # Ok::<(), rowstone_model::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for any other letter.
    pub fn parse(letters: &str) -> Result<Self> {
        letters.chars().try_fold(Permissions::NONE, |permissions, letter| {
            match Permission::ALL.iter().find(|permission| permission.letter() == letter) {
                Some(permission) => Ok(permissions.and(*permission)),
                None => Err(Error::invalid(format!("permissions '{letters}' are not letters of RWXCA"))),
            }
        })
    }

    /// This set plus `permission`.
    #[must_use]
    pub const fn and(self, permission: Permission) -> Self {
        Permissions(self.0 | permission.bit())
    }

    /// The union of this set and `other`.
    #[must_use]
    pub const fn with(self, other: Permissions) -> Self {
        Permissions(self.0 | other.0)
    }

    /// This set minus `other`.
    #[must_use]
    pub const fn without(self, other: Permissions) -> Self {
        Permissions(self.0 & !other.0)
    }

    /// Whether the set contains `permission`.
    pub const fn has(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterate over the permissions in HBase's order.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.into_iter().filter(move |permission| self.has(*permission))
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        permissions.into_iter().fold(Permissions::NONE, Permissions::and)
    }
}

impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|permission| write!(f, "{}", permission.letter()))
    }
}

/// The scope of a permission.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Every namespace and table.
    Global,
    /// One namespace.
    Namespace(String),
    /// One table, one family of it or one column.
    Table {
        /// The table.
        name: TableName,
        /// The family; `None` for all families.
        family: Option<Vec<u8>>,
        /// The qualifier; `None` for all qualifiers. Requires a family.
        qualifier: Option<Vec<u8>>,
    },
}

impl Scope {
    /// The scope of a whole table.
    pub fn table(name: &TableName) -> Self {
        Scope::Table { name: name.clone(), family: None, qualifier: None }
    }
}

/// The permissions of a user or group (`@group`) in one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The user, or `@` and the group.
    pub user: String,
    /// The scope.
    pub scope: Scope,
    /// The permissions granted there.
    pub permissions: Permissions,
}

/// A filter for listing grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantQuery {
    /// Grants of this scope: for a table also those of its families and columns, for a family also those of its
    /// columns.
    pub scope: Scope,
    /// Only the grants of this user and of the user's groups.
    pub user: Option<String>,
}

/// An operation that a server performs outside of the backend's own methods, or later than the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent<'a> {
    /// Administer the server as a whole.
    Operate,
    /// Run the balancer.
    Balance,
    /// Move a region of the table.
    Move(&'a TableName),
    /// Flush families of the table.
    Flush(&'a TableName),
    /// Compact the table in the background.
    Compact(&'a TableName),
    /// The same, also while a space policy forbids it.
    CompactDespitePolicy(&'a TableName),
}

/// The client on whose behalf an operation runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// The user's short name.
    pub name: String,
    /// Groups the user is known to be in, without `@`; the database may know more.
    pub groups: Vec<String>,
    /// The client's address, for the audit log.
    pub address: Option<String>,
}

impl Caller {
    /// A caller named `name` with no known groups or address.
    pub fn new(name: impl Into<String>) -> Self {
        Caller { name: name.into(), ..Caller::default() }
    }
}
