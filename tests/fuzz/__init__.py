"""Hostile input, searched for: what was found is kept here and replayed."""
