"""User activity: keys of user and time, reports by time over all users, five index strategies."""
