"""Ruby's values: objects, conversions, formats, times, regular expressions."""
