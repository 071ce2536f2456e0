//! The access decision: whether a caller is allowed an operation. No clock, no lock, no I/O: the same input always
//! has the same result.
//!
//! Sources: `AccessController.permissionGranted` and `internalPreRead`, `AccessChecker`, `AuthResult`.

use super::grant_index::GrantIndex;
use super::operations::{Operation, Reach};
use rowstone_model::access::{Caller, Permission};
use rowstone_model::operations::ColumnSelection;
use rowstone_model::schema::TableName;

/// The target of an operation.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// No particular object.
    Global,
    /// A namespace.
    Namespace(&'a str),
    /// A new table with these families; the permission is checked in its namespace.
    NewTable(&'a TableName, &'a ColumnSelection),
    /// A table, or a family or column of it.
    Table {
        /// The table.
        name: &'a TableName,
        /// The family.
        family: Option<&'a [u8]>,
        /// The qualifier.
        qualifier: Option<&'a [u8]>,
    },
    /// Columns of a table; at least one.
    Columns(&'a TableName, &'a ColumnSelection),
    /// A snapshot.
    Snapshot {
        /// Its name.
        name: &'a str,
        /// The user who took it.
        owner: &'a str,
        /// The table it was taken from.
        of: &'a TableName,
        /// The table that is created from it or restored.
        into: &'a TableName,
    },
}

impl<'a> Target<'a> {
    /// A whole table.
    pub fn table(name: &'a TableName) -> Self {
        Target::Table { name, family: None, qualifier: None }
    }
}

/// The outcome: allowed, allowed in part, or denied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The operation is allowed.
    Allowed,
    /// Only these columns may be read; at least one.
    Narrowed(ColumnSelection),
    /// The permissions of each cell decide; see [`asking_cells`](super::cells::asking_cells).
    CellByCell,
    /// The operation is denied, with HBase's message.
    Denied(String),
}

/// An outcome and its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The outcome.
    pub verdict: Verdict,
    /// The reason, in HBase's words.
    pub reason: &'static str,
}

impl Decision {
    fn allowed(reason: &'static str) -> Self {
        Decision { verdict: Verdict::Allowed, reason }
    }

    fn denied(reason: &'static str, message: String) -> Self {
        Decision { verdict: Verdict::Denied(message), reason }
    }

    /// Whether the operation is allowed, at least in part.
    pub fn is_allowed(&self) -> bool {
        !matches!(self.verdict, Verdict::Denied(_))
    }
}

/// Decides whether the grants in `held` allow `caller` to do `operation` on `target`.
///
/// ```
/// use rowstone_access::{decide, GrantIndex, Operation, Target};
/// use rowstone_model::access::{Caller, Grant, Scope, Permissions};
/// use rowstone_model::schema::TableName;
/// let table = TableName::parse("t")?;
/// let mut held = GrantIndex::new(["root".to_string()]);
/// held.set(&Grant { user: "ann".into(), scope: Scope::table(&table), permissions: Permissions::parse("R")? });
/// let may = |user: &str, operation| decide(&held, &Caller::new(user), operation, &Target::table(&table)).is_allowed();
/// assert!(may("ann", Operation::Scan) && !may("ann", Operation::Put) && may("root", Operation::DeleteTable));
/// # Ok::<(), rowstone_model::Error>(())
/// ```
pub fn decide(held: &GrantIndex, caller: &Caller, operation: Operation, target: &Target<'_>) -> Decision {
    let rule = operation.rule();
    match rule.reach {
        Reach::Everywhere => everywhere(held, caller, rule.permissions),
        Reach::Here => here(held, caller, rule.permissions, target),
        Reach::Anywhere => anywhere(held, caller, rule.permissions, target),
        Reach::EachColumn => each_column(held, caller, rule.permissions, target),
        Reach::SomeColumns => some_columns(held, caller, rule.permissions, target),
        Reach::Owner | Reach::OwnerOfSameTable | Reach::OwnerWithPermission => {
            owned(held, caller, rule.reach, rule.permissions, target)
        }
    }
}

fn everywhere(held: &GrantIndex, caller: &Caller, permissions: &[Permission]) -> Decision {
    if permissions.iter().any(|permission| held.has_global(caller, *permission)) {
        return Decision::allowed("Global check allowed");
    }
    Decision::denied("Global check failed", global_message(caller, last(permissions)))
}

