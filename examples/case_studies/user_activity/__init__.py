"""User activity: keys are user and time, a report wants times over all users; five strategies of an index."""
