"""Long work on whole tables, in pieces that fit in memory and can be taken up again: import files.

Example:
    >>> import pathlib, tempfile
    >>> import rowstone as rs
    >>> from rowstone import jobs
    >>> with tempfile.TemporaryDirectory() as folder, rs.connect(":memory:") as db:
    ...     file = pathlib.Path(folder) / "people.csv"
    ...     _ = file.write_text("id,age\\nann,41\\nbob,27\\n")
    ...     _ = db.create_table("people", ["f"])
    ...     print(jobs.import_file(db.table("people"), file, {"f:a": "age"}, key="id").rows)
    ...     print(db.table("people").get("bob")["f:a"])
    2
    b'27'
"""

from rowstone.jobs._import import Imported, import_file
from rowstone.jobs._plan import Encoder
from rowstone.jobs._records import BadInput

__all__ = ["BadInput", "Encoder", "Imported", "import_file"]
