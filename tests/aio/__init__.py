"""Tests of `rowstone.aio`: guarantees of the async twins beyond those of the blocking classes."""
