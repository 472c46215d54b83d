"""Measurements of homi, comparisons with other engines, and the tables of what was measured.

Needs nothing but Python's standard library.
"""
