//! Names of tables and namespaces, by HBase's grammar.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// A table's namespace and its name within it. Prints as `namespace:name`, or `name` alone in `default`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableName {
    namespace: String,
    qualifier: String,
}

fn illegal(what: &str, name: &str, reason: &str) -> Error {
    Error::new(ErrorKind::InvalidName, format!("{what} name '{name}' is not legal: {reason}"))
}

/// Rejects namespaces that HBase rejects: only letters, digits and `_` are allowed.
pub fn check_namespace(name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(illegal("namespace", name, "it is empty"));
    }
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(illegal("namespace", name, "only letters, digits and '_' are allowed"));
    }
    check_length("namespace", name)
}

/// Rejects names of snapshots that no table can have.
///
/// # Errors
/// `InvalidName`.
pub fn check_snapshot_name(name: &str) -> Result<()> {
    check_qualifier("snapshot", name)
}

fn check_qualifier(what: &str, name: &str) -> Result<()> {
    let reason = match name.chars().next() {
        None => "it is empty",
        Some('.' | '-') => "it starts with '.' or '-'",
        _ if !name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c)) => {
            "only letters, digits, '_', '-' and '.' are allowed"
        }
        _ if name == "zookeeper" => "that name is reserved",
        _ => return check_length(what, name),
    };
    Err(illegal(what, name, reason))
}

fn check_length(what: &str, name: &str) -> Result<()> {
    // A name becomes a folder name; file systems allow 255 bytes.
    if name.len() > 255 {
        return Err(illegal(
            what,
            &format!("{}…", name.chars().take(32).collect::<String>()),
            "it is longer than 255 bytes",
        ));
    }
    Ok(())
}

impl TableName {
    /// The table `qualifier` of `namespace`.
    ///
    /// # Errors
    /// `InvalidName` if either breaks HBase's grammar: letters, digits, `_`, and in tables also `-` and `.`, which
    /// must not come first.
    pub fn new(namespace: &str, qualifier: &str) -> Result<Self> {
        check_namespace(namespace)?;
        check_qualifier("table", qualifier)?;
        Ok(TableName { namespace: namespace.into(), qualifier: qualifier.into() })
    }

    /// Parses `namespace:name`, or `name` in `default`.
    ///
    /// ```
    /// let name = rowstone_model::schema::TableName::parse("bar").unwrap();
    /// assert_eq!((name.namespace(), name.qualifier()), ("default", "bar"));
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some((namespace, qualifier)) => Self::new(namespace, qualifier),
            None => Self::new("default", text),
        }
    }

    /// The namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The name within the namespace.
    pub fn qualifier(&self) -> &str {
        &self.qualifier
    }

    /// Whether it is a system table (namespace `hbase`).
    pub fn is_system(&self) -> bool {
        self.namespace == "hbase"
    }

    /// Whether it is `hbase:meta`, the table of regions.
    pub fn is_meta(&self) -> bool {
        self.is_system() && self.qualifier == "meta"
    }

    /// `hbase:meta`.
    pub fn meta() -> Self {
        TableName { namespace: "hbase".into(), qualifier: "meta".into() }
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace == "default" {
            f.write_str(&self.qualifier)
        } else {
            write!(f, "{}:{}", self.namespace, self.qualifier)
        }
    }
}
