//! The whole matrix: each operation, with each permission in each scope, is allowed exactly where HBase's reference
//! guide (appendix "Access Control Matrix") and its `AccessController` say so.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use rowstone_access::operations::{Reach, RULES};
use rowstone_access::{decide, GrantIndex, Operation, Target, Verdict};
use rowstone_model::access::{Caller, Grant, Permission, Permissions, Scope};
use rowstone_model::operations::{ColumnSelection, Qualifiers};
use rowstone_model::schema::TableName;

/// The grants that suffice: scopes `G` (global), `N` (namespace), `T` (table), `F` (family), `Q` (column), each with
/// permissions.
const EXPECTED: &str = "
createTable             G:AC N:AC
modifyTable             G:AC N:AC T:AC
deleteTable             G:AC N:AC T:AC
truncateTable           G:AC N:AC T:AC
enableTable             G:AC N:AC T:AC
disableTable            G:AC N:AC T:AC
getTableDescriptors     G:AC N:AC T:AC
getTableNames           G:RWXCA N:RWXCA T:RWXCA F:RWXCA Q:RWXCA
flushTable              G:AC N:AC T:AC
move                    G:A N:A T:A
assign                  G:A N:A T:A
unassign                G:A N:A T:A
split                   G:A N:A T:A
mergeRegions            G:A N:A T:A
truncateRegion          G:AC N:AC T:AC
balance                 G:A
balanceSwitch           G:A
normalize               G:A
setQuota                G:A
setTableQuota           G:A N:A T:A
other switches and services  G:A
snapshot                G:A N:A T:A
listSnapshot            G:A
cloneSnapshot           G:A
restoreSnapshot         G:A
deleteSnapshot          G:A
createNamespace         G:A
deleteNamespace         G:A
modifyNamespace         G:A
getNamespaceDescriptor  G:A N:A
listNamespaces          G:A N:A
flush                   G:AC N:AC T:AC
compact                 G:AC N:AC T:AC
get                     G:R N:R T:R F:R Q:R
exists                  G:R N:R T:R F:R Q:R
scan                    G:R N:R T:R F:R Q:R
put                     G:W N:W T:W F:W Q:W
delete                  G:W N:W T:W F:W Q:W
increment               G:W N:W T:W F:W Q:W
append                  G:W N:W T:W F:W Q:W
checkAndMutate          G:RW N:RW T:RW F:RW Q:RW
bulkLoadHFile           G:C N:C T:C F:C
invoke                  G:X N:X T:X
grant                   G:A N:A T:A F:A Q:A
revoke                  G:A N:A T:A F:A Q:A
userPermissions         G:A N:A T:A F:A Q:A
hasPermission           G:A N:A T:A F:A Q:A
listStoreFiles          G:AC N:AC T:AC
heat                    G:R N:R T:R
exportFiles             G:R N:R T:R
exportSnapshot          G:A
importSnapshot          G:A
backup                  G:A
observe                 G:A
";

fn name(text: &str) -> TableName {
    TableName::parse(text).unwrap()
}

fn column(table: &str, family: Option<&str>, qualifier: Option<&str>) -> Scope {
    let bytes = |part: Option<&str>| part.map(|part| part.as_bytes().to_vec());
    Scope::Table { name: name(table), family: bytes(family), qualifier: bytes(qualifier) }
}

/// The scopes from wide to narrow with their letters, each with a sibling scope.
fn scopes() -> [(char, Scope, Option<Scope>); 5] {
    [
        ('G', Scope::Global, None),
        ('N', Scope::Namespace("ns".into()), Some(Scope::Namespace("other".into()))),
        ('T', column("ns:t", None, None), Some(column("ns:other", None, None))),
        ('F', column("ns:t", Some("f"), None), Some(column("ns:t", Some("g"), None))),
        ('Q', column("ns:t", Some("f"), Some("q")), Some(column("ns:t", Some("f"), Some("p")))),
    ]
}

