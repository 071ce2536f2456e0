"""Messages as text/plain, in the format of HBase's models."""

from __future__ import annotations

from rowstone.server.rest.messages.shapes import Message


def table_list(message: Message) -> str:
    """One name per line."""
    return "".join(f"{table['name']}\n" for table in message["table"])


def table_info(message: Message) -> str:
    """One paragraph per region."""
    return "".join(
        f"{region['name']} [\n  id={region['id']}\n  startKey='{_text(region['startKey'])}'"
        f"\n  endKey='{_text(region['endKey'])}'\n  location='{region['location']}'\n]\n\n"
        for region in message["Region"]
    )


def table_schema(message: Message) -> str:
    """The table and its families, similar to the shell's describe."""
    families = ", ".join(_family(family) for family in message["ColumnSchema"])
    attributes = _attributes(message)
    return f"{{ NAME=> '{message['name']}'{attributes}, COLUMNS => [ {families} ] }}"


def _family(message: Message) -> str:
    return f"{{ NAME => '{message['name']}'{_attributes(message)} }}"


def _attributes(message: Message) -> str:
    return "".join(f", {name} => '{value}'" for name, value in message.items() if name not in ("name", "ColumnSchema"))


def version(message: Message) -> str:
    """All versions on one line."""
    return (
        f"rest {message['REST']} [JVM: {message['JVM']}] [OS: {message['OS']}] [Server: {message['Server']}]"
        f" [Jersey: {message['Jersey']}] [Version: {message['Version']}] [Revision: {message['Revision']}]\n"
    )


def cluster_version(message: Message) -> str:
    """The version."""
    return str(message["Version"])


def namespaces(message: Message) -> str:
    """One name per line."""
    return "".join(f"{name}\n" for name in message["Namespace"])


def namespace_properties(message: Message) -> str:
    """The namespace and its properties. The message includes the name, though JSON and XML leave it out."""
    pairs = "".join(f", {name} => '{value}'" for name, value in (message.get("properties") or {}).items())
    return f"{{NAME => '{message['name']}'{pairs}}}"


def cluster_status(message: Message) -> str:
    """Servers with their regions."""
    live, dead = message["LiveNodes"], message["DeadNodes"]
    text = f"{len(live)} live servers, {len(dead)} dead servers, {message['averageLoad']:.4f} average load\n\n"
    if live:
        text += f"{len(live)} live servers\n" + "".join(map(_node, live))
    if dead:
        text += f"\n{len(dead)} dead servers\n" + "".join(f"    {name}\n" for name in dead)
    return text


_REGION_LINES = (
    ("stores", "stores"),
    ("storefiless", "storefiles"),
    ("storefileSizeMB", "storefileSizeMB"),
    ("memstoreSizeMB", "memStoreSizeMB"),
    ("storefileIndexSizeKB", "storefileIndexSizeKB"),
    ("readRequestsCount", "readRequestsCount"),
    ("writeRequestsCount", "writeRequestsCount"),
    ("rootIndexSizeKB", "rootIndexSizeKB"),
    ("totalStaticIndexSizeKB", "totalStaticIndexSizeKB"),
    ("totalStaticBloomSizeKB", "totalStaticBloomSizeKB"),
    ("totalCompactingKVs", "totalCompactingKVs"),
    ("currentCompactedKVs", "currentCompactedKVs"),
)
"""The lines of a region as printed (in HBase's spelling), with their fields."""


def _node(node: Message) -> str:
    regions = "".join(
        f"        {_text(region['name'])}"
        + "".join(f"\n            {label}={region[name]}" for label, name in _REGION_LINES)
        + "\n"
        for region in node["Region"]
    )
    return (
        f"    {node['name']} {node['startCode']}\n        requests={node['requests']}, regions={len(node['Region'])}"
        f"\n        heapSizeMB={node['heapSizeMB']}\n        maxHeapSizeMB={node['maxHeapSizeMB']}\n\n{regions}\n"
    )


def _text(value: bytes) -> str:
    return value.decode(errors="replace")
