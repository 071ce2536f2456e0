"""Tables, namespaces, snapshots, and the options of ``create`` and ``alter``."""
