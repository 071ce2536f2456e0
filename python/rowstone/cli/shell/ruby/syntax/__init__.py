"""From text to syntax tree: lexer, token stream, parser."""
