"""Parts of the pages about heat maps."""
