"""Training and measuring of the shipped encoder; not part of the wheel, and imported by nothing in it."""
