//! Who may do what: rights, where they hold, and for whom. Sources: HBase's `Permission`, `UserPermission`.
//!
//! These are the words only. What an operation needs, and who has it, the crate `access` decides.

mod cell_rights;

pub use cell_rights::CellRights;

use crate::error::{Error, Result};
use crate::schema::TableName;
use std::fmt;

/// A thing that one may be allowed to do. The order is HBase's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// See cells.
    Read,
    /// Change cells.
    Write,
    /// Call endpoints.
    Exec,
    /// Make, change and drop tables.
    Create,
    /// Everything about tables, regions, namespaces and rights that is no reading and writing.
    Admin,
}

impl Right {
    /// All five, in HBase's order.
    pub const ALL: [Right; 5] = [Right::Read, Right::Write, Right::Exec, Right::Create, Right::Admin];

    /// Its letter: one of `RWXCA`.
    pub fn letter(self) -> char {
        match self {
            Right::Read => 'R',
            Right::Write => 'W',
            Right::Exec => 'X',
            Right::Create => 'C',
            Right::Admin => 'A',
        }
    }

    /// HBase's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Right::Read => "READ",
            Right::Write => "WRITE",
            Right::Exec => "EXEC",
            Right::Create => "CREATE",
            Right::Admin => "ADMIN",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Rights(u8);

impl Rights {
    /// None.
    pub const NONE: Rights = Rights(0);
    /// All five.
    pub const ALL: Rights = Rights(0b1_1111);

    /// Those of `letters`, each one of `RWXCA`.
    ///
    /// ```
    /// use rowstone_model::access::{Right, Rights};
    /// let rights = Rights::parse("WR")?;
    /// assert!(rights.has(Right::Read) && !rights.has(Right::Admin));
    /// assert_eq!(rights.to_string(), "RW");
    /// # Ok::<(), rowstone_model::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for another letter.
    pub fn parse(letters: &str) -> Result<Self> {
        letters.chars().try_fold(Rights::NONE, |rights, letter| {
            match Right::ALL.iter().find(|right| right.letter() == letter) {
                Some(right) => Ok(rights.and(*right)),
                None => Err(Error::invalid(format!("rights '{letters}' are not letters of RWXCA"))),
            }
        })
    }

    /// These and `right`.
    #[must_use]
    pub const fn and(self, right: Right) -> Self {
        Rights(self.0 | right.bit())
    }

    /// These and those of `other`.
    #[must_use]
    pub const fn with(self, other: Rights) -> Self {
        Rights(self.0 | other.0)
    }

    /// These without those of `other`.
    #[must_use]
    pub const fn without(self, other: Rights) -> Self {
        Rights(self.0 & !other.0)
    }

    /// Whether `right` is among them.
    pub const fn has(self, right: Right) -> bool {
        self.0 & right.bit() != 0
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, in HBase's order.
    pub fn iter(self) -> impl Iterator<Item = Right> {
        Right::ALL.into_iter().filter(move |right| self.has(*right))
    }
}

impl FromIterator<Right> for Rights {
    fn from_iter<I: IntoIterator<Item = Right>>(rights: I) -> Self {
        rights.into_iter().fold(Rights::NONE, Rights::and)
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|right| write!(f, "{}", right.letter()))
    }
}

/// Where rights hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Everywhere.
    Global,
    /// In a namespace.
    Namespace(String),
    /// In a table: in all of it, in one family, in one column.
    Table {
        /// The table.
        name: TableName,
        /// The family; `None` is all.
        family: Option<Vec<u8>>,
        /// The qualifier; `None` is all. Not without a family.
        qualifier: Option<Vec<u8>>,
    },
}

impl Place {
    /// A whole table.
    pub fn table(name: &TableName) -> Self {
        Place::Table { name: name.clone(), family: None, qualifier: None }
    }
}

/// What a user, or a group (`@group`), may do somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The user, or `@` and the group.
    pub user: String,
    /// Where.
    pub place: Place,
    /// What.
    pub rights: Rights,
}

/// Which grants one asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantQuery {
    /// Those of this place: a table's with all of its families and columns, a family's with its columns.
    pub place: Place,
    /// Only those of this user, and of the groups that he is in.
    pub user: Option<String>,
}

/// What a server does beside the database, or behind the caller's back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent<'a> {
    /// Something about the server as a whole.
    Operate,
    /// Run the balancer.
    Balance,
    /// Move a region of the table.
    Move(&'a TableName),
    /// Compact the table, later.
    Compact(&'a TableName),
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// The user's short name.
    pub name: String,
    /// The groups he is known to be in, without `@`; the database may know more.
    pub groups: Vec<String>,
    /// Where he asks from, for the audit.
    pub address: Option<String>,
}

impl Caller {
    /// The user `name`, of whom nothing else is known.
    pub fn new(name: impl Into<String>) -> Self {
        Caller { name: name.into(), ..Caller::default() }
    }
}
