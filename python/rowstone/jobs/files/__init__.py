"""Files of imports and exports: `formats` chooses a reader or writer, `records` is what readers yield."""
