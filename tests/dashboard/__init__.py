"""Tests of monitoring: metrics, web pages, slow calls."""
