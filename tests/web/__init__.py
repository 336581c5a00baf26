"""The page in a real browser: each flow, what goes wrong, and how it looks."""
