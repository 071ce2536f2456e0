//! An index of a database's grants, and its superusers, who need none. Source: `AuthManager`.

use rowstone_model::access::{Caller, Grant, Permission, Permissions, Scope};
use rowstone_model::operations::ColumnSelection;
use rowstone_model::schema::TableName;
use std::collections::{BTreeMap, BTreeSet};

/// The prefix of a group's name.
pub const GROUP: char = '@';

/// Permissions in a table, a family or a column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TablePermissions {
    family: Option<Vec<u8>>,
    qualifier: Option<Vec<u8>>,
    permissions: Permissions,
}

impl TablePermissions {
    /// Whether they apply to the family and qualifier, of which `None` means all. Source: `TablePermission.implies`.
    fn cover(&self, family: Option<&[u8]>, qualifier: Option<&[u8]>) -> bool {
        self.family.as_deref().is_none_or(|own| family == Some(own))
            && self.qualifier.as_deref().is_none_or(|own| qualifier == Some(own))
    }
}

type ByUser<T> = BTreeMap<String, T>;

/// All grants, indexed by scope and user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantIndex {
    superusers: BTreeSet<String>,
    global: ByUser<Permissions>,
    namespaces: BTreeMap<String, ByUser<Permissions>>,
    tables: BTreeMap<TableName, ByUser<Vec<TablePermissions>>>,
}

impl GrantIndex {
    /// No grants; `superusers` are names of users and, with `@`, of groups.
    pub fn new(superusers: impl IntoIterator<Item = String>) -> Self {
        GrantIndex { superusers: superusers.into_iter().collect(), ..GrantIndex::default() }
    }

    /// Superusers: names of users and, with `@`, of groups.
    pub fn superusers(&self) -> impl Iterator<Item = &str> {
        self.superusers.iter().map(String::as_str)
    }

    /// Whether `name`, of a user or with `@` of a group, is a superuser.
    pub fn is_superuser_name(&self, name: &str) -> bool {
        self.superusers.contains(name)
    }

    /// Whether `caller` is a superuser, also by group.
    pub fn is_superuser(&self, caller: &Caller) -> bool {
        names(caller).any(|name| self.superusers.contains(name.as_ref()))
    }

    /// Sets a user's permissions in a scope; an empty set removes the grant.
    pub fn set(&mut self, grant: &Grant) {
        let user = grant.user.clone();
        match &grant.scope {
            Scope::Global => set_or_remove(&mut self.global, user, grant.permissions),
            Scope::Namespace(name) => {
                set_or_remove(self.namespaces.entry(name.clone()).or_default(), user, grant.permissions);
            }
            Scope::Table { name, family, qualifier } => {
                let own = self.tables.entry(name.clone()).or_default().entry(user).or_default();
                own.retain(|old| (&old.family, &old.qualifier) != (family, qualifier));
                if !grant.permissions.is_empty() {
                    let (family, qualifier) = (family.clone(), qualifier.clone());
                    own.push(TablePermissions { family, qualifier, permissions: grant.permissions });
                }
            }
        }
    }

    /// Removes the grants in a table, its families and columns.
    pub fn forget_table(&mut self, name: &TableName) {
        self.tables.remove(name);
    }

    /// Removes the grants in a namespace; its tables retain theirs.
    pub fn forget_namespace(&mut self, name: &str) {
        self.namespaces.remove(name);
    }

    /// Whether `caller` has `permission` globally.
    pub fn has_global(&self, caller: &Caller, permission: Permission) -> bool {
        let given = |name: &str| self.global.get(name).is_some_and(|permissions| permissions.has(permission));
        names(caller).any(|name| self.superusers.contains(name.as_ref()) || given(&name))
    }

    /// Whether `caller` has `permission` in a namespace or globally.
    pub fn has_namespace(&self, caller: &Caller, namespace: &str, permission: Permission) -> bool {
        self.has_global(caller, permission)
            || self.namespaces.get(namespace).is_some_and(|users| {
                names(caller)
                    .any(|name| users.get(name.as_ref()).is_some_and(|permissions| permissions.has(permission)))
            })
    }

