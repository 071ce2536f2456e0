"""Regions, servers, storage, switches of the master, groups of region servers."""