fn here(held: &GrantIndex, caller: &Caller, permissions: &[Permission], target: &Target<'_>) -> Decision {
    let has = |permission: Permission| match target {
        Target::Global => held.has_global(caller, permission),
        Target::Namespace(namespace) => held.has_namespace(caller, namespace, permission),
        Target::NewTable(name, _) => held.has_namespace(caller, name.namespace(), permission),
        Target::Table { name, family, qualifier } => held.has_table(caller, name, *family, *qualifier, permission),
        Target::Columns(name, _) => held.has_table(caller, name, None, None, permission),
        Target::Snapshot { into, .. } => held.has_table(caller, into, None, None, permission),
    };
    if permissions.iter().any(|permission| has(*permission)) {
        return Decision::allowed(match target {
            Target::Global => "Global check allowed",
            Target::Namespace(_) | Target::NewTable(..) => "Namespace permission granted",
            _ => "Table permission granted",
        });
    }
    match target {
        Target::Global => Decision::denied("Global check failed", global_message(caller, last(permissions))),
        _ => {
            let is_named = !matches!(target, Target::NewTable(..));
            Decision::denied("Insufficient permissions", context_message(caller, target, last(permissions), is_named))
        }
    }
}

fn anywhere(held: &GrantIndex, caller: &Caller, permissions: &[Permission], target: &Target<'_>) -> Decision {
    let Some(table) = table_of(target) else { return here(held, caller, permissions, target) };
    if permissions.iter().any(|permission| held.reaches_into(caller, table, *permission)) {
        return Decision::allowed("Table permission granted");
    }
    Decision::denied("Insufficient permissions", context_message(caller, target, last(permissions), false))
}

/// The first permission that is missing, and the reason.
fn failing<'a>(
    held: &GrantIndex,
    caller: &Caller,
    permissions: &[Permission],
    target: &Target<'a>,
) -> Result<&'static str, (Permission, &'static str, Target<'a>)> {
    let mut reason = "Table permission granted";
    for permission in permissions {
        match columns_have(held, caller, *permission, target) {
            Ok(why) => reason = why,
            Err((why, part)) => return Err((*permission, why, part)),
        }
    }
    Ok(reason)
}

/// Whether one permission is granted for all columns: the reason if so; otherwise the reason and the column that
/// lacks it.
fn columns_have<'a>(
    held: &GrantIndex,
    caller: &Caller,
    permission: Permission,
    target: &Target<'a>,
) -> Result<&'static str, (&'static str, Target<'a>)> {
    let Some(name) = table_of(target) else { return Err(("No table to check", *target)) };
    if is_meta(name) && permission == Permission::Read {
        return Ok("All users allowed");
    }
    if held.has_table(caller, name, None, None, permission) {
        return Ok("Table permission granted");
    }
    match target {
        Target::Columns(name, columns) => {
            for (family, qualifiers) in &columns.families {
                if held.has_table(caller, name, Some(family), None, permission) {
                    continue;
                }
                let Some(qualifiers) = qualifiers else {
                    return Err(("Failed family check", Target::Table { name, family: Some(family), qualifier: None }));
                };
                for qualifier in qualifiers.iter() {
                    if !held.has_table(caller, name, Some(family), Some(qualifier), permission) {
                        let qualifier = Some(qualifier.as_slice());
                        return Err((
                            "Failed qualifier check",
                            Target::Table { name, family: Some(family), qualifier },
                        ));
                    }
                }
            }
            Ok("All family checks passed")
        }
        Target::Table { name, family: Some(family), qualifier }
            if held.has_table(caller, name, Some(family), *qualifier, permission) =>
        {
            Ok("All family checks passed")
        }
        _ => Err(("No families to check and table permission failed", *target)),
    }
}

fn each_column(held: &GrantIndex, caller: &Caller, permissions: &[Permission], target: &Target<'_>) -> Decision {
    match failing(held, caller, permissions, target) {
        Ok(reason) => Decision::allowed(reason),
        Err((permission, reason, part)) => Decision::denied(reason, context_message(caller, &part, permission, false)),
    }
}

fn some_columns(held: &GrantIndex, caller: &Caller, permissions: &[Permission], target: &Target<'_>) -> Decision {
    let (permission, reason) = match failing(held, caller, permissions, target) {
        Ok(reason) => return Decision::allowed(reason),
        Err((permission, reason, _)) => (permission, reason),
    };
    if let Target::Columns(table, wanted) = target {
        let part = held.part_of(caller, table, wanted, permission);
        if !part.is_all() {
            return Decision { verdict: Verdict::Narrowed(part), reason: "Access allowed with filter" };
        }
    }
    let table = table_of(target).map(ToString::to_string).unwrap_or_default();
    let message =
        format!("Insufficient permissions for user '{}' (table={table}, action={})", caller.name, permission.name());
    Decision::denied(reason, message)
}

