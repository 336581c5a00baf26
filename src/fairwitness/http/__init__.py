"""The door: HTTP in, one handler an operation behind it, one error shape out."""
