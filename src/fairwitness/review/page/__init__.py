"""The page that a review is done on: static files."""
