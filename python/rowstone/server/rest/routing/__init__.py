"""From a request to its operation: routes, media types, row specifications, and the OpenAPI description of all."""