fn with_target<T>(operation: Operation, ask: impl FnOnce(&Target<'_>) -> T) -> T {
    let (table, columns) = (name("ns:t"), {
        let mut columns = ColumnSelection::default();
        columns.add_column(b"f", b"q");
        columns
    });
    let families = ColumnSelection::default();
    let owned = Target::Snapshot { name: "s", owner: "somebody", of: &table, into: &table };
    ask(&match operation {
        Operation::CreateTable => Target::NewTable(&table, &families),
        Operation::GetNamespaceDescriptor | Operation::ListNamespaces => Target::Namespace("ns"),
        Operation::BulkLoad => Target::Table { name: &table, family: Some(b"f"), qualifier: None },
        Operation::Grant | Operation::Revoke | Operation::UserPermissions | Operation::HasPermission => {
            Target::Table { name: &table, family: Some(b"f"), qualifier: Some(b"q") }
        }
        _ => match operation.rule().reach {
            Reach::Everywhere => Target::Global,
            Reach::EachColumn | Reach::SomeColumns => Target::Columns(&table, &columns),
            Reach::Owner | Reach::OwnerOfSameTable | Reach::OwnerWithPermission => owned,
            Reach::Here | Reach::Anywhere => Target::table(&table),
        },
    })
}

/// Whether the caller is allowed the operation if `user` has these grants, each a scope and its permissions.
fn may(operation: Operation, user: &str, caller: &Caller, grants: &[(&Scope, Permissions)]) -> bool {
    let mut held = GrantIndex::new(["root".to_string(), "@wheel".to_string()]);
    for (scope, permissions) in grants {
        held.set(&Grant { user: user.into(), scope: (*scope).clone(), permissions: *permissions });
    }
    with_target(operation, |target| decide(&held, caller, operation, target).verdict == Verdict::Allowed)
}

fn expected(operation: Operation) -> Vec<(char, Permissions)> {
    let line = EXPECTED.lines().find(|line| {
        let rest = line.strip_prefix(operation.name()).unwrap_or("-");
        rest.starts_with("  ") || rest.starts_with(' ')
    });
    let parts = line.unwrap().strip_prefix(operation.name()).unwrap().split_whitespace();
    parts.map(|part| (part.chars().next().unwrap(), Permissions::parse(&part[2..]).unwrap())).collect()
}

#[test]
fn each_operation_needs_exactly_the_permissions_of_hbase() {
    let ann = Caller::new("ann");
    let member = Caller { groups: vec!["dev".into()], ..Caller::new("bob") };
    let mut walked = 0;
    for rule in &RULES {
        let expected = expected(rule.operation);
        let needs_all = rule.reach == Reach::EachColumn;
        for (letter, scope, beside) in scopes() {
            let enough = expected
                .iter()
                .find(|(at, _)| *at == letter)
                .map_or(Permissions::NONE, |(_, permissions)| *permissions);
            for permission in Permission::ALL {
                let one = Permissions::NONE.and(permission);
                let is_enough = if needs_all { enough == one } else { enough.has(permission) };
                let what = format!("{} with {one} at {letter}", rule.name);
                assert_eq!(may(rule.operation, "ann", &ann, &[(&scope, one)]), is_enough, "{what}");
                assert_eq!(may(rule.operation, "@dev", &member, &[(&scope, one)]), is_enough, "{what}, by a group");
                assert!(!may(rule.operation, "ann", &member, &[(&scope, one)]), "{what}, granted to another user");
                walked += 3;
            }
            if needs_all {
                assert!(may(rule.operation, "ann", &ann, &[(&scope, enough)]), "{} with all at {letter}", rule.name);
            }
            // A sibling scope never helps, except that a user with any permission in a table sees its name.
            if let Some(beside) = beside {
                let is_in_table = rule.reach == Reach::Anywhere && matches!(letter, 'F' | 'Q');
                let found = may(rule.operation, "ann", &ann, &[(&beside, Permissions::ALL)]);
                assert_eq!(found, is_in_table, "{} with all in a sibling of {letter}", rule.name);
            }
        }
        let wheel = Caller { groups: vec!["wheel".into()], ..Caller::new("carl") };
        assert!(may(rule.operation, "ann", &Caller::new("root"), &[]), "{}: a superuser", rule.name);
        assert!(may(rule.operation, "ann", &wheel, &[]), "{}: a member of a supergroup", rule.name);
        assert!(!may(rule.operation, "ann", &ann, &[]), "{} without grants", rule.name);
    }
    assert_eq!(walked, RULES.len() * 5 * 5 * 3);
}

#[test]
fn permissions_of_several_scopes_add_up() {
    let (ann, scopes) = (Caller::new("ann"), scopes());
    let permissions = |letters| Permissions::parse(letters).unwrap();
    // The permission to read comes from the namespace, the one to write from the column.
    let grants = [(&scopes[1].1, permissions("R")), (&scopes[4].1, permissions("W"))];
    assert!(may(Operation::CheckAndMutate, "ann", &ann, &grants));
    assert!(!may(Operation::CheckAndMutate, "ann", &ann, &grants[..1]));
}

#[test]
fn the_owner_of_a_snapshot_has_the_permissions_of_hbase() {
    let (of, other, ann) = (name("ns:t"), name("ns:new"), Caller::new("ann"));
    let ask = |held: &GrantIndex, operation, into: &TableName| {
        let target = Target::Snapshot { name: "s", owner: "ann", of: &of, into };
        decide(held, &ann, operation, &target).is_allowed()
    };
    let mut held = GrantIndex::default();
    assert!(ask(&held, Operation::ListSnapshot, &of) && ask(&held, Operation::DeleteSnapshot, &of));
    assert!(ask(&held, Operation::CloneSnapshot, &of) && !ask(&held, Operation::CloneSnapshot, &other));
    assert!(!ask(&held, Operation::RestoreSnapshot, &of));
    held.set(&Grant { user: "ann".into(), scope: Scope::table(&of), permissions: Permissions::parse("A").unwrap() });
    assert!(ask(&held, Operation::RestoreSnapshot, &of));
    // A snapshot without an owner belongs to no user, not even to one with an empty name.
    let target = Target::Snapshot { name: "s", owner: "", of: &of, into: &of };
    assert!(!decide(&held, &Caller::new(""), Operation::DeleteSnapshot, &target).is_allowed());
}

#[test]
fn a_read_is_narrowed_to_the_readable_columns() {
    let (table, ann) = (name("ns:t"), Caller::new("ann"));
    let mut held = GrantIndex::default();
    for scope in [column("ns:t", Some("f"), None), column("ns:t", Some("g"), Some("q"))] {
        held.set(&Grant { user: "ann".into(), scope, permissions: Permissions::parse("R").unwrap() });
    }
    let read = |columns: &[(&str, &[&str])]| {
        let mut wanted = ColumnSelection::default();
        for (family, qualifiers) in columns {
            match qualifiers {
                [] => wanted.add_family(family.as_bytes()),
                _ => qualifiers.iter().for_each(|one| wanted.add_column(family.as_bytes(), one.as_bytes())),
            }
        }
        match decide(&held, &ann, Operation::Scan, &Target::Columns(&table, &wanted)).verdict {
            Verdict::Allowed => "all".to_string(),
            Verdict::Denied(message) => message,
            Verdict::CellByCell => "cells".to_string(),
            Verdict::Narrowed(part) => {
                let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
                let family = |(family, qualifiers): (&Vec<u8>, &Option<Qualifiers>)| match qualifiers {
                    None => text(family),
                    Some(all) => format!("{}:{}", text(family), all.iter().map(text).collect::<Vec<_>>().join("|")),
                };
                part.families.iter().map(family).collect::<Vec<_>>().join(" ")
            }
        }
    };
    assert_eq!(read(&[("f", &[]), ("g", &["q"])]), "all");
    assert_eq!(read(&[("f", &[]), ("g", &[]), ("h", &[])]), "f g:q");
    assert_eq!(read(&[("f", &["x"]), ("g", &["p", "q"])]), "f:x g:q");
    let refused = "Insufficient permissions for user 'ann' (table=ns:t, action=READ)";
    assert_eq!(read(&[("h", &[])]), refused);
    assert_eq!(read(&[("g", &["p"])]), refused);
}

#[test]
fn denials_have_the_messages_of_hbase() {
    let (table, ann, held) = (name("t"), Caller::new("ann"), GrantIndex::default());
    let message = |operation, target: &Target<'_>| match decide(&held, &ann, operation, target).verdict {
        Verdict::Denied(message) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        message(Operation::Balance, &Target::Global),
        "Insufficient permissions for user 'ann' (global, action=ADMIN)"
    );
    assert_eq!(
        message(Operation::DeleteTable, &Target::table(&table)),
        "Insufficient permissions (user=ann, scope=default:t, params=[table=default:t,],action=CREATE)"
    );
    let mut columns = ColumnSelection::default();
    columns.add_column(b"f", b"q");
    assert_eq!(
        message(Operation::CreateTable, &Target::NewTable(&table, &columns)),
        "Insufficient permissions (user=ann, scope=default, params=[namespace=default,table=default:t,family=f],action=CREATE)"
    );
    assert_eq!(
        message(Operation::Put, &Target::Columns(&table, &columns)),
        "Insufficient permissions (user=ann, scope=default:t, family=f:q, params=[table=default:t,family=f:q],action=WRITE)"
    );
}

