"""A log of many hosts: hostname, time, event and value, under seven row keys."""
