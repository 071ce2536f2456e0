"""Bodies of requests and responses: models, conversion of rows, JSON filters, and their encodings (`shapes`)."""
