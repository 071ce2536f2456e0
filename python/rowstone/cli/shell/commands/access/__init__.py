"""Permissions, visibility labels and quotas."""
