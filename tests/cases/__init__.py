"""Scripts (`.txt`) with HBase's recorded answers (`.out`); `record.py` records them again."""
