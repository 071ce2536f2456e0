"""Resources behind the routes, one file per kind; their functions take a request and return a response."""
