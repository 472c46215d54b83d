"""Measurements of homi, comparisons with other engines, and the tables of what was measured. Only Python's standard library."""