    /// Whether `caller` has `permission` in a table, family or column, or in a scope that contains it.
    pub fn has_table(
        &self,
        caller: &Caller,
        table: &TableName,
        family: Option<&[u8]>,
        qualifier: Option<&[u8]>,
        permission: Permission,
    ) -> bool {
        self.has_namespace(caller, table.namespace(), permission)
            || self.of_table(caller, table, permission).any(|own| own.cover(family, qualifier))
    }

    /// Whether `caller` has `permission` in any part of a table.
    pub fn reaches_into(&self, caller: &Caller, table: &TableName, permission: Permission) -> bool {
        self.has_namespace(caller, table.namespace(), permission)
            || self.of_table(caller, table, permission).next().is_some()
    }

    /// The columns of `wanted` for which `caller` has `permission`. `wanted` must name some.
    pub fn part_of(
        &self,
        caller: &Caller,
        table: &TableName,
        wanted: &ColumnSelection,
        permission: Permission,
    ) -> ColumnSelection {
        let mut part = ColumnSelection::default();
        for (family, qualifiers) in &wanted.families {
            if self.has_table(caller, table, Some(family), None, permission) {
                part.families.insert(family.clone(), qualifiers.clone());
                continue;
            }
            let given = self.of_table(caller, table, permission).filter(|own| own.family.as_ref() == Some(family));
            for qualifier in given.filter_map(|own| own.qualifier.as_ref()) {
                if wanted.has(family, qualifier) {
                    part.add_column(family, qualifier);
                }
            }
        }
        part
    }

    fn of_table<'a>(
        &'a self,
        caller: &'a Caller,
        table: &TableName,
        permission: Permission,
    ) -> impl Iterator<Item = &'a TablePermissions> {
        let users = self.tables.get(table);
        users.into_iter().flat_map(move |users| {
            names(caller)
                .filter_map(|name| users.get(name.as_ref()))
                .flatten()
                .filter(move |own| own.permissions.has(permission))
        })
    }

    /// The grants of a scope, sorted by user. Those of a table include those of its families and columns.
    pub fn grants(&self, scope: &Scope) -> Vec<Grant> {
        let simple = |users: &ByUser<Permissions>| {
            let grant = |(user, permissions): (&String, &Permissions)| Grant {
                user: user.clone(),
                scope: scope.clone(),
                permissions: *permissions,
            };
            users.iter().map(grant).collect()
        };
        match scope {
            Scope::Global => simple(&self.global),
            Scope::Namespace(name) => self.namespaces.get(name).map(simple).unwrap_or_default(),
            Scope::Table { name, family, qualifier } => {
                let mut found = Vec::new();
                for (user, own) in self.tables.get(name).into_iter().flatten() {
                    for one in own {
                        let is_family = family.is_none() || one.family == *family;
                        if is_family && (family.is_none() || qualifier.is_none() || one.qualifier == *qualifier) {
                            let scope = Scope::Table {
                                name: name.clone(),
                                family: one.family.clone(),
                                qualifier: one.qualifier.clone(),
                            };
                            found.push(Grant { user: user.clone(), scope, permissions: one.permissions });
                        }
                    }
                }
                found
            }
        }
    }

    /// The permissions of `user` in exactly that scope.
    pub fn permissions_at(&self, user: &str, scope: &Scope) -> Permissions {
        let found = self.grants(scope).into_iter().find(|grant| grant.user == user && grant.scope == *scope);
        found.map_or(Permissions::NONE, |grant| grant.permissions)
    }
}

/// The names under which `caller` may have grants: the user's, and each group's with `@`.
pub fn names(caller: &Caller) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    let groups = caller.groups.iter().map(|group| std::borrow::Cow::Owned(format!("{GROUP}{group}")));
    std::iter::once(std::borrow::Cow::Borrowed(caller.name.as_str())).chain(groups)
}

fn set_or_remove(users: &mut ByUser<Permissions>, user: String, permissions: Permissions) {
    if permissions.is_empty() {
        users.remove(&user);
    } else {
        users.insert(user, permissions);
    }
}
