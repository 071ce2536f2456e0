//! An index of a database's grants, and its superusers, who need none. Source: `AuthManager`.

use rowstone_model::access::{Caller, Grant, Right, Rights, Scope};
use rowstone_model::operations::ColumnSelection;
use rowstone_model::schema::TableName;
use std::collections::{BTreeMap, BTreeSet};

/// The prefix of a group's name.
pub const GROUP: char = '@';

/// Permissions in a table, a family or a column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TableRights {
    family: Option<Vec<u8>>,
    qualifier: Option<Vec<u8>>,
    rights: Rights,
}

impl TableRights {
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
    global: ByUser<Rights>,
    namespaces: BTreeMap<String, ByUser<Rights>>,
    tables: BTreeMap<TableName, ByUser<Vec<TableRights>>>,
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
            Scope::Global => set_or_remove(&mut self.global, user, grant.rights),
            Scope::Namespace(name) => {
                set_or_remove(self.namespaces.entry(name.clone()).or_default(), user, grant.rights);
            }
            Scope::Table { name, family, qualifier } => {
                let own = self.tables.entry(name.clone()).or_default().entry(user).or_default();
                own.retain(|old| (&old.family, &old.qualifier) != (family, qualifier));
                if !grant.rights.is_empty() {
                    let (family, qualifier) = (family.clone(), qualifier.clone());
                    own.push(TableRights { family, qualifier, rights: grant.rights });
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

    /// Whether `caller` has `right` globally.
    pub fn has_global(&self, caller: &Caller, right: Right) -> bool {
        let given = |name: &str| self.global.get(name).is_some_and(|rights| rights.has(right));
        names(caller).any(|name| self.superusers.contains(name.as_ref()) || given(&name))
    }

    /// Whether `caller` has `right` in a namespace or globally.
    pub fn has_namespace(&self, caller: &Caller, namespace: &str, right: Right) -> bool {
        self.has_global(caller, right)
            || self.namespaces.get(namespace).is_some_and(|users| {
                names(caller).any(|name| users.get(name.as_ref()).is_some_and(|rights| rights.has(right)))
            })
    }

    /// Whether `caller` has `right` in a table, family or column, or in a scope that contains it.
    pub fn has_table(
        &self,
        caller: &Caller,
        table: &TableName,
        family: Option<&[u8]>,
        qualifier: Option<&[u8]>,
        right: Right,
    ) -> bool {
        self.has_namespace(caller, table.namespace(), right)
            || self.of_table(caller, table, right).any(|own| own.cover(family, qualifier))
    }

    /// Whether `caller` has `right` in any part of a table.
    pub fn reaches_into(&self, caller: &Caller, table: &TableName, right: Right) -> bool {
        self.has_namespace(caller, table.namespace(), right) || self.of_table(caller, table, right).next().is_some()
    }

    /// The columns of `wanted` for which `caller` has `right`. `wanted` must name some.
    pub fn part_of(
        &self,
        caller: &Caller,
        table: &TableName,
        wanted: &ColumnSelection,
        right: Right,
    ) -> ColumnSelection {
        let mut part = ColumnSelection::default();
        for (family, qualifiers) in &wanted.families {
            if self.has_table(caller, table, Some(family), None, right) {
                part.families.insert(family.clone(), qualifiers.clone());
                continue;
            }
            let given = self.of_table(caller, table, right).filter(|own| own.family.as_ref() == Some(family));
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
        right: Right,
    ) -> impl Iterator<Item = &'a TableRights> {
        let users = self.tables.get(table);
        users.into_iter().flat_map(move |users| {
            names(caller).filter_map(|name| users.get(name.as_ref())).flatten().filter(move |own| own.rights.has(right))
        })
    }

    /// The grants of a scope, sorted by user. Those of a table include those of its families and columns.
    pub fn grants(&self, scope: &Scope) -> Vec<Grant> {
        let simple = |users: &ByUser<Rights>| {
            let grant = |(user, rights): (&String, &Rights)| Grant {
                user: user.clone(),
                scope: scope.clone(),
                rights: *rights,
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
                            found.push(Grant { user: user.clone(), scope, rights: one.rights });
                        }
                    }
                }
                found
            }
        }
    }

    /// The permissions of `user` in exactly that scope.
    pub fn rights_at(&self, user: &str, scope: &Scope) -> Rights {
        let found = self.grants(scope).into_iter().find(|grant| grant.user == user && grant.scope == *scope);
        found.map_or(Rights::NONE, |grant| grant.rights)
    }
}

/// The names under which `caller` may have grants: the user's, and each group's with `@`.
pub fn names(caller: &Caller) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    let groups = caller.groups.iter().map(|group| std::borrow::Cow::Owned(format!("{GROUP}{group}")));
    std::iter::once(std::borrow::Cow::Borrowed(caller.name.as_str())).chain(groups)
}

fn set_or_remove(users: &mut ByUser<Rights>, user: String, rights: Rights) {
    if rights.is_empty() {
        users.remove(&user);
    } else {
        users.insert(user, rights);
    }
}
