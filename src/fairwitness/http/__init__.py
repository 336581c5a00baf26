"""The door: HTTP in, stories behind it, one error shape out."""
