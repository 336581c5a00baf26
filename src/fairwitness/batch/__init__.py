"""Judges whole files: rows in, results out in the same order, with processes, resumable, and gates over them."""
