"""All that a golden directory has besides cells: schema, permissions, quotas, snapshots, switches, an index.

`FACTS` is written by hand, from what `generate.py` asks for. `read_facts` reads the same from an open database.
"""

from __future__ import annotations

from typing import Any

SETTINGS: dict[str, Any] = {
    "hbase.quota.enabled": True,
    "hbase.regionserver.logroll.size": 16_384,
    "hbase.security.authorization": True,
    "hbase.superuser": "root",
    "hbase.hstore.compaction.min": 9,
    "rowstone.compaction.background": False,
}
"""How every version opens the directory."""

FACTS: dict[str, Any] = {
    "namespaces": {
        "default": {},
        "empty": {},
        "shop": {"hbase.namespace.quota.maxtables": "9", "owner": "ann"},
    },
    "splits": {"shop:merged": ["r016"], "shop:orders": ["r005", "r010"]},
    "disabled": ["disabled"],
    "attributes": {
        "notes": {"hbase.security.access.early_out": "false"},
        "settings": {
            "DURABILITY": "ASYNC_WAL",
            "MEMSTORE_FLUSHSIZE": "4194304",
            "READONLY": "true",
            "note": "kept",
        },
    },
    "configuration": {"settings": {"hbase.hstore.compaction.min": "7", "my.own": "word"}},
    "mob": {"IS_MOB": "true", "MOB_THRESHOLD": "200"},
    "families": {
        "n0n": ["NONE", "NONE", "NONE", 2, 1024],
        "p1g": ["PREFIX", "GZ", "ROW", 2, 1024],
        "d2s": ["DIFF", "SNAPPY", "ROWCOL", 2, 1024],
        "f3l": ["FAST_DIFF", "LZ4", "ROWPREFIX_FIXED_LENGTH", 2, 1024],
        "r4z": ["ROW_INDEX_V1", "ZSTD", "NONE", 2, 1024],
        "n5s": ["NONE", "SNAPPY", "ROW", 2, 1024],
        "p6l": ["PREFIX", "LZ4", "ROWCOL", 2, 1024],
        "d7z": ["DIFF", "ZSTD", "ROWPREFIX_FIXED_LENGTH", 2, 1024],
        "f8n": ["FAST_DIFF", "NONE", "NONE", 2, 1024],
        "r9g": ["ROW_INDEX_V1", "GZ", "ROW", 2, 1024],
    },
    "snapshots": [["last", "dropped"], ["monday", "snapped"]],
    "quotas": [
        ["READ_NUMBER", 100, "SECONDS", None, "ann", None, None],
        ["SPACE", 1 << 30, None, "NO_INSERTS", None, None, "shop"],
        ["WRITE_SIZE", 10 << 20, "MINUTES", None, "ann", "shop:orders", None],
    ],
    "grants": {
        "shop:orders": [["ann", ["READ", "WRITE"], "o"]],
        "@shop": [["@dev", ["READ", "WRITE", "EXEC", "CREATE", "ADMIN"], None]],
        "": [["op", ["ADMIN"], None]],
    },
    "switches": {"split": False, "normalizer": False, "merge": True},
    "notes of ada": {"n1": "for Ada", "n3": "for Ada too"},
    "index by_item": ["i0", "i2", "i1"],
}


def read_facts(database: Any) -> dict[str, Any]:
    """The same of an open database."""
    admin = database.admin
    tables = database.tables()
    schemas = {name: admin.describe(name) for name in tables}
    families = {name.decode(): family for name, family in schemas["formats"].families.items()}
    mob = schemas["media"].family("d").attributes
    permissions = admin.permissions
    index = database.index("indexed", "by_item")
    return {
        "namespaces": {each: admin.namespaces.describe(each) for each in admin.namespaces.list() if each != "hbase"},
        "splits": {name: [key.decode() for key in keys] for name in tables if (keys := admin.regions.split_keys(name))},
        "disabled": [name for name in tables if not admin.tables.is_enabled(name)],
        "attributes": {
            name: dict(schema.attributes) for name, schema in schemas.items() if name in FACTS["attributes"]
        },
        "configuration": {name: dict(schema.configuration) for name, schema in schemas.items() if schema.configuration},
        "mob": {key: mob[key] for key in ("IS_MOB", "MOB_THRESHOLD")},
        "families": {
            name: [each.data_block_encoding, each.compression, each.bloom_filter, each.max_versions, each.block_bytes]
            for name, each in families.items()
        },
        "snapshots": sorted([each.name, each.table] for each in admin.snapshots.list()),
        "quotas": sorted(
            [q.kind, q.limit, q.unit, q.policy, q.user, q.table, q.namespace] for q in admin.quotas.list()
        ),
        "grants": {
            "shop:orders": _grants(permissions.list(table="shop:orders")),
            "@shop": _grants(permissions.list(namespace="shop")),
            "": _grants(permissions.list()),
        },
        "switches": {name: admin.switches.get(name) for name in FACTS["switches"]},
        "notes of ada": {
            row.key.decode(): row["f:text"].decode() for row in database.as_user("ada").table("notes").scan()
        },
        "index by_item": [row.key.decode() for row in index.query()],
    }


def _grants(grants: Any) -> list[list[Any]]:
    """Those of the users that `generate.py` names."""
    named = [grant for grant in grants if grant.user in ("ann", "@dev", "op")]
    return [[grant.user, list(grant.actions), grant.family and grant.family.decode()] for grant in named]