/// The table of `docs/reference/access.md`, generated from [`RULES`].
fn document() -> String {
    let mut text = String::from("| HBase's interface | operation | needs |\n|---|---|---|\n");
    for rule in &RULES {
        let letters: Vec<String> = rule.permissions.iter().map(|permission| permission.letter().to_string()).collect();
        let any = letters.join(" or ");
        let needs = match rule.reach {
            Reach::Everywhere => format!("{any} globally"),
            Reach::Here => format!("{any} in that scope or above"),
            Reach::Anywhere => "any permission in the table".to_string(),
            Reach::EachColumn => format!("{} for each column", letters.join(" and ")),
            Reach::SomeColumns => format!("{any} for each column; otherwise only the readable columns are returned"),
            Reach::Owner => format!("ownership of the snapshot, or {any} globally"),
            Reach::OwnerOfSameTable => {
                format!("ownership of the snapshot and a clone under the table's own name, or {any} globally")
            }
            Reach::OwnerWithPermission => {
                format!("ownership of the snapshot and {any} in the table, or {any} globally")
            }
        };
        text += &format!("| {} | {} | {needs} |\n", rule.interface, rule.name);
    }
    text
}

#[test]
fn the_document_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/access.md");
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found.contains(&document()), "docs/reference/access.md lacks this:\n{}", document());
}
