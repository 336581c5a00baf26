"""The published protocols, as data."""
