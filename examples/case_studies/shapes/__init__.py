"""Tall, wide and middle: the same series as versions of a cell, columns of a row, rows, and rows of some columns."""
