"""Reading and writing rows, and the options of ``get`` and ``scan``."""
