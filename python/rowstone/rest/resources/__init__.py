"""What is behind the routes: a file for each kind of thing; functions take a request and give an answer."""