fn owned(
    held: &GrantIndex,
    caller: &Caller,
    reach: Reach,
    permissions: &[Permission],
    target: &Target<'_>,
) -> Decision {
    let Target::Snapshot { owner, of, into, .. } = target else { return everywhere(held, caller, permissions) };
    let is_owner = !owner.is_empty() && *owner == caller.name;
    match reach {
        Reach::OwnerWithPermission if is_owner => here(held, caller, permissions, target),
        Reach::OwnerOfSameTable if is_owner && of == into => Decision::allowed("Snapshot owner check allowed"),
        Reach::Owner if is_owner => Decision::allowed("Snapshot owner check allowed"),
        _ => everywhere(held, caller, permissions),
    }
}

fn table_of<'a>(target: &Target<'a>) -> Option<&'a TableName> {
    match target {
        Target::Global | Target::Namespace(_) => None,
        Target::NewTable(name, _) | Target::Table { name, .. } | Target::Columns(name, _) => Some(name),
        Target::Snapshot { into, .. } => Some(into),
    }
}

/// Every client reads `hbase:meta` to locate regions.
fn is_meta(name: &TableName) -> bool {
    name.is_system() && name.qualifier() == "meta"
}

fn last(permissions: &[Permission]) -> Permission {
    permissions.last().copied().unwrap_or(Permission::Admin)
}

fn global_message(caller: &Caller, permission: Permission) -> String {
    format!("Insufficient permissions for user '{}' (global, action={})", caller.name, permission.name())
}

/// Source: `AuthResult.toContextString`. With `is_named`, the parameters end in a comma: HBase appends the name of a
/// user to filter by, which is empty here.
fn context_message(caller: &Caller, target: &Target<'_>, permission: Permission, is_named: bool) -> String {
    let table = |name: &TableName| (full(name), vec![format!("table={}", full(name))]);
    let (mut family, mut in_scope) = (String::new(), true);
    let (scope, mut params) = match target {
        Target::Global => ("GLOBAL".to_string(), Vec::new()),
        Target::Namespace(namespace) => (namespace.to_string(), vec![format!("namespace={namespace}")]),
        Target::NewTable(name, families) => {
            let names = families.families.keys().map(|family| column_text(Some(family), None));
            (family, in_scope) = (names.collect::<Vec<_>>().join("|"), false);
            let params = vec![format!("namespace={}", name.namespace()), format!("table={}", full(name))];
            (name.namespace().to_string(), params)
        }
        Target::Table { name, family: part, qualifier } => {
            family = column_text(*part, *qualifier);
            table(name)
        }
        Target::Columns(name, _) | Target::Snapshot { into: name, .. } => table(name),
    };
    let mut text = format!("Insufficient permissions (user={}, scope={scope}, ", caller.name);
    if !family.is_empty() {
        params.push(format!("family={family}"));
        if in_scope {
            text += &format!("family={family}, ");
        }
    }
    let end = if is_named { "," } else { "" };
    if !params.is_empty() {
        text += &format!("params=[{}{end}],", params.join(","));
    }
    text + &format!("action={})", permission.name())
}

/// The error message if covered cells do not permit a write. Source: `AuthResult.toContextString`.
pub fn covering_message(
    caller: &Caller,
    name: &TableName,
    columns: &ColumnSelection,
    permission: Permission,
) -> String {
    let mut covered = Vec::new();
    for (family, qualifiers) in &columns.families {
        match qualifiers {
            None => covered.push(column_text(Some(family), Some(b""))),
            Some(all) => covered.extend(all.iter().map(|qualifier| column_text(Some(family), Some(qualifier)))),
        }
    }
    let (user, scope, family, action) = (&caller.name, full(name), covered.join("|"), permission.name());
    format!(
        "Insufficient permissions (user={user}, scope={scope}, family={family}, params=[table={scope},family={family}],action={action})"
    )
}

fn column_text(family: Option<&[u8]>, qualifier: Option<&[u8]>) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match (family, qualifier) {
        (None, _) => String::new(),
        (Some(family), None) => text(family),
        (Some(family), Some(qualifier)) => format!("{}:{}", text(family), text(qualifier)),
    }
}

impl std::fmt::Display for Target<'_> {
    /// Formats a scope as HBase does: `GLOBAL`, the namespace, or the table with its namespace, family and qualifier.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Global => f.write_str("GLOBAL"),
            Target::Namespace(namespace) => f.write_str(namespace),
            Target::NewTable(name, _) | Target::Columns(name, _) => f.write_str(&full(name)),
            Target::Table { name, family, qualifier } => {
                let column = column_text(*family, *qualifier);
                write!(f, "{}{}{column}", full(name), if column.is_empty() { "" } else { " " })
            }
            Target::Snapshot { name, into, .. } => write!(f, "{} {name}", full(into)),
        }
    }
}

fn full(name: &TableName) -> String {
    format!("{}:{}", name.namespace(), name.qualifier())
}
