"""Measurements of homi, comparisons with other engines, and their tables.

Needs nothing but Python's standard library.
"""
