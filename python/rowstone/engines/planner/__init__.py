"""From predicates to reads.

| module | duty |
|---|---|
| `normal` | predicates without negations |
| `byte_ranges` | sets of byte strings |
| `encodings`, `key_parts` | the bytes of the values above a bound: of codecs, of parts of row keys |
| `prefixes` | key ranges of constraints on the parts of a row key |
| `key_ranges` | key ranges of a predicate |
| `cell_filters` | HBase filters of a predicate |
| `plan` | the plan: ranges, filter, columns and residue |
"""
