"""What an operator sees: metrics, pages, slow calls."""
