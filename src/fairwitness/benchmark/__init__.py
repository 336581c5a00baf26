"""Measures the shipped evaluator on labelled sets the user has, beside what others published on the same rows."""
